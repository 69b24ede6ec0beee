"""Folded games, kept in the process: immutable values, the least recently used forgotten first."""

from collections import OrderedDict
from threading import Lock

from domain.events import Event
from domain.game import Game
from domain.observers import Observer
from domain.values import Value
from eventstore.stored import Rules

RECENT = 128
"""How many of a game's newest events are kept, so that other observers' folds catch up without reading."""


class Entry(Value, frozen=True):
    """A game's full fold, the hash of every record (`hashes[v]`, the genesis first), and its newest events."""

    game: Game
    rules: Rules
    hashes: tuple[str, ...]
    recent: tuple[Event, ...] = ()

    @property
    def head(self) -> str:
        """The hash of the last record."""
        return self.hashes[-1]

    def since(self, version: int) -> tuple[Event, ...] | None:
        """The events after `version`, or None if they are not all kept."""
        missing = self.game.version - version
        if missing > len(self.recent):
            return None
        return self.recent[len(self.recent) - missing :]


class Cache:
    """Entries by game, and observers' folds by game and observer. Safe to share between threads."""

    def __init__(self, games: int = 2000) -> None:
        self._games = games
        self._entries: OrderedDict[str, Entry] = OrderedDict()
        self._folds: dict[str, dict[Observer, Game]] = {}
        self._lock = Lock()

    def entry(self, game: str) -> Entry | None:
        """The full fold of a game, as far as this process has seen it."""
        with self._lock:
            entry = self._entries.get(game)
            if entry is not None:
                self._entries.move_to_end(game)
            return entry

    def keep(self, entry: Entry) -> Entry:
        """Keep an entry unless a newer one is known; returns the newer of both."""
        with self._lock:
            known = self._entries.get(entry.game.id)
            if known is not None and known.game.version > entry.game.version:
                return known
            self._entries[entry.game.id] = entry
            self._entries.move_to_end(entry.game.id)
            if len(self._entries) > self._games:
                forgotten, _ = self._entries.popitem(last=False)
                self._folds.pop(forgotten, None)
            return entry

    def fold(self, game: str, observer: Observer) -> Game | None:
        """An observer's fold of a game, as far as this process has made it."""
        return self._folds.get(game, {}).get(observer)

    def keep_fold(self, observer: Observer, fold: Game) -> None:
        """Keep an observer's fold unless a newer one is known."""
        with self._lock:
            if fold.id in self._entries:
                folds = self._folds.setdefault(fold.id, {})
                known = folds.get(observer)
                if known is None or known.version <= fold.version:
                    folds[observer] = fold

    def forget(self, game: str) -> None:
        """Drop all of a game: its history here is not the store's."""
        with self._lock:
            self._entries.pop(game, None)
            self._folds.pop(game, None)
