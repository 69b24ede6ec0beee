"""A belt: the origin card above it, the cards on it, and what follows from them for the next card."""

from functools import lru_cache

from domain.captain_bluff.cards import CITY_OF, HIGH, LOW, NUMBER_OF, REVERSE, WORLD
from domain.captain_bluff.moves import Declared, Placed
from domain.multisets import Cards
from domain.values import Value

Row = tuple[Placed, ...]


class Origin(Value, frozen=True):
    """The face-down card above a belt: the version and field that sealed it, and the card where known.

    `seen` are the seats that laid it or looked at it: all see who does.
    """

    v: int
    field: str
    card: str | None
    seen: tuple[int, ...]


class Belt(Value, frozen=True):
    """One belt. `changes` counts how often it became another one."""

    origin: Origin | None = None
    row: Row = ()
    changes: int = 0


class Reading(Value, frozen=True):
    """What a row says: its city, the last number, the direction (1 up, -1 down, 0 open), how many bags lie in it.

    `recoverable` is how many bags may be taken back. An empty row has no city and the number 0.
    """

    city: str | None
    end: int
    direction: int
    bags: int
    recoverable: int

    @property
    def up(self) -> int | None:
        """The least number that may follow upwards, or None."""
        return self.end + 1 if self.direction >= 0 and self.end < HIGH else None

    @property
    def down(self) -> int | None:
        """The greatest number that may follow downwards, or None."""
        if not self.end:
            return HIGH
        return self.end - 1 if self.direction <= 0 and self.end > LOW else None


@lru_cache(maxsize=16_384)
def read(row: Row) -> Reading:
    """What `row` says. Rules: captain_bluff, action 1, R7, Recovery."""
    numbers: list[int] = []
    bags = turns = trailing = 0
    city: str | None = None
    for placed in row:
        if isinstance(placed, Declared):
            numbers.append(placed.number)
            trailing = 0
        elif placed == REVERSE:
            turns += 1
            trailing = 0
        else:
            numbers.append(NUMBER_OF[placed])
            city = CITY_OF[placed]
            bags += 1
            trailing += 1
    direction = 0
    if len(numbers) > 1:
        # A Reverse can lie above the second number only, and nothing below it can be recovered.
        direction = (1 if numbers[1] > numbers[0] else -1) * (-1 if turns % 2 else 1)
    return Reading(city, numbers[-1] if numbers else 0, direction, bags, max(0, min(trailing, bags - 1)))


def numbers_of(cards: Row) -> list[int]:
    """The numbers of a run, in its order."""
    return [card.number if isinstance(card, Declared) else NUMBER_OF[card] for card in cards]


def plain(row: Row) -> Cards:
    """The cards of a row as they are held."""
    return tuple([WORLD if isinstance(placed, Declared) else placed for placed in row])
