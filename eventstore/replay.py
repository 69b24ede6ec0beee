"""Games as they were: the fold of any observer at any batch end, made from the log alone."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Final

from domain import canonical
from domain.events import Event, Opened, Record, redact_line
from domain.game import Game, fold
from domain.observers import Observer
from domain.values import Value
from eventstore.cache import Entry
from eventstore.log import Log
from eventstore.replies import StoredRecord
from eventstore.stored import Rules, Stored, secrets_of

MARK_EVERY: Final = 64
"""How far two folds that are kept lie apart, in events: one in each stretch of so many."""

REELS: Final = 64
"""Of how many replays, by game and observer, folds are kept."""


class OutOfRange(Exception):
    """No batch of the game ends at or before that version, or the game is not there yet."""

    def __init__(self, first: int, last: int) -> None:
        super().__init__(f"not within {first} to {last}")
        self.first = first
        self.last = last


class Mark(Value, frozen=True):
    """A fold that is kept, with the hash of the record where it ends."""

    game: Game
    head: str


class Replays:
    """Folds of the past, the least recently used forgotten first. Safe to share between threads.

    `entry` gives a game's full fold as of now, with the hash of every record.
    """

    def __init__(self, log: Log, entry: Callable[[str], Entry]) -> None:
        self._log = log
        self._entry = entry
        self._reels: OrderedDict[tuple[str, Observer], dict[int, Mark]] = OrderedDict()
        self._lock = Lock()

    def at(self, game: str, observer: Observer, version: int) -> Stored:
        """What `observer` knew at `version`, rounded down to a batch end; `OutOfRange` if there is none.

        Whether this may be shown is for the caller to say.
        """
        entry = self._entry(game)
        if version > entry.game.version:
            raise OutOfRange(self._first_end(game), entry.game.version)
        known = self._nearest(game, observer, entry, version)
        missing = version - known.version
        batches = _whole(self._log.read(game, known.version, missing)) if missing else []
        for start in range(0, len(batches), MARK_EVERY):
            events = [e for batch in batches[start : start + MARK_EVERY] for e in _events(entry.rules, batch, observer)]
            known = fold(entry.rules.rules, known, events)
            self._keep(game, observer, Mark(known, entry.hashes[known.version]))
        if not known.version:
            raise OutOfRange(self._first_end(game), entry.game.version)
        return Stored(known, entry.rules.rules, entry.hashes[known.version])

    def _nearest(self, game: str, observer: Observer, entry: Entry, version: int) -> Game:
        """The last kept fold at or before `version` that belongs to the history of `entry`."""
        with self._lock:
            marks = self._reels.get((game, observer), {})
            kept = [m for m in marks.values() if m.game.version <= version and entry.hashes[m.game.version] == m.head]
        return max((m.game for m in kept), key=lambda g: g.version, default=Game(id=game))

    def _keep(self, game: str, observer: Observer, mark: Mark) -> None:
        with self._lock:
            marks = self._reels.setdefault((game, observer), {})
            self._reels.move_to_end((game, observer))
            marks[mark.game.version // MARK_EVERY] = mark
            if len(self._reels) > REELS:
                self._reels.popitem(last=False)

    def _first_end(self, game: str) -> int:
        first = self._log.read(game, 0, 1)
        return 1 + int(canonical.loads(first[0].record)["left"]) if first else 0


Batch = list[tuple[Record, StoredRecord]]


def _whole(records: tuple[StoredRecord, ...]) -> list[Batch]:
    """The whole batches among records that begin at a batch's first."""
    batches: list[Batch] = []
    batch: Batch = []
    for stored in records:
        record = canonical.loads(stored.record)
        batch.append((record, stored))
        if record["left"] == 0:
            batches.append(batch)
            batch = []
    return batches


def _events(rules: Rules, batch: Batch, observer: Observer) -> list[Event]:
    events = []
    for record, stored in batch:
        events.append(rules.codec.event(record, _opened(record, stored, observer)))
    return events


def _opened(record: Record, stored: StoredRecord, observer: Observer) -> Opened:
    """What of a record an observer may open; of most there is nothing, and then its secrets need not be read."""
    if not any(observer.may_open(seal["to"]) for seal in record["seals"].values()):
        return {}
    opened: Opened = redact_line(record, secrets_of(stored), observer)["open"]
    return opened
