"""`python -m tests.mutations [--count 10000] [--seed S]`: forge logs of fresh games and count what the audit finds.

With the server's key pinned every mutation must be found: the exit status is 1 if one was not.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor

from tests.mutations.campaign import Job, Tally, jobs, run
from tests.mutations.forgeries import FORGERIES
from tests.mutations.kinds import BYTES, CHANGES, DEPTHS

_HEAD = "| change | " + " | ".join(DEPTHS) + " |"


def main() -> int:
    """Print the table and what was not found."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=__doc__)
    parser.add_argument("--count", type=int, default=10_000, help="how many mutations to try")
    parser.add_argument("--seed", default=str(time.time_ns()), help="equal seeds make equal mutations")
    chosen = parser.parse_args()
    print(f"seed {chosen.seed}")
    began = time.monotonic()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        cells = added(pool.map(run, jobs(chosen.count, chosen.seed)))
    status = reported(cells)
    print(f"{time.monotonic() - began:.0f} s")
    return status


def reported(cells: dict[tuple[str, str], Tally]) -> int:
    """Print what became of all mutations; 1 if one was not flagged, or if there was none."""
    print("\n".join(table(cells)))
    missed = [f"{kind}, {depth}: {one}" for (kind, depth), cell in cells.items() for one in cell.missed]
    tried, flagged = (sum(getattr(cell, name) for cell in cells.values()) for name in ("tried", "flagged"))
    print(f"\n{tried} mutations, {flagged} flagged with the key pinned")
    print("\n".join([*(["not flagged:"] if missed else []), *missed]))
    return 1 if missed or not tried else 0


def added(done: Iterable[tuple[Job, Tally]]) -> dict[tuple[str, str], Tally]:
    """The tallies by kind and depth."""
    cells: dict[tuple[str, str], Tally] = {}
    for job, tally in done:
        cells.setdefault((job.kind, job.depth), Tally()).add(tally)
    return cells


def table(cells: dict[tuple[str, str], Tally]) -> list[str]:
    """In each cell: flagged of tried with the key pinned; found of those audited without key and signature."""
    lines = [_HEAD, "|---" * (1 + len(DEPTHS)) + "|"]
    for kind in (*BYTES, *CHANGES, *FORGERIES):
        row = [cells.get((kind, depth), Tally()) for depth in DEPTHS]
        lines.append(f"| {kind} | " + " | ".join(_cell(tally) for tally in row) + " |")
    lines.append("\nNot found without key and signature:\n")
    for kind in (*BYTES, *CHANGES, *FORGERIES):
        passed = sum((cells.get((kind, depth), Tally()).passed for depth in DEPTHS), Tally().passed)
        if passed:
            told = ", ".join(f"{note} ({count})" for note, count in passed.most_common(12))
            lines.append(f"- {kind}: {told}")
    return lines


def _cell(tally: Tally) -> str:
    if not tally.tried:
        return "–"
    alone = f"{tally.found}/{tally.unsigned}" if tally.unsigned else "–"
    return f"{tally.flagged}/{tally.tried}; {alone}"


if __name__ == "__main__":
    sys.exit(main())
