"""The API in gunicorn: an arbiter and gevent workers, each of which makes its own application."""

from __future__ import annotations

import logging
import signal
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gunicorn.app.base import BaseApplication
from gunicorn.errors import HaltServer

from captain import webworker
from captain.child import die_with_parent
from captain.settings import Metrics

if TYPE_CHECKING:
    from domain.signing import Keys

_LOCAL: tuple[Metrics, str | None] = ("local", None)
_GRACE = 5  # seconds that a request under way gets when we stop

log = logging.getLogger(__name__)


class WebServer(BaseApplication):  # type: ignore[misc]  # gunicorn ships no types
    """gunicorn with our settings instead of a command line.

    The arbiter imports nothing of the API. A worker monkey-patches first and imports the API after, so that
    redis, flask and all below them see gevent's sockets only. `bind` is `host:port` or `fd://N`, an inherited socket;
    `metrics` and `edge` are what `api.create_app` takes under these names.
    """

    def __init__(  # noqa: PLR0913  # each is one thing that the process was told
        self,
        bind: str,
        workers: int,
        redis_url: str,
        queue_redis_url: str,
        unsafe: bool,
        keys: Keys,
        metrics: tuple[Metrics, str | None] = _LOCAL,
        edge: Mapping[str, Any] | None = None,
    ) -> None:
        self._options = _options(bind, workers)
        self._stores = (redis_url, queue_redis_url, unsafe)
        self._keys = keys
        self._metrics = metrics
        self._edge = edge or {}
        super().__init__()

    def load_config(self) -> None:
        """Hand our settings to gunicorn."""
        for name, value in self._options.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """Return the application; runs in a worker, already patched."""
        from api import create_app
        from api.metrics import Readers
        from eventstore.errors import UnsafeStore

        redis_url, queue_redis_url, unsafe = self._stores
        try:
            readers = Readers(*self._metrics)
            return create_app(
                redis_url,
                queue_redis_url,
                self._keys,
                allow_unsafe_store=unsafe,
                metrics=readers,
                edge=self._edge,
            )
        except UnsafeStore as reason:
            log.critical("%s", reason)  # it says which setting is wrong, and is the one text of an error that is told
            raise


def _options(bind: str, workers: int) -> dict[str, Any]:
    return {
        "bind": bind,
        "workers": workers,
        "worker_class": webworker.Worker,
        "logger_class": webworker.Log,
        "worker_connections": 5000,  # streams: each is a connection that mostly waits
        "graceful_timeout": _GRACE,
        "keepalive": 60,
        "accesslog": None,
        "errorlog": "-",
        "loglevel": "warning",
        "forwarder_headers": "",  # a header does not say where we are: gunicorn fails if it does not fit
        "control_socket_disable": True,  # it would be one path for all instances of a user
        "post_fork": _bind_to_arbiter,
        "post_worker_init": _end_waits_at_exit,
        "proc_name": "captain web",
    }


def _bind_to_arbiter(arbiter: Any, worker: Any) -> None:
    """End a worker at once when the arbiter is killed; by itself it would notice after a second."""
    die_with_parent(worker.ppid, signal.SIGKILL)


def _end_waits_at_exit(worker: Any) -> None:
    """Let streams and long polls end at SIGTERM: they wait for others, and would use up the grace of the rest."""
    import gevent

    from api import end_waits

    stop = signal.getsignal(signal.SIGTERM)

    def handle(signum: int, frame: Any) -> None:
        gevent.spawn(end_waits, worker.wsgi)  # not here: a signal may come while a lock is held
        if callable(stop):
            stop(signum, frame)

    signal.signal(signal.SIGTERM, handle)


def serve(server: WebServer) -> None:
    """Answer requests until a signal stops it."""
    try:
        server.run()
    except HaltServer as halt:  # a worker could not make the application and has said why
        sys.exit(halt.exit_status)
