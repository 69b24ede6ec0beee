"""Audits of whole games of bots: how many recorded events a second are checked and run again, on one core.

`GAMES=100 python -m bench audit` plays as many of each game (1,000 where nothing is said). Every log must be sound.
"""

import os
import time
from collections.abc import Iterator

from domain.audit import Verdict, audit
from domain.registry import REGISTRY
from tests.golden.record import record_bots
from tests.keys import SIGNER
from tests.served import serve

GAMES = 1000


def main() -> None:
    """A line a game."""
    for key, games, events, seconds in measured(int(os.environ.get("GAMES", GAMES))):
        print(
            f"{key}: {games:,} games sound, {events:,} events, {events / seconds:,.0f} events/s ({seconds:.1f} s)",
            flush=True,
        )


def measured(games: int) -> Iterator[tuple[str, int, int, float]]:
    """Of each ruleset: games, events, and the processor time (s) of their audits, playing not counted."""
    for rules in REGISTRY:
        yield _audited(rules.info.key, games)


def _audited(key: str, games: int) -> tuple[str, int, int, float]:
    events, seconds = 0, 0.0
    for number in range(games):
        lines = serve(f"golden-{key}-{number}", record_bots(REGISTRY, key, number))
        began = time.process_time()
        verdict = audit(lines, keys=[SIGNER.public])
        seconds += time.process_time() - began
        events += _whole(verdict, len(lines))
    return key, games, events, seconds


def _whole(verdict: Verdict, lines: int) -> int:
    """The events of a log, all of which were run again; an error if it is not sound."""
    if (verdict.verdict, verdict.complete, verdict.version) != ("sound", True, lines - 2):
        raise AssertionError(f"{verdict.game}: {verdict.verdict}, first {verdict.findings[:1]}")
    return verdict.version
