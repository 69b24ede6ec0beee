"""The table of Captain's Orders, and how events change it."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, cast

from msgspec import Meta
from msgspec.structs import replace

from domain.captains_orders.cards import DECK, RANK_OF
from domain.captains_orders.events import (
    CaptainAccused,
    CardAsked,
    CardDiscarded,
    CardGiven,
    CardPassed,
    HandDealt,
    OrderBelayed,
    OrderExpired,
    OrderFollowed,
    OrderPlayed,
    RoundEnded,
    RoundStarted,
)
from domain.errors import Corrupt
from domain.events import Event
from domain.hands import Hand
from domain.multisets import Cards
from domain.ruleset import Options
from domain.values import Value


class CaptainsOrdersOptions(Options, frozen=True):
    """`wins_needed` round wins end the game; `max_turns` counts own-turn moves over the game."""

    wins_needed: Annotated[int, Meta(ge=1, le=5)] = 3
    max_turns: Annotated[int, Meta(ge=1, le=10_000)] = 1000


class Order(Value, frozen=True):
    """The card on the table and the seat that owns it."""

    seat: int
    card: str


class Moved(Value, frozen=True):
    """A card that left the hand of `seat` in this round: to a seat, or (None) away; the card where it is known.

    `at_least` is the rank that it had at the least, as all know: of a card that followed, the Order's.
    """

    seat: int
    to: int | None
    card: str | None
    at_least: int = 1

    def refines_to(self, full: "Moved") -> bool:
        """Whether `full` is this move with its card known."""
        same = (self.seat, self.to, self.at_least) == (full.seat, full.to, full.at_least)
        return same and self.card in (None, full.card)


class Ended(Value, frozen=True):
    """How the last round ended, as all saw it."""

    round: int
    reason: Literal["emptied", "accused"]
    last_card: str | None
    captains: tuple[int, ...]
    hands: tuple[Cards, ...]
    points: tuple[int, ...]
    winners: tuple[int, ...]


class State(Value, frozen=True):
    """The table. `turn` is the seat whose turn it is, `asked` the one that must act now, in `phase`.

    `turns` counts own-turn moves over the game. `undealt` cards stay out unseen; `moved` is what left the hands in this
    round, the oldest first. In phase `between` a round is over.
    """

    options: CaptainsOrdersOptions
    hands: tuple[Hand, ...]
    wins: tuple[int, ...]
    round: int = 0
    dealer: int = 0
    phase: Literal["turn", "order", "give", "discard", "between"] = "between"
    turn: int = 0
    asked: int = 0
    order: Order | None = None
    turns: int = 0
    discarded: Hand = Hand()
    undealt: int = len(DECK)
    moved: tuple[Moved, ...] = ()
    last_round: Ended | None = None

    def left_of(self, seat: int) -> int:
        """The next seat clockwise."""
        return (seat + 1) % len(self.hands)


def evolve(state: State, event: Event) -> State:
    """The table after `event`; total on full and on partial knowledge."""
    handler = _HANDLERS.get(type(event))
    if handler is None:
        raise Corrupt(f"{event.type} is no event of captains_orders")
    return handler(state, event, cast(int, event.seat))


def _with_hand(state: State, seat: int, hand: Hand) -> tuple[Hand, ...]:
    hands = state.hands
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _handed(state: State, seat: int, to: int, card: str | None) -> tuple[Hand, ...]:
    """The hands after a card went face down from one to another: a mark there for whoever knows it."""
    cards = None if card is None else (card,)
    hands = list(state.hands)
    hands[seat] = hands[seat].lose(1, cards)
    hands[to] = hands[to].gain(1, cards or ())
    return tuple(hands)


def _started(state: State, event: RoundStarted, seat: int) -> State:
    first = state.left_of(event.dealer)
    return replace(
        state,
        hands=(Hand(),) * len(state.hands),
        round=event.round,
        dealer=event.dealer,
        phase="turn",
        turn=first,
        asked=first,
        order=None,
        discarded=Hand(),
        undealt=len(DECK),
        moved=(),
    )


def _dealt(state: State, event: HandDealt, seat: int) -> State:
    hand = Hand(event.count, event.cards.value or ())
    return replace(state, hands=_with_hand(state, seat, hand), undealt=state.undealt - event.count)


def _ordered(state: State, event: OrderPlayed | OrderBelayed, seat: int) -> State:
    discarded = state.discarded
    if state.order is not None:
        discarded = discarded.gain(1, (state.order.card,))
    card = event.card
    after = state.left_of(seat)
    return replace(
        state,
        hands=_with_hand(state, seat, state.hands[seat].lose(1, (card,))),
        phase="order",
        turn=after,
        asked=after,
        order=Order(seat, card),
        turns=state.turns + 1,
        discarded=discarded,
        moved=(*state.moved, Moved(seat, None, card, RANK_OF[card])),
    )


def _expired(state: State, event: OrderExpired, seat: int) -> State:
    after = state.left_of(seat)
    discarded = state.discarded.gain(1, (event.card,))
    return replace(state, phase="turn", turn=after, asked=after, order=None, discarded=discarded)


def _passed(state: State, event: CardPassed, seat: int) -> State:
    card = event.card.value
    return replace(
        state,
        hands=_handed(state, seat, event.to, card),
        phase="discard",
        asked=event.to,
        turns=state.turns + 1,
        moved=(*state.moved, Moved(seat, event.to, card)),
    )


def _asked(state: State, event: CardAsked, seat: int) -> State:
    return replace(state, phase="give", asked=event.of, turns=state.turns + 1)


def _given(state: State, event: CardGiven, seat: int) -> State:
    card = event.card.value
    return replace(
        state,
        hands=_handed(state, seat, event.to, card),
        phase="discard",
        asked=event.to,
        moved=(*state.moved, Moved(seat, event.to, card)),
    )


def _discarded(state: State, event: CardDiscarded, seat: int) -> State:
    card = event.card.value
    cards = None if card is None else (card,)
    after = state.left_of(state.turn)
    return replace(
        state,
        hands=_with_hand(state, seat, state.hands[seat].lose(1, cards)),
        phase="turn",
        turn=after,
        asked=after,
        discarded=state.discarded.gain(1, cards or ()),
        moved=(*state.moved, Moved(seat, None, card)),
    )


def _followed(state: State, event: OrderFollowed, seat: int) -> State:
    card = event.card.value
    after = state.left_of(seat)
    at_least = RANK_OF[state.order.card] if state.order else 1
    return replace(
        state,
        hands=_handed(state, seat, event.owner, card),
        turn=after,
        asked=after,
        turns=state.turns + 1,
        moved=(*state.moved, Moved(seat, event.owner, card, at_least)),
    )


def _accused(state: State, event: CaptainAccused, seat: int) -> State:
    return replace(state, phase="between", turns=state.turns + 1)


def _ended(state: State, event: RoundEnded, seat: int) -> State:
    hands = tuple([Hand(len(cards), cards) for cards in event.hands])
    discarded = state.discarded
    if event.last_card is not None and sum([h.count for h in hands]) < sum([h.count for h in state.hands]):
        # A right last card went to nobody: it was only shown.
        discarded = discarded.gain(1, (event.last_card,))
    return replace(
        state,
        hands=hands,
        wins=tuple([won + (seat in event.winners) for seat, won in enumerate(state.wins)]),
        phase="between",
        discarded=discarded,
        last_round=Ended(
            round=state.round,
            reason=event.reason,
            last_card=event.last_card,
            captains=event.captains,
            hands=event.hands,
            points=event.points,
            winners=event.winners,
        ),
    )


_HANDLERS: Mapping[type[Event], Callable[[State, Any, int], State]] = {
    RoundStarted: _started,
    HandDealt: _dealt,
    OrderPlayed: _ordered,
    OrderBelayed: _ordered,
    OrderExpired: _expired,
    CardPassed: _passed,
    CardAsked: _asked,
    CardGiven: _given,
    CardDiscarded: _discarded,
    OrderFollowed: _followed,
    CaptainAccused: _accused,
    RoundEnded: _ended,
}
