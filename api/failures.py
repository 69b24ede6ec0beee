"""How the document tells what can go wrong: a response for each status of an operation, an example for each code."""

from http import HTTPStatus
from typing import Any

from api import captured, problems
from api.codes import CODES, Code
from api.operations import operations
from api.throttle import HEADERS as RATES
from domain.registry import Registry

Json = dict[str, Any]
_PROBLEM = {"$ref": "#/components/schemas/Problem"}
_RETRY = {"Retry-After": {"schema": {"type": "integer"}, "description": "How many seconds to wait."}}
_TOKEN = {"WWW-Authenticate": {"schema": {"type": "string"}, "description": "Which token is needed (RFC 6750)."}}
_REQUEST_ID = {
    "X-Request-Id": {"schema": {"type": "string"}, "description": "Yours if you sent one; the operator's log names it."}
}
_HEADERS: dict[int, Json] = {
    401: _TOKEN,
    403: _TOKEN,
    429: _RETRY,
    503: _RETRY,
}


def entries(registry: Registry) -> dict[str, Code]:
    """All codes: those of the table, and after them those that the rulesets make up."""
    return {**CODES, **{code: problems.of_ruleset(told) for code, told in registry.refusals.items()}}


def document(made: Json, registry: Registry, examples: captured.Examples) -> None:
    """Write the responses of all operations' codes into the document."""
    known = entries(registry)
    for _, _, operation in operations(made):
        codes = operation["x-problems"]
        if operation.pop("x-rules-refuse", False):
            codes += sorted(registry.refusals)
        operation["responses"] |= _responses(codes, operation["operationId"], known, examples)
        counted = RATES if "rate_limited" in codes else {}
        for response in operation["responses"].values():
            told = {**response.get("headers", {}), **counted, **_REQUEST_ID}
            response["headers"] = {name: _shared(made, name, header) for name, header in told.items()}
        operation["responses"] = dict(sorted(operation["responses"].items()))
    made["components"]["schemas"]["Problem"]["x-codes"] = {code: _told(entry) for code, entry in known.items()}
    shared = {code: {"summary": known[code].title, "value": value} for code, value in examples.shared.items()}
    made["components"]["examples"] = dict(sorted(shared.items()))


def _shared(made: Json, name: str, header: Json) -> Json:
    """A reference to a header that is the same wherever it stands; one that differs stands where it is."""
    held = made["components"].setdefault("headers", {}).setdefault(name, header)
    return {"$ref": f"#/components/headers/{name}"} if held == header else header


def _told(entry: Code) -> Json:
    return {"status": entry.status, "title": entry.title, "advice": entry.advice, "facts": dict(entry.facts)}


def _responses(codes: list[str], operation: str, known: dict[str, Code], examples: captured.Examples) -> Json:
    by_status: dict[int, list[str]] = {}
    for code in codes:
        by_status.setdefault(known[code].status, []).append(code)
    return {str(status): _response(status, found, operation, examples) for status, found in sorted(by_status.items())}


def _response(status: int, codes: list[str], operation: str, examples: captured.Examples) -> Json:
    content: Json = {"schema": _PROBLEM}
    found = {code: example for code in codes if (example := examples.problem(operation, code)) is not None}
    if found:
        content["examples"] = found
    made: Json = {"description": f"{HTTPStatus(status).phrase}: " + ", ".join(f"`{code}`" for code in codes) + "."}
    if status in _HEADERS:
        made["headers"] = _HEADERS[status]
    return {**made, "content": {problems.MEDIA_TYPE: content}}
