"""What holds for any log, whatever game it is of: order, chain, batches, time, seals, salts, openings."""

import re
from collections.abc import Callable
from typing import Any

from domain import sealing
from domain.audit.lines import Line, Opening
from domain.audit.verdict import Checked, Finding
from domain.batches import MOST_EVENTS
from domain.observers import Observer

_DIGEST = re.compile(r"[0-9a-f]{64}")
_NO_HASH = ""
_MOST_LEFT = MOST_EVENTS - 1
"""How many records at most follow in a batch."""

Tell = Callable[[Finding], None]


class Chain:
    """The records so far: their hashes, their seals, and what is still to be compared with the server seed."""

    def __init__(self, game: str, observer: Observer, tell: Tell) -> None:
        self.hashes = [sealing.genesis(game)]
        self.at = 0
        self.left = 0
        self.seats = 0
        self.seed: str | None = None
        self._game = game
        self._observer = observer
        self._tell = tell
        self._digests: dict[tuple[int, str], str] = {}
        self._unsalted: list[tuple[int, int, str, str]] = []
        self._seals = self._sealed = self._salts = 0

    @property
    def version(self) -> int:
        """The version of the last record."""
        return len(self.hashes) - 1

    @property
    def head(self) -> str:
        """The hash of the last record; empty if the last line could not be read."""
        return self.hashes[-1]

    def checked(self, moves: int) -> Checked:
        """How much was checked so far."""
        return Checked(self.version, self._seals, self._sealed, self._salts, moves)

    def broken(self) -> None:
        """Count a line that is no record: what follows cannot be chained to it."""
        self.hashes.append(_NO_HASH)
        self.left = max(0, self.left - 1)

    def add(self, line: Line) -> None:
        """Check a record against those before it."""
        record, v = line.record, len(self.hashes)
        self._expect(v, "version", "v", v, record.v)
        if self.head != _NO_HASH:
            self._expect(v, "chain", "prev", self.head, record.prev)
        self._in_time(line, v)
        if v == 1:
            self._begin(line)
        if record.seat is not None and not 0 <= record.seat < self.seats:
            self._tell(Finding(v, "record", "seat", f"0 to {self.seats - 1}", record.seat))
        for name, seal in record.seals.items():
            self._seal(v, name, seal.digest, seal.to, line)
        for name in line.open.keys() - record.seals.keys():
            self._tell(Finding(v, "open", name, "a sealed field of this record", "none"))
        for opening in record.opens:
            self._opening(v, opening)
        seeds = [opening.v for opening in record.opens if _is_seed(opening)]
        self._expect(v, "open", "server_seed", [1] if record.type == "game_ended" else [], seeds)
        self.hashes.append(sealing.hash_of(line.data))

    def end(self) -> None:
        """Derive the salts that had to wait for the seed."""
        for told, v, field, salt in self._unsalted:
            self._derive(told, v, field, salt)
        self._unsalted.clear()

    def _expect(self, v: int, rule: str, field: str, expected: Any, found: Any) -> None:
        if found != expected:
            self._tell(Finding(v, rule, field, expected, found))

    def _in_time(self, line: Line, v: int) -> None:
        record = line.record
        if self.left:
            self._expect(v, "batch", "left", self.left - 1, record.left)
            self._expect(v, "time", "at", self.at, record.at)
        else:
            if record.at < self.at:
                self._tell(Finding(v, "time", "at", f"{self.at} or later", record.at))
            if not 0 <= record.left <= _MOST_LEFT:
                self._tell(Finding(v, "batch", "left", f"0 to {_MOST_LEFT}", record.left))
        self.left, self.at = max(0, record.left), record.at

    def _begin(self, line: Line) -> None:
        seed = line.open.get("server_seed")
        if seed is not None and isinstance(seed.value, str):
            self._learn(1, seed.value)
        seats = line.record.data.get("seats")
        self.seats = seats if isinstance(seats, int) else 0

    def _learn(self, v: int, seed: str) -> None:
        if _DIGEST.fullmatch(seed):
            self.seed = seed
        else:
            self._tell(Finding(v, "seal", "server_seed", "64 hex digits", seed))

    def _seal(self, v: int, name: str, digest: str, to: tuple[int, ...], line: Line) -> None:
        self._digests[v, name] = digest
        if not _DIGEST.fullmatch(digest):
            self._tell(Finding(v, "seal", f"{name}.digest", "64 hex digits", digest))
        if any(not 0 <= seat < self.seats for seat in to) or len(set(to)) != len(to):
            self._tell(Finding(v, "seal", f"{name}.to", f"seats 0 to {self.seats - 1}, each once", list(to)))
        secret, may = line.open.get(name), self._observer.may_open(to)
        if secret is None:
            self._sealed += 1
            if may:
                self._tell(Finding(v, "open", name, "open", "closed"))
            return
        if not may:
            self._tell(Finding(v, "open", name, "closed", "open"))
        self._check_digest(v, v, name, digest, secret.salt, secret.value)

    def _check_digest(self, told: int, v: int, field: str, digest: str, salt: str, value: Any) -> None:
        self._seals += 1
        self._expect(told, "seal", field, digest, sealing.digest(self._game, v, field, salt, value))
        if self.seed is None:
            self._unsalted.append((told, v, field, salt))
        else:
            self._derive(told, v, field, salt)

    def _derive(self, told: int, v: int, field: str, salt: str) -> None:
        prev = self.hashes[v - 1]
        if self.seed is None or prev == _NO_HASH:
            return
        self._salts += 1
        self._expect(told, "salt", field, sealing.salt(self.seed, prev, v, field), salt)

    def _opening(self, v: int, opening: Opening) -> None:
        digest = self._digests.get((opening.v, opening.field)) if opening.v < v else None
        if digest is None:
            self._tell(Finding(v, "open", opening.field, "an earlier sealed field", f"version {opening.v}"))
            return
        if _is_seed(opening) and self.seed is None and isinstance(opening.value, str):
            self._learn(v, opening.value)
        self._check_digest(v, opening.v, opening.field, digest, opening.salt, opening.value)


def _is_seed(opening: Opening) -> bool:
    return (opening.v, opening.field) == (1, "server_seed")
