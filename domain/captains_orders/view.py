"""What an observer sees of a table of Captain's Orders."""

from typing import Literal

from domain.captains_orders.moves import Card
from domain.captains_orders.state import Ended, State
from domain.hands import SeatHandView
from domain.observers import Observer
from domain.values import Value


class OrderView(Value, frozen=True):
    """The Order: the `card` that lies face up on the table, and the `seat` that owns it."""

    seat: int
    card: Card


class HandView(SeatHandView[Card], frozen=True):
    __doc__ = SeatHandView.__doc__


class DiscardedView(Value, frozen=True):
    """The discards of this round: `count` cards, of which you know the `known` ones."""

    count: int
    known: tuple[Card, ...]


class MovedView(Value, frozen=True):
    """A card that left the hand of `seat`: to the hand of the seat `to`; null if it was laid as an Order or discarded.

    `card` is null where you do not know it.
    """

    seat: int
    to: int | None
    card: Card | None


class RoundView(Value, frozen=True):
    """How a round ended, as all saw it.

    - `round`: its number, from 1.
    - `reason`: `emptied`: a seat gave its last card away. `accused`: a seat was called a Captain.
    - `last_card`: the card that was given away last; null if somebody was accused.
    - `captains`: the seats that held the lowest rank.
    - `hands`: what each seat held, by seat; `points`: the sum of the ranks of each of these hands.
    - `winners`: the seats that won the round; there may be none.
    """

    round: int
    reason: Literal["emptied", "accused"]
    last_card: Card | None
    captains: tuple[int, ...]
    hands: tuple[tuple[Card, ...], ...]
    points: tuple[int, ...]
    winners: tuple[int, ...]


class TableView(Value, frozen=True):
    """A table of Captain's Orders.

    - `phase`: what is waited for. `turn`: a move without an Order on the table. `order`: one with an Order there.
      `give`: the card that a seat was asked for. `discard`: the discard of a seat that got a card. `over`: nothing any
      more.
    - `round`: the number of the round, from 1.
    - `dealer`: the seat that dealt it.
    - `turn`: the seat whose turn it is; null when the game is over.
    - `asked`: the seat that must act now: in `give` and `discard` it may be another than `turn`. Null when the game is
      over.
    - `order`: the Order on the table; null if there is none.
    - `hands`: the hand of each seat, by seat.
    - `discarded`: the discards of this round.
    - `undealt`: how many cards were not dealt in this round; nobody sees them.
    - `moved`: the cards that left a hand in this round, the oldest first.
    - `wins`: how many rounds each seat has won, by seat.
    - `turns`: how many turns there were in this game.
    - `last_round`: how the newest round that is over ended; null before one is.
    """

    phase: Literal["turn", "order", "give", "discard", "over"]
    round: int
    dealer: int
    turn: int | None
    asked: int | None
    order: OrderView | None
    hands: tuple[HandView, ...]
    discarded: DiscardedView
    undealt: int
    moved: tuple[MovedView, ...]
    wins: tuple[int, ...]
    turns: int
    last_round: RoundView | None


def view(state: State, observer: Observer, over: bool = False) -> TableView:
    """The table: counts of everything, cards where the observer's fold knows them."""
    order = state.order
    # What is `between` two rounds ends a batch only where it ends the game.
    phase: Literal["turn", "order", "give", "discard", "over"]
    phase = "over" if over or state.phase == "between" else state.phase
    return TableView(
        phase=phase,
        round=state.round,
        dealer=state.dealer,
        turn=None if phase == "over" else state.turn,
        asked=None if phase == "over" else state.asked,
        order=OrderView(order.seat, order.card) if order else None,
        hands=HandView.by_seat(state.hands),
        discarded=DiscardedView(state.discarded.count, state.discarded.known),
        undealt=state.undealt,
        moved=tuple([MovedView(moved.seat, moved.to, moved.card) for moved in state.moved]),
        wins=state.wins,
        turns=state.turns,
        last_round=_last(state.last_round) if state.last_round else None,
    )


def _last(ended: Ended) -> RoundView:
    return RoundView(
        round=ended.round,
        reason=ended.reason,
        last_card=ended.last_card,
        captains=ended.captains,
        hands=ended.hands,
        points=ended.points,
        winners=ended.winners,
    )
