"""All games' entries in the lists, written anew from the logs: after a loss, or when the lists themselves changed."""

import logging
from collections.abc import Iterator

from domain.errors import Corrupt
from eventstore.keys import game_of_meta
from eventstore.store import Store
from eventstore.stored import UnknownGame
from workers.failures import told
from workers.index import index_game

log = logging.getLogger(__name__)


def run(redis_url: str, *, allow_unsafe: bool = False) -> tuple[int, int]:
    """Index every game of a store; give how many were, and how many could not be."""
    store = Store(redis_url, allow_unsafe=allow_unsafe)
    try:
        return reindex(store)
    finally:
        store.close()


def reindex(store: Store) -> tuple[int, int]:
    """Index every game; those that begin or go on meanwhile index themselves."""
    done = failed = 0
    for game in games(store):
        try:
            done += index_game(store, game)
        except (Corrupt, KeyError, UnknownGame) as error:
            failed += 1
            log.error("game %s cannot be listed: %s", game, told(error))
    return done, failed


def games(store: Store) -> Iterator[str]:
    """Go through all games that ever were, open or over: each has a meta hash for ever."""
    for key in store.reader.scan_iter(match="*:m", count=1000, _type="HASH"):
        game = game_of_meta(key.decode())
        if game is not None:
            yield game
