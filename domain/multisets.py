"""Cards as multisets: sorted tuples of strings, in which equal cards are equal."""

from collections.abc import Iterable

Cards = tuple[str, ...]


def multiset(cards: Iterable[str]) -> Cards:
    """`cards` in the order in which multisets are kept and sealed."""
    return tuple(sorted(cards))


def without(cards: Cards, taken: Iterable[str]) -> Cards | None:
    """`cards` less each of `taken`, or None if one of them is not there often enough."""
    left = list(cards)
    try:
        for card in taken:
            left.remove(card)
    except ValueError:
        return None
    return tuple(left)


def contains(cards: Cards, part: Iterable[str]) -> bool:
    """Whether `part` is a part of `cards`, counted."""
    return without(cards, part) is not None
