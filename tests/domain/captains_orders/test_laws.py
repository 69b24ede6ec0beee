"""Random games of Captain's Orders reach everything, and the laws find faults that are planted in it."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from domain import canonical
from domain.captains_orders import CAPTAINS_ORDERS
from domain.captains_orders.cards import CARDS, RANK_OF
from domain.captains_orders.events import CardDiscarded, CardPassed, OrderFollowed, RoundEnded
from domain.captains_orders.rules import CaptainsOrders
from domain.captains_orders.state import State
from domain.decisions import Decision
from domain.errors import Refused
from domain.events import Event, Seal
from domain.forms import Form
from domain.hands import Hand
from domain.laws import LawBroken, check_games
from domain.laws.play import random_game
from domain.moves import Move
from domain.registry import Registry
from domain.ruleset import Moment
from tests.domain.captains_orders.table import A, Play


@pytest.fixture(scope="module")
def seen() -> Counter[str]:
    """How often each type of event, each end of a round and of a game occurs in random games."""
    counted: Counter[str] = Counter()
    for number in range(240):
        for step in random_game(Registry([CAPTAINS_ORDERS]), "captains_orders", f"reach-{number}"):
            first = step.decided.events[0]
            for event in step.decided.events:
                counted[event.type] += 1
                if isinstance(event, RoundEnded):
                    counted[f"{event.reason} by {first.type}"] += 1
                    counted[f"{min(len(event.winners), 2)} winners"] += 1
                    right = any(not event.hands[seat] for seat in event.winners)
                    counted[f"{event.reason} {'right' if right else 'wrong'}"] += 1
            if step.decided.game.result is not None:
                counted[step.decided.game.result.reason] += 1
    return counted


def test_random_games_reach_every_event(seen: Counter[str]) -> None:
    assert {event.type for event in CAPTAINS_ORDERS.info.events} <= set(seen)


def test_random_games_reach_every_end(seen: Counter[str]) -> None:
    ends = ["wins_reached", "turn_limit", "1 winners", "2 winners", "emptied right", "emptied wrong"]
    ways = ["card_passed", "card_given", "order_followed", "order_played", "order_belayed"]
    missing = [name for name in ends + [f"emptied by {way}" for way in ways] if not seen[name]]
    assert missing == []


def test_the_forms_of_any_hand_are_small() -> None:
    every = " ".join(str(RANK_OF[card]) for card in CARDS)
    play = Play(*[every] * 8)
    (decision,) = CAPTAINS_ORDERS.decisions(play.state)
    forms = [form.as_json() for form in CAPTAINS_ORDERS.forms(play.state, decision)]
    assert decision.seat == A
    assert len(canonical.dumps(forms)) < 1024


class _Planted(CaptainsOrders):
    """The game with a fault: `spoilt` changes the events of each move."""

    def decide(self, state: State, seat: int, move: Move, moment: Moment) -> list[Event]:
        events = super().decide(state, seat, move, moment)
        return [self.spoilt(state, event) for event in events]

    def spoilt(self, state: State, event: Event) -> Event:
        return event


class SealsAFollowToOtherSeats(_Planted):
    """Who reads the card is neither the one who gave it nor the owner, or not only they."""

    def spoilt(self, state: State, event: Event) -> Event:
        if isinstance(event, OrderFollowed):
            return replace(event, card=Seal((0, 1), event.card.value))
        return event


class KeepsTheMarks(CaptainsOrders):
    """A hand that loses an unseen card keeps its marks: what left may be one of them."""

    def evolve(self, state: State, event: Event) -> State:
        after = super().evolve(state, event)
        if isinstance(event, CardDiscarded) and event.seat is not None and event.card.value is None:
            old, new = state.hands[event.seat], after.hands[event.seat]
            kept = Hand(new.count, old.known[: new.count])
            return replace(after, hands=(*after.hands[: event.seat], kept, *after.hands[event.seat + 1 :]))
        return after


class BranchesOnAPassedCard(CaptainsOrders):
    def evolve(self, state: State, event: Event) -> State:
        after = super().evolve(state, event)
        return replace(after, asked=0) if isinstance(event, CardPassed) and event.card.value == "R9" else after


class DefaultsByAnothersHand(CaptainsOrders):
    def default_move(self, state: State, decision: Decision) -> Move:
        default = super().default_move(state, decision)
        last = (decision.seat + 1) % len(state.hands)
        low = "R10" in state.hands[last].known
        return replace(default, of=(last + low) % len(state.hands)) if hasattr(default, "of") else default


class OffersToBelayAnEqual(CaptainsOrders):
    def forms(self, state: State, decision: Decision) -> tuple[Form, ...]:
        forms = super().forms(state, decision)
        return tuple([replace(f, move=forms[1].move) if f.move.type == "follow" and forms[1:2] else f for f in forms])


class TellsTheCaptainInARefusal(CaptainsOrders):
    def decide(self, state: State, seat: int, move: Move, moment: Moment) -> list[Event]:
        try:
            return super().decide(state, seat, move, moment)
        except Refused as refused:
            raise Refused(refused.code, lowest=min(hand.known for hand in state.hands)) from refused


PLANTED: list[tuple[Callable[[], Any], set[int]]] = [
    (SealsAFollowToOtherSeats, {1, 2}),
    (KeepsTheMarks, {1, 2, 6}),
    (BranchesOnAPassedCard, {1, 2, 6}),
    (DefaultsByAnothersHand, {2, 3}),
    (OffersToBelayAnEqual, {3}),
    (TellsTheCaptainInARefusal, {2}),
]


@pytest.mark.parametrize(("rules", "laws"), PLANTED, ids=lambda value: getattr(value, "__name__", ""))
def test_a_planted_fault_breaks_the_law_that_forbids_it(rules: Callable[[], Any], laws: set[int]) -> None:
    with pytest.raises(LawBroken) as broken:
        check_games(Registry([rules()]), "captains_orders", 40, "planted")
    assert broken.value.law in laws, str(broken.value)
