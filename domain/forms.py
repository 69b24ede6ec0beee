"""Forms: the legal moves of a seat as families, exact in both directions.

A form is a move type and for each of its fields what may stand there. Every combination of allowed field
values is a legal move, and every legal move is in some form.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, ClassVar

import msgspec

from domain.entropy import Rng, pick, shuffled
from domain.moves import Move
from domain.multisets import contains, multiset
from domain.values import Value


class OneOf(Value, frozen=True):
    """Exactly one of `values`."""

    kind: ClassVar[str] = "one_of"
    values: tuple[Any, ...]

    def contains(self, value: Any) -> bool:
        """Whether `value` is one of them (1 is not true)."""
        return any(value == v and type(value) is type(v) for v in self.values)

    def sample(self, rng: Rng) -> Any:
        """One of them, each equally likely."""
        return pick(rng, self.values)

    def as_json(self) -> dict[str, Any]:
        """As clients read it."""
        return {"kind": self.kind, "values": self.values}


class Range(Value, frozen=True):
    """A whole number from `min` to `max`."""

    kind: ClassVar[str] = "range"
    min: int
    max: int

    def contains(self, value: Any) -> bool:
        """Whether `value` is a whole number between the two."""
        return isinstance(value, int) and not isinstance(value, bool) and self.min <= value <= self.max

    def sample(self, rng: Rng) -> int:
        """A number between the two, each equally likely."""
        return self.min + rng.randrange(self.max - self.min + 1)

    def as_json(self) -> dict[str, Any]:
        """As clients read it."""
        return {"kind": self.kind, "min": self.min, "max": self.max}


class Multiset(Value, frozen=True):
    """From `min` to `max` of the items `source`, each as often as it stands there; the order is free."""

    kind: ClassVar[str] = "multiset"
    source: tuple[Any, ...]
    min: int
    max: int

    def contains(self, value: Any) -> bool:
        """Whether `value` is a tuple of so many items of the source."""
        return isinstance(value, tuple) and self.min <= len(value) <= self.max and contains(self.source, value)

    def sample(self, rng: Rng) -> tuple[Any, ...]:
        """A random number of random items, sorted."""
        count = self.min + rng.randrange(self.max - self.min + 1)
        return multiset(shuffled(rng, self.source)[:count])

    def as_json(self) -> dict[str, Any]:
        """As clients read it."""
        return {"kind": self.kind, "from": self.source, "min": self.min, "max": self.max}


class Run(Value, frozen=True):
    """A closed run: cards whose numbers follow each other directly, all up or all down, in that order.

    `held` are pairs of a card and its number. An ascending run starts at `up` or higher, a descending one at `down`
    or lower; None forbids the direction. One place at most may be taken by the card `wild`, written
    `{"card": wild, "number": n}` with n from `low` to `high`; at least one card is a held one.
    """

    kind: ClassVar[str] = "run"
    held: tuple[tuple[str, int], ...]
    wild: str | None
    up: int | None
    down: int | None
    low: int = 1
    high: int = 17

    def contains(self, value: Any) -> bool:
        """Whether `value`, a tuple of cards and at most one wild, is such a run."""
        if not isinstance(value, tuple) or not value:
            return False
        numbers = self._numbers(value)
        if numbers is None:
            return False
        steps = {b - a for a, b in pairwise(numbers)}
        rises = self.up is not None and numbers[0] >= self.up and steps <= {1}
        falls = self.down is not None and numbers[0] <= self.down and steps <= {-1}
        return rises or falls

    def _numbers(self, value: tuple[Any, ...]) -> list[int] | None:
        held = dict(self.held)
        used: set[str] = set()
        numbers: list[int] = []
        wilds = 0
        for item in value:
            number = self._wild_number(item)
            if number is not None:
                wilds += 1
            elif isinstance(item, str) and item in held and item not in used:
                used.add(item)
                number = held[item]
            else:
                return None
            numbers.append(number)
        return numbers if used and wilds <= 1 else None

    def _wild_number(self, item: Any) -> int | None:
        """The number declared by a wild; None for anything else."""
        plain = msgspec.structs.asdict(item) if isinstance(item, msgspec.Struct) else item
        if not isinstance(plain, Mapping) or self.wild is None or set(plain) != {"card", "number"}:
            return None
        number = plain["number"]
        if plain["card"] != self.wild or not isinstance(number, int) or isinstance(number, bool):
            return None
        return number if self.low <= number <= self.high else None

    def sample(self, rng: Rng) -> tuple[Any, ...]:
        """One of the runs, every one of them possible."""
        return pick(rng, self.runs())

    def runs(self) -> list[tuple[Any, ...]]:
        """Every run of the family (a few thousand at most: for tests and bots, never for clients)."""
        at: dict[int, list[str]] = {}
        for card, number in self.held:
            at.setdefault(number, []).append(card)
        found: dict[str, tuple[Any, ...]] = {}
        for step, bound in ((1, self.up), (-1, self.down)):
            if bound is None:
                continue
            for start in sorted({*at, *range(self.low, self.high + 1)}):
                if (start >= bound) if step == 1 else (start <= bound):
                    for run in self._from(start, step, at, self.wild is not None, False):
                        found[repr(run)] = run
        return list(found.values())

    def _from(self, number: int, step: int, at: dict[int, list[str]], wild: bool, real: bool) -> list[tuple[Any, ...]]:
        places: list[tuple[Any, bool, bool]] = [(card, wild, True) for card in at.get(number, ())]
        if wild and self.low <= number <= self.high:
            places.append(({"card": self.wild, "number": number}, False, real))
        runs: list[tuple[Any, ...]] = []
        for item, wild_left, has_real in places:
            if has_real:
                runs.append((item,))
            runs.extend((item, *rest) for rest in self._from(number + step, step, at, wild_left, has_real))
        return runs

    def as_json(self) -> dict[str, Any]:
        """As clients read it."""
        return {
            "kind": self.kind,
            "held": [{"card": card, "number": number} for card, number in self.held],
            "wild": self.wild,
            "up": self.up,
            "down": self.down,
            "min": self.low,
            "max": self.high,
        }


Field = OneOf | Range | Multiset | Run


class Form(Value, frozen=True):
    """A family of legal moves: the move class and what each of its fields may hold.

    A field that is not mentioned keeps its default.
    """

    move: type[Move]
    fields: Mapping[str, Field] = {}

    def contains(self, move: Move) -> bool:
        """Whether `move` is in the family."""
        if type(move) is not self.move:
            return False
        if len(self.fields) < len(self.move.__struct_fields__):
            sample = self.move(**{name: getattr(move, name) for name in self.fields})
            if sample != move:
                return False
        return all(field.contains(getattr(move, name)) for name, field in self.fields.items())

    def sample(self, rng: Rng) -> Move:
        """A random move of the family."""
        values = {name: field.sample(rng) for name, field in self.fields.items()}
        return msgspec.convert(values, self.move, strict=False) if values else self.move()

    def as_json(self) -> dict[str, Any]:
        """As clients read it; the caller adds the decision."""
        return {"type": self.move.type, "fields": {name: f.as_json() for name, f in self.fields.items()}}
