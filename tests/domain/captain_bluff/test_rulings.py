"""The rulings of Captain Bluff, R1 to R11, and those that this server adds."""

import pytest

from domain.captain_bluff import CAPTAIN_BLUFF
from domain.captain_bluff import events as e
from domain.captain_bluff.cards import AIRPORT
from domain.captain_bluff.moves import (
    Close,
    EndTurn,
    Peek,
    PlayAroundTheWorld,
    PlayDelayedFlight,
    PlayNoticeBoard,
    PlayReverse,
    Recover,
)
from domain.captain_bluff.state import State
from domain.decisions import Decision
from domain.moves import Move
from domain.observers import SPECTATOR
from tests.domain.captain_bluff.table import (
    CALL,
    OPEN,
    PASS,
    A,
    B,
    C,
    Play,
    change,
    define,
    offered,
    place,
    refusal,
    row,
    started,
)


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
