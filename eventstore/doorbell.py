"""The doorbell: one reader a process follows all appends and wakes whoever waits for a game.

A doorbell may be lost (a restart, a trim), so it only ever says "look"; who waits looks by itself every 15
s too. On a single server one XREAD follows all shards. A cluster refuses a read over several shards: run
one `Doorbell` a shard there (`shards=(n,)`).
"""

import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from redis import Redis
from redis.exceptions import RedisError

from eventstore.keys import SHARDS, shard_keys
from eventstore.wire import send, send_all

BLOCK_MS: Final = 1000  # how long one read waits, and so how long `stop` may take
RECHECK_S: Final = 15.0
RECONNECT_S: Final = (0.05, 0.2, 0.5, 1.0)
PAGE: Final = 1000

Listener = Callable[[str, int], None]
log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class Waiter:
    """Somebody who waits for one game; `version` is the last one rung, 0 at first."""

    game: str
    version: int = 0
    rung: threading.Event = field(default_factory=threading.Event)

    def wait(self, after: int, timeout: float) -> bool:
        """Wait up to `timeout` seconds; True if rung, so that a look is worth it."""
        if self.version > after:
            return True
        rung = self.rung.wait(timeout)
        self.rung.clear()
        return rung


class Doorbell:
    """Follows the doorbell streams in a thread of its own and calls listeners and waiters.

    `client` is one of `connect.blocking(url, BLOCK_MS)`; `current` reads a game's version from the store.
    Start it after a fork, not before. Under gevent, patch before this module is imported.
    """

    def __init__(
        self,
        client: Redis,
        current: Callable[[str], int],
        *,
        shards: Iterable[int] = range(SHARDS),
        block_ms: int = BLOCK_MS,
    ) -> None:
        self._client = client
        self._current = current
        self._block_ms = block_ms
        self._after = {shard_keys(shard).bell.encode(): b"" for shard in shards}
        self._lock = threading.Lock()
        self._waiters: dict[str, set[Waiter]] = {}
        self._listeners: list[Listener] = []
        self._stopped = threading.Event()
        self._ready = threading.Event()
        self._thread: threading.Thread | None = None
        self._heard = 0.0

    @property
    def silence_s(self) -> float | None:
        """For how long the reader has had no answer from the store, s; None if it is not to follow."""
        return monotonic() - self._heard if self._thread is not None else None

    def start(self, timeout: float = 5.0) -> bool:
        """Start reading; True once it follows, False if the store is not there yet (it goes on trying)."""
        self._stopped.clear()
        self._ready.clear()
        self._heard = monotonic()
        self._thread = threading.Thread(target=self._run, name="doorbell", daemon=True)
        self._thread.start()
        return self._ready.wait(timeout)

    def stop(self) -> None:
        """Stop reading, within one block, and let all waiters go."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self.wake_all()

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call `listener(game, version)` in the reader's thread at each append; gives the way to end that."""
        with self._lock:
            self._listeners.append(listener)

        def end() -> None:
            with self._lock:
                self._listeners.remove(listener)

        return end

    @contextmanager
    def watch(self, game: str) -> Iterator[Waiter]:
        """Be rung for one game: enter this, then read the log, then wait; nothing falls in between."""
        waiter = Waiter(game)
        with self._lock:
            self._waiters.setdefault(game, set()).add(waiter)
        try:
            yield waiter
        finally:
            with self._lock:
                others = self._waiters[game]
                others.discard(waiter)
                if not others:
                    del self._waiters[game]

    def wait_for(self, game: str, after: int, timeout: float, recheck_s: float = RECHECK_S) -> bool:
        """Wait until a game's version is above `after`; False after `timeout` s, or if the reader stops."""
        end = monotonic() + timeout
        with self.watch(game) as waiter:
            while not self._stopped.is_set():
                if waiter.version > after or self._current(game) > after:
                    return True
                left = end - monotonic()
                if left <= 0:
                    return False
                waiter.wait(after, min(left, recheck_s))
        return False

    def wake_all(self) -> None:
        """Let everybody look for himself."""
        with self._lock:
            waiting = [waiter for waiters in self._waiters.values() for waiter in waiters]
        for waiter in waiting:
            waiter.rung.set()

    def _run(self) -> None:
        failures = 0
        while not self._stopped.is_set():
            try:
                self._find_place()
                # What was rung between two connections may be trimmed by now.
                self.wake_all()
                self._ready.set()
                while not self._stopped.is_set():
                    self._read()
                    failures = 0
            except RedisError as error:
                log.warning("doorbell: lost the store, trying again (%s)", type(error).__name__)
                self._stopped.wait(RECONNECT_S[min(failures, len(RECONNECT_S) - 1)])
                failures += 1
            except Exception:  # without its reader a process would only look every 15 s
                log.exception("doorbell: failed, going on")
                self._stopped.wait(RECONNECT_S[-1])

    def _find_place(self) -> None:
        """Start at the ends; later go on where it was, or at the end if the store is behind that now."""
        ends = send_all(self._client, [("XREVRANGE", bell, "+", "-", "COUNT", 1) for bell in self._after])
        for bell, entries in zip(list(self._after), ends, strict=True):
            end = entries[0][0] if entries else b"0-0"
            after = self._after[bell]
            if not after or _parts(end) < _parts(after):
                self._after[bell] = end

    def _read(self) -> None:
        options = ("COUNT", PAGE, "BLOCK", self._block_ms, "STREAMS")
        reply = send(self._client, "XREAD", *options, *self._after, *self._after.values())
        self._heard = monotonic()
        for bell, entries in reply or ():
            for entry, fields in entries:
                self._after[bell] = entry
                self._ring(fields[1].decode(), int(fields[3]))

    def _ring(self, game: str, version: int) -> None:
        with self._lock:
            waiting = tuple(self._waiters.get(game, ()))
            listeners = tuple(self._listeners)
        for waiter in waiting:
            waiter.version = max(waiter.version, version)
            waiter.rung.set()
        for listener in listeners:
            try:
                listener(game, version)
            except Exception:  # one listener's fault must not silence the others
                log.exception("doorbell: a listener failed")


def _parts(entry: bytes) -> tuple[int, int]:
    millis, _, count = entry.partition(b"-")
    return int(millis), int(count)
