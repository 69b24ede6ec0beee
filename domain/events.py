"""Events, their sealed fields, and their way to records and back.

A record is `{"v","sv","left","at","type","seat","by","data","seals","opens","prev"}`; a log line is a record
with what its reader may open beside it. An event class declares its public fields and, with the type
`Seal[...]`, its sealed ones; `type` is the class name in snake case.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, ClassVar, Generic, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from domain.errors import Corrupt
from domain.observers import Observer
from domain.values import Value, frozen, snake

T = TypeVar("T")
Record = dict[str, Any]
Opened = dict[str, dict[str, Any]]


class Seal(Value, Generic[T], frozen=True):
    """A field that only the seats in `to` may open; `value` is None for everybody else."""

    to: tuple[int, ...]
    value: T | None = None

    def __repr__(self) -> str:
        # A number would be printed as it is: what is sealed shows nothing.
        return f"<sealed to {list(self.to)}>"


class Open(Value, frozen=True):
    """The whole value of an earlier seal, shown to all: field `field` of the event of version `v`."""

    v: int
    field: str
    value: Any


class Event(Value, frozen=True, kw_only=True):
    """What happened, in the past tense. `left` tells how many events of its batch follow (0: batch end).

    `v` counts from 1 in each game, `at` is in ms since 1970, `by` is one of player, bot, clock, rules.
    """

    type: ClassVar[str]
    sv: ClassVar[int] = 1
    upcasts: ClassVar[Mapping[int, Callable[[Record], Record]]] = {}
    reveals: ClassVar[frozenset[str]] = frozenset()
    """Public fields that may name cards which not everybody knew: declared, so that a leak stands out."""

    v: int = 0
    at: int = 0
    left: int = 0
    seat: int | None = None
    by: str = "rules"
    opens: tuple[Open, ...] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.type = snake(cls.__name__)

    def __repr__(self) -> str:
        return f"<{self.v} {self.type} seat={self.seat} by={self.by}>"


_BASE = frozenset(("v", "at", "left", "seat", "by", "opens"))


class Layout(Value, frozen=True):
    """The names of an event class's own fields: public ones and sealed ones."""

    public: tuple[str, ...]
    sealed: tuple[str, ...]


@cache
def layout(cls: type[Event]) -> Layout:
    """Which fields of `cls` stand in the public body and which are sealed."""
    hints = get_type_hints(cls, include_extras=True)
    own = [name for name in cls.__struct_fields__ if name not in _BASE]
    sealed = [name for name in own if _is_seal(hints[name])]
    for name in own:
        if name not in sealed and _holds_seal(hints[name]):
            # It would stand in the public body, value and all.
            raise TypeError(f"{cls.type}.{name}: a seal must be the whole type of its field")
    return Layout(tuple(n for n in own if n not in sealed), tuple(sealed))


def _is_seal(hint: Any) -> bool:
    return (get_origin(hint) or hint) is Seal


def _holds_seal(hint: Any) -> bool:
    return _is_seal(hint) or any(_holds_seal(part) for part in get_args(hint))


def data_of(event: Event) -> dict[str, Any]:
    """The public body of `event`."""
    return {name: getattr(event, name) for name in layout(type(event)).public}


def seals_of(event: Event) -> dict[str, Seal[Any]]:
    """The sealed fields of `event`, by name."""
    return {name: getattr(event, name) for name in layout(type(event)).sealed}


def redact(event: Event, observer: Observer) -> Event:
    """`event` as `observer` may know it: seals that are not theirs lose their value."""
    changes: dict[str, Seal[Any]] = {
        name: Seal(seal.to)
        for name, seal in seals_of(event).items()
        if seal.value is not None and not observer.may_open(seal.to)
    }
    return msgspec.structs.replace(event, **changes) if changes else event


def redact_line(record: Record, secrets: Opened, observer: Observer) -> dict[str, Any]:
    """A log line: the record as stored, and of its secrets those that `observer` may open."""
    seals = record["seals"]
    return {
        "record": record,
        "open": {field: secret for field, secret in secrets.items() if observer.may_open(seals[field]["to"])},
    }


class Codec:
    """Turns records back into events: one closed set of event classes, with upcasters for older schemas."""

    def __init__(self, classes: Iterable[type[Event]]) -> None:
        self.classes: dict[str, type[Event]] = {}
        for cls in classes:
            if self.classes.setdefault(cls.type, cls) is not cls:
                raise Corrupt(f"two events are called {cls.type}")
            layout(cls)
            missing = [sv for sv in range(1, cls.sv) if sv not in cls.upcasts]
            if missing:
                raise Corrupt(f"{cls.type} cannot read schema versions {missing}")

    def newest(self, record: Record) -> Record:
        """A record as the newest schema of its event would have it: what a re-execution makes of an older one.

        The same value for one that has it already. `Corrupt` if it is none of ours.
        """
        cls = self._class_of(record)
        data = record["data"]
        for sv in range(record["sv"], cls.sv):
            data = cls.upcasts[sv](data)
        return record if record["sv"] == cls.sv else {**record, "sv": cls.sv, "data": data}

    def event(self, record: Record, opened: Opened) -> Event:
        """The event of a log line; an unopened field is a seal without a value. `Corrupt` if it is none of ours."""
        cls = self._class_of(record)
        fields = dict(self.newest(record)["data"])
        for name, seal in record["seals"].items():
            fields[name] = {"to": seal["to"], "value": opened[name]["value"] if name in opened else None}
        for name in ("v", "at", "left", "seat", "by"):
            fields[name] = record[name]
        fields["opens"] = [{"v": o["v"], "field": o["field"], "value": frozen(o["value"])} for o in record["opens"]]
        try:
            return msgspec.convert(fields, cls)
        except msgspec.ValidationError as error:
            raise Corrupt(f"{cls.type} at version {record['v']}: {error}") from error

    def _class_of(self, record: Record) -> type[Event]:
        cls = self.classes.get(record["type"])
        if cls is None:
            raise Corrupt(f"unknown event type {record['type']!r}")
        if record["sv"] > cls.sv:
            raise Corrupt(f"{cls.type} of schema version {record['sv']} is newer than this software")
        return cls
