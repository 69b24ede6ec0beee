"""Whether this process can serve: what a load balancer asks before it sends anybody here."""

from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from time import monotonic
from typing import Any, Final, NamedTuple

from redis import Redis

from api.problems import Problem
from eventstore.following import AWAY, Following
from eventstore.store import Store
from eventstore.wire import send

SILENT_S: Final = 5.0
"""For how long the doorbell's reader, which asks every second, may have no answer."""

OVERDUE_MS: Final = 10_000
"""How late the oldest obligation may be before the server says that it is not as it should be."""

KEPT_S: Final = 0.5
"""How long a look is good for: whoever asks meanwhile, from several places, is told the same."""


class Look(NamedTuple):
    """What was found: facts of each check, the checks that failed, and those that only warn."""

    checks: dict[str, Any]
    failed: tuple[str, ...]
    warned: tuple[str, ...]


class Readiness:
    """The checks of one process; each takes about a second at most, and asking often costs nothing."""

    def __init__(self, store: Store, following: Following, queue: Redis | None = None) -> None:
        self._store = store
        self._following = following
        self._queue = queue
        self._lock = Lock()
        self._look: tuple[float, Look] | None = None

    def report(self) -> dict[str, Any]:
        """The body of the answer; `Problem` not_ready if a check failed."""
        look = self._recent()
        # A process that is to stop says so at once, whatever was found a moment ago.
        failed = (("stopping",) if self._following.stopped else ()) + look.failed
        if failed:
            durability = str(self._store.durability)
            raise Problem("not_ready", failed=list(failed), durability=durability, checks=look.checks)
        return {
            "status": "degraded" if look.warned else "ok",
            "durability": str(self._store.durability),
            "degraded": list(look.warned),
            "checks": look.checks,
        }

    def _recent(self) -> Look:
        with self._lock:
            if self._look is None or monotonic() - self._look[0] > KEPT_S:
                look = self._made()
                self._look = monotonic(), look
            return self._look[1]

    def _made(self) -> Look:
        began = monotonic()
        up = _answers(self._store.ping)
        checks: dict[str, Any] = {"store": {"ok": up, "ms": round((monotonic() - began) * 1000, 1)}}
        silence = self._store.doorbell.silence_s
        heard = silence is not None and silence <= SILENT_S
        checks["doorbell"] = {"ok": heard, "silent_ms": None if silence is None else round(silence * 1000)}
        checks["queue"] = {"ok": _answers(self._ping_queue)}
        late = self._overdue_ms() if up else None
        checks["obligations"] = {"ok": late is None or late <= OVERDUE_MS, "oldest_overdue_ms": late}
        bad = [name for name, check in checks.items() if not check["ok"]]
        needed = ("store", "doorbell")
        return Look(checks, tuple(n for n in bad if n in needed), tuple(n for n in bad if n not in needed))

    def _ping_queue(self) -> None:
        if self._queue is not None:
            send(self._queue, "PING")

    def _overdue_ms(self) -> int | None:
        with suppress(*AWAY):
            return self._store.overdue().oldest_ms
        return None


def _answers(ask: Callable[[], object]) -> bool:
    try:
        ask()
    except AWAY:
        return False
    return True
