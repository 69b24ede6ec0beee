"""What is measured of the store, in whichever process uses it."""

from collections.abc import Callable
from functools import cache, wraps
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, ParamSpec

from prometheus_client import Counter, Histogram
from redis.connection import AbstractConnection

from domain.commands import Play, PlayDefault, Timeout

if TYPE_CHECKING:
    from domain.audit import Verdict
    from domain.events import Event
    from eventstore.replies import Reply

P = ParamSpec("P")

APPEND_S: Final = Histogram(
    "captain_append_seconds",
    "How long an append to a log took, by what the store replied (`appended`, `stale`, ...) or the error.",
    ("reply",),
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
)
TRIPS: Final = Counter("captain_store_round_trips", "Round trips to the log store, waits for the doorbell among them.")
MOVES: Final = Counter("captain_moves", "Moves, by who made them: player, bot, clock.", ("ruleset", "by"))
AUDITS: Final = Counter("captain_audits", "Audits of logs, by verdict.", ("verdict",))


def timed_append(append: "Callable[[Any, Any], Reply]") -> "Callable[[Any, Any], Reply]":
    """Decorate what appends a batch: how long it took, by the kind of the reply."""

    @wraps(append)
    def timed(self: Any, batch: Any) -> "Reply":
        began = perf_counter()
        kind = "error"
        try:
            reply = append(self, batch)
            kind = type(reply).__name__.lower()
            return reply
        finally:
            APPEND_S.labels(kind).observe(perf_counter() - began)

    return timed


@cache
def counting(connection: type[AbstractConnection]) -> type[AbstractConnection]:
    """The same kind of connection, which counts what it sends: a command or a pipeline is a round trip."""

    class Counting(connection):  # type: ignore[valid-type,misc]  # a class that is only known here
        def send_packed_command(self, *args: Any, **kwargs: Any) -> Any:
            TRIPS.inc()
            return super().send_packed_command(*args, **kwargs)

    return Counting


def moved(ruleset: str, command: object, events: "tuple[Event, ...]") -> None:
    """Count a move that was appended to a game; other commands are none."""
    if isinstance(command, Play | PlayDefault | Timeout):
        MOVES.labels(ruleset, events[0].by).inc()


def audited(audit: "Callable[P, Verdict]") -> "Callable[P, Verdict]":
    """Decorate what audits a game."""

    @wraps(audit)
    def counted(*args: P.args, **kwargs: P.kwargs) -> "Verdict":
        verdict = audit(*args, **kwargs)
        AUDITS.labels(verdict.verdict).inc()
        return verdict

    return counted
