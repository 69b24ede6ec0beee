"""The moves of Captain's Orders."""

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from domain.captains_orders.cards import CARDS
from domain.moves import Move

if TYPE_CHECKING:
    Card = str
else:
    # To a type checker a card is a string; the move's schema names every one of them.
    Card = Literal[CARDS]

Place = Annotated[int, Meta(ge=0, le=7)]


class PlayOrder(Move, frozen=True):
    """Lay `card` face up: it is the Order, and you own it. Rules: captains_orders, A round."""

    card: Card


class PassCard(Move, frozen=True):
    """Give `card` face down to the seat `to`, which then discards one. Rules: captains_orders, ruling 3."""

    card: Card
    to: Place


class AskCard(Move, frozen=True):
    """Ask the seat `of` for a card of its choice; you discard one then. Rules: captains_orders, ruling 3."""

    of: Place


class Give(Move, frozen=True):
    """Hand `card` face down to the seat that asked. Rules: captains_orders, A round."""

    card: Card


class Discard(Move, frozen=True):
    """Lay `card` away face down. Rules: captains_orders, ruling 3."""

    card: Card


class Follow(Move, frozen=True):
    """Give `card`, of the Order's rank or higher, face down to its owner. Rules: captains_orders, A round."""

    card: Card


class Belay(Move, frozen=True):
    """Lay `card`, lower than the Order, as the new Order. Rules: captains_orders, A round."""

    card: Card


class Accuse(Move, frozen=True):
    """Say that `seat` is a Captain; this ends the round. Rules: captains_orders, The end of a round."""

    seat: Place
