"""What a sweeper does beside sweeping, in a thread of its own: crediting downtime, and checking what is owed."""

import logging
import threading
from typing import Final

from redis.exceptions import RedisError

from domain.errors import Corrupt
from eventstore.errors import StoreError
from eventstore.keys import SHARDS
from eventstore.owed import Gap
from eventstore.store import Store
from eventstore.stored import StoreBusy, UnknownGame
from workers.failures import told
from workers.reconcile import reconcile

log = logging.getLogger(__name__)

RECONCILE_S: Final = 5.0
"""A shard is checked this often, so all of them every five minutes."""
PAUSE_S: Final = 0.5


class Chores:
    """The thread; it survives what happens to the store. Sweeping must not wait for it, or a new gap would grow."""

    def __init__(self, store: Store, reconcile_s: float = RECONCILE_S) -> None:
        self._store = store
        self._reconcile_s = reconcile_s
        self._gaps: dict[tuple[int, int], Gap] = {}
        self._lock = threading.Lock()
        self._woken = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="chores", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """End it; what it was doing is done again by another."""
        self._stopped.set()
        self._woken.set()
        self._thread.join(timeout=5)

    def credit(self, gap: Gap) -> None:
        """Have the open games of a shard credited for a downtime."""
        with self._lock:
            self._gaps[gap.shard, gap.since] = gap
        self._woken.set()

    def _run(self) -> None:
        shard = 0
        while not self._stopped.is_set():
            self._woken.wait(self._reconcile_s)
            self._woken.clear()
            with self._lock:
                gaps, self._gaps = list(self._gaps.values()), {}
            try:
                for gap in gaps:
                    credit(self._store, gap, self._stopped)
                if not gaps and not self._stopped.is_set():
                    reconcile(self._store, shard, self._stopped)
                    shard = (shard + 1) % SHARDS
            except (RedisError, StoreError, StoreBusy) as error:
                # A gap stays in the store until it is cleared, and is reported by the next sweep again.
                log.warning("the store did not take it, later again: %s", told(error))
                self._stopped.wait(PAUSE_S)
            except Exception as error:
                log.error("a chore failed: %s", told(error))
                self._stopped.wait(PAUSE_S)


def credit(store: Store, gap: Gap, stopped: threading.Event) -> None:
    """Credit every open game of the gap's shard, then let its clocks run; raises what the store raises."""
    credited = 0
    for game in store.owed.open_games(gap.shard):
        if stopped.is_set():
            return
        try:
            credited += store.repository.credit(game, gap)
        except (Corrupt, UnknownGame, KeyError) as error:
            # It cannot be played either, and must not hold up the others.
            log.error("game %s cannot be credited: %s", game, told(error))
    store.owed.clear_gap(gap)
    if credited:
        log.info("nobody swept for %d ms: credited %d games of shard %d", gap.ms, credited, gap.shard)
