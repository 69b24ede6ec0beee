"""Hands of cards as any observer may know them: a count, and the cards that are known to be in it."""

from domain.errors import Corrupt
from domain.multisets import Cards, contains, multiset
from domain.values import Value


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
