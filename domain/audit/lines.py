"""The lines of a served log, read strictly: every byte of them is one that the server would write."""

import re
from typing import Any, Literal

import msgspec
from msgspec import Struct

from domain import canonical
from domain.audit.verdict import Finding, Unreadable

FORMAT = 1
MOST_BYTES = 4 << 20
"""The longest line that is read."""

_PREFIX = b'{"record":'
_FLOAT = re.compile(rb"[:,\[]-?[0-9]+[.eE]")
"""What may be a number with a fraction or an exponent; looked at more closely then, which is slow."""


class Seal(Struct, frozen=True, forbid_unknown_fields=True):
    """A sealed field of a record."""

    to: tuple[int, ...]
    digest: str


class Opening(Struct, frozen=True, forbid_unknown_fields=True):
    """An earlier seal that a record opens."""

    v: int
    field: str
    salt: str
    value: Any


class Record(Struct, frozen=True, forbid_unknown_fields=True):
    """A record, all its members."""

    v: int
    sv: int
    left: int
    at: int
    type: str
    seat: int | None
    by: Literal["player", "bot", "clock", "rules"]
    data: dict[str, Any]
    seals: dict[str, Seal]
    opens: tuple[Opening, ...]
    prev: str


class Secret(Struct, frozen=True, forbid_unknown_fields=True):
    """The value of a sealed field, and the salt of its digest."""

    salt: str
    value: Any


class Line(Struct, frozen=True):
    """A log line as it was read: the record, its bytes and raw members, and what is open beside it."""

    record: Record
    raw: dict[str, Any]
    data: bytes
    open: dict[str, Secret]


class Broken(Exception):
    """A line is none of a log; `finding` says why, for whatever version it should have been."""

    def __init__(self, rule: str, field: str, expected: Any = None, found: Any = None) -> None:
        super().__init__(rule)
        self._parts = (rule, field, expected, found)

    def at(self, version: int | None) -> Finding:
        """The finding, of that version."""
        return Finding(version, *self._parts)


def value_of(line: bytes) -> dict[str, Any]:
    """The JSON object in a line; `Broken` if there is none, or none that has a canonical form."""
    if len(line) > MOST_BYTES:
        raise Broken("json", "line", f"at most {MOST_BYTES} bytes", len(line))
    if not line.endswith(b"\n"):
        raise Broken("json", "line", "a line that ends", "the file ends within it")
    try:
        value = canonical.loads(line)
        if not line.isascii() or _FLOAT.search(line):
            canonical.check(value)
    except (ValueError, TypeError, RecursionError) as error:
        raise Broken("json", "line", "a JSON value that has a canonical form", str(error)[:200]) from None
    if not isinstance(value, dict):
        raise Broken("json", "line", "a JSON object", type(value).__name__)
    return value


def is_record(line: bytes) -> bool:
    """Whether a line is, or was meant to be, a record rather than the trailer."""
    return line.startswith(_PREFIX)


def record_line(line: bytes) -> Line:
    """A log line; `Broken` if it is none."""
    value = value_of(line)
    if value.keys() != {"record", "open"} or not isinstance(value["record"], dict):
        raise Broken("record", "line", ["record", "open"], sorted(value))
    raw = value["record"]
    try:
        data, beside = canonical.dumps(raw), canonical.dumps(value["open"])
        record = msgspec.convert(raw, Record)
        opened = msgspec.convert(value["open"], dict[str, Secret])
    except (msgspec.ValidationError, TypeError) as error:
        raise Broken("record", "line", "the members of a record", str(error)[:200]) from None
    if line != b'%b%b,"open":%b}\n' % (_PREFIX, data, beside):
        raise Broken("canonical", "line", "canonical JSON", "the same values, written otherwise")
    return Line(record, raw, data, opened)


def whole_line(line: bytes, name: str) -> dict[str, Any]:
    """A header or a trailer: canonical JSON in one line; `Broken` if it is not."""
    value = value_of(line)
    try:
        again = canonical.dumps(value)
    except TypeError as error:
        raise Broken("json", name, "a JSON value that has a canonical form", str(error)[:200]) from None
    if again + b"\n" != line:
        raise Broken("canonical", name, "canonical JSON", "the same values, written otherwise")
    return value


def header_of(line: bytes) -> dict[str, Any]:
    """The members of a log's first line; `Unreadable` if this cannot be a log."""
    try:
        value = canonical.loads(line)
    except ValueError:
        raise Unreadable("The first line is no JSON that a log may have: this is not the log of a game.") from None
    if not isinstance(value, dict) or "format" not in value or not isinstance(value.get("game"), str):
        raise Unreadable("The first line is not the header of a log.")
    if value["format"] != FORMAT or isinstance(value["format"], bool | float):
        raise Unreadable(f"The log has format {str(value['format'])[:20]}; this software audits format {FORMAT}.")
    return value
