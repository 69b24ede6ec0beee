"""gunicorn's worker and logger with our answers: no HTML, no bare texts, and nothing of a request in the log."""

from __future__ import annotations

import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import gevent
from gunicorn.glogging import Logger
from gunicorn.workers.ggevent import GeventWorker

from captain import logs

LINGER_S: Final = 1.0
"""How long a client that sends nonsense may go on with it: closed at once, it would never see the answer."""
LINGER_BYTES: Final = 1 << 20

STREAM: Final = "/stream"
"""What the addresses of streams end with (`api.streams`)."""


class Worker(GeventWorker):  # type: ignore[misc]  # gunicorn ships no types
    """Answers a request that cannot be read, or that broke everything, with a problem document."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._clients: dict[Any, Any] = {}
        self._idle: set[Any] = set()

    def patch(self) -> None:
        """Patch, and have what goes wrong in a greenlet logged as everything else is: the hub would print it."""
        super().patch()
        from gevent.hub import Hub

        Hub.print_exception = _log_exception

    def handle(self, listener: Any, client: Any, addr: Any) -> None:
        """Serve one connection."""
        here = gevent.getcurrent()
        self._clients[here] = client
        try:
            super().handle(listener, client, addr)
        finally:
            del self._clients[here]

    def handle_request(self, listener_name: Any, req: Any, client: Any, addr: Any) -> Any:
        """Answer one request; a stream is the last of its connection, and its answer says so from the start.

        The API ends the connection after it (`api.sockets`): who was not told would send the next request into that.
        """
        if req.method == "GET" and req.path.endswith(STREAM):
            req.force_close()
        return super().handle_request(listener_name, req, client, addr)

    @contextmanager
    def timeout_ctx(self) -> Iterator[None]:
        """Bound the time until the next request of a connection; meanwhile nobody would miss it."""
        here = gevent.getcurrent()
        self._idle.add(here)
        try:
            with super().timeout_ctx():
                yield
        finally:
            self._idle.discard(here)

    def handle_exit(self, sig: Any, frame: Any) -> None:
        """Stop: what waits for a next request would use up the grace of those that are being answered."""
        super().handle_exit(sig, frame)
        gevent.spawn(self._end_idle)

    def _end_idle(self) -> None:
        for waiting in tuple(self._idle):
            with suppress(OSError):
                # What has arrived is still read and answered; then the connection ends.
                self._clients[waiting].shutdown(socket.SHUT_RD)

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
        print(f"captain: a greenlet failed: {getattr(kind, '__name__', 'unknown')}", file=sys.stderr)  # noqa: T201  # the logger may be what failed


class Log(Logger):  # type: ignore[misc]  # gunicorn ships no types
    """gunicorn's records go where all go; its access log is not used, since it holds raw addresses."""

    def setup(self, cfg: Any) -> None:
        """Take no handlers of its own."""
        super().setup(cfg)
        logs.quiet(("gunicorn.error", "gunicorn.access"))

    def access(self, resp: Any, req: Any, environ: Any, request_time: Any) -> None:
        """Say nothing: the application has said it."""
