"""The log of a game as it is served: a header, every record as it is stored, and a trailer with the signed head."""

from collections.abc import Iterator

from domain import canonical, sealing
from domain.audit import FORMAT
from domain.errors import Corrupt
from domain.events import redact_line
from domain.game import Game, Status
from domain.observers import Observer
from domain.signing import Signer
from eventstore.log import Log
from eventstore.replies import Head, StoredRecord
from eventstore.stored import secrets_of

PAGE = 500


def served(log: Log, game: Game, head: str, observer: Observer, signer: Signer) -> Iterator[bytes]:
    """The lines of the log up to the version of `game` (any fold of it), some of them together.

    `Corrupt`, and so no trailer, if the store has another history by then.
    """
    yield _header(game, head, observer)
    version, last = 0, b""
    while version < game.version:
        page = log.read(game.id, version, min(PAGE, game.version - version))
        if not page or page[0].version != version + 1:
            raise Corrupt(f"the log of game {game.id} ends at version {version}")
        yield b"".join([_line(stored, observer) for stored in page])
        version, last = page[-1].version, page[-1].record
    if sealing.hash_of(last) != head:
        raise Corrupt(f"the log of game {game.id} does not end in its head")
    signed = signer.head(game.id, version, head, game.at)
    yield canonical.dumps({"complete": True, "count": version, "head": head, "signed": signed}) + b"\n"


def described(game: str, head: Head, first: StoredRecord, status: Status) -> Game:
    """What the header of a log tells, from the log's ends alone: for a game that is not folded."""
    created = canonical.loads(first.record)["data"]
    return Game(
        id=game,
        version=head.version,
        at=head.at,
        ruleset=created["ruleset"],
        rules_version=created["rules_version"],
        visibility=created.get("visibility", "private"),
        status=status,
    )


def _header(game: Game, head: str, observer: Observer) -> bytes:
    said = {
        "format": FORMAT,
        "game": game.id,
        "head": head,
        "observer": observer.as_json(),
        "rules_version": game.rules_version,
        "ruleset": game.ruleset,
        "status": game.status,
        "version": game.version,
    }
    return canonical.dumps(said) + b"\n"


def _line(stored: StoredRecord, observer: Observer) -> bytes:
    """A log line around the very bytes of the record: made anew they might hash to something else."""
    return b'{"record":%b,"open":%b}\n' % (stored.record, _open(stored, observer))


def _open(stored: StoredRecord, observer: Observer) -> bytes:
    if not stored.secret or (observer.seat is None and not observer.everything):
        return b"{}"
    if observer.everything:
        return stored.secret
    return canonical.dumps(redact_line(canonical.loads(stored.record), secrets_of(stored), observer)["open"])
