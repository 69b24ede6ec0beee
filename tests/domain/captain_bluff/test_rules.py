"""The cases of the rules of Captain Bluff, one by one."""

import pytest

from domain.captain_bluff import CAPTAIN_BLUFF
from domain.captain_bluff import events as e
from domain.captain_bluff.belts import read
from domain.captain_bluff.cards import AIRPORT, BAGS, NUMBER_OF
from domain.captain_bluff.moves import (
    Close,
    PlayDelayedFlight,
    PlayReverse,
    Recover,
)
from domain.commands import Create
from domain.decide import decide
from domain.errors import Refused
from domain.game import Game
from domain.moves import Move
from domain.ruleset import Moment
from domain.votes import VoteClosed
from tests.domain.captain_bluff.table import (
    CALL,
    OPEN,
    PASS,
    A,
    B,
    C,
    D,
    Play,
    change,
    define,
    draws,
    offered,
    place,
    refusal,
    row,
    started,
)

HKG_ALL = " ".join(f"HKG-{n}" for n in range(1, 18))


@pytest.mark.parametrize(
    ("lying", "laid", "code"),
    [
        ("HKG-5 HKG-6", "HKG-9 HKG-10", None),
        ("HKG-5 HKG-6", "HKG-9 HKG-11", "run_not_closed"),
        ("HKG-5 HKG-6", "HKG-4", "number_out_of_order"),
        ("HKG-8", "HKG-5 HKG-4", None),
        ("HKG-8", "HKG-4 HKG-5", "number_out_of_order"),
        ("HKG-8", "HKG-10 HKG-9", "number_out_of_order"),
        ("HKG-8 HKG-10", "HKG-13 HKG-12", "wrong_direction"),
        ("HKG-8 HKG-5", "HKG-6", "number_out_of_order"),
        ("HKG-8 HKG-5", "HKG-1", None),
    ],
)
def test_case_1_runs_are_closed_and_the_belt_is_monotone_with_gaps_between_plays(
    lying: str, laid: str, code: str | None
) -> None:
    play = Play(f"{laid} SFO-1", "SFO-2", belts={0: ("HNL-1", lying)})
    if code:
        assert refusal(play, A, place(0, laid)).code == code
        return
    assert offered(play, A, place(0, laid))
    play.when(A, place(0, laid))
    assert play.state.belts[0].row == row(f"{lying} {laid}")


def test_case_1_the_second_number_fixes_the_direction() -> None:
    play = Play("HKG-5 HKG-4 HKG-9 SFO-1", "SFO-2", belts={0: ("HNL-1", "HKG-8")})
    play.when(A, place(0, "HKG-5 HKG-4")).votes(PASS)
    assert read(play.state.belts[0].row).direction == -1


def test_case_2_a_city_is_open_on_one_belt_only() -> None:
    play = Play("HKG-5 SFO-1", "SFO-2", belts={0: ("HNL-1", "HKG-3"), 4: ("HNL-2", "")})
    refused = refusal(play, A, place(4, "HKG-5"))
    assert (refused.code, refused.facts) == ("city_already_open", {"city": "HKG", "belt": 0})


def test_case_2_an_origin_card_that_is_hidden_does_not_count_for_the_city() -> None:
    play = Play("HKG-5 SFO-1", "SFO-2", belts={0: ("HKG-1", "SFO-3"), 4: ("HNL-2", "")})
    assert play.when(A, place(4, "HKG-5")).types() == ["bags_placed"]


def test_case_2_without_an_origin_card_above_nothing_is_placed() -> None:
    refused = refusal(Play("HKG-5 SFO-1", "SFO-2", belts={2: ("HNL-1", "")}), A, place(0, "HKG-5"))
    assert (refused.code, refused.facts) == ("no_origin", {"belts": [2]})


@pytest.mark.parametrize(("origin", "taker", "truthful"), [("HNL-9", B, False), ("HKG-9", C, True)])
def test_case_3_the_last_to_place_takes_everything_or_the_challenger_does(
    origin: str, taker: int, truthful: bool
) -> None:
    play = Play("HKG-3 HKG-4 SFO-1", "HKG-5 SFO-2", "SFO-3", belts={1: (origin, "")})
    play.when(A, place(1, "HKG-3 HKG-4")).votes(PASS, PASS)
    play.when(B, place(1, "HKG-5")).votes(CALL, PASS)
    judged = play.one(e.Challenged)
    assert (judged.challenger, judged.accused, judged.truthful) == (C, B, truthful)
    assert judged.opens[0].value == origin
    assert play.one(e.BeltTaken).seat == taker
    assert set(play.hand(taker)) >= {"HKG-3", "HKG-4", "HKG-5", origin}
    assert (play.state.belts[1].origin, play.state.belts[1].row) == (None, ())


@pytest.mark.parametrize("laid", ["HKG-5", "HKG-3 HKG-4 *5"])
def test_case_4_an_airport_card_as_origin_makes_every_play_a_lie(laid: str) -> None:
    held = laid.replace("*5", "AROUND_THE_WORLD")
    play = Play(f"{held} SFO-1", "SFO-2", belts={1: ("NOTICE_BOARD", "")})
    play.when(A, place(1, laid)).votes(CALL)
    assert play.one(e.Challenged).truthful is False
    assert set(play.hand(A)) == {*held.split(), "SFO-1", "NOTICE_BOARD"}


def test_case_5_define_with_the_last_card_draws_one_and_does_not_win() -> None:
    play = Play("HKG-3", "SFO-2", draw="SFO-9").when(A, define(2, "HKG-3"))
    assert play.types() == ["origin_defined", "card_drawn", "turn_ended"]
    assert play.hand(A) == ("SFO-9",)
    assert CAPTAIN_BLUFF.result(play.state) is None


def test_case_5_define_with_the_last_card_wins_when_both_piles_are_empty() -> None:
    play = Play("HKG-3", "SFO-2", draw="").when(A, define(2, "HKG-3"))
    assert play.types() == ["origin_defined"]
    result = CAPTAIN_BLUFF.result(play.state)
    assert result is not None
    assert (result.reason, result.winners) == ("emptied", (A,))


@pytest.mark.parametrize(
    ("answer", "origin", "wins"), [(PASS, "SFO-9", True), (CALL, "SFO-9", False), (CALL, "HKG-9", True)]
)
def test_case_6_the_last_bags_win_unless_they_are_challenged_rightly(answer: Move, origin: str, wins: bool) -> None:
    play = Play("HKG-3 HKG-4", "SFO-2 SFO-3", "SFO-4", belts={0: (origin, "")}).when(A, place(0, "HKG-3 HKG-4"))
    assert CAPTAIN_BLUFF.result(play.state) is None
    play.votes(answer, PASS)
    result = CAPTAIN_BLUFF.result(play.state)
    assert (result is not None) is wins
    if result is not None:
        assert result.winners == (A,)
        assert "turn_ended" not in play.types()
    else:
        assert set(play.hand(A)) == {"HKG-3", "HKG-4", origin}


def test_case_7_recovery_stops_at_an_airport_card() -> None:
    play = Play("SFO-1", "SFO-2", belts={0: ("HNL-1", "HKG-3 HKG-4 REVERSE HKG-2")})
    refused = refusal(play, B, Recover(0, 2))
    assert (refused.code, refused.facts) == ("wrong_number_of_bags", {"min": 1, "max": 1})
    play.when(B, Recover(0, 1))
    assert play.one(e.BagsRecovered).cards == ("HKG-2",)
    assert play.state.belts[0].row == row("HKG-3 HKG-4 REVERSE")
    assert refusal(play, B, Recover(0, 1)).code == "nothing_to_recover"


def test_case_7_the_only_bag_of_a_belt_cannot_be_recovered() -> None:
    play = Play("SFO-1", "SFO-2", belts={0: ("HNL-1", "HKG-3")})
    assert play.offers() == []
    assert refusal(play, A, Recover(0, 1)).code == "nothing_to_recover"


@pytest.mark.parametrize(
    ("laid", "code"),
    [
        ("HKG-3 *4 HKG-5", None),
        ("*2 HKG-3", None),
        ("HKG-5 *4 HKG-3", None),
        ("HKG-3 *3 HKG-4", "run_not_closed"),
        ("HKG-3 HKG-4 *6", "run_not_closed"),
        ("HKG-16 HKG-17 *18", "number_out_of_range"),
        ("HKG-1 *0", "number_out_of_range"),
        ("*5", "bag_needed"),
        ("HKG-3 *4 HKG-5 *6", "two_airport_cards"),
    ],
)
def test_case_8_an_around_the_world_takes_the_place_of_one_bag(laid: str, code: str | None) -> None:
    hand = f"{HKG_ALL} AROUND_THE_WORLD AROUND_THE_WORLD"
    play = Play(hand, "SFO-2", belts={0: ("HNL-1", "")})
    if code:
        assert refusal(play, A, place(0, laid)).code == code
        return
    assert offered(play, A, place(0, laid))
    play.when(A, place(0, laid))
    assert play.state.airport
    assert "AROUND_THE_WORLD" in play.hand(A)


def test_case_9_a_delayed_flight_makes_the_others_with_fewer_than_five_cards_draw() -> None:
    few, five, seven = (
        "HKG-1 HKG-2 HKG-3 HKG-4",
        "HNL-1 HNL-2 HNL-3 HNL-4 HNL-5",
        " ".join(f"SFO-{n}" for n in range(1, 8)),
    )
    play = Play("DELAYED_FLIGHT HKG-9", few, five, seven, belts=OPEN, draw="SFO-16 SFO-17").when(A, PlayDelayedFlight())
    assert [(event.type, event.seat) for event in play.happened] == [("airport_played", A), ("card_drawn", B)]
    assert play.counts() == [1, 5, 5, 7]
    assert play.state.discard.known == ("DELAYED_FLIGHT",)
    assert play.asked() == [A]


@pytest.mark.parametrize("order", [(B, C, D), (D, C, B), (C, D, B)])
def test_case_10_of_two_challengers_the_nearest_to_the_placers_left_counts(order: tuple[int, ...]) -> None:
    play = Play("HKG-3 SFO-1", "SFO-2", "SFO-3", "SFO-4", belts={0: ("HKG-9", "")}).when(A, place(0, "HKG-3"))
    assert play.asked() == [B, C, D]
    votes: dict[int, Move] = {B: PASS, C: CALL, D: CALL}
    for seat in order:
        play.when(seat, votes[seat])
        if seat != order[-1]:
            assert play.types() == ["vote_cast"]
    assert play.one(VoteClosed).challenger == C
    assert play.one(e.BeltTaken).seat == C


@pytest.mark.parametrize("move", [change(0, "SFO-1"), Close(0)])
def test_case_10_change_and_close_need_a_bag_on_the_belt(move: Move) -> None:
    play = Play("SFO-1 SFO-2", "SFO-3", belts={0: ("HNL-1", ""), 3: ("HNL-2", "HKG-4")})
    refused = refusal(play, A, move)
    assert (refused.code, refused.facts) == ("no_bags", {"belts": [3]})


def test_case_11_a_reverse_after_a_single_bag_is_refused() -> None:
    play = Play("REVERSE SFO-1", "SFO-3", belts={0: ("HNL-1", "HKG-4"), 1: ("HNL-2", "SFO-4 SFO-8")})
    refused = refusal(play, A, PlayReverse(0))
    assert (refused.code, refused.facts) == ("illegal_move", {"reason": "direction_not_fixed", "belts": [1]})


@pytest.mark.parametrize(
    ("seats", "bags", "airport", "origins"), [(2, 12, 3, 4), (3, 10, 2, 3), (4, 9, 2, 4), (5, 8, 2, 5)]
)
def test_case_12_the_deal_and_the_origin_cards_before_the_first_turn(
    seats: int, bags: int, airport: int, origins: int
) -> None:
    state, events = started(seats)
    for hand in state.hands:
        assert sum(card in NUMBER_OF for card in hand.known) == bags
        assert hand.count == bags + airport
    assert (state.draw.count, state.unused.count) == (len(BAGS) - seats * bags, len(AIRPORT) - seats * airport)
    assert [event.type for event in events[:2]] == ["piles_shuffled", "first_seat_drawn"]
    first, laid = state.turn, []
    while state.to_define:
        (decision,) = CAPTAIN_BLUFF.decisions(state)
        laid.append(decision.seat)
        move = CAPTAIN_BLUFF.default_move(state, decision)
        for event in CAPTAIN_BLUFF.decide(state, decision.seat, move, Moment(50, draws)):
            assert event.type == "origin_defined"
            state = CAPTAIN_BLUFF.evolve(state, event)
    assert laid == [(first + i) % seats for i in range(origins)]
    assert [d.seat for d in CAPTAIN_BLUFF.decisions(state)] == [first]
    assert sum(belt.origin is not None for belt in state.belts) == origins
    CAPTAIN_BLUFF.check(state)


@pytest.mark.parametrize("seats", [1, 6])
def test_case_12_a_table_of_one_or_six_is_refused(seats: int) -> None:
    with pytest.raises(Refused) as refused:
        decide(CAPTAIN_BLUFF, Game(id="G"), Create("captain_bluff", {}, seats, "P0", "5e" * 32), 0)
    assert (refused.value.code, refused.value.facts) == ("seats_out_of_range", {"min": 2, "max": 5})


@pytest.mark.parametrize("turns", [0, 10_001, "many"])
def test_options_out_of_bounds_are_refused(turns: object) -> None:
    with pytest.raises(Refused) as refused:
        decide(CAPTAIN_BLUFF, Game(id="G"), Create("captain_bluff", {"max_turns": turns}, 2, "P0", "5e" * 32), 0)
    assert refused.value.code == "options_out_of_range"


def test_case_13_above_an_around_the_world_the_direction_stays_and_nothing_more_comes_back() -> None:
    play = Play("HKG-2 SFO-1", "SFO-2", belts={0: ("HNL-1", "HKG-3 *4 HKG-5")}).when(B, Recover(0, 1))
    assert refusal(play, A, place(0, "HKG-2")).code == "number_out_of_order"
    assert refusal(play, B, Recover(0, 1)).code == "nothing_to_recover"
