"""The moves of Bluff King."""

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from domain.bluff_king.cards import CARDS, RANKS
from domain.moves import Move

if TYPE_CHECKING:
    Card = str
    Rank = str
else:
    # To a type checker a card is a string; the move's schema names every one of them.
    Card = Literal[CARDS]
    Rank = Literal[RANKS]

Laid = Annotated[tuple[Card, ...], Meta(min_length=1, max_length=108)]


class Lead(Move, frozen=True):
    """Lay cards face down and claim that all are of `rank`. Rules: bluff_king, Lead."""

    cards: Laid
    rank: Rank


class Add(Move, frozen=True):
    """Lay more cards face down, claimed as the round's rank. Rules: bluff_king, Answer."""

    cards: Laid
