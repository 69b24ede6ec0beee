"""The cases of the rules of Captain Bluff, one by one, and the rulings beside them."""

import pytest

from domain.captain_bluff import CAPTAIN_BLUFF
from domain.captain_bluff import events as e
from domain.captain_bluff.belts import read
from domain.captain_bluff.cards import AIRPORT, BAGS, NUMBER_OF
from domain.captain_bluff.moves import (
    Close,
    Define,
    EndTurn,
    Peek,
    PlayAroundTheWorld,
    PlayDelayedFlight,
    PlayNoticeBoard,
    PlayReverse,
    Recover,
)
from domain.captain_bluff.state import State
from domain.commands import Create
from domain.decide import decide
from domain.decisions import Decision
from domain.errors import Refused
from domain.game import Game
from domain.moves import Move
from domain.observers import SPECTATOR, at_seat
from domain.ruleset import Moment
from domain.votes import VoteClosed
from tests.domain.captain_bluff.table import CALL, PASS, A, B, C, D, Play, change, define, draws, place, row, started

HKG_ALL = " ".join(f"HKG-{n}" for n in range(1, 18))
OPEN = {0: ("HKG-17", "")}


def refusal(play: Play, seat: int, move: Move) -> Refused:
    """The refusal of `move`, which changes nothing and which no form offers."""
    before = play.state
    with pytest.raises(Refused) as refused:
        play.when(seat, move)
    assert play.state is before
    for decision in CAPTAIN_BLUFF.decisions(play.state):
        if decision.seat == seat:
            assert not any(form.contains(move) for form in CAPTAIN_BLUFF.forms(play.state, decision))
    return refused.value


def offered(play: Play, seat: int, move: Move) -> bool:
    return any(
        form.contains(move)
        for decision in CAPTAIN_BLUFF.decisions(play.state)
        if decision.seat == seat
        for form in CAPTAIN_BLUFF.forms(play.state, decision)
    )


# --- the numbered cases ------------------------------------------------------------------------------------------


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


# --- the rulings -------------------------------------------------------------------------------------------------


def test_r1_the_airport_cards_are_fourteen() -> None:
    assert [AIRPORT.count(c) for c in ("AROUND_THE_WORLD", "REVERSE", "NOTICE_BOARD", "DELAYED_FLIGHT")] == [4, 4, 3, 3]


def test_r3_the_first_seat_is_drawn_and_all_events_of_the_deal_keep_the_cards_to_their_seats() -> None:
    _, events = started(3)
    drawn = next(event for event in events if isinstance(event, e.FirstSeatDrawn))
    dealt = [event for event in events if isinstance(event, e.HandDealt)]
    assert [event.seat for event in dealt] == [((drawn.seat or 0) + step) % 3 for step in range(3)]
    assert all(event.cards.to == (event.seat,) for event in dealt)
    (piles,) = [event for event in events if isinstance(event, e.PilesShuffled)]
    assert piles.order.to == ()


def test_r4_an_action_ends_the_turn_unless_it_is_kept_open() -> None:
    play = Play("SFO-1", "SFO-2", belts=OPEN).when(A, Peek(0))
    assert play.types() == ["origin_peeked", "turn_ended"]
    play = Play("SFO-1", "SFO-2", belts=OPEN).when(A, Peek(0, end_turn=False))
    assert play.types() == ["origin_peeked"]
    assert play.asked() == [A]
    assert refusal(play, A, Peek(0)).code == "action_done"
    assert play.when(A, EndTurn()).types() == ["turn_ended"]
    assert play.asked() == [B]


def test_r4_an_airport_card_before_the_action_never_ends_the_turn_and_both_do_whatever_was_said() -> None:
    play = Play("NOTICE_BOARD SFO-1", "SFO-2", belts=OPEN).when(A, PlayNoticeBoard((0,)))
    assert "turn_ended" not in play.types()
    play.when(A, Peek(0, end_turn=False))
    assert play.types() == ["origin_peeked", "turn_ended"]


def test_r4_an_airport_card_after_the_action_ends_the_turn() -> None:
    play = Play("NOTICE_BOARD SFO-1", "SFO-2", belts=OPEN).when(A, Peek(0, end_turn=False))
    play.when(A, PlayNoticeBoard((0,)))
    assert play.types() == ["airport_played", "origin_peeked", "turn_ended"]


def test_r4_the_end_of_the_turn_waits_for_the_votes() -> None:
    play = Play("HKG-3 SFO-1", "SFO-2", "SFO-3", belts=OPEN).when(A, place(0, "HKG-3"))
    assert play.types() == ["bags_placed"]
    play.when(B, PASS)
    assert play.types() == ["vote_cast"]
    play.when(C, PASS)
    assert play.types() == ["vote_cast", "vote_closed", "turn_ended"]


def test_r4_the_turn_is_kept_open_by_a_seat_without_airport_cards_too() -> None:
    play = Play("HKG-3 SFO-1", "SFO-2", belts=OPEN).when(A, place(0, "HKG-3", end_turn=False)).votes(PASS)
    assert play.asked() == [A]


def test_r4_an_allowance_stays_spent_when_the_card_comes_back() -> None:
    hand = "HKG-3 AROUND_THE_WORLD SFO-1"
    play = Play(hand, "SFO-2", belts={0: ("HNL-1", "HKG-1 HKG-2")}).when(A, PlayAroundTheWorld(0, 9)).votes(CALL)
    assert "AROUND_THE_WORLD" in play.hand(A)
    assert refusal(play, A, PlayAroundTheWorld(0, 10)).code == "airport_already_played"


def test_r4_an_action_and_an_around_the_world_within_it_end_the_turn_at_once() -> None:
    hand = "HKG-3 AROUND_THE_WORLD SFO-1 REVERSE"
    play = Play(hand, "SFO-2", belts=OPEN).when(A, place(0, "HKG-3 *4", end_turn=False)).votes(PASS)
    assert play.types()[-1] == "turn_ended"


def test_r4_the_turn_ends_after_a_challenge_too() -> None:
    play = Play("HKG-3 SFO-1", "SFO-2", "SFO-3", belts=OPEN).when(A, place(0, "HKG-3")).votes(CALL, PASS)
    assert play.types() == ["vote_cast", "vote_closed", "challenged", "belt_taken", "turn_ended"]
    assert play.asked() == [B]


def test_r5_no_around_the_world_among_bags_after_an_airport_card() -> None:
    hand = "HKG-3 AROUND_THE_WORLD DELAYED_FLIGHT SFO-1"
    play = Play(hand, "SFO-2", belts=OPEN, draw="").when(A, PlayDelayedFlight())
    assert refusal(play, A, place(0, "HKG-3 *4")).code == "airport_already_played"
    play.when(A, place(0, "HKG-3"))


def test_r6_an_action_always_exists() -> None:
    kinds = {form.move.type for form in CAPTAIN_BLUFF.forms(*_turn_of(Play("SFO-1", "SFO-2")))}
    assert kinds == {"define"}
    full = {i: (f"HNL-{i + 1}", "") for i in range(6)}
    assert "peek" in {form.move.type for form in CAPTAIN_BLUFF.forms(*_turn_of(Play("REVERSE", "SFO-2", belts=full)))}


def _turn_of(play: Play) -> tuple[State, Decision]:
    (decision,) = CAPTAIN_BLUFF.decisions(play.state)
    return play.state, decision


def test_r7_a_reverse_turns_the_direction_from_the_last_number_on() -> None:
    play = Play("REVERSE HKG-8 HKG-10 SFO-1", "SFO-2", belts={0: ("HNL-1", "HKG-3 HKG-9")}).when(A, PlayReverse(0))
    assert play.types() == ["airport_played"]
    assert refusal(play, A, place(0, "HKG-10")).code == "number_out_of_order"
    play.when(A, place(0, "HKG-8"))


def test_r7_a_reverse_may_follow_a_reverse_and_a_declared_number_counts_and_may_repeat_one() -> None:
    lying = "HKG-3 *9 REVERSE HKG-8 REVERSE"
    play = Play("AROUND_THE_WORLD HKG-9 REVERSE SFO-1", "SFO-2", belts={0: ("HNL-1", lying)})
    assert offered(play, A, PlayAroundTheWorld(0, 9))
    assert offered(play, A, PlayReverse(0))
    play.when(A, place(0, "HKG-9"))


def test_r7_a_reverse_as_the_last_card_wins_at_once() -> None:
    play = Play("REVERSE", "SFO-2", belts={0: ("HNL-1", "HKG-3 HKG-9")}).when(A, PlayReverse(0))
    result = CAPTAIN_BLUFF.result(play.state)
    assert result is not None
    assert result.winners == (A,)
    assert CAPTAIN_BLUFF.decisions(play.state) == ()


def test_r8_the_turn_goes_on_as_it_was_after_a_challenge() -> None:
    play = Play("AROUND_THE_WORLD SFO-1", "SFO-2", "SFO-3", belts={0: ("HKG-1", "HKG-3")})
    play.when(A, PlayAroundTheWorld(0, 9)).votes(PASS, CALL)
    assert play.one(e.BeltTaken).seat == C
    assert play.asked() == [A]
    assert play.when(A, define(2, "SFO-1")).types()[-1] == "turn_ended"


def test_r9_recovery_is_an_offer_per_belt_that_changes_no_duty_and_is_renewed_with_its_belt_only() -> None:
    belts = {0: ("HNL-1", "HKG-3 HKG-4"), 2: ("HNL-2", "SFO-5 SFO-6 SFO-7")}
    play = Play("SFO-1 HNL-9", "SFO-2", "SFO-3", belts=belts)
    before = {(d.seat, d.name): d.key for d in CAPTAIN_BLUFF.decisions(play.state)}
    assert {name for _, name in before} == {"", "recover-0", "recover-2"}
    play.when(C, Recover(2, 1))
    assert play.types() == ["bags_recovered"]
    after = {(d.seat, d.name): d.key for d in CAPTAIN_BLUFF.decisions(play.state)}
    assert {key for key in before if before[key] != after[key]} == {(s, "recover-2") for s in (A, B, C)}
    assert not any(d.required for d in play.offers())


def test_r9_a_look_at_the_origin_does_not_renew_the_offers_of_the_belt() -> None:
    play = Play("SFO-1", "SFO-2", belts={0: ("HNL-1", "HKG-3 HKG-4")})
    before = [d.key for d in play.offers()]
    assert [d.key for d in play.when(A, Peek(0)).offers()] == before
    assert [d.key for d in play.when(B, change(0, "SFO-2")).offers()] != before


def test_r9_no_recovery_on_a_belt_whose_newest_play_may_be_challenged() -> None:
    belts = {0: ("HNL-1", "HKG-3"), 2: ("HNL-2", "SFO-5 SFO-6 SFO-7")}
    play = Play("HKG-4 HNL-9", "SFO-2", "SFO-3", belts=belts).when(A, place(0, "HKG-4"))
    assert {d.name for d in play.offers()} == {"recover-2"}
    refused = refusal(play, B, Recover(0, 1))
    assert (refused.code, refused.facts) == ("belt_in_question", {"belt": 0})
    play.when(A, Recover(2, 2))
    assert play.asked() == [B, C]
    assert play.counts() == [3, 1, 1]


def test_r9_a_turn_move_that_a_recovery_made_illegal_is_refused_as_such() -> None:
    play = Play("REVERSE SFO-1", "SFO-2", belts={0: ("HNL-1", "HKG-3 HKG-4")})
    assert offered(play, A, PlayReverse(0))
    play.when(B, Recover(0, 1))
    assert refusal(play, A, PlayReverse(0)).code == "illegal_move"


def test_who_recovers_bags_while_its_last_cards_are_voted_on_has_not_won() -> None:
    play = Play("HKG-3", "SFO-2", belts={0: ("HKG-9", ""), 2: ("HNL-2", "SFO-5 SFO-6")}).when(A, place(0, "HKG-3"))
    play.when(A, Recover(2, 1)).votes(PASS)
    assert CAPTAIN_BLUFF.result(play.state) is None
    assert play.types()[-1] == "turn_ended"


def test_recovery_down_to_one_number_opens_the_direction_again() -> None:
    play = Play("HKG-2 SFO-1", "SFO-2", belts={0: ("HNL-1", "HKG-3 HKG-4")})
    assert not offered(play, A, place(0, "HKG-2"))
    assert offered(play.when(B, Recover(0, 1)), A, place(0, "HKG-2"))


def test_a_bag_stays_on_the_belt_where_an_around_the_world_lies_below_it() -> None:
    play = Play("SFO-1", "SFO-2", belts={0: ("HNL-1", "*3 HKG-4"), 1: ("HNL-2", "SFO-9 *10 SFO-11 SFO-12")})
    assert {d.name for d in play.offers()} == {"recover-1"}
    play.when(A, Recover(1, 2))
    assert play.state.belts[1].row == row("SFO-9 *10")


def test_r10_an_airport_card_can_come_back_from_the_discard_pile() -> None:
    play = Play("SFO-1 HKG-5", "SFO-2", belts={0: ("NOTICE_BOARD", "HKG-3")}, draw="").when(A, Close(0))
    assert play.types() == ["belt_closed", "turn_ended"]
    assert play.known_to(SPECTATOR).discard.known == ("HKG-3",)
    play.when(B, define(0, "SFO-2"))
    assert play.types() == ["origin_defined", "draw_pile_renewed", "card_drawn", "turn_ended"]
    assert play.hand(B)[0] in ("HKG-3", "NOTICE_BOARD")
    assert (play.state.draw.count, play.state.discard.count, play.state.renewals) == (1, 0, 1)


def test_r10_a_delayed_flight_is_discarded_after_the_pile_that_it_renews() -> None:
    play = Play("DELAYED_FLIGHT HKG-9", "SFO-2", "SFO-3", belts=OPEN, draw="", discard="HNL-4").when(
        A, PlayDelayedFlight()
    )
    assert play.types() == ["airport_played", "draw_pile_renewed", "card_drawn"]
    assert play.counts() == [1, 2, 1]
    assert play.state.discard.known == ("DELAYED_FLIGHT",)


def test_a_delayed_flight_with_nothing_to_draw_is_discarded() -> None:
    play = Play("DELAYED_FLIGHT HKG-9", "SFO-2", belts=OPEN, draw="").when(A, PlayDelayedFlight())
    assert play.types() == ["airport_played"]
    assert play.state.discard.known == ("DELAYED_FLIGHT",)


@pytest.mark.parametrize(
    ("card", "move"), [("NOTICE_BOARD", PlayNoticeBoard((0,))), ("DELAYED_FLIGHT", PlayDelayedFlight())]
)
def test_r11_the_last_card_wins_as_a_discarded_airport_card_too(card: str, move: Move) -> None:
    play = Play(card, "SFO-2", "SFO-3 SFO-4", belts=OPEN, draw="HNL-1 HNL-2").when(A, move)
    result = CAPTAIN_BLUFF.result(play.state)
    assert result is not None
    assert (result.reason, result.winners) == ("emptied", (A,))
    assert [r.rank for r in result.ranking] == [1, 2, 3]
    assert [r.score for r in result.ranking] == play.counts()


# --- the rest of the rules ---------------------------------------------------------------------------------------


def test_a_play_may_be_challenged_even_if_it_is_a_single_around_the_world() -> None:
    play = Play("AROUND_THE_WORLD SFO-1", "SFO-2", belts={0: ("SFO-9", "HKG-3")}).when(A, PlayAroundTheWorld(0, 9))
    assert play.asked() == [B]
    play.votes(CALL)
    assert play.one(e.Challenged).truthful is False
    assert set(play.hand(A)) == {"SFO-1", "SFO-9", "HKG-3", "AROUND_THE_WORLD"}


def test_a_notice_board_shows_two_origin_cards_or_as_many_as_there_are() -> None:
    belts = {0: ("HNL-1", ""), 3: ("HNL-2", ""), 5: ("HNL-3", "")}
    play = Play("NOTICE_BOARD SFO-1", "SFO-2", belts=belts)
    refused = refusal(play, A, PlayNoticeBoard((3,)))
    assert (refused.code, refused.facts) == ("wrong_number_of_belts", {"exactly": 2})
    assert refusal(play, A, PlayNoticeBoard((3, 3))).code == "belt_named_twice"
    assert refusal(play, A, PlayNoticeBoard((3, 1))).code == "no_origin"
    play.when(A, PlayNoticeBoard((5, 0)))
    assert [(ev.belt, ev.card.value) for ev in play.happened if isinstance(ev, e.OriginPeeked)] == [
        (5, "HNL-3"),
        (0, "HNL-1"),
    ]


def test_a_notice_board_can_be_played_with_no_origin_card_lying() -> None:
    play = Play("NOTICE_BOARD SFO-1", "SFO-2").when(A, PlayNoticeBoard(()))
    assert play.types() == ["airport_played"]


def test_change_brings_the_old_origin_to_the_hand_unseen_by_the_others() -> None:
    play = Play("SFO-1 SFO-2", "SFO-3", belts={0: ("HNL-1", "HKG-4")}).when(A, change(0, "SFO-1"))
    changed = play.one(e.OriginChanged)
    assert (changed.card_in.to, changed.card_out.to) == ((A,), (A,))
    assert play.hand(A) == ("HNL-1", "SFO-2")
    assert play.state.belts[0].row == row("HKG-4")


def test_a_swapped_origin_is_judged_by_the_card_that_lies_there_now() -> None:
    play = Play("SFO-1 HKG-9 SFO-2", "HKG-5 SFO-3", belts={0: ("HNL-1", "HKG-4")}).when(A, change(0, "HKG-9"))
    play.when(B, place(0, "HKG-5")).votes(CALL)
    judged = play.one(e.Challenged)
    assert judged.truthful is True
    assert (judged.opens[0].v, judged.opens[0].field, judged.opens[0].value) == (1, "card_in", "HKG-9")


def test_close_discards_everything_unseen() -> None:
    play = Play("SFO-1 SFO-2", "SFO-3", belts={0: ("HNL-1", "HKG-4 *5 HKG-6")}).when(A, Close(0))
    closed = play.one(e.BeltClosed)
    assert closed.origin.to == ()
    assert play.state.discard.known == ("AROUND_THE_WORLD", "HKG-4", "HKG-6", "HNL-1")
    assert (play.state.belts[0].origin, play.state.belts[0].row) == (None, ())


def test_the_turn_limit_counts_turns_that_ended_and_a_win_takes_precedence() -> None:
    play = Play("SFO-1 SFO-2", "SFO-3", belts=OPEN, max_turns=1).when(A, Peek(0))
    result = CAPTAIN_BLUFF.result(play.state)
    assert result is not None
    assert (result.reason, result.winners) == ("turn_limit", (B,))
    assert [r.rank for r in result.ranking] == [2, 1]
    play = Play("HKG-1", "SFO-3", belts=OPEN, max_turns=1).when(A, place(0, "HKG-1")).votes(PASS)
    result = CAPTAIN_BLUFF.result(play.state)
    assert result is not None
    assert result.reason == "emptied"


def test_everybody_of_the_best_rank_wins_at_the_turn_limit() -> None:
    play = Play("SFO-1", "SFO-3", "HKG-1 HKG-2", belts=OPEN, max_turns=1).when(A, Peek(0))
    result = CAPTAIN_BLUFF.result(play.state)
    assert result is not None
    assert result.winners == (A, B)


def test_a_finished_game_asks_nobody_and_offers_nothing() -> None:
    play = Play("REVERSE", "SFO-2", belts={0: ("HNL-1", "HKG-3 HKG-9")}).when(A, PlayReverse(0))
    assert CAPTAIN_BLUFF.decisions(play.state) == ()
    assert refusal(play, B, Recover(0, 1)).code == "not_asked"


# --- default moves -----------------------------------------------------------------------------------------------


def test_the_default_before_the_first_turn_is_the_lowest_bag_above_the_lowest_free_belt() -> None:
    state, _ = started(3)
    (decision,) = CAPTAIN_BLUFF.decisions(state)
    move = CAPTAIN_BLUFF.default_move(state, decision)
    assert isinstance(move, Define)
    low = min(NUMBER_OF[card] for card in state.hands[decision.seat].known if card in NUMBER_OF)
    assert (move.belt, NUMBER_OF[move.card]) == (0, low)


@pytest.mark.parametrize(
    ("hand", "belts", "move"),
    [
        ("SFO-1", {3: ("HKG-17", ""), 4: ("HKG-16", "")}, Peek(3)),
        ("SFO-9 HKG-9 HNL-9 SFO-2", {}, Define(0, "HKG-9")),
        ("DELAYED_FLIGHT REVERSE", {}, Define(0, "REVERSE")),
    ],
)
def test_the_default_of_a_turn_is_to_peek_or_else_to_define(
    hand: str, belts: dict[int, tuple[str, str]], move: Move
) -> None:
    play = Play(hand, "SFO-17", belts=belts)
    decision = CAPTAIN_BLUFF.decisions(play.state)[0]
    assert CAPTAIN_BLUFF.default_move(play.state, decision) == move
    assert offered(play, A, move)


def test_the_default_after_the_action_is_to_end_the_turn_and_in_a_vote_to_pass() -> None:
    play = Play("SFO-1 HKG-1", "SFO-2", belts=OPEN).when(A, Peek(0, end_turn=False))
    assert CAPTAIN_BLUFF.default_move(play.state, CAPTAIN_BLUFF.decisions(play.state)[0]) == EndTurn()
    play = Play("SFO-1 HKG-1", "SFO-2", belts=OPEN).when(A, place(0, "HKG-1"))
    assert CAPTAIN_BLUFF.default_move(play.state, CAPTAIN_BLUFF.decisions(play.state)[0]) == PASS


# --- refusals ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "code", "facts"),
    [
        (Peek(6), "unknown_belt", {"min": 0, "max": 5}),
        (Peek(-1), "unknown_belt", {"min": 0, "max": 5}),
        (Recover(6, 1), "unknown_belt", {"min": 0, "max": 5}),
        (Peek(1), "no_origin", {"belts": [0, 3]}),
        (define(0, "SFO-1"), "origin_defined", {"free": [1, 2, 4, 5]}),
        (define(1, "SFO-9"), "card_not_held", {}),
        (change(3, "SFO-9"), "card_not_held", {}),
        (place(0, "SFO-9"), "card_not_held", {}),
        (place(0, "SFO-1 SFO-1"), "card_not_held", {}),
        (place(0, ""), "no_cards", {"min": 1}),
        (place(0, "REVERSE"), "not_a_bag", None),
        (place(0, "SFO-1 HNL-2"), "mixed_cities", {"cities": ["HNL", "SFO"]}),
        (place(3, "SFO-1"), "wrong_city", {"city": "HKG"}),
        (PlayReverse(3), "card_not_held", {}),
        (PlayAroundTheWorld(3, 18), "number_out_of_range", {"min": 1, "max": 17}),
        (PlayAroundTheWorld(3, 4), "number_out_of_order", {"at_least": 5, "at_most": 3}),
        (PlayAroundTheWorld(0, 4), "no_bags", {"belts": [3]}),
        (EndTurn(), "action_missing", {"min": 1}),
        (Recover(3, 1), "nothing_to_recover", {"belts": []}),
        (CALL, "illegal_move", None),
        (PASS, "illegal_move", None),
    ],
)
def test_what_is_not_legal_is_refused_with_its_own_code_and_what_would_be_right(
    move: Move, code: str, facts: dict[str, object] | None
) -> None:
    play = Play("SFO-1 HNL-2 AROUND_THE_WORLD", "SFO-3", belts={0: ("HNL-1", ""), 3: ("HNL-3", "HKG-4")})
    refused = refusal(play, A, move)
    assert refused.code == code
    assert facts is None or refused.facts == facts


def test_who_has_not_the_turn_is_refused_and_told_who_is_asked() -> None:
    play = Play("SFO-1 HKG-1", "SFO-3", "SFO-4", belts=OPEN)
    refused = refusal(play, B, Peek(0))
    assert (refused.code, refused.facts) == ("not_asked", {"asked": [A]})
    play.when(A, place(0, "HKG-1")).when(B, PASS)
    for seat, move in ((A, PASS), (B, CALL), (A, Peek(0))):
        refused = refusal(play, seat, move)
        assert (refused.code, refused.facts) == ("not_asked", {"asked": [C]})
    assert refusal(play, C, Peek(0)).code == "illegal_move"


def test_before_the_first_turn_only_origin_cards_are_laid_and_nothing_is_drawn() -> None:
    state, _ = started(2)
    (decision,) = CAPTAIN_BLUFF.decisions(state)
    with pytest.raises(Refused) as refused:
        CAPTAIN_BLUFF.decide(state, decision.seat, Peek(0), Moment(9, draws))
    assert (refused.value.code, refused.value.facts["moves"]) == ("illegal_move", ["define"])
    kept_open = Define(0, state.hands[decision.seat].known[0], end_turn=False)
    with pytest.raises(Refused) as refused:
        CAPTAIN_BLUFF.decide(state, decision.seat, kept_open, Moment(9, draws))
    assert (refused.value.code, refused.value.facts) == ("no_turn_yet", {"end_turn": True})


def test_a_second_airport_card_in_a_turn_is_refused() -> None:
    play = Play("NOTICE_BOARD DELAYED_FLIGHT SFO-1", "SFO-2", belts=OPEN).when(A, PlayNoticeBoard((0,)))
    refused = refusal(play, A, PlayDelayedFlight())
    assert (refused.code, refused.facts) == ("airport_already_played", {"most": 1})


def test_a_refusal_tells_nothing_of_the_origin_card() -> None:
    answers = []
    for origin in ("HKG-1", "SFO-16", "REVERSE"):
        play = Play("HKG-5 HKG-9 SFO-1", "SFO-2", belts={0: (origin, "HKG-6 HKG-7")})
        answers += [
            (r.code, r.facts) for r in (refusal(play, A, place(0, "HKG-5")), refusal(play, A, place(0, "SFO-1")))
        ]
    assert answers[:2] == answers[2:4] == answers[4:]


# --- explanations ------------------------------------------------------------------------------------------------


def test_a_challenge_is_explained_with_the_way_of_the_origin_card() -> None:
    play = Play("HNL-7 HKG-3 SFO-1", "SFO-2 HKG-9", "SFO-3").when(A, define(1, "HNL-7", end_turn=True))
    play.when(B, Peek(1)).when(C, Peek(1)).when(A, place(1, "HKG-3")).votes(PASS, CALL)
    judged = play.one(e.Challenged)
    told = CAPTAIN_BLUFF.explain(tuple(play.log), judged.v)
    assert (told.claimant, told.challenger, told.truthful) == (A, C, False)
    assert told.claim == {"belt": 1, "cards": ("HKG-3",)}
    assert told.revealed == ("HNL-7",)
    assert (told.provenance[0]["by"], told.provenance[0]["seat"]) == ("origin_defined", A)
    with pytest.raises(Refused) as refused:
        CAPTAIN_BLUFF.explain(tuple(play.log), 1)
    assert refused.value.code == "not_a_challenge"


def test_an_explanation_tells_how_the_origin_had_come_to_the_hand_that_laid_it() -> None:
    play = Play("HKG-3 SFO-1", "SFO-2 HKG-9", belts={0: ("HNL-9", "")}).when(A, place(0, "HKG-3")).votes(CALL)
    taken = play.one(e.BeltTaken)
    play.when(B, define(4, "SFO-2"))
    play.when(A, define(2, "HNL-9")).when(B, define(3, "HKG-9")).when(A, place(2, "HKG-3")).votes(CALL)
    told = CAPTAIN_BLUFF.explain(tuple(play.log), play.one(e.Challenged).v)
    assert (told.provenance[0]["came_v"], told.provenance[0]["came_by"]) == (taken.v, "belt_taken")


def test_a_seat_that_was_shown_nothing_reads_the_same_table_but_for_the_cards() -> None:
    play = Play("HNL-7 HKG-3 SFO-1", "SFO-2 HKG-9", "SFO-3").when(A, define(1, "HNL-7"))
    view = CAPTAIN_BLUFF.view(play.known_to(at_seat(B)), at_seat(B))
    assert view["belts"][1]["origin"] == {"card": None, "seen_by": (A,)}
    assert view["hands"][B]["cards"] == ("HKG-9", "SFO-2")
    assert view["hands"][A] == {"seat": A, "count": 3, "known": ()}
    own = CAPTAIN_BLUFF.view(play.known_to(at_seat(A)), at_seat(A))
    assert own["belts"][1]["origin"] == {"card": "HNL-7", "seen_by": (A,)}
