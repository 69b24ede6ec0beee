"""Logs as the server serves them, made in the process: from recorded lines, by the server's own code."""

from collections.abc import Sequence
from typing import Any

from domain import canonical, sealing
from domain.game import Game
from domain.observers import EVERYTHING, Observer
from domain.signing import Signer
from eventstore.export import served
from eventstore.replies import StoredRecord
from tests.keys import SIGNER

_OPEN = b',"open":'


class Stored:
    """A game's records in memory, read as from the store."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        self.records = [_stored(line) for line in lines]

    def read(self, game: str, version: int, count: int) -> list[StoredRecord]:
        """Up to `count` records after `version`."""
        return self.records[version : version + count]


def serve(
    game: str, lines: Sequence[bytes], observer: Observer = EVERYTHING, signer: Signer = SIGNER, upto: int | None = None
) -> list[bytes]:
    """The served log, a line an item, of fully opened log lines (without line ends), or of the first `upto` of them."""
    stored = Stored(lines[:upto])
    first = canonical.loads(stored.records[0].record)["data"]
    last = canonical.loads(stored.records[-1].record)
    facts = Game(
        id=game,
        version=last["v"],
        at=last["at"],
        ruleset=first["ruleset"],
        rules_version=first["rules_version"],
        status=status(record.type for record in stored.records),
    )
    head = sealing.hash_of(stored.records[-1].record)
    return b"".join(served(stored, facts, head, observer, signer)).splitlines(keepends=True)


def status(types: Any) -> Any:
    """The status of a game by the types of its records."""
    now = "lobby"
    for name in types:
        if name == "game_started":
            now = "playing"
        elif name == "game_faulted":
            now = "faulted"
        elif name == "game_ended":
            now = "aborted" if now == "lobby" else "finished"
    return now


def _stored(line: bytes) -> StoredRecord:
    line = line.rstrip(b"\n")
    record, beside = line[len(b'{"record":') : line.rindex(_OPEN)], line[line.rindex(_OPEN) + len(_OPEN) : -1]
    facts = canonical.loads(record)
    return StoredRecord(facts["v"], facts["type"], facts["sv"], record, b"" if beside == b"{}" else beside)
