"""The log of one game: append, read, head."""

from collections.abc import Callable, Iterable
from time import sleep
from typing import Any, Final

from redis import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import NoScriptError, OutOfMemoryError, ReadOnlyError, ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

from eventstore.commands import DIGEST_BYTES, Command
from eventstore.errors import NotReplicated, StoreFull, StoreUnavailable
from eventstore.keys import GameKeys, game_keys, shard_keys, shard_of
from eventstore.metrics import timed_append
from eventstore.replies import (
    Ahead,
    Appended,
    Batch,
    Clock,
    Closed,
    Dup,
    Early,
    Fork,
    Head,
    Late,
    Reply,
    Reused,
    Stale,
    StoredRecord,
)
from eventstore.scripts import Scripts, scripts
from eventstore.wire import Word, milliseconds, send, send_all

UNSEEN: Final = 128  # most records that a STALE reply brings
BELL_LENGTH: Final = 1000  # entries kept in a shard's doorbell, about
BATCH_CAP: Final = 64  # as in append.lua
RETRY_PAUSES_S: Final = (0.0, 0.05, 0.2, 0.5, 1.0)
LOST: Final = (RedisConnectionError, RedisTimeoutError, ReadOnlyError)
NO_WRITES: Final = ("MISCONF", "NOREPLICAS")  # the disk fails; too few replicas for min-replicas-to-write


class Log:
    """All logs of one kind in one store, those of games unless `keys` says otherwise; safe to share between threads.

    `appending` and `reading` are clients as `connect` makes them. With `replicas` every append also waits
    until that many replicas have it.
    """

    def __init__(
        self,
        appending: Redis,
        reading: Redis | None = None,
        *,
        replicas: int = 0,
        replica_timeout_ms: int = 1000,
        retry_pauses_s: tuple[float, ...] = RETRY_PAUSES_S,
        lua: Scripts | None = None,
        keys: Callable[[str], GameKeys] = game_keys,
    ) -> None:
        self._keys = keys
        self._writer = appending
        self._reader = reading or appending
        self._replicas = replicas
        self._replica_timeout_ms = replica_timeout_ms
        self._pauses = retry_pauses_s
        self._append = (lua or scripts()).append

    @timed_append
    def append(self, batch: Batch) -> Reply:
        """Append a batch or say why not; a lost reply is asked for again under the same command id.

        Raises StoreUnavailable (unknown whether saved), StoreFull (not saved), NotReplicated (saved, not
        safe yet).
        """
        keys, args = append_keys(batch.game, self._keys), append_args(batch)
        for pause in (*self._pauses, None):
            try:
                return self._append_once(batch.game, keys, args)
            except LOST as lost:
                if pause is None:
                    raise StoreUnavailable("no answer from the store; retry with the same command id") from lost
                sleep(pause)
            except OutOfMemoryError as full:
                raise StoreFull("the store's memory is full; nothing was saved") from full
            except ResponseError as error:
                if str(error).startswith(NO_WRITES):
                    raise StoreUnavailable(f"the store takes no writes: {error}") from error
                raise
        raise AssertionError("unreachable")

    def _append_once(self, game: str, keys: tuple[str, ...], args: tuple[Word, ...]) -> Reply:
        if not self._replicas:
            return parse_reply(self._append.run(self._writer, keys, args))
        call = self._append.call(keys, args)
        raw, confirmed = self._and_wait(call)
        if isinstance(raw, NoScriptError):
            self._append.load(self._writer)
            raw, confirmed = self._and_wait(call)
        if isinstance(raw, Exception):
            raise raw
        reply = parse_reply(raw)
        if isinstance(reply, Dup):
            # WAIT speaks of the writes of its own connection, and the one that is repeated came over another.
            _, confirmed = self._and_wait(("SET", shard_keys(shard_of(game)).fence, "1"))
        if isinstance(reply, Appended | Dup) and confirmed < self._replicas:
            raise NotReplicated(confirmed, self._replicas)
        return reply

    def _and_wait(self, command: tuple[Word, ...]) -> tuple[Any, int]:
        wait = ("WAIT", self._replicas, self._replica_timeout_ms)
        raw, confirmed = send_all(self._writer, (command, wait), errors=True)
        if isinstance(confirmed, Exception):
            raise confirmed
        return raw, int(confirmed)

    def made(self, game: str, command: Command) -> Dup | Reused | None:
        """Say what a command made, as an append of it would, or None if it was not appended."""
        raw_time, seen = send_all(self._reader, (("TIME",), ("HGET", self._keys(game).commands, command.digest)))
        now = milliseconds(raw_time)
        if seen is None:
            return None
        if seen[:DIGEST_BYTES] != command.fingerprint:
            return Reused(now)
        first, last = (int(version) for version in seen[DIGEST_BYTES:].split(b"-"))
        raw = send(self._reader, "XRANGE", self._keys(game).stream, f"{first}-0", f"{last}-0")
        return Dup(now, first, last, parse_records(raw))

    def read(self, game: str, after: int = 0, limit: int | None = None) -> tuple[StoredRecord, ...]:
        """Read the records after a version, oldest first, at most `limit`."""
        count = () if limit is None else ("COUNT", limit)
        raw = send(self._reader, "XRANGE", self._keys(game).stream, f"({after}-0", "+", *count)
        return parse_records(raw)

    def head(self, game: str) -> Head:
        """Say where a log ends."""
        return _head(send(self._reader, *self._read_head(game)))

    def load(self, game: str, after: int = 0) -> tuple[Head, tuple[StoredRecord, ...]]:
        """Give the head and the records after a version that belong to it, in one round trip."""
        records = ("XRANGE", self._keys(game).stream, f"({after}-0", "+")
        raw_head, raw = send_all(self._reader, (self._read_head(game), records))
        head = _head(raw_head)
        # An append may come between the two reads; it only adds, so what the head does not know is left out.
        return head, tuple(r for r in parse_records(raw) if r.version <= head.version)

    def _read_head(self, game: str) -> tuple[Word, ...]:
        return ("HMGET", self._keys(game).meta, "v", "h", "a", "c")

    def time(self) -> int:
        """Give the store's time in ms."""
        return milliseconds(send(self._reader, "TIME"))


def append_keys(game: str, keys: Callable[[str], GameKeys] = game_keys) -> tuple[str, ...]:
    """Give the KEYS of append.lua."""
    g, s = keys(game), shard_keys(shard_of(game))
    return (g.stream, g.meta, g.commands, s.due, s.tries, g.open, s.bell, s.alive)


def append_args(batch: Batch) -> tuple[Word, ...]:
    """Give the ARGV of append.lua; ValueError for no or too many records, or another game's obligation."""
    if not 1 <= len(batch.records) <= BATCH_CAP:
        raise ValueError(f"a batch has 1 to {BATCH_CAP} records")
    if any(o.game != batch.game for o in (*(d.obligation for d in batch.owed), *batch.fulfilled)):
        raise ValueError("an obligation of another game")
    args: list[Word] = [
        batch.game,
        batch.command.digest,
        batch.command.fingerprint,
        batch.expected_version,
        batch.expected_head,
        batch.at,
        "" if batch.not_before is None else batch.not_before,
        "" if batch.not_after is None else batch.not_after,
        "1" if batch.close else "",
        batch.head,
        UNSEEN,
        BELL_LENGTH,
        len(batch.records),
        len(batch.owed),
        len(batch.fulfilled),
    ]
    for record in batch.records:
        args += (record.type, record.sv, record.record, record.secret)
    for due in batch.owed:
        args += (due.obligation.print(), due.at)
    args += (obligation.print() for obligation in batch.fulfilled)
    return tuple(args)


def _head(raw: list[bytes | None]) -> Head:
    version, head, at, closed = raw
    return Head(int(version or 0), (head or b"").decode(), int(at or 0), closed is not None)


def parse_records(entries: Iterable[Any]) -> tuple[StoredRecord, ...]:
    """Make records of stream entries as the server sends them."""
    return tuple(
        StoredRecord(int(entry[:-2]), fields[1].decode(), int(fields[3]), fields[5], fields[7])
        for entry, fields in entries
    )


def parse_reply(raw: list[Any]) -> Reply:  # noqa: C901, PLR0911 - one line a reply reads best as one table
    """Make a reply of what append.lua returned."""
    match raw:
        case [b"OK", now, version]:
            return Appended(now, version)
        case [b"DUP", now, first, last, entries]:
            return Dup(now, first, last, parse_records(entries))
        case [b"REUSED", now]:
            return Reused(now)
        case [b"CLOSED", now, version, head]:
            return Closed(now, version, head.decode())
        case [b"STALE", now, version, head, at, more, entries]:
            return Stale(now, version, head.decode(), at, bool(more), parse_records(entries))
        case [b"AHEAD", now, version, head]:
            return Ahead(now, version, head.decode())
        case [b"FORK", now, version, head]:
            return Fork(now, version, head.decode())
        case [b"CLOCK", now, use]:
            return Clock(now, use)
        case [b"EARLY", now, gap]:
            return Early(now, bool(gap))
        case [b"LATE", now]:
            return Late(now)
    raise ValueError("append.lua gave a reply that is not in its list")
