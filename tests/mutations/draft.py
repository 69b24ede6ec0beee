"""A served log taken apart, to be changed and put together again: as it is, or sealed and chained anew."""

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from domain import canonical, sealing
from domain.signing import Signer
from tests.served import status

Json = dict[str, Any]


@dataclass
class Entry:
    """A log line. `batch` is the same in a batch; `kept` are a forger's own salts and digests, by field and name."""

    record: Json
    open: Json
    batch: int
    kept: dict[tuple[str, str], str] = field(default_factory=dict)

    def line(self) -> bytes:
        return b'{"record":%b,"open":%b}\n' % (canonical.dumps(self.record), canonical.dumps(self.open))


class Draft:
    """The parts of a log. `note` says what was changed, for whoever wants to know why nothing was found."""

    def __init__(self, lines: list[bytes]) -> None:
        self.header: Json = canonical.loads(lines[0])
        self.trailer: Json | None = canonical.loads(lines[-1])
        self.entries: list[Entry] = []
        self.tail = b""
        self.note = ""
        batch = 0
        for line in lines[1:-1]:
            value = canonical.loads(line)
            self.entries.append(Entry(value["record"], value["open"], batch))
            batch += value["record"]["left"] == 0

    def batch(self, number: int) -> list[Entry]:
        return [entry for entry in self.entries if entry.batch == number]

    def lines(self) -> list[bytes]:
        """The log as it stands; `tail` is what is left of a line that was cut."""
        made = [canonical.dumps(self.header) + b"\n", *[entry.line() for entry in self.entries]]
        if self.trailer is not None:
            made.append(canonical.dumps(self.trailer) + b"\n")
        return [*made, self.tail] if self.tail else made

    def rehash(self, signer: Signer | None = None) -> None:
        """Number, seal and chain everything anew, as somebody could who has the whole opened log; or sign it too."""
        entries = self.entries
        old = {entry.record["v"]: entry for entry in reversed(entries)}
        seed = entries[0].open["server_seed"]["value"]
        prev = sealing.genesis(self.header["game"])
        for at, entry in enumerate(entries):
            record = entry.record = deepcopy(entry.record)
            record |= {"v": at + 1, "prev": prev, "left": self._left(at)}
            self._seal(entry, seed)
            for opening in record["opens"]:
                self._open(opening, old.get(opening["v"]))
            prev = sealing.hash_of(canonical.dumps(record))
        self._frame(prev, signer)

    def _left(self, at: int) -> int:
        left = 0
        while at + left + 1 < len(self.entries) and self.entries[at + left + 1].batch == self.entries[at].batch:
            left += 1
        return left

    def _seal(self, entry: Entry, seed: str) -> None:
        game, record = self.header["game"], entry.record
        for name, seal in record["seals"].items():
            if name not in entry.open:
                continue
            salt = entry.kept.get((name, "salt")) or sealing.salt(seed, record["prev"], record["v"], name)
            value = entry.open[name]["value"]
            entry.open[name] = {"salt": salt, "value": value}
            digest = sealing.digest(game, record["v"], name, salt, value)
            seal["digest"] = entry.kept.get((name, "digest")) or digest

    def _open(self, opening: Json, of: Entry | None) -> None:
        """What is opened is what was sealed, wherever that is now."""
        if of is not None:
            opening |= {"v": of.record["v"], **of.open.get(opening["field"], {})}

    def _frame(self, head: str, signer: Signer | None) -> None:
        last = self.entries[-1].record
        types = [entry.record["type"] for entry in self.entries]
        if types[-1] != "game_ended":
            self.header["status"] = status(types)
        self.header |= {"head": head, "version": last["v"]}
        if self.trailer is not None:
            self.trailer |= {"count": last["v"], "head": head}
            if signer is not None:
                signed = signer.head(self.header["game"], last["v"], head, last["at"])
                self.trailer["signed"] = canonical.loads(canonical.dumps(signed))


def stripped(lines: list[bytes]) -> list[bytes]:
    """The log without its signature."""
    try:
        trailer = canonical.loads(lines[-1])
    except ValueError:
        return lines
    if not isinstance(trailer, dict) or "signed" not in trailer:
        return lines
    del trailer["signed"]
    return [*lines[:-1], canonical.dumps(trailer) + b"\n"]
