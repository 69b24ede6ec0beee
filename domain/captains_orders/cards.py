"""The deck of Captain's Orders. Rules: captains_orders, Cards."""

from collections.abc import Iterable

HIGHEST = 10

RANKS = tuple(range(1, HIGHEST + 1))

CARDS = tuple([f"R{rank}" for rank in RANKS])
"""The ten different cards, the lowest first."""

RANK_OF = dict(zip(CARDS, RANKS, strict=True))
"""The rank of a card, which is also its worth in points."""

DECK = tuple([card for card in CARDS for _ in range(RANK_OF[card])])
"""55 cards in the order before shuffling: one R1, two R2 ... ten R10."""

DEALT = 6
"""How many cards each seat is dealt in a round."""


def points(cards: Iterable[str]) -> int:
    """The sum of the ranks."""
    return sum([RANK_OF[card] for card in cards])


def lowest(cards: Iterable[str]) -> int:
    """The lowest rank among `cards`; above every rank if there are none."""
    return min([RANK_OF[card] for card in cards], default=HIGHEST + 1)


def by_rank(cards: Iterable[str]) -> tuple[str, ...]:
    """The different cards among `cards`, the lowest first."""
    return tuple(sorted(set(cards), key=RANK_OF.__getitem__))
