"""What each seat knows at a table of Captain's Orders: marks, when they lapse, seals that never open, views."""

import random

import pytest

from domain.captains_orders import CAPTAINS_ORDERS
from domain.captains_orders.cards import CARDS, DECK
from domain.captains_orders.events import (
    CardDiscarded,
    CardGiven,
    CardPassed,
    OrderExpired,
    OrderFollowed,
    RoundEnded,
)
from domain.captains_orders.view import HandView, MovedView, OrderView, RoundView
from domain.errors import Corrupt
from domain.events import Event, Seal, redact
from domain.hands import Hand
from domain.lifecycle import ClockCredited
from domain.moves import Move
from domain.observers import EVERYTHING, SPECTATOR, at_seat
from tests.domain.captains_orders.table import (
    A,
    B,
    C,
    D,
    Play,
    accuse,
    asking,
    belay,
    discard,
    follow,
    give,
    order,
    passing,
)


def marks(play: Play, observer: int, hand: int) -> tuple[str, ...]:
    """The cards that the seat `observer` knows to be in a hand."""
    return play.known_to(at_seat(observer)).hands[hand].known


def test_a_follow_is_known_to_giver_and_owner_and_to_nobody_else() -> None:
    play = Play("3 8", "7 9", "4 5", "6 10").when(A, order(3)).when(B, follow(7))
    followed = play.one(OrderFollowed)
    assert (followed.owner, followed.card.to) == (A, (B, A))
    assert marks(play, B, A) == ("R7",)
    assert marks(play, A, A) == ("R7", "R8")
    assert marks(play, C, A) == ()
    assert play.known_to(SPECTATOR).hands[A] == Hand(2, ())
    play.when(C, follow(5)).when(D, follow(10))
    assert marks(play, B, A) == ("R7",)
    assert marks(play, C, A) == ("R5",)
    assert play.one(OrderExpired).seat == A


def test_a_mark_stays_while_the_hand_shows_what_it_loses() -> None:
    play = Play("3 8 8", "7 9 9", "4 5 5", "6 10 10").when(A, order(3)).when(B, follow(7)).when(C, follow(4))
    play.when(D, follow(6)).when(B, asking(C)).when(C, give(5)).when(B, discard(9)).when(C, asking(D))
    play.when(D, give(10)).when(C, discard(5)).when(D, asking(B)).when(B, give(5)).when(D, discard(5))
    assert marks(play, B, A) == ("R7",)
    play.when(A, order(8))
    assert marks(play, B, A) == ("R7",)
    assert marks(play, C, A) == ("R4",)


def test_all_marks_on_a_hand_lapse_with_its_next_face_down_loss_for_who_does_not_see_it() -> None:
    play = Play("3 8 8", "7 9 9", "7 5 5", "6 10 10").when(A, order(3)).when(B, follow(7)).when(C, follow(7))
    play.when(D, follow(6)).when(B, asking(A)).when(A, give(7))
    # B saw which card left, and that one is no longer marked; C and D did not see, and know nothing any more.
    assert marks(play, B, A) == ()
    assert marks(play, C, A) == ()
    assert marks(play, D, A) == ()
    assert marks(play, A, B) == ("R7",)


def test_one_mark_stays_for_who_sees_another_card_leave() -> None:
    play = Play("3 8 8", "7 9 9", "7 5 5", "6 10 10").when(A, order(3)).when(B, follow(7)).when(C, follow(7))
    play.when(D, follow(6)).when(B, asking(A)).when(A, give(8))
    assert marks(play, B, A) == ("R7",)
    assert marks(play, C, A) == ()


def test_a_passed_cards_mark_lapses_with_the_discard_that_follows() -> None:
    play = Play("1 9", "5 8", "6 9", "7 9").when(A, passing(1, C))
    assert play.one(CardPassed).card.to == (A, C)
    assert marks(play, A, C) == ("R1",)
    play.when(C, discard(1))
    assert play.one(CardDiscarded).card.to == (C,)
    assert marks(play, A, C) == ()
    assert play.known_to(at_seat(C)).discarded == Hand(1, ("R1",))
    assert play.known_to(at_seat(A)).discarded == Hand(1, ())


def test_a_given_card_is_sealed_to_giver_and_asker() -> None:
    play = Play("4 9", "5 8", "6 9", "7 9").when(A, asking(D)).when(D, give(7))
    assert play.one(CardGiven).card.to == (D, A)
    assert marks(play, D, A) == ("R7",)
    assert marks(play, B, A) == ()


def test_orders_on_the_table_and_among_the_discards_are_known_to_all() -> None:
    play = Play("7 8 8", "7 9 9", "4 5 5", "10 10 10").when(A, order(7)).when(B, follow(7)).when(C, belay(4))
    seen = play.known_to(SPECTATOR)
    assert seen.order is not None
    assert seen.order.card == "R4"
    assert seen.discarded == Hand(1, ("R7",))


def test_the_end_of_a_round_shows_hands_as_plain_values_and_opens_no_seal() -> None:
    play = Play("4 9", "2 8", "6 9", "7 9", wins_needed=1)
    play.when(A, asking(D)).when(D, give(7)).when(A, discard(4)).when(B, accuse(C))
    assert not any(event.opens for event in play.log)
    seen = play.known_to(SPECTATOR)
    assert [hand.known for hand in seen.hands] == [("R7", "R9"), ("R2", "R8"), ("R6", "R9"), ("R9",)]
    assert seen.discarded == Hand(1, ())
    assert [moved.card for moved in seen.moved] == [None, None]
    assert play.known_to(EVERYTHING).discarded == Hand(1, ("R4",))
    assert RoundEnded.reveals == {"last_card", "captains", "hands", "points", "winners"}


def test_a_new_round_forgets_the_hands_but_not_how_the_last_one_ended() -> None:
    play = Play("9 9", "2 10", "3 10", "10 10").when(A, accuse(B))
    seen = CAPTAINS_ORDERS.view(play.known_to(SPECTATOR), SPECTATOR)
    assert [hand.known for hand in seen.hands] == [()] * 4
    assert seen.last_round == RoundView(
        round=1,
        reason="accused",
        last_card=None,
        captains=(B,),
        hands=(("R9", "R9"), ("R10", "R2"), ("R10", "R3"), ("R10", "R10")),
        points=(18, 12, 13, 20),
        winners=(A,),
    )
    assert (seen.round, seen.wins, seen.undealt) == (2, (1, 0, 0, 0), 31)


def test_a_view_shows_the_own_hand_whole_and_of_others_what_is_known() -> None:
    play = Play("3 8", "7 9", "4 5", "6 10").when(A, order(3)).when(B, follow(7))
    seen = CAPTAINS_ORDERS.view(play.known_to(at_seat(B)), at_seat(B))
    assert seen.hands[A] == HandView(A, 2, known=("R7",))
    assert seen.hands[B] == HandView(B, 1, ("R9",))
    assert seen.order == OrderView(A, "R3")
    assert (seen.turn, seen.asked, seen.phase) == (C, C, "order")
    assert seen.moved == (MovedView(A, None, "R3"), MovedView(B, A, "R7"))
    assert CAPTAINS_ORDERS.view(play.known_to(SPECTATOR), SPECTATOR).moved[1].card is None


def test_a_hand_of_the_highest_known_cards_redeals_to_a_world_that_fits() -> None:
    play = Play("3 8 8", "7 9 9", "7 5 5", "6 10 10").when(A, order(3)).when(B, follow(7)).when(C, follow(7))
    fold = play.known_to(at_seat(B))
    for seed in range(20):
        world = CAPTAINS_ORDERS.redeal(fold, B, random.Random(seed))
        assert "R7" in world.hands[A].known
        assert world.hands[B] == fold.hands[B]
        held = [card for hand in (*world.hands, world.discarded) for card in hand.known]
        assert all(held.count(card) <= DECK.count(card) for card in CARDS)
        assert CAPTAINS_ORDERS.decisions(world) == CAPTAINS_ORDERS.decisions(play.state)


@pytest.mark.parametrize(
    ("hands", "moves"),
    [
        (("3 8", "7 9", "4 5", "6 10"), [(A, order(3)), (B, follow(7)), (C, belay(1))]),
        (("3 8", "7 9", "4 5", "6 10"), [(A, passing(3, B)), (B, discard(9))]),
        (("3 8", "7 9", "4 5", "6 10"), [(A, asking(B)), (B, give(9)), (A, discard(3))]),
        (("3 8", "7 9", "4 5", "6 10"), [(A, accuse(B))]),
    ],
)
def test_every_move_is_read_back_from_its_event_and_a_sealed_one_is_corrupt(
    hands: tuple[str, ...], moves: list[tuple[int, Move]]
) -> None:
    play = Play(*[f"{hand} 1" if i == C else hand for i, hand in enumerate(hands)])
    for seat, move in moves:
        play.when(seat, move)
        first: Event = play.happened[0]
        assert CAPTAINS_ORDERS.move_of(first) == move
        if isinstance(getattr(first, "card", None), Seal):
            with pytest.raises(Corrupt):
                CAPTAINS_ORDERS.move_of(redact(first, SPECTATOR))


def test_an_event_of_another_game_is_corrupt() -> None:
    with pytest.raises(Corrupt):
        CAPTAINS_ORDERS.evolve(Play("3", "7", "4", "6").state, ClockCredited(ms=1))


@pytest.mark.parametrize("lost", ["hand", "rest"])
def test_a_card_that_vanishes_or_a_second_1_is_corrupt(lost: str) -> None:
    play = Play(*["9 9 9 9 9 9", "8 8 8 8 8 8", "10 10 10 10 10 10", "7 7 7 7 7 7"])
    CAPTAINS_ORDERS.check(play.state)
    twice = Play(*["1 9 9 9 9 9", "1 8 8 8 8 8", "10 10 10 10 10 10", "7 7 7 7 7 7"])
    with pytest.raises(Corrupt):
        CAPTAINS_ORDERS.check(twice.state)
    with pytest.raises(Corrupt):
        CAPTAINS_ORDERS.check(play.known_to(SPECTATOR))


def test_an_explanation_tells_who_accused_whom_what_was_shown_and_where_the_cards_came_from() -> None:
    play = Play("2 9", "5 8", "6 9", "7 9").when(A, passing(2, B)).when(B, discard(8)).when(B, accuse(C))
    accusation = next(e for e in play.happened if e.type == "captain_accused")
    told = CAPTAINS_ORDERS.explain(tuple(play.log), accusation.v)
    assert (told.claimant, told.challenger, told.truthful, told.revealed) == (C, B, True, ("R6", "R9"))
    assert [item["by"] for item in told.provenance] == ["hand_dealt", "hand_dealt"]
    play = Play("2 9", "5 8", "6 9", "7 9").when(A, passing(2, B)).when(B, discard(8)).when(B, asking(C))
    play.when(C, give(6)).when(B, discard(6)).when(C, accuse(B))
    passed = next(e for e in play.log if e.type == "card_passed")
    accusation = next(e for e in play.happened if e.type == "captain_accused")
    told = CAPTAINS_ORDERS.explain(tuple(play.log), accusation.v)
    assert (told.truthful, told.revealed) == (False, ("R2", "R5"))
    assert told.provenance[0] == {"card": "R2", "v": passed.v, "by": "card_passed"}
    public = CAPTAINS_ORDERS.explain(tuple([redact(e, SPECTATOR) for e in play.log]), accusation.v)
    assert public.provenance[0] == {"card": "R2", "v": None, "by": None}
