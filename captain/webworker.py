"""gunicorn's worker and logger with our answers: no HTML, no bare texts, and nothing of a request in the log."""

from __future__ import annotations

import socket
import sys
import time
from contextlib import suppress
from typing import Any, Final

from gunicorn.glogging import Logger
from gunicorn.workers.ggevent import GeventWorker

from captain import logs

LINGER_S: Final = 1.0
"""How long a client that sends nonsense may go on with it: closed at once, it would never see the answer."""
LINGER_BYTES: Final = 1 << 20


class Worker(GeventWorker):  # type: ignore[misc]  # gunicorn ships no types
    """Answers a request that cannot be read, or that broke everything, with a problem document."""

    def patch(self) -> None:
        """Patch, and have what goes wrong in a greenlet logged as everything else is: the hub would print it."""
        super().patch()
        from gevent.hub import Hub

        Hub.print_exception = _log_exception

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Say what was wrong, and close."""
        from api import refusal

        with suppress(OSError):
            client.settimeout(LINGER_S)
            client.sendall(refusal(exc))
            _linger(client)


def _linger(client: socket.socket) -> None:
    """Take what is still coming before the connection is closed: closing over it would reset the connection."""
    client.shutdown(socket.SHUT_WR)
    end, left = time.monotonic() + LINGER_S, LINGER_BYTES
    while left > 0 and time.monotonic() < end:
        data = client.recv(65536)
        if not data:
            return
        left -= len(data)


def _log_exception(_: Any, context: Any, kind: Any, error: Any, trace: Any) -> None:
    if isinstance(error, BaseException):
        logs.log.error("a greenlet failed", exc_info=(type(error), error, trace))
    else:
        print(f"captain: a greenlet failed: {getattr(kind, '__name__', 'unknown')}", file=sys.stderr)  # noqa: T201


class Log(Logger):  # type: ignore[misc]  # gunicorn ships no types
    """gunicorn's records go where all go; its access log is not used, since it holds raw addresses."""

    def setup(self, cfg: Any) -> None:
        """Take no handlers of its own."""
        super().setup(cfg)
        logs.quiet(("gunicorn.error", "gunicorn.access"))

    def access(self, resp: Any, req: Any, environ: Any, request_time: Any) -> None:
        """Say nothing: the application has said it."""
