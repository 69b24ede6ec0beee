"""Auditing a game of this store, and reading its log for a challenge."""

import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from threading import Lock

from domain import canonical
from domain.audit import Auditor, Verdict
from domain.challenges import Entry
from domain.errors import Corrupt
from domain.events import redact_line
from domain.game import Game, Status
from domain.observers import EVERYTHING, SPECTATOR, Observer
from domain.signing import Keys
from eventstore.export import described, served
from eventstore.log import Log
from eventstore.metrics import audited
from eventstore.replies import StoredRecord
from eventstore.repository import Repository
from eventstore.stored import UnknownGame, secrets_of

KEPT = 256
"""How many verdicts on games that are over are kept in the process."""

_OVER: Mapping[str, Status] = {"game_ended": "finished", "game_faulted": "faulted"}
_BREATH = 32  # lines between two moments in which others may run: a web process does not stand still meanwhile


class Audits:
    """Audits of the games of one store. Safe to share between threads."""

    def __init__(self, log: Log, repository: Repository) -> None:
        self._log = log
        self._repository = repository
        self._kept: OrderedDict[str, Verdict] = OrderedDict()
        self._lock = Lock()

    @audited
    def audit(self, game: str, keys: Keys) -> Verdict:
        """The verdict on a game: of everything if it is over, else of what everybody may know. `UnknownGame`."""
        known, head = self._known(game)
        kept = self._kept.get(head)
        if kept is not None:
            return kept
        over = known.over
        auditor = Auditor(keys=keys, registry=self._repository.registry)
        for number, line in enumerate(_lines(self._log, known, head, EVERYTHING if over else SPECTATOR, keys)):
            auditor.feed(line)
            if number % _BREATH == 0:
                time.sleep(0)
        verdict = auditor.verdict()
        if over:
            self._keep(head, verdict)
        return verdict

    def entries(self, game: str, observer: Observer) -> list[Entry]:
        """The whole log so far as `observer` may know it."""
        return [_entry(stored, observer) for stored in self._log.read(game)]

    def _known(self, game: str) -> tuple[Game, str]:
        try:
            entry = self._repository.entry(game)
        except Corrupt:
            return self._guessed(game)
        return entry.game, entry.head

    def _guessed(self, game: str) -> tuple[Game, str]:
        """What its log says of a game that cannot be folded: an audit says what is wrong with it."""
        head, records = self._log.load(game)
        if not records:
            raise UnknownGame(game)
        return described(game, head, records[0], _OVER.get(records[-1].type, "playing")), head.head

    def _keep(self, head: str, verdict: Verdict) -> None:
        with self._lock:
            self._kept[head] = verdict
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)


def _lines(log: Log, game: Game, head: str, observer: Observer, keys: Keys) -> Iterator[bytes]:
    """The served log, line by line; one that breaks off has no trailer, and the audit says so."""
    try:
        for lines in served(log, game, head, observer, keys.signer):
            yield from lines.splitlines(keepends=True)
    except Corrupt:
        return


def _entry(stored: StoredRecord, observer: Observer) -> Entry:
    record = canonical.loads(stored.record)
    return Entry(stored.record, record, redact_line(record, secrets_of(stored), observer)["open"])
