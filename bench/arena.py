"""Bots against bots: the share of games that `standard` wins against `novice`, its seat rotated."""

import random
import time
from statistics import median

from domain.registry import REGISTRY
from tests.arena import win_shares

GAMES = 1000


def main() -> None:
    """A line a game and table size; the time of one answer beside it."""
    for rules in REGISTRY:
        times: list[float] = []
        inner = rules.info.bots["standard"]

        def timed(fold, seat, decision, rng: random.Random, inner=inner, times=times):
            began = time.perf_counter()
            move = inner(fold, seat, decision, rng)
            times.append(time.perf_counter() - began)
            return move

        fewest, most = rules.info.seats
        for rivals in sorted({max(1, fewest - 1), 3, most - 1}):
            share = win_shares(rules, "standard", ["novice"] * rivals, GAMES, bots={"standard": timed}).get(
                "standard", 0
            )
            print(
                f"{rules.info.key}: standard wins {share:.1%} of {GAMES} games against {rivals} novice, "
                f"answer {median(times) * 1e3:.2f} ms median"
            )
