"""Making many mutations, auditing each with the key pinned and without any, and counting what was found."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from domain.audit import Unreadable, Verdict, audit
from domain.registry import REGISTRY
from tests.keys import SIGNER
from tests.mutations.draft import stripped
from tests.mutations.kinds import ATTEMPTS, CELLS, mutated
from tests.mutations.sources import LONGEST, source

KEYS = [rules.info.key for rules in REGISTRY]


@dataclass
class Tally:
    """What became of the mutations of one kind at one depth; `unsigned` are those audited without key or signature."""

    tried: int = 0
    flagged: int = 0
    unsigned: int = 0
    found: int = 0
    missed: list[str] = field(default_factory=list)
    passed: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Tally") -> None:
        self.tried += other.tried
        self.flagged += other.flagged
        self.unsigned += other.unsigned
        self.found += other.found
        self.missed += other.missed
        self.passed += other.passed


@dataclass(frozen=True)
class Job:
    """Mutations of one kind, at one depth, of logs of one game."""

    kind: str
    depth: str
    key: str
    count: int
    seed: str
    logs: int = 8
    longest: int = LONGEST


def jobs(count: int, seed: str, logs: int = 8, longest: int = LONGEST, most: int = 25) -> Iterator[Job]:
    """What `count` mutations are made of: the same number of each kind, depth and game, as far as it goes."""
    slots = [(kind, depth, key) for kind, depth in CELLS for key in KEYS]
    for at, (kind, depth, key) in enumerate(slots):
        share = count * (at + 1) // len(slots) - count * at // len(slots)
        while share > 0:
            yield Job(kind, depth, key, min(share, most), f"{seed}-{share}", logs, longest)
            share -= most


def run(job: Job) -> tuple[Job, Tally]:
    """Make the mutations of a job and audit them."""
    rng = Random(f"{job.seed} {job.kind} {job.depth} {job.key}")
    base = job.seed.rsplit("-", 1)[0]
    tally = Tally()
    for attempt in range(job.count * ATTEMPTS):
        # Not every game has a vote or a verdict, and not every table a player: the next one may.
        key = KEYS[(KEYS.index(job.key) + attempt - tally.tried) % len(KEYS)]
        one, two = (source(key, f"{base}-{rng.randrange(job.logs)}", job.longest) for _ in range(2))
        made = mutated(job.kind, job.depth, one, two, rng)
        if made is not None:
            _judge(made, one.lines, one.game.id, tally)
        if tally.tried == job.count:
            break
    return job, tally


def _judge(made: tuple[list[bytes], str], original: list[bytes], game: str, tally: Tally) -> None:
    lines, note = made
    tally.tried += 1
    verdict = _audited(lines, pinned=True)
    if verdict is None or verdict.verdict == "unsound":
        tally.flagged += 1
    else:
        tally.missed.append(f"{game}: {note}: {verdict.verdict}")
    bare = stripped(lines)
    if bare == stripped(original):
        # The signature was all that was changed.
        return
    tally.unsigned += 1
    verdict = _audited(bare, pinned=False)
    if verdict is None or verdict.verdict == "unsound":
        tally.found += 1
    else:
        tally.passed[note or "any"] += 1


def _audited(lines: list[bytes], pinned: bool) -> Verdict | None:
    """The verdict; None if this is no log any more, which is an answer too."""
    try:
        return audit(lines, keys=[SIGNER.public] if pinned else ())
    except Unreadable:
        return None
