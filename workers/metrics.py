"""What is measured of work without a request."""

from collections.abc import Callable, Mapping
from functools import wraps
from time import perf_counter
from typing import TYPE_CHECKING, Final

from prometheus_client import Counter, Gauge, Histogram

if TYPE_CHECKING:
    from domain.decisions import Asked
    from domain.moves import Move
    from eventstore.stored import Stored

JOB_S: Final = Histogram(
    "captain_job_seconds",
    "How long a job took, by kind of obligation and how it ended.",
    ("kind", "outcome"),
    buckets=(0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5),
)
BOT_S: Final = Histogram(
    "captain_bot_seconds",
    "How long a bot thought about an answer.",
    ("ruleset", "level"),
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2),
)
QUEUED: Final = Gauge(
    "captain_queued_jobs",
    "Jobs that wait, as a sweeper last saw them.",
    ("queue",),
    multiprocess_mode="livemostrecent",
)
RECONCILED: Final = Counter(
    "captain_reconciled", "What games owed and was not there (`missing`), or the other way round (`moot`).", ("what",)
)


def timed_thought(think: "Callable[[Stored, Asked], Move]") -> "Callable[[Stored, Asked], Move]":
    """Decorate what asks a bot for its move: how long it thinks, whether it finds one or not."""

    @wraps(think)
    def timed(seen: "Stored", asked: "Asked") -> "Move":
        began = perf_counter()
        try:
            return think(seen, asked)
        finally:
            level = seen.game.seats[asked.decision.seat].bot
            BOT_S.labels(seen.game.ruleset, level).observe(perf_counter() - began)

    return timed


def queued(lengths: Mapping[str, int]) -> None:
    """Note how many jobs wait in each queue."""
    for name, length in lengths.items():
        QUEUED.labels(name).set(length)
