"""All leaderboards, written anew from the logs: after a loss, or when the way of rating changed."""

import logging
from collections import defaultdict
from functools import partial

from domain.errors import Corrupt
from eventstore.ratings import KINDS, Kind, Rated
from eventstore.store import Store
from eventstore.stored import UnknownGame
from workers.failures import told
from workers.rating import tables
from workers.reindex import games

log = logging.getLogger(__name__)


def run(redis_url: str, *, allow_unsafe: bool = False) -> tuple[int, int]:
    """Rate every game of a store; give how many were, and how many could not be read."""
    store = Store(redis_url, allow_unsafe=allow_unsafe)
    try:
        return rerate(store)
    finally:
        store.close()


def rerate(store: Store) -> tuple[int, int]:
    """Rate every game anew; those that end meanwhile are rated by their own jobs, and stay."""
    found: dict[tuple[str, Kind], list[Rated]] = defaultdict(list)
    failed = 0
    for rules in store.repository.registry:
        for kind in KINDS:
            found[rules.info.key, kind] = []
    for game in games(store):
        try:
            facts = store.repository.game(game).game
        except (Corrupt, KeyError, UnknownGame) as error:
            failed += 1
            log.error("game %s cannot be rated: %s", game, told(error))
            continue
        for kind, rated in tables(store, facts).items():
            found[facts.ruleset, kind].append(rated)
    done = 0
    for (ruleset, kind), rated_games in found.items():
        done += store.ratings.replace(ruleset, kind, rated_games, partial(_judge, store, kind))
    return done, failed


def _judge(store: Store, kind: Kind, game: str) -> Rated | None:
    try:
        return tables(store, store.repository.game(game).game).get(kind)
    except (Corrupt, KeyError, UnknownGame):
        return None
