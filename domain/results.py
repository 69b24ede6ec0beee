"""How a game ended."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.values import Value


class Rank(Value, frozen=True):
    """One seat's place: 1 + the number of seats strictly better, and its score in the game's own units."""

    seat: int
    rank: int
    score: int


class Result(Value, frozen=True):
    """The reason a game ended, every seat's rank, and the winners: one, several or none."""

    reason: str
    ranking: tuple[Rank, ...]
    winners: tuple[int, ...]


def ranked(scores: Sequence[int], worth: Mapping[int, Any] | Sequence[Any]) -> tuple[Rank, ...]:
    """Each seat's rank by `worth` (smaller is better; equals share a rank), with its score."""
    order = [worth[seat] for seat in range(len(scores))]
    return tuple(
        [Rank(seat, 1 + sum(1 for other in order if other < order[seat]), scores[seat]) for seat in range(len(scores))]
    )
