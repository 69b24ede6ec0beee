"""Disputes: a game's case file, a log of its own beside the game's, since that is closed when the game is over.

A seat disputes one challenge or the whole game, once each; a job audits the log and answers with a signed report. While
the game goes on the report says what everybody can check by then, and another one follows at its end.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from msgspec.structs import replace

from domain import sealing
from domain.audit import Verdict
from domain.errors import Refused
from domain.events import Codec, Event
from domain.signing import Signer, report_hash, statement
from domain.values import Value

Outcome = Literal["upheld", "rejected", "pending"]

LONGEST_REASON = 500
"""How many characters a reason has at most."""


class DisputeFiled(Event, frozen=True, kw_only=True):
    """`seat`, by its player, disputes the challenge of that version, or the whole game."""

    player: str
    challenge: int | None
    reason: str


class DisputeReported(Event, frozen=True, kw_only=True):
    """The dispute filed at version `dispute` is answered, for good (`final`) once the game is over."""

    dispute: int
    final: bool
    report: dict[str, Any]
    signed: dict[str, Any]


CODEC = Codec((DisputeFiled, DisputeReported))


class Dispute(Value, frozen=True):
    """One dispute: `number` is the version that filed it, `report` the newest answer; times in ms since 1970."""

    number: int
    seat: int
    player: str
    challenge: int | None
    reason: str
    filed: int
    report: Mapping[str, Any] | None = None
    signed: Mapping[str, Any] | None = None
    final: bool = False
    reported: int = 0


class CaseFile(Value, frozen=True):
    """All disputes of a game."""

    version: int = 0
    at: int = 0
    disputes: tuple[Dispute, ...] = ()

    def dispute(self, number: int) -> Dispute | None:
        """The dispute that was filed at a version, or None."""
        return next((dispute for dispute in self.disputes if dispute.number == number), None)


def evolve(file: CaseFile, event: Event) -> CaseFile:
    """The case file after `event`."""
    disputes = file.disputes
    if isinstance(event, DisputeFiled):
        filed = Dispute(event.v, event.seat or 0, event.player, event.challenge, event.reason, event.at)
        disputes = (*disputes, filed)
    elif isinstance(event, DisputeReported):
        answer = {"report": event.report, "signed": event.signed, "final": event.final, "reported": event.at}
        disputes = tuple([replace(d, **answer) if d.number == event.dispute else d for d in disputes])
    return CaseFile(event.v, event.at, disputes)


def fold(file: CaseFile, events: Iterable[Event]) -> CaseFile:
    """The case file after all of `events`."""
    for event in events:
        file = evolve(file, event)
    return file


def file_dispute(
    file: CaseFile, *, seat: int, player: str, challenge: int | None, reason: str, at: int
) -> DisputeFiled:
    """The event that files a dispute; `Refused` if that seat disputes the same already."""
    for dispute in file.disputes:
        if (dispute.seat, dispute.challenge) == (seat, challenge):
            raise Refused("already_disputed", number=dispute.number)
    return DisputeFiled(
        v=file.version + 1, at=at, seat=seat, by="player", player=player, challenge=challenge, reason=reason
    )


def report_dispute(
    file: CaseFile, number: int, report: dict[str, Any], signed: dict[str, Any], at: int
) -> DisputeReported:
    """The event that answers a dispute; `Refused` if it was answered for good."""
    dispute = file.dispute(number)
    if dispute is None or dispute.final:
        raise Refused("dispute_closed")
    final = report["final"]
    return DisputeReported(v=file.version + 1, at=at, dispute=number, final=final, report=report, signed=signed)


def report(
    dispute: Dispute, game: str, verdict: Verdict, explained: dict[str, Any] | None, final: bool
) -> dict[str, Any]:
    """The report on a dispute, as JSON values: what was found, and whether the dispute is upheld by it.

    `explained` is the challenge that it is about, if it is about one and the log tells of it.
    """
    outcome: Outcome = "upheld" if verdict.verdict == "unsound" else "rejected" if final else "pending"
    return {
        "game": game,
        "dispute": dispute.number,
        "seat": dispute.seat,
        "challenge": dispute.challenge,
        "explained": explained,
        "outcome": outcome,
        "final": final,
        "audit": verdict.as_json(),
    }


def sign(report: dict[str, Any], signer: Signer) -> dict[str, Any]:
    """The signature of a report, over its hash and the head that it speaks about."""
    audited = report["audit"]
    said = statement(report["game"], audited["version"], audited["head"], audited["at"], report_hash(report))
    return {
        "at": audited["at"],
        "game": report["game"],
        "hash": audited["head"],
        "key": signer.public.kid,
        "report": report_hash(report),
        "signature": signer.sign(said),
        "version": audited["version"],
    }


def sealed(log: str, hashes: tuple[str, ...], events: Iterable[Event]) -> list[sealing.SealedRecord]:
    """The records of events of a case file; nothing in it is secret, so that no seed is needed."""
    return sealing.seal(log, "", list(events), hashes)
