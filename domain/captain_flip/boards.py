"""The boards: columns, spaces, bonuses. Data only. Rules: captain_flip, Boards."""

from typing import Literal

from domain.values import Value

Kind = Literal["map", "coins", "race", "per_column", "per_character", "identical", "different"]
Space = tuple[int, int]
"""A column (0 to 4 from the left) and a row (elevation 0 to 4 from the bottom)."""

COLUMNS = range(5)
AT_THE_END: tuple[Kind, ...] = ("identical", "different")
"""Bonuses that are looked at when the game is over, not when their space is covered."""


class Bonus(Value, frozen=True):
    """What the highest space of a column gives, in coins.

    `map`: the Map. `coins`: `first`. `race`: `first` to the first seat of the game that covers it, `later` to the
    others. `per_column`: `first` for each completed column. `per_character`: `first` for each different character
    in the column. `identical`, `different`: `first` at the end if all of the column are so.
    """

    kind: Kind
    first: int = 0
    later: int = 0


class Column(Value, frozen=True):
    """A column from row `low` to row `high`; a tile placed there costs `cost`."""

    low: int
    high: int
    bonus: Bonus | None = None
    cost: int = 0

    @property
    def height(self) -> int:
        """How many spaces it has."""
        return self.high - self.low + 1


_A = (
    Column(0, 1),
    Column(0, 2, Bonus("map")),
    Column(0, 4, Bonus("coins", 5)),
    Column(2, 3),
    Column(0, 2, Bonus("coins", 3)),
)

BOARDS: dict[str, tuple[Column, ...]] = {
    "A": _A,
    "B": (
        Column(0, 1, Bonus("race", 1, 0)),
        Column(0, 2, Bonus("race", 2, 1)),
        Column(0, 4, Bonus("race", 6, 3)),
        Column(0, 0, Bonus("race", 0, 2)),
        Column(0, 3, Bonus("race", 4, 2)),
    ),
    "C": (
        Column(0, 2, Bonus("map")),
        Column(0, 2, Bonus("identical", 6)),
        Column(0, 1),
        Column(0, 4, Bonus("different", 4)),
        Column(0, 1),
    ),
    "D": (
        Column(1, 3, Bonus("coins", 3)),
        Column(0, 3, Bonus("per_column", 2)),
        Column(0, 4, Bonus("per_character", 1)),
        Column(2, 3),
        Column(2, 2, cost=1),
    ),
    "A_BONUS": (
        Column(0, 1, Bonus("identical", 6)),
        *_A[1:3],
        Column(2, 3, Bonus("different", 4)),
        _A[4],
    ),
}

HEIGHTS = {name: tuple([column.height for column in board]) for name, board in BOARDS.items()}
LOWS = {name: tuple([column.low for column in board]) for name, board in BOARDS.items()}


def _spaces(board: tuple[Column, ...]) -> list[Space]:
    return [(c, row) for c, column in enumerate(board) for row in range(column.low, column.high + 1)]


def _beside(space: Space, spaces: list[Space]) -> tuple[Space, ...]:
    column, row = space
    sides = ((column, row - 1), (column - 1, row), (column + 1, row), (column, row + 1))
    return tuple([side for side in sides if side in spaces])


NEIGHBOURS: dict[str, dict[Space, tuple[Space, ...]]] = {
    name: {space: _beside(space, _spaces(board)) for space in _spaces(board)} for name, board in BOARDS.items()
}
"""The spaces that share a side with a space, the lowest row first, then the lowest column."""
