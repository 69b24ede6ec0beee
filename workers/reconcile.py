"""What games owe, computed anew from their logs and compared with what stands in the store; differences are repaired.

There should be none. The entries in the lists (`index`) are left out: they follow from a change, not from a state; so
are reports on disputes (`audit`), which case files owe and not games.
"""

import logging
import threading
from collections import defaultdict
from dataclasses import dataclass

from domain.errors import Corrupt
from domain.game import Game
from eventstore.disputes import AUDIT
from eventstore.keys import SHARDS, shard_of
from eventstore.obligation import Due, Obligation
from eventstore.owes import INDEX, owes
from eventstore.store import Store
from eventstore.stored import UnknownGame
from workers.failures import told
from workers.metrics import RECONCILED

log = logging.getLogger(__name__)

ROUNDS = 20
"""How often a game is looked at anew that goes on meanwhile; one that does is alive, whatever it owes."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What was wrong: `missing` was owed and not there, `moot` was there and not owed."""

    obligation: Obligation
    what: str

    def __str__(self) -> str:
        return f"{self.what}: {self.obligation.print()}"


def run(redis_url: str, *, allow_unsafe: bool = False) -> list[Difference]:
    """Check and repair a whole store; give what was wrong."""
    store = Store(redis_url, allow_unsafe=allow_unsafe)
    try:
        return reconcile_all(store)
    finally:
        store.close()


def reconcile_all(store: Store) -> list[Difference]:
    """Check and repair all shards; give what was wrong."""
    return [difference for shard in range(SHARDS) for difference in reconcile(store, shard)]


def reconcile(store: Store, shard: int, stopped: threading.Event | None = None) -> list[Difference]:
    """Check and repair one shard; give what was wrong."""
    found: list[Difference] = []
    there: dict[str, set[Due]] = defaultdict(set)
    for due in store.owed.list_due(shard):
        there[due.obligation.game].add(due)
    for game in {*store.owed.open_games(shard), *there}:
        if stopped is not None and stopped.is_set():
            break
        try:
            found += _reconcile_game(store, game, there[game])
        except (Corrupt, KeyError) as error:
            log.error("game %s cannot be checked: %s", game, told(error))
    return found


def _reconcile_game(store: Store, game: str, there: set[Due]) -> list[Difference]:
    for _ in range(ROUNDS):
        try:
            now = store.repository.game(game).game
        except UnknownGame:
            now = Game(id=game)
        wanted = owes(now)
        stored = {due for due in there if due.obligation.kind not in (INDEX, AUDIT)}
        if stored == wanted:
            return []
        # One with a wrong time is removed, and added with the right one.
        moot = {due.obligation for due in stored - wanted}
        repair = store.owed.repair(game, now.version, wanted, moot)
        if not repair.moved:
            found = [Difference(o, "missing") for o in repair.missing] + [Difference(o, "moot") for o in repair.moot]
            for difference in found:
                RECONCILED.labels(difference.what).inc()
                log.error("what a game owes was wrong, now repaired: %s", difference)
            return found
        there = set(store.owed.list_due(shard_of(game), game))
    return []
