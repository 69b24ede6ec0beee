"""Problem documents (RFC 9457): what a request that failed is answered with. What can fail: `api.codes`."""

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

import orjson
from flask import Response, current_app, has_app_context

from api.codes import CODES, Code
from domain.refusals import Refusal

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER_S = 1
REFUSALS = "captains-table-refusals"
"""Where an application keeps what its rulesets say of their own refusals."""


_BY_STATUS = {400: "bad_request", 404: "not_found", 405: "method_not_allowed", 413: "body_too_large",
              414: "uri_too_long", 415: "unsupported_media_type", 416: "range_not_satisfiable",
              417: "expectation_failed",
              429: "rate_limited", 431: "headers_too_large", 500: "internal_error", 503: "not_ready"}  # fmt: skip


class ProblemResponse(Response):
    """The answer of a problem, which knows its code."""

    code = ""


class Problem(Exception):
    """A request failed: a code of the table (or of a ruleset) and the facts that say what would be right."""

    def __init__(self, code: str, /, *, headers: Mapping[str, str] | None = None, **facts: Any) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts
        self.headers = dict(headers or {})


def of_ruleset(refusal: Refusal) -> Code:
    """The entry of a code that a ruleset makes up: a conflict."""
    return Code(CODES["refused"].status, refusal.title, refusal.advice, refusal.facts)


def about(code: str) -> Code:
    """The entry of a code: of the table, or of a ruleset, whose own refusals are conflicts."""
    known = CODES.get(code)
    if known is not None:
        return known
    own: Refusal | None = current_app.extensions[REFUSALS].get(code) if has_app_context() else None
    if own is not None:
        return of_ruleset(own)
    refused = CODES["refused"]
    return Code(refused.status, code.replace("_", " ").capitalize(), refused.advice)


def code_of_status(status: int) -> str:
    """The code of an HTTP error that the framework raised by itself."""
    return _BY_STATUS.get(status) or HTTPStatus(status).phrase.lower().replace(" ", "_").replace("-", "_")


def document(code: str, facts: Mapping[str, Any], status: int | None = None) -> dict[str, Any]:
    """The problem document of `code`; facts are members, and none can hide a standard one."""
    entry = about(code)
    return {
        **facts,
        "type": f"/problems/{code}",
        "title": entry.title,
        "status": status or entry.status,
        "code": code,
        "detail": facts.get("detail") or entry.advice,
    }


def response(
    code: str, facts: Mapping[str, Any], headers: Mapping[str, str] | None = None, status: int | None = None
) -> ProblemResponse:
    """The HTTP answer of a problem."""
    body = document(code, facts, status)
    answer = ProblemResponse(orjson.dumps(body, default=str), body["status"], mimetype=MEDIA_TYPE)
    answer.code = code
    answer.headers["Cache-Control"] = "no-store"
    if body["status"] == HTTPStatus.UNAUTHORIZED:
        error = ', error="invalid_token"' if code == "token_invalid" else ""
        answer.headers["WWW-Authenticate"] = f'Bearer realm="captains-table"{error}'
    if code == "scope_missing":
        told = f'error="insufficient_scope", scope="{facts.get("scope", "")}"'
        answer.headers["WWW-Authenticate"] = f'Bearer realm="captains-table", {told}'
    if body["status"] in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        answer.headers["Retry-After"] = str(RETRY_AFTER_S)
    answer.headers.update(headers or {})
    return answer


def pointer(path: Iterable[str | int]) -> str:
    """The JSON pointer (RFC 6901) of a path of keys and indices."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def invalid(messages: Any, code: str = "validation_failed", at: tuple[str | int, ...] = ()) -> Problem:
    """The problem of a body that a schema refused, from marshmallow's messages; `at` is where the schema stands."""
    return Problem(code, errors=[{"pointer": p, "detail": d} for p, d in _leaves(messages, at)])


def invalid_query(messages: Any) -> Problem:
    """The problem of a query string that a schema refused."""
    errors = [{"parameter": p.removeprefix("/"), "detail": d} for p, d in _leaves(messages, ())]
    return Problem("validation_failed", errors=errors)


def _leaves(messages: Any, path: tuple[str | int, ...]) -> Iterable[tuple[str, str]]:
    if isinstance(messages, Mapping):
        for key, below in messages.items():
            yield from _leaves(below, path if key == "_schema" else (*path, key))
    elif isinstance(messages, (list, tuple)):
        for message in messages:
            yield from _leaves(message, path)
    else:
        yield pointer(path), str(messages)
