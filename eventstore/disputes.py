"""Case files: logs of their own, appended by the same script as games and owing their reports in the same way."""

from collections.abc import Callable
from typing import Any, Final

from domain import canonical, sealing
from domain.disputes import CODEC, CaseFile, Dispute, file_dispute, fold, report_dispute, sealed
from domain.errors import Corrupt, Refused
from domain.events import Event
from domain.values import Value
from eventstore.commands import Command
from eventstore.log import Log
from eventstore.obligation import Due, Obligation
from eventstore.replies import Appended, Batch, Clock, Dup, NewRecord, Reply, Reused, StoredRecord
from eventstore.stored import KeyReused, StoreBusy

AUDIT: Final = "audit"
"""The kind of the obligation to report on a dispute."""

ATTEMPTS: Final = 50
_SUFFIX: Final = "-disputes"


class Filed(Value, frozen=True):
    """A dispute as it stands now, and whether the request that filed it was a repeat."""

    dispute: Dispute
    replayed: bool


class _Case(Value, frozen=True):
    """A case file as this process has just read it, with the hash of every record (the genesis first)."""

    file: CaseFile
    hashes: tuple[str, ...]


class _Step(Value, frozen=True):
    """An event to append, what is owed from then on, and what it fulfils."""

    event: Event
    owed: Due | None = None
    fulfilled: Obligation | None = None


class Disputes:
    """The case files of all games in one store; `log` is one over `case_keys`. Safe to share between threads."""

    def __init__(self, log: Log) -> None:
        self._log = log

    def read(self, game: str) -> CaseFile:
        """The disputes of a game; none if nobody disputed anything."""
        return self._load(game).file

    def file(self, game: str, *, seat: int, player: str, challenge: int | None, reason: str, command: Command) -> Filed:
        """File a dispute, once for each command; its report is owed from then on.

        Raises `Refused` (`already_disputed`), `KeyReused`, `StoreBusy`; the store's own errors.
        """

        def filing(file: CaseFile, at: int) -> _Step:
            event = file_dispute(file, seat=seat, player=player, challenge=challenge, reason=reason, at=at)
            return _Step(event, owed=Due(Obligation(case_of(game), AUDIT, seat, str(event.v)), at))

        number, replayed = self._write(game, command, filing)
        dispute = self.read(game).dispute(number)
        if dispute is None:
            raise Corrupt(f"no dispute was filed at version {number} of the case file of {game}")
        return Filed(dispute, replayed)

    def report(self, owed: Obligation, report: dict[str, Any], signed: dict[str, Any], again_at: int) -> None:
        """Answer a dispute, once, which fulfils `owed`; unless for good, another report is owed at `again_at` (ms).

        Raises `Refused` (`dispute_closed`), `StoreBusy`; the store's own errors.
        """

        def answering(file: CaseFile, at: int) -> _Step:
            event = report_dispute(file, number_of(owed), report, signed, at)
            again = Obligation(owed.game, AUDIT, owed.seat, f"{event.dispute}.final")
            return _Step(event, owed=None if event.final else Due(again, again_at), fulfilled=owed)

        self._write(game_of(owed.game), owed.command, answering)

    def _write(self, game: str, command: Command, decide: Callable[[CaseFile, int], _Step]) -> tuple[int, bool]:
        """Append what `decide` makes of the file at a time (ms); its version, and whether it was there already."""
        log, now = case_of(game), self._log.time()
        for _ in range(ATTEMPTS):
            case = self._load(game)
            try:
                step = decide(case.file, max(now, case.file.at))
            except Refused:
                # A repeat of a success is no second attempt: the command id is looked up before anything is judged.
                made = self._log.made(log, command)
                if made is None:
                    raise
                reply: Reply = made
            else:
                reply = self._log.append(_batch(log, case, step, command))
            match reply:
                case Appended():
                    return reply.version, False
                case Dup():
                    return reply.first, True
                case Reused():
                    raise KeyReused
            now = reply.use if isinstance(reply, Clock) else reply.now
        raise StoreBusy

    def _load(self, game: str) -> _Case:
        log = case_of(game)
        head, records = self._log.load(log)
        hashes = [sealing.genesis(log)]
        events = []
        for stored in records:
            if canonical.loads(stored.record)["prev"] != hashes[-1]:
                raise Corrupt(f"the case file of game {game} does not hang together at version {stored.version}")
            hashes.append(sealing.hash_of(stored.record))
            events.append(_event(stored))
        if head.version and head.head != hashes[-1]:
            raise Corrupt(f"the case file of game {game} does not end in its head")
        return _Case(fold(CaseFile(), events), tuple(hashes))


def case_of(game: str) -> str:
    """The id of a game's case file."""
    return game + _SUFFIX


def game_of(case: str) -> str:
    """The game of a case file."""
    return case.removesuffix(_SUFFIX)


def number_of(owed: Obligation) -> int:
    """The dispute that an obligation of kind `audit` asks a report on."""
    return int(owed.decision.partition(".")[0])


def _batch(log: str, case: _Case, step: _Step, command: Command) -> Batch:
    records = sealed(log, case.hashes, [step.event])
    return Batch(
        game=log,
        command=command,
        expected_version=case.file.version,
        expected_head=case.hashes[-1],
        at=step.event.at,
        records=tuple([NewRecord(r.type, r.sv, r.record, r.secrets) for r in records]),
        head=records[-1].hash,
        owed=() if step.owed is None else (step.owed,),
        fulfilled=() if step.fulfilled is None else (step.fulfilled,),
    )


def _event(stored: StoredRecord) -> Event:
    return CODEC.event(canonical.loads(stored.record), {})
