"""What the repository hands out: games as somebody may know them, log lines, receipts."""

from typing import Any

from domain import canonical, sealing
from domain.events import redact_line
from domain.game import Game
from domain.observers import Observer
from domain.ruleset import Ruleset
from domain.values import Value
from eventstore.replies import StoredRecord


class UnknownGame(Exception):
    """There is no game of this id."""


class KeyReused(Exception):
    """The idempotency key was used before for another request."""


class StoreBusy(Exception):
    """Too many others wrote to this game at once; nothing was saved, the same request may be sent again."""


def cursor(version: int, head: str) -> str:
    """The place in a history that clients resume from: `<version>-<head8>`."""
    return f"{version}-{head[:8]}"


class Stored(Value, frozen=True):
    """A fold of a stored game, full or an observer's own, with the rules it is played by and its head hash."""

    game: Game
    rules: Any
    head: str

    @property
    def cursor(self) -> str:
        """Where the fold ends."""
        return cursor(self.game.version, self.head)


class Line(Value, frozen=True):
    """One redacted log line: the record, what of it the reader may open, and the record's hash."""

    record: dict[str, Any]
    open: dict[str, dict[str, Any]]
    hash: str


class Receipt(Value, frozen=True):
    """What a command made: versions `first` to `last` of `game`, ending in `head`; `replayed` if it was made before.

    `stored` is the full fold after it, or later; only `lines` may be shown.
    """

    game: str
    first: int
    last: int
    head: str
    stored: Stored
    records: tuple[StoredRecord, ...]
    replayed: bool = False

    def lines(self, observer: Observer) -> list[Line]:
        """The events that the command made, as `observer` may see them."""
        return lines_of(self.records, observer)


def lines_of(records: tuple[StoredRecord, ...], observer: Observer) -> list[Line]:
    """Stored records as log lines for `observer`."""
    lines = []
    for stored in records:
        line = redact_line(canonical.loads(stored.record), secrets_of(stored), observer)
        lines.append(Line(line["record"], line["open"], sealing.hash_of(stored.record)))
    return lines


def secrets_of(stored: StoredRecord) -> dict[str, Any]:
    """The values and salts beside a record."""
    return canonical.loads(stored.secret) if stored.secret else {}


class Rules(Value, frozen=True):
    """The rules and the event codec of one stored game."""

    rules: Ruleset
    codec: Any
