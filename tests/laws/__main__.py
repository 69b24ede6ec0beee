"""Play many random games under all laws, on all cores: `python -m tests.laws --games 5000 [--ruleset KEY]`."""

import argparse
import os
import time
from concurrent.futures import ProcessPoolExecutor

from domain.laws import Report, check_games
from domain.registry import REGISTRY

CHUNK = 25


def _run(job: tuple[str, int, str]) -> Report:
    key, games, seed = job
    return check_games(REGISTRY, key, games, seed)


def main() -> None:
    """Print a line a game: what was played, and how fast."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--ruleset", choices=[rules.info.key for rules in REGISTRY])
    parser.add_argument("--seed", default=str(time.time_ns()))
    chosen = parser.parse_args()
    print(f"seed {chosen.seed}")
    for rules in REGISTRY:
        key = rules.info.key
        if chosen.ruleset in (None, key):
            jobs = [(key, CHUNK, f"{chosen.seed}-{i}") for i in range(-(-chosen.games // CHUNK))]
            began = time.monotonic()
            with ProcessPoolExecutor(os.cpu_count()) as pool:
                reports = list(pool.map(_run, jobs))
            print(
                f"{key}: {sum(r.games for r in reports)} games, {sum(r.batches for r in reports)} batches, "
                f"{sum(r.events for r in reports)} events, longest {max(r.longest for r in reports)}, "
                f"largest forms {max(r.largest_forms for r in reports)} B, {time.monotonic() - began:.0f} s: laws hold"
            )


if __name__ == "__main__":
    main()
