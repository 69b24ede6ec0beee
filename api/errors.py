"""What becomes of an exception: a problem document, whatever its kind and wherever it was raised."""

import logging
from urllib.parse import urlsplit, urlunsplit

from flask import Flask, Response
from redis.exceptions import RedisError
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from api import problems, traffic
from api.bodies import MAX_BYTES
from api.problems import Problem
from api.unreadable import UNREADABLE, code_of
from domain.errors import Refused
from eventstore.errors import StoreError
from eventstore.stored import KeyReused, StoreBusy, UnknownGame

log = logging.getLogger(__name__)


def register(app: Flask) -> None:
    """Make every failure of `app` a problem document."""
    app.register_error_handler(Problem, _problem)
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(UnknownGame, lambda _: problems.response("unknown_game", {}))
    app.register_error_handler(KeyReused, lambda _: problems.response("key_reused", {}))
    app.register_error_handler(StoreBusy, _store)
    app.register_error_handler(StoreError, _store)
    app.register_error_handler(RedisError, _store)
    for kind in UNREADABLE:
        app.register_error_handler(kind, _unreadable)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _unexpected)
    app.after_request(_without_page)


def _problem(problem: Problem) -> Response:
    return problems.response(problem.code, problem.facts, problem.headers)


def _refused(refused: Refused) -> Response:
    return problems.response(refused.code, refused.facts)


def _store(error: Exception) -> Response:
    # The text of a store error may hold an address with a password; its kind is enough to tell what happened.
    log.warning("the store did not answer", extra={"error": type(error).__name__})
    return problems.response("store_unavailable", {})


def _unreadable(error: Exception) -> Response:
    return problems.response(code_of(error), {"detail": "The body could not be read to its end."})


def _http(error: HTTPException) -> Response | HTTPException:
    if error.code is None or error.code < 400:
        return error
    facts = {"max": MAX_BYTES} if isinstance(error, RequestEntityTooLarge) else {}
    # `Allow` and `WWW-Authenticate` are part of the meaning; what describes the HTML page is not.
    kept = {k: v for k, v in error.get_headers() if k.lower() not in ("content-type", "content-length")}
    return problems.response(problems.code_of_status(error.code), facts, kept, error.code)


def _without_page(response: Response) -> Response:
    """A redirect of the framework says where to go in `Location`; its page says nothing more.

    It goes to another path here, whatever host the request named: behind a proxy that need not be ours.
    """
    if 300 <= response.status_code < 400 and response.mimetype == "text/html":
        response.set_data(b"")
        del response.headers["Content-Type"]
        response.headers["Location"] = urlunsplit(("", "", *urlsplit(response.headers["Location"])[2:]))
    return response


def _unexpected(error: Exception) -> Response:
    # Neither text nor address: a query may hold a ticket. The access line of the same id names the route.
    log.error("a request failed: %s", type(error).__name__, exc_info=error)
    return problems.response("internal_error", {"request": traffic.current_id()})
