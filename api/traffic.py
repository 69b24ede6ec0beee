"""Every request: its id, one line in the log, and its figures, whatever it is and whoever answers it."""

import logging
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from time import perf_counter
from typing import Any, Final

from flask import Flask, Response, g, request
from structlog.contextvars import bind_contextvars, clear_contextvars
from ulid import ULID

from api import metrics
from api.problems import Problem, ProblemResponse
from eventstore.players import Player

HEADER: Final = "X-Request-Id"
_SAFE: Final = re.compile(r"[A-Za-z0-9._~:/+=@-]{1,128}")
_GAME: Final = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_HUM: Final = frozenset({"/healthz", "/readyz", "/metrics"})
"""Asked for by machines every few seconds: told of at `debug` only, unless it goes wrong."""
_ENVIRON: Final = "captain.exchange"
NO_ROUTE: Final = "none"
OTHER: Final = "other"

log = logging.getLogger(__name__)

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def request_id(given: str | None) -> str:
    """The id of a request: the client's own if it is one, else a new one."""
    return given if given is not None and _SAFE.fullmatch(given) else str(ULID())


class Exchange:
    """One request and its answer, as far as they may be told: no address, no header, no body."""

    __slots__ = ("began", "code", "game", "id", "method", "player", "route", "size", "status")

    def __init__(self, identity: str, method: str) -> None:
        self.began = perf_counter()
        self.id = identity
        self.method = method if method in _METHODS else OTHER
        self.route = NO_ROUTE
        self.status = 0
        self.size = 0
        self.code: str | None = None
        self.game: str | None = None
        self.player: str | None = None

    def end(self) -> None:
        """Tell and count."""
        seconds = perf_counter() - self.began
        metrics.REQUEST_S.labels(self.route, self.method, self.status).observe(seconds)
        if self.code is not None:
            metrics.PROBLEMS.labels(self.code).inc()
        level = logging.DEBUG if self.route in _HUM and self.status < 400 else logging.INFO
        if log.isEnabledFor(level):
            log.log(level, "request", extra=self._facts(seconds))
        clear_contextvars()

    def _facts(self, seconds: float) -> dict[str, Any]:
        facts: dict[str, Any] = {
            "method": self.method,
            "route": self.route,
            "status": self.status,
            "ms": round(seconds * 1000, 1),
            "bytes": self.size,
        }
        for name in ("code", "game", "player"):
            if (value := getattr(self, name)) is not None:
                facts[name] = value
        return facts


class Body:
    """The bytes of an answer; the exchange ends when they do, or when the client is gone."""

    def __init__(self, chunks: Iterable[bytes], exchange: Exchange) -> None:
        self._chunks = chunks
        self._exchange = exchange

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            self._exchange.size += len(chunk)
            yield chunk

    def close(self) -> None:
        """Let go of what makes the bytes, then tell."""
        try:
            if hasattr(self._chunks, "close"):
                self._chunks.close()
        finally:
            self._exchange.end()


class Traffic:
    """The outermost layer of an application."""

    def __init__(self, app: Wsgi) -> None:
        self._app = app

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer, and see to it that the answer names the request."""
        exchange = Exchange(request_id(environ.get("HTTP_X_REQUEST_ID")), environ["REQUEST_METHOD"])
        environ[_ENVIRON] = exchange
        clear_contextvars()
        bind_contextvars(request=exchange.id)

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            exchange.status = int(status[:3])
            return start_response(status, [*headers, (HEADER, exchange.id)], exc_info)

        return Body(self._app(environ, start), exchange)


def watch(app: Flask) -> None:
    """See every exchange of an application."""
    app.wsgi_app = Traffic(app.wsgi_app)  # type: ignore[method-assign]  # as Flask documents it
    app.before_request(_demand_host)
    app.after_request(_note)


def current_id() -> str:
    """The id of the present request."""
    exchange: Exchange = request.environ[_ENVIRON]
    return exchange.id


def _demand_host() -> None:
    """RFC 9112, 3.2: a request of HTTP/1.1 without Host is answered with 400."""
    if request.environ.get("SERVER_PROTOCOL") == "HTTP/1.1" and "HTTP_HOST" not in request.environ:
        raise Problem("bad_request", detail="HTTP/1.1 needs a Host header.")


def _note(response: Response) -> Response:
    exchange: Exchange = request.environ[_ENVIRON]
    exchange.route = NO_ROUTE if request.url_rule is None else template(request.url_rule.rule)
    if isinstance(response, ProblemResponse):
        exchange.code = response.code
    player: Player | None = g.get("player")
    exchange.player = None if player is None else player.id
    exchange.game = _game(response)
    return response


def _game(response: Response) -> str | None:
    """The game of the address, or the one that was made; what cannot be an id might be anything."""
    named = (request.view_args or {}).get("game")
    if named is None and response.status_code == 201:
        named = response.headers.get("Location", "").partition("/v1/games/")[2]
    return named if named and _GAME.fullmatch(named) else None


@lru_cache(maxsize=256)
def template(rule: str) -> str:
    """The address of a rule as the spec writes it: `/v1/games/{game}`."""
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule)
