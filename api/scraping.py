"""The page on which the figures of all processes of this machine stand, for Prometheus."""

import os
from collections.abc import Iterator
from contextlib import suppress
from hmac import compare_digest
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, request
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Metric
from prometheus_client import generate_latest as printed
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from api.metrics import Readers
from api.problems import Problem
from api.state import state, store
from eventstore.following import AWAY
from eventstore.store import Store

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The setting of prometheus-client that says where the processes of one machine leave their figures."""

_FORWARDED: Final = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Via")

pages = Blueprint("metrics", __name__)


class Waiting(Collector):
    """What is owed, asked of the store at the time of reading; a store that does not answer soon is `up` 0."""

    def __init__(self, asked: Store) -> None:
        self._store = asked

    def collect(self) -> Iterator[Metric]:
        """The figures of all shards."""
        found = None
        with suppress(*AWAY):
            found = self._store.overdue()
        yield GaugeMetricFamily("captain_store_up", "Whether the log store answers.", int(found is not None))
        if found is not None:
            yield GaugeMetricFamily("captain_owed", "Obligations that wait, due or not.", found.waiting)
            yield GaugeMetricFamily("captain_owed_due", "Obligations that are due and not handed out.", found.due)
            yield GaugeMetricFamily(
                "captain_owed_oldest_overdue_ms", "For how long the oldest of those has been due.", found.oldest_ms
            )


@pages.get("/metrics")
def get_metrics() -> Response:
    """The figures of all processes on this machine, for Prometheus."""
    _let_in(state().readers)
    registry = CollectorRegistry()
    registry.register(Waiting(store()))
    text = printed(registry) + printed(_of_all_processes())
    return Response(text, content_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})


def _of_all_processes() -> CollectorRegistry:
    folder = os.environ.get(FOLDER)
    if folder is None:
        return REGISTRY
    _forget_the_dead(Path(folder))
    registry = CollectorRegistry()
    MultiProcessCollector(registry, folder)
    return registry


def _forget_the_dead(folder: Path) -> None:
    """Remove what is true only of a living process; what was counted by dead ones was still counted."""
    for file in folder.glob("gauge_live*.db"):
        pid = file.stem.rpartition("_")[2]
        if pid.isdigit() and not _lives(int(pid)):
            file.unlink(missing_ok=True)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _let_in(readers: Readers) -> None:
    """Refuse whoever may not read the figures; to those who could not anyway the page is not there."""
    if readers.who == "token":
        _check(readers.token or "")
    elif readers.who == "off" or (readers.who == "local" and not _is_local()):
        raise Problem("not_found")


def _is_local() -> bool:
    """Whether the peer is on this machine, and not a proxy that speaks for another."""
    try:
        peer = ip_address(request.remote_addr or "")
    except ValueError:
        return False
    mapped = getattr(peer, "ipv4_mapped", None)
    return (mapped or peer).is_loopback and not any(name in request.headers for name in _FORWARDED)


def _check(token: str) -> None:
    header = request.headers.get("Authorization")
    if header is None:
        raise Problem("token_missing")
    scheme, _, given = header.partition(" ")
    if scheme.lower() != "bearer" or not token or not compare_digest(given.strip().encode(), token.encode()):
        raise Problem("token_invalid")
