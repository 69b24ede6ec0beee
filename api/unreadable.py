"""Requests that are no HTTP: what the server answers before, or instead of, the application."""

import logging
from http import HTTPStatus
from typing import Final

import orjson
from gunicorn.http import errors as http
from ulid import ULID

from api import metrics, problems
from api.traffic import HEADER, NO_ROUTE, OTHER

log = logging.getLogger(__name__)

_CODES: Final[tuple[tuple[type[Exception], str], ...]] = (
    (http.InvalidResponseHeader, "internal_error"),  # what we wanted to send, not what came
    (http.InvalidResponseHeaderName, "internal_error"),
    (http.ConfigurationProblem, "internal_error"),
    (http.LimitRequestLine, "uri_too_long"),
    (http.LimitRequestHeaders, "headers_too_large"),
    (http.ExpectationFailed, "expectation_failed"),
    (http.UnsupportedTransferCoding, "transfer_coding_unknown"),
    (http.ParseException, "bad_request"),
    (http.NoMoreData, "bad_request"),
)
UNREADABLE: Final = (http.ParseException, http.NoMoreData, ConnectionResetError)
"""What reading a body raises in the application if the client sends nonsense, or is gone."""


def code_of(error: BaseException) -> str:
    """The code of what was wrong with a request, or of a mistake of ours."""
    return next((code for kind, code in _CODES if isinstance(error, kind)), "internal_error")


def answer(error: BaseException) -> bytes:
    """The whole answer to such a request, as bytes; the connection must be closed after it."""
    code, identity = code_of(error), str(ULID())
    entry = problems.about(code)
    facts = {"status": entry.status, "code": code, "kind": type(error).__name__, "request": identity}
    if code == "internal_error":
        log.error("a request broke", exc_info=error, extra=facts)
    else:
        # Not the text of the error: it repeats what was sent.
        log.info("a request that cannot be read", extra=facts)
    metrics.REQUEST_S.labels(NO_ROUTE, OTHER, entry.status).observe(0)
    metrics.PROBLEMS.labels(code).inc()
    body = orjson.dumps(problems.document(code, {}))
    head = (
        f"HTTP/1.1 {entry.status} {HTTPStatus(entry.status).phrase}\r\n"
        f"Content-Type: {problems.MEDIA_TYPE}\r\nContent-Length: {len(body)}\r\nCache-Control: no-store\r\n"
        # Any page may read it, whatever the operator says of pages: there is nothing in it that is not public.
        f"Access-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: {HEADER}\r\n"
        f"{HEADER}: {identity}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body
