"""The laws catch what they are for: each planted leak and each planted bug breaks the law that forbids it."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from domain.bluff_king.events import EVENTS, CardsClaimed, HandDealt, Passed, PileTaken
from domain.bluff_king.rules import BluffKing
from domain.bluff_king.state import State
from domain.decisions import Decision
from domain.errors import Refused
from domain.events import Event, Seal
from domain.forms import Form, Multiset
from domain.hands import Hand
from domain.laws import LawBroken, check_games
from domain.moves import Move, Pass
from domain.registry import Registry
from domain.ruleset import Moment


class CardsTold(Event, frozen=True, kw_only=True):
    """A leak in plain words: the first card laid, in the public body."""

    first: str


class LieTold(Event, frozen=True, kw_only=True):
    """A leak without a card: whether the claim just made is a lie."""

    lie: bool


class TellsACard(BluffKing):
    info = replace(BluffKing.info, events=(*EVENTS, CardsTold))

    def evolve(self, state: State, event: Event) -> State:
        return state if isinstance(event, CardsTold) else super().evolve(state, event)

    def decide(self, state: State, seat: int, move: Move, moment: Moment) -> list[Event]:
        events = super().decide(state, seat, move, moment)
        if isinstance(events[0], CardsClaimed) and len(events) == 1:
            events.append(CardsTold(first=(events[0].cards.value or ("",))[0]))
        return events


class TellsALie(BluffKing):
    info = replace(BluffKing.info, events=(*EVENTS, LieTold))

    def evolve(self, state: State, event: Event) -> State:
        return state if isinstance(event, LieTold) else super().evolve(state, event)

    def decide(self, state: State, seat: int, move: Move, moment: Moment) -> list[Event]:
        events = super().decide(state, seat, move, moment)
        claim = events[0]
        if isinstance(claim, CardsClaimed) and len(events) == 1:
            events.append(LieTold(lie=any(card[:-1] != claim.rank for card in claim.cards.value or ())))
        return events


class SealsToTheWrongSeat(BluffKing):
    def decide(self, state: State, seat: int, move: Move, moment: Moment) -> list[Event]:
        events = super().decide(state, seat, move, moment)
        if isinstance(events[0], CardsClaimed):
            wrong = (seat + 1) % len(state.hands)
            events[0] = replace(events[0], cards=Seal((wrong,), events[0].cards.value))
        return events


class AsksByTheNextHand(BluffKing):
    def decisions(self, state: State) -> tuple[Decision, ...]:
        asked = super().decisions(state)
        if len(asked) == 1 and "JOKER" in state.hands[(asked[0].seat + 1) % len(state.hands)].known:
            return (replace(asked[0], kind="hurry"),)
        return asked


class OffersByTheNextHand(BluffKing):
    def forms(self, state: State, decision: Decision) -> tuple[Form, ...]:
        forms = super().forms(state, decision)
        neighbour = state.hands[(decision.seat + 1) % len(state.hands)]
        return forms[:-1] if decision.kind == "respond" and "JOKER" in neighbour.known else forms


class RefusesWithACard(BluffKing):
    def decide(self, state: State, seat: int, move: Move, moment: Moment) -> list[Event]:
        try:
            return super().decide(state, seat, move, moment)
        except Refused as refused:
            raise Refused(refused.code, hint=state.hands[(seat + 1) % len(state.hands)].known) from refused


class LosesACard(BluffKing):
    def evolve(self, state: State, event: Event) -> State:
        after = super().evolve(state, event)
        if isinstance(event, PileTaken) and event.seat is not None and len(after.hands[event.seat].known) > 1:
            hand = after.hands[event.seat]
            shorter = Hand(hand.count - 1, hand.known[:-1])
            return replace(after, hands=(*after.hands[: event.seat], shorter, *after.hands[event.seat + 1 :]))
        return after


class OffersTooMuch(BluffKing):
    def forms(self, state: State, decision: Decision) -> tuple[Form, ...]:
        forms = super().forms(state, decision)
        if decision.kind != "lead":
            return forms
        hand = state.hands[decision.seat].known
        doubled = Multiset(hand + hand[:1], 1, len(hand) + 1)
        return (Form(forms[0].move, {**forms[0].fields, "cards": doubled}),)


class OffersTooLittle(BluffKing):
    def forms(self, state: State, decision: Decision) -> tuple[Form, ...]:
        forms = super().forms(state, decision)
        return forms[:1] if decision.vote else forms


class ForgetsTheOrder(BluffKing):
    """A move that is not whole in its event: run again, the batch comes out otherwise."""

    def move_of(self, event: Event) -> Move:
        return Pass() if isinstance(event, CardsClaimed) and event.added else super().move_of(event)


class BranchesOnASeal(BluffKing):
    def evolve(self, state: State, event: Event) -> State:
        after = super().evolve(state, event)
        if isinstance(event, HandDealt) and "JOKER" in (event.cards.value or ()):
            return replace(after, claims=after.claims + 1)
        return after


class DefaultOfTheNextHand(BluffKing):
    def default_move(self, state: State, decision: Decision) -> Move:
        default = super().default_move(state, decision)
        neighbour = state.hands[(decision.seat + 1) % len(state.hands)].known
        return replace(default, rank=neighbour[0][:-1] or "A") if decision.kind == "lead" and neighbour else default


class NeverEnds(BluffKing):
    def result(self, state: State) -> Any:
        return None


class PassesTwice(BluffKing):
    def decide(self, state: State, seat: int, move: Move, moment: Moment) -> list[Event]:
        events = super().decide(state, seat, move, moment)
        hidden = sum(card == "JOKER" for hand in state.hands for card in hand.known[:1])
        if isinstance(events[0], Passed) and len(events) == 1 and hidden and state.passes + 2 < len(state.hands) - 1:
            return [*events, Passed(seat=seat)]
        return events


PLANTED: list[tuple[Callable[[], Any], set[int]]] = [
    (TellsACard, {2}),
    (TellsALie, {2}),
    (SealsToTheWrongSeat, {1, 2}),
    (AsksByTheNextHand, {1, 2}),
    (OffersByTheNextHand, {1, 2, 3}),
    (RefusesWithACard, {2}),
    (LosesACard, {1, 6}),
    (OffersTooMuch, {3, 5}),
    (OffersTooLittle, {3}),
    (ForgetsTheOrder, {5}),
    (BranchesOnASeal, {1}),
    (DefaultOfTheNextHand, {2, 3}),
    (PassesTwice, {1, 2}),
    (NeverEnds, {6}),
]


@pytest.mark.parametrize(("rules", "laws"), PLANTED, ids=lambda value: getattr(value, "__name__", ""))
def test_a_planted_fault_breaks_the_law_that_forbids_it(rules: Callable[[], Any], laws: set[int]) -> None:
    with pytest.raises(LawBroken) as broken:
        check_games(Registry([rules()]), "bluff_king", 40, "planted")
    assert broken.value.law in laws, str(broken.value)
