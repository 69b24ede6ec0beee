"""The sweeper: claims what falls due and makes jobs of it. Any number of them may run.

It looks at a shard when its doorbell rings (an append may owe something at once), when the next thing in it falls
due, and at all shards every 100 ms, which is the net under both.
"""

import logging
from collections.abc import Iterable
from queue import Empty, SimpleQueue
from time import monotonic, sleep
from types import FrameType
from typing import Final

from redis.exceptions import RedisError

from eventstore import connect
from eventstore.keys import SHARDS, shard_of
from eventstore.owed import ALL_SHARDS, Sweep
from eventstore.store import Store
from workers.chores import Chores
from workers.failures import told
from workers.queue import JobQueue
from workers.runner import PAUSES_S, Stopping, open_store

log = logging.getLogger(__name__)

SWEEP_S: Final = 0.1
STOP: Final = -1
NEVER: Final = 1 << 62


class Sweeper:
    """One loop over all shards of a store; `stop` ends it."""

    def __init__(self, store: Store, queue: JobQueue, chores: Chores | None = None) -> None:
        self._store = store
        self._queue = queue
        self._chores = chores
        # A SimpleQueue may be written to from a signal handler; an Event may not.
        self._mail: SimpleQueue[int] = SimpleQueue()
        self._coming = [NEVER] * SHARDS  # ms of the store's clock
        self._ahead: int | None = None  # the store's clock less ours, ms; never too much, so that no wake is early
        self._room = 0

    def ring(self, game: str, version: int) -> None:
        """Look at the shard of a game at once."""
        self._mail.put(shard_of(game))

    def stop(self, number: int = 0, frame: FrameType | None = None) -> None:
        """End the loop; a signal handler too."""
        self._mail.put(STOP)

    def run(self) -> None:
        """Sweep until stopped, whatever happens to the stores."""
        failures = 0
        full = 0.0
        while True:
            shards = self._wait(full)
            if STOP in shards:
                return
            try:
                if monotonic() >= full:
                    full = monotonic() + SWEEP_S
                    self._sweep_all()
                else:
                    self._sweep(shards)
                failures = 0
            except RedisError as error:
                if not failures:
                    log.warning("lost a store, trying again: %s", told(error))
                sleep(PAUSES_S[min(failures, len(PAUSES_S) - 1)])
                failures += 1

    def _wait(self, full: float) -> set[int]:
        """Wait for the next full sweep, a doorbell, or something that falls due; give the shards concerned."""
        soonest = (min(self._coming) - self._now()) / 1000
        shards: set[int] = set()
        try:
            shards.add(self._mail.get(timeout=max(0.0, min(full - monotonic(), soonest))))
            while True:
                shards.add(self._mail.get_nowait())
        except Empty:
            now = self._now()
            return shards | {shard for shard, at in enumerate(self._coming) if at <= now}

    def _now(self) -> int:
        return int(monotonic() * 1000) + (self._ahead or 0)

    def _sweep_all(self) -> None:
        if self._ahead is None:
            self._ahead = self._store.log.time() - int(monotonic() * 1000)
        try:
            self._room = self._queue.room(self._now())
        except RedisError as error:
            self._lost_queue(error)
        self._sweep(ALL_SHARDS)

    def _lost_queue(self, error: RedisError) -> None:
        # Shards are kept alive: moves go on, and a deadline that passes now is played as soon as there is a queue.
        if self._room:
            log.warning("lost the queue, trying again: %s", told(error))
        self._room = 0

    def _sweep(self, shards: Iterable[int]) -> None:
        wanted = tuple(shards)
        if not wanted:
            return
        # Without room, or a queue to put it in, nothing is taken: it would wait there and use up its attempts.
        limit = -(-self._room // len(wanted))
        sweep = self._store.owed.claim(wanted, limit)
        self._note(wanted, sweep)
        if sweep.claims:
            self._hand_over(sweep)
        if self._chores is not None:
            for gap in sweep.gaps:
                self._chores.credit(gap)

    def _hand_over(self, sweep: Sweep) -> None:
        self._room = max(0, self._room - len(sweep.claims))
        try:
            self._queue.put(sweep.claims, sweep.now)
        except RedisError as error:
            self._lost_queue(error)

    def _note(self, shards: tuple[int, ...], sweep: Sweep) -> None:
        self._ahead = sweep.now - int(monotonic() * 1000)
        for shard in shards:
            self._coming[shard] = NEVER
        for shard, at in sweep.coming:
            self._coming[shard] = at


def run(redis_url: str, queue_redis_url: str, *, allow_unsafe: bool = False) -> None:
    """Sweep until SIGTERM or SIGINT."""
    stopping = Stopping()
    store = open_store(redis_url, allow_unsafe, stopping)
    if store is None:
        return
    queue = connect.appending(queue_redis_url)
    chores = Chores(store)
    sweeper = Sweeper(store, JobQueue(queue), chores)
    stopping.then(sweeper.stop)
    store.doorbell.listen(sweeper.ring)
    store.follow()
    chores.start()
    sweeper.run()
    chores.stop()
    queue.connection_pool.disconnect()
    store.close()
