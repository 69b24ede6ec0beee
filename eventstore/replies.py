"""What goes into the log and what an append answers."""

from dataclasses import dataclass

from eventstore.commands import Command
from eventstore.obligation import Due, Obligation


@dataclass(frozen=True, slots=True)
class NewRecord:
    """A record to be appended; the bytes are opaque here. Its version is its place in the batch."""

    type: str
    sv: int
    record: bytes
    secret: bytes = b""

    def __repr__(self) -> str:
        """Never print what the record or its secret holds."""
        return f"NewRecord({self.type} sv{self.sv}, {len(self.record)} B, secret {len(self.secret)} B)"


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A record as read back, byte for byte."""

    version: int
    type: str
    sv: int
    record: bytes
    secret: bytes

    def __repr__(self) -> str:
        """Never print what the record or its secret holds."""
        return (
            f"StoredRecord(v{self.version} {self.type} sv{self.sv}, {len(self.record)} B, secret {len(self.secret)} B)"
        )


@dataclass(frozen=True, slots=True)
class Head:
    """Where a log ends: version 0 and an empty head if there is none; `at` in ms."""

    version: int
    head: str
    at: int
    closed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """One append: 1 to 64 records that follow `expected_version`, and what changes with them, all or nothing.

    `expected_head` and `head` are hashes as 64 hex characters (compared as text; the expected one is not
    looked at when the log is empty). `at`, `not_before` and `not_after` are ms of the store's clock.
    `fulfilled` obligations are removed whatever their lease, then the `owed` ones added; one that is in
    both starts anew, one only in `owed` that is there already keeps its time, lease and attempts.
    """

    game: str
    command: Command
    expected_version: int
    expected_head: str
    at: int
    records: tuple[NewRecord, ...]
    head: str
    owed: tuple[Due, ...] = ()
    fulfilled: tuple[Obligation, ...] = ()
    not_before: int | None = None
    not_after: int | None = None
    close: bool = False


@dataclass(frozen=True, slots=True)
class Appended:
    """Saved; the log is at `version` now. `now` is the store's time in ms, here and in every reply."""

    now: int
    version: int


@dataclass(frozen=True, slots=True)
class Dup:
    """This command was appended before, and made `records`, versions `first` to `last`."""

    now: int
    first: int
    last: int
    records: tuple[StoredRecord, ...]


@dataclass(frozen=True, slots=True)
class Reused:
    """This command id was used before for something else."""

    now: int


@dataclass(frozen=True, slots=True)
class Closed:
    """The game is closed at `version`; nothing is appended to it any more."""

    now: int
    version: int
    head: str


@dataclass(frozen=True, slots=True)
class Stale:
    """The log is ahead of the caller: `records` follow its version, others after them if `more`."""

    now: int
    version: int
    head: str
    at: int
    more: bool
    records: tuple[StoredRecord, ...]


@dataclass(frozen=True, slots=True)
class Ahead:
    """The caller is ahead of the log, which must have lost writes: read it again from the start."""

    now: int
    version: int
    head: str


@dataclass(frozen=True, slots=True)
class Fork:
    """The caller's version holds another history in the log, which must have lost writes: read it again."""

    now: int
    version: int
    head: str


@dataclass(frozen=True, slots=True)
class Clock:
    """The proposed `at` is not acceptable; `use` is, when sent at once."""

    now: int
    use: int


@dataclass(frozen=True, slots=True)
class Early:
    """Before `not_before`, or (`gap`) downtime is still to be credited to the games of this shard."""

    now: int
    gap: bool


@dataclass(frozen=True, slots=True)
class Late:
    """After `not_after`."""

    now: int


Reply = Appended | Dup | Reused | Closed | Stale | Ahead | Fork | Clock | Early | Late
