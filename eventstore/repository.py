"""The only writer: loads a game, lets the domain decide, seals, appends, and tries again when others were first."""

import time

from domain import canonical, sealing
from domain.commands import Command, Create, Credit, Timeout
from domain.decide import Decided, decide, due
from domain.errors import Corrupt, Refused
from domain.events import Event, redact
from domain.game import Game, fold
from domain.observers import EVERYTHING, Observer
from domain.registry import Registry
from eventstore import metrics
from eventstore.cache import RECENT, Cache, Entry
from eventstore.commands import Command as CommandId
from eventstore.commands import fingerprint as digest_of
from eventstore.doorbell import Doorbell
from eventstore.keys import shard_of
from eventstore.limits import limits
from eventstore.log import Log
from eventstore.obligation import CLOCK, Obligation
from eventstore.owed import Gap, Owed
from eventstore.owes import owed_change
from eventstore.replies import (
    Ahead,
    Appended,
    Batch,
    Clock,
    Closed,
    Dup,
    Early,
    Fork,
    Late,
    NewRecord,
    Reply,
    Reused,
    Stale,
    StoredRecord,
)
from eventstore.stored import (
    KeyReused,
    Line,
    Receipt,
    Rules,
    StoreBusy,
    Stored,
    UnknownGame,
    cursor,
    lines_of,
    secrets_of,
)

ATTEMPTS = 50
"""How often a command is decided anew when others were first, before the caller is told to come again."""


class TooLate(Exception):
    """An answer came after its deadline: the clock plays first."""


class Repository:
    """All games of one store. Safe to share between threads."""

    def __init__(
        self,
        log: Log,
        owed: Owed,
        registry: Registry,
        *,
        doorbell: Doorbell | None = None,
        cache: Cache | None = None,
    ) -> None:
        self.registry = registry
        self._log = log
        self._owed = owed
        self._doorbell = doorbell
        self._cache = cache or Cache()
        self._ahead_ms = log.time() - _local_ms()

    # --- writing ---------------------------------------------------------------------------------------------------

    def create(self, game: str, command: Create, *, key: str, fingerprint: str = "") -> Receipt:
        """Make a game of id `game`; the same key and fingerprint again give the same receipt."""
        rules = self.registry.newest(command.ruleset)
        codec = self.registry.codec(command.ruleset, rules.info.rules_version)
        entry = Entry(Game(id=game), Rules(rules, codec), (sealing.genesis(game),))
        return self._write(entry, command, command_of(key, fingerprint), fresh=True)

    def execute(
        self,
        game: str,
        command: Command,
        *,
        key: str | Obligation,
        fingerprint: str = "",
        not_before: int = 0,
        at: frozenset[str] = frozenset(),
    ) -> Receipt:
        """Do `command`, once for each `key`. An answer after its deadline makes the clock play first.

        `not_before` (ms) is a time that the store's clock is known to have passed. `at` are cursors: unless the game
        is at one of them, `stale`. Raises `Refused` (nothing was appended), `UnknownGame`, `KeyReused`, `StoreBusy`;
        the store's own errors.
        """
        identity = command_of(key, fingerprint)
        self._ahead_ms = max(self._ahead_ms, not_before - _local_ms())
        entry = self._cache.entry(game)
        fresh = entry is None
        try:
            return self._write(entry or self._load(game), command, identity, fresh, at)
        except TooLate:
            return self._after_the_clock(game, command, identity, at)

    def _after_the_clock(self, game: str, command: Command, identity: CommandId, at: frozenset[str]) -> Receipt:
        entry = self._load(game)
        late = due(entry.game, self.now())
        for asked in late[:1]:
            timeout = Obligation(game, CLOCK, asked.decision.seat, asked.id)
            try:
                self._write(entry, Timeout(), timeout.command, fresh=True)
            except Refused as refused:
                if refused.code not in ("not_due", "game_over"):
                    raise
        try:
            return self._write(self._load(game), command, identity, True, at)
        except TooLate as late_still:
            raise Refused("decision_closed", reason="too_late") from late_still

    def _write(
        self, entry: Entry, command: Command, identity: CommandId, fresh: bool, wanted: frozenset[str] = frozenset()
    ) -> Receipt:
        at = self._at(entry)
        for _ in range(ATTEMPTS):
            try:
                _current(entry, wanted)
                decided = decide(entry.rules.rules, entry.game, command, at)
            except Refused as refused:
                if not fresh:
                    entry, fresh = self._load(entry.game.id), True
                    at = self._at(entry)
                    continue
                return self._made_before(entry, command, identity, refused)
            receipt, entry, at = self._try(entry, command, identity, decided, at)
            if receipt is not None:
                return receipt
            fresh = True
        raise StoreBusy

    def _made_before(self, entry: Entry, command: Command, identity: CommandId, refused: Refused) -> Receipt:
        """A repeat of a success may look like a move out of turn: the command id is looked up before judging."""
        reply = self._log.made(entry.game.id, identity)
        if isinstance(reply, Dup):
            return self._replayed(entry, reply)
        if isinstance(reply, Reused):
            raise KeyReused from refused
        if refused.code == "too_late":
            raise TooLate from refused
        raise refused

    def _try(
        self, entry: Entry, command: Command, identity: CommandId, decided: Decided, at: int
    ) -> tuple[Receipt | None, Entry, int]:
        """One append: the receipt, or the entry and the time to try again with."""
        game = entry.game
        sealed = sealing.seal(game.id, decided.game.seed or "", decided.events, entry.hashes)
        owed, fulfilled = owed_change(game, decided.game)
        not_before, not_after = limits(game, command, at)
        records = tuple([NewRecord(s.type, s.sv, s.record, s.secrets) for s in sealed])
        reply = self._log.append(
            Batch(
                game=game.id,
                command=identity,
                expected_version=game.version,
                expected_head=entry.head,
                at=at,
                records=records,
                head=sealed[-1].hash,
                owed=owed,
                fulfilled=fulfilled,
                not_before=not_before,
                not_after=not_after,
                close=decided.game.over,
            )
        )
        self._ahead_ms = reply.now - _local_ms()
        if not isinstance(reply, Appended):
            return self._answer(entry, reply)
        metrics.moved(game.ruleset, command, decided.events)
        after = self._cache.keep(_advanced(entry, decided.game, [s.hash for s in sealed], decided.events))
        stored = tuple([StoredRecord(s.v, s.type, s.sv, s.record, s.secrets) for s in sealed])
        receipt = Receipt(game.id, sealed[0].v, sealed[-1].v, sealed[-1].hash, _stored(after), stored)
        return receipt, after, at

    def _answer(self, entry: Entry, reply: Reply) -> tuple[Receipt | None, Entry, int]:
        game = entry.game.id
        match reply:
            case Dup():
                return self._replayed(entry, reply), entry, entry.game.at
            case Reused():
                raise KeyReused
            case Stale() if not reply.more:
                entry = self._cache.keep(_caught_up(entry, reply.records))
            case Stale() | Closed():
                entry = self._load(game)
            case Ahead() | Fork():
                self._cache.forget(game)
                entry = self._load(game)
            case Clock():
                return None, entry, reply.use
            case Early(gap=True) if self._credit(entry):
                entry = self._load(game)
            case Early():
                raise Refused("not_due")
            case Late():
                raise TooLate
        return None, entry, self._at(entry)

    def _credit(self, entry: Entry) -> bool:
        """Give the downtime of its shard back to a game; whether there was any that it had not got yet."""
        gaps = self._owed.beat([shard_of(entry.game.id)])
        credited = [self.credit(entry.game.id, gap) for gap in gaps]
        return any(credited)

    def credit(self, game: str, gap: Gap) -> bool:
        """Credit a game with a downtime, at most once; False if it has it, or is over."""
        try:
            identity = command_of(f"credit {gap.since}", "")
            return not self._write(self._load(game), Credit(gap.ms), identity, fresh=True).replayed
        except Refused as refused:
            if refused.code not in ("game_over", "game_faulted"):
                raise
            return False

    def _replayed(self, entry: Entry, reply: Dup) -> Receipt:
        last = sealing.hash_of(reply.records[-1].record)
        stored = _stored(self._load(entry.game.id))
        return Receipt(entry.game.id, reply.first, reply.last, last, stored, reply.records, replayed=True)

    # --- reading ---------------------------------------------------------------------------------------------------

    def now(self) -> int:
        """The store's clock as this process knows it, ms since 1970."""
        return _local_ms() + self._ahead_ms

    def recent(self, game: str) -> Stored:
        """The full fold as this process knows it, perhaps a moment behind: no read, if it knows any."""
        return _stored(self._cache.entry(game) or self._load(game))

    def game(self, game: str) -> Stored:
        """The full fold, as of now: for the server's own use, never to be shown."""
        return _stored(self._load(game))

    def entry(self, game: str) -> Entry:
        """The full fold with the hash of every record, as of now: for the server's own use, never to be shown."""
        return self._load(game)

    def fold(self, game: str, observer: Observer) -> Stored:
        """What `observer` knows of a game, as of now. `Refused` for everything of a game that is not over."""
        entry = self._load(game)
        if observer == EVERYTHING:
            _over(entry.game)
        known = self._cache.fold(game, observer)
        if known is None or known.version < entry.game.version:
            known = self._fold_on(entry, observer, known or Game(id=game))
            self._cache.keep_fold(observer, known)
        elif known.version > entry.game.version:
            # Another thread was faster; its fold is as good, but belongs to a later head.
            return self.fold(game, observer)
        return Stored(known, entry.rules.rules, entry.head)

    def _fold_on(self, entry: Entry, observer: Observer, known: Game) -> Game:
        events = entry.since(known.version)
        if events is None:
            records = self._log.read(entry.game.id, known.version)
            events = tuple([_event(entry.rules, r) for r in records if r.version <= entry.game.version])
        return fold(entry.rules.rules, known, [redact(event, observer) for event in events])

    def lines(self, game: str, observer: Observer, after: int = 0, limit: int = 200) -> list[Line]:
        """Redacted log lines after a version, up to about `limit`, always cut at a batch end."""
        if observer == EVERYTHING:
            _over(self._load(game).game)
        lines = lines_of(self._log.read(game, after, max(limit, 64)), observer)
        if not lines and not self._log.head(game).version:
            raise UnknownGame(game)
        while lines and lines[-1].record["left"]:
            lines.pop()
        return lines

    def version(self, game: str) -> int:
        """The version that a game is at, 0 if there is none."""
        return self._log.head(game).version

    def wait(self, game: str, after: int, seconds: float) -> bool:
        """Wait until a game is beyond version `after`, for so long at most; whether it is."""
        if self._doorbell is None:
            return self.version(game) > after
        return self._doorbell.wait_for(game, after, seconds)

    def _load(self, game: str) -> Entry:
        """The full fold as of now: what the process knows, caught up with what the store has beyond it."""
        known = self._cache.entry(game)
        entry = self._catch_up(game, known)
        if entry is None and known is not None:
            # The store has another history than this process saw (it lost writes): begin anew.
            self._cache.forget(game)
            entry = self._catch_up(game, None)
        if entry is None:
            raise Corrupt(f"the log of game {game} does not hang together")
        return entry

    def _catch_up(self, game: str, entry: Entry | None) -> Entry | None:
        """The entry after all that the store has; None if the store's log does not follow it."""
        known = entry.game.version if entry is not None else 0
        head, records = self._log.load(game, known)
        if not head.version:
            raise UnknownGame(game)
        if entry is None:
            entry = Entry(Game(id=game), self._rules(records[0]), (sealing.genesis(game),))
        if records and _prev(records[0]) == entry.head:
            entry = _caught_up(entry, records)
        if (entry.game.version, entry.head) != (head.version, head.head):
            return None
        return self._cache.keep(entry)

    def _rules(self, first: StoredRecord) -> Rules:
        created = canonical.loads(first.record)["data"]
        key, version = created["ruleset"], created["rules_version"]
        return Rules(self.registry.at(key, version), self.registry.codec(key, version))

    def _at(self, entry: Entry) -> int:
        return max(self.now(), entry.game.at)


def _local_ms() -> int:
    return time.time_ns() // 1_000_000


def _current(entry: Entry, wanted: frozenset[str]) -> None:
    """Refuse if the game is at none of the `wanted` cursors, if there are any: what was looked at is no longer so."""
    if wanted and (now := cursor(entry.game.version, entry.head)) not in wanted:
        raise Refused("stale", cursor=now, version=entry.game.version)


def _over(game: Game) -> None:
    if not game.over:
        raise Refused("game_not_over", status=game.status)


def command_of(key: str | Obligation, fingerprint: str) -> CommandId:
    """The identity that a command has in a game's log."""
    if isinstance(key, Obligation):
        return key.command
    return CommandId(digest_of(b"key", key.encode()), digest_of(fingerprint.encode()))


def _stored(entry: Entry) -> Stored:
    return Stored(entry.game, entry.rules.rules, entry.head)


def _event(rules: Rules, stored: StoredRecord) -> Event:
    event: Event = rules.codec.event(canonical.loads(stored.record), secrets_of(stored))
    return event


def _prev(stored: StoredRecord) -> str:
    prev: str = canonical.loads(stored.record)["prev"]
    return prev


def _advanced(entry: Entry, game: Game, hashes: list[str], events: tuple[Event, ...]) -> Entry:
    recent = (*entry.recent, *events)[-RECENT:]
    return Entry(game, entry.rules, (*entry.hashes, *hashes), recent)


def _caught_up(entry: Entry, records: tuple[StoredRecord, ...]) -> Entry:
    """The entry after records that follow it."""
    records = tuple([r for r in records if r.version > entry.game.version])
    events = tuple([_event(entry.rules, r) for r in records])
    game = fold(entry.rules.rules, entry.game, events)
    return _advanced(entry, game, [sealing.hash_of(r.record) for r in records], events)


__all__ = ["KeyReused", "Line", "Receipt", "Repository", "StoreBusy", "Stored", "UnknownGame"]
