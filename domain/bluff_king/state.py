"""The table of Bluff King, and how events change it."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, cast

from msgspec import Meta
from msgspec.structs import replace

from domain.bluff_king.events import (
    CardsClaimed,
    Challenged,
    HandDealt,
    LeadDrawn,
    LeadPassed,
    Passed,
    PileTaken,
    RoundSettled,
)
from domain.errors import Corrupt
from domain.events import Event
from domain.hands import Hand
from domain.multisets import Cards
from domain.ruleset import Options
from domain.values import Value
from domain.votes import VoteCast, VoteClosed, Window


class BluffKingOptions(Options, frozen=True):
    """`decks` unset: 1 for 2 to 4 seats, 2 for more. `max_turns` counts claims. Rules: bluff_king, ruling 1."""

    decks: Literal[1, 2] | None = None
    adding: Literal["immediate", "after_no_challenge"] = "immediate"
    max_turns: Annotated[int, Meta(ge=1, le=10_000)] = 1000


class Laid(Value, frozen=True):
    """One set in the play area: who laid it, with the event of which version, and its cards where known."""

    seat: int
    count: int
    v: int
    cards: Cards | None


class State(Value, frozen=True):
    """The table. `turn` is the seat that leads or answers; `passes` counts passes since the newest claim.

    `emptied` lists the seats without cards in the order in which they got there. In phase `between` a
    challenge or a settle is just over, and somebody may have won.
    """

    options: BluffKingOptions
    hands: tuple[Hand, ...]
    phase: Literal["lead", "respond", "vote", "add", "between"] = "lead"
    turn: int = 0
    rank: str | None = None
    pile: tuple[Laid, ...] = ()
    passes: int = 0
    window: Window | None = None
    emptied: tuple[int, ...] = ()
    claims: int = 0
    discarded: Hand = Hand()


def responders(state: State, claimant: int) -> tuple[int, ...]:
    """The seats with cards from the claimant's left on. Rules: bluff_king R2."""
    hands = state.hands
    order = (*range(claimant + 1, len(hands)), *range(claimant))
    return tuple([seat for seat in order if hands[seat].count])


def evolve(state: State, event: Event) -> State:
    """The table after `event`; total on full and on partial knowledge."""
    handler = _HANDLERS.get(type(event))
    if handler is None:
        raise Corrupt(f"{event.type} is no event of bluff_king")
    return handler(state, event)


def _with_hand(state: State, seat: int, hand: Hand) -> tuple[Hand, ...]:
    hands = state.hands
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _lead(state: State, event: LeadDrawn | LeadPassed) -> State:
    return replace(state, phase="lead", turn=event.seat, rank=None)


def _dealt(state: State, event: HandDealt) -> State:
    seat = cast(int, event.seat)
    return replace(state, hands=_with_hand(state, seat, Hand(event.count, event.cards.value or ())))


def _claimed(state: State, event: CardsClaimed) -> State:
    seat = cast(int, event.seat)
    cards = event.cards.value
    hand = state.hands[seat].lose(event.count, cards)
    after = replace(
        state,
        hands=_with_hand(state, seat, hand),
        rank=event.rank,
        pile=(*state.pile, Laid(seat, event.count, event.v, cards)),
        passes=0,
        claims=state.claims + 1,
        emptied=state.emptied if hand.count else (*state.emptied, seat),
    )
    answering = responders(after, seat)
    if not answering:
        return replace(after, phase="between")
    if state.options.adding == "after_no_challenge":
        return replace(after, phase="vote", window=Window(seat, answering))
    return replace(after, phase="respond", turn=answering[0])


def _passed(state: State, event: Passed) -> State:
    answering = responders(state, state.pile[-1].seat)
    passes = state.passes + 1
    if passes >= len(answering):
        return replace(state, phase="between", passes=passes)
    return replace(state, passes=passes, turn=answering[passes])


def _vote_cast(state: State, event: VoteCast) -> State:
    return replace(state, window=cast(Window, state.window).evolve(event))


def _vote_closed(state: State, event: VoteClosed) -> State:
    if event.challenger is not None:
        return replace(state, window=None, phase="between")
    answering = responders(state, state.pile[-1].seat)
    return replace(state, window=None, phase="add", turn=answering[0])


def _challenged(state: State, event: Challenged) -> State:
    shown = replace(state.pile[-1], cards=tuple(event.opens[0].value))
    return replace(state, phase="between", pile=(*state.pile[:-1], shown))


def _pile_taken(state: State, event: PileTaken) -> State:
    seat = cast(int, event.seat)
    cards = event.cards.value
    if cards is None:
        # What all saw or the observer laid itself is known to be in that hand now.
        cards = tuple([card for laid in state.pile for card in laid.cards or ()])
    hand = state.hands[seat].gain(event.count, cards)
    emptied = tuple([other for other in state.emptied if other != seat])
    return replace(state, phase="between", hands=_with_hand(state, seat, hand), pile=(), rank=None, emptied=emptied)


def _settled(state: State, event: RoundSettled) -> State:
    known = tuple([card for laid in state.pile for card in laid.cards or ()])
    discarded = state.discarded.gain(event.discarded, known)
    return replace(state, phase="between", pile=(), rank=None, discarded=discarded)


_HANDLERS: Mapping[type[Event], Callable[[State, Any], State]] = {
    LeadDrawn: _lead,
    LeadPassed: _lead,
    HandDealt: _dealt,
    CardsClaimed: _claimed,
    Passed: _passed,
    VoteCast: _vote_cast,
    VoteClosed: _vote_closed,
    Challenged: _challenged,
    PileTaken: _pile_taken,
    RoundSettled: _settled,
}
