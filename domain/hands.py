"""Hands of cards as any observer may know them: a count, and the cards that are known to be in it."""

from typing import Any, Generic, Self, TypeVar

from msgspec import UNSET, UnsetType

from domain.errors import Corrupt
from domain.multisets import Cards, contains, multiset
from domain.values import Value

C = TypeVar("C")


class Hand(Value, frozen=True):
    """`count` cards, of which `known` (a multiset) are known to the observer whose fold this is.

    A seat knows its own hand whole. Of other hands it knows the cards that all saw go in, or that were its own.
    """

    count: int = 0
    known: Cards = ()

    @property
    def whole(self) -> bool:
        """Whether every card is known."""
        return self.count == len(self.known)

    def gain(self, count: int, known: Cards = ()) -> "Hand":
        """The hand with `count` more cards, of which `known` are known."""
        return Hand(self.count + count, multiset(self.known + known))

    def lose(self, count: int, cards: Cards | None) -> "Hand":
        """The hand without `count` cards. Unseen (`cards` None), no mark on the hand can be trusted any more.

        Were only one mark removed, the gap would name the card: so all lapse (rule of knowledge).
        """
        if cards is None:
            return Hand(self.count - count, ())
        left = list(self.known)
        for card in cards:
            # A card may be seen to leave that was not known to be here; then no mark goes with it.
            if card in left:
                left.remove(card)
        if len(left) > self.count - count:
            raise Corrupt("a hand holds fewer cards than are known in it")
        return Hand(self.count - count, tuple(left))

    def refines_to(self, full: "Hand") -> bool:
        """Whether `full` is this hand with more of it known."""
        return self.count == full.count and contains(full.known, self.known)


class SeatHandView(Value, Generic[C], frozen=True):
    """The hand of `seat`, of `count` cards. It has one of `cards` and `known`.

    `cards` is the whole hand, where you know every card of it: your own, an empty one, and every one if you look as
    `all`. `known` are the cards that you know to be in it; there may be none.
    """

    seat: int
    count: int
    cards: tuple[C, ...] | UnsetType = UNSET
    known: tuple[C, ...] | UnsetType = UNSET

    @classmethod
    def by_seat(cls, hands: tuple[Hand, ...]) -> tuple[Self, ...]:
        """What is shown of each hand of a fold, whose cards are those of the game that shows them."""
        made: Any = cls
        return tuple(
            [
                made(seat, hand.count, hand.known) if hand.whole else made(seat, hand.count, known=hand.known)
                for seat, hand in enumerate(hands)
            ]
        )
