"""How a resource declares its operations: address, who may ask, what comes in, what goes out, what can go wrong.

From one declaration follow the route, the checks before the view runs, and the operation in the spec.
"""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, NoReturn

import marshmallow
from flask import Request, request
from flask_smorest import Blueprint
from webargs.flaskparser import FlaskParser

from api import bodies, problems
from api.auth import Access, guarded
from api.throttle import Bucket, Picked, throttled
from eventstore.tokens import Scope

View = Callable[..., Any]

KEY_PARAMETER = {
    "in": "header",
    "name": "Idempotency-Key",
    "required": False,
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    "description": "Names this intention: a repeat with the same key and body gives the same receipt, and nothing "
    "happens twice. Scope: caller, method and path.",
}
MATCH_PARAMETER = {
    "in": "header",
    "name": "If-Match",
    "required": False,
    "schema": {"type": "string"},
    "description": "The `ETag` of a view, or a cursor in quotes: refuse with `stale` if the game has moved on since.",
}
_ETAG = {
    "ETag": {
        "schema": {"type": "string"},
        "description": "What you look at: send it as `If-None-Match`, or as `If-Match`.",
    }
}
_SERVER_TIME = {
    "Server-Time": {
        "schema": {"type": "string", "format": "date-time"},
        "description": "Compare deadlines with it, not with a clock of your own.",
    }
}
FOR_GOOD: dict[str, Any] = {
    "parameters": [
        {
            "in": "header",
            "name": "If-None-Match",
            "required": False,
            "schema": {"type": "string"},
            "description": "The `ETag` that you have: 304, without a body, if it is still that.",
        }
    ],
    "responses": {200: {"headers": _ETAG}, 304: {"description": "You have it already.", "headers": _ETAG}},
}
"""What is conditional, and has no time in it."""

CONDITIONAL: dict[str, Any] = {
    **FOR_GOOD,
    "responses": {
        status: {**told, "headers": {**_ETAG, **_SERVER_TIME}} for status, told in FOR_GOOD["responses"].items()
    },
}
_LOCATION = {"Location": {"schema": {"type": "string"}, "description": "The address of what was made."}}
_NEXT_PAGE = {"Link": {"schema": {"type": "string"}, "description": 'The next page: `rel="next"` (RFC 8288).'}}
_REPLAYED = {
    "Idempotency-Replayed": {
        "schema": {"type": "string", "enum": ["true"]},
        "description": "There if this answers a repeat: what it tells happened before.",
    }
}
_OF_ACCESS: dict[Access, tuple[str, ...]] = {
    "none": (),
    "optional": ("token_invalid", "scope_missing"),
    "required": ("token_missing", "token_invalid", "scope_missing"),
}
BODY_CODES = (
    "malformed_json", "not_utf8", "duplicate_key", "too_nested", "bad_number", "bad_string", "body_too_large",
    "unsupported_media_type", "validation_failed",
)  # fmt: skip


class StrictParser(FlaskParser):
    """Reads bodies strictly and tells what is wrong with them by problem documents."""

    DEFAULT_UNKNOWN_BY_LOCATION = dict.fromkeys(("query", "querystring", "json"), marshmallow.RAISE)

    def load_json(self, req: Request, schema: marshmallow.Schema) -> Any:
        """The body, as strict JSON."""
        return bodies.read(req)

    def load_querystring(self, req: Request, schema: marshmallow.Schema) -> Any:
        """The query, in which nothing may be said twice: of two values one would be dropped in silence."""
        twice = {name: ["Give it once."] for name, values in req.args.lists() if len(values) > 1}
        if twice:
            raise problems.invalid_query(twice)
        return super().load_querystring(req, schema)

    def handle_error(self, error: marshmallow.ValidationError, *args: Any, **kwargs: Any) -> NoReturn:
        """Raise what the schema found as a problem with pointers."""
        messages = error.messages
        if isinstance(messages, dict) and "query" in messages:
            raise problems.invalid_query(messages["query"])
        raise problems.invalid(messages["json"] if isinstance(messages, dict) else messages)


class Resource(Blueprint):
    """A group of operations."""

    ARGUMENTS_PARSER = StrictParser()

    def operation(  # noqa: PLR0913  # a declaration: every part has its name
        self,
        method: str,
        rule: str,
        *,
        status: int = 200,
        answer: Any = None,
        media: str | None = None,
        access: Access = "none",
        scope: Scope | None = None,
        body: Any = None,
        query: Any = None,
        keyed: bool = False,
        matched: bool = False,
        paged: bool = False,
        located: bool = False,
        ruled: bool = False,
        yields: dict[str, str] | None = None,
        bucket: Bucket = "",
        fails: Iterable[str] = (),
        doc: dict[str, Any] | None = None,
    ) -> Callable[[View], View]:
        """Decorate a view that returns a response; its docstring becomes summary and description.

        `scope` is what a token must be for, if one is shown: each operation that looks at tokens has one.
        `fails` are the codes that the view itself may answer; those of access, body and key follow by themselves.
        `keyed` says that an Idempotency-Key is honoured, `matched` that If-Match is, `paged` that a header may name the
        next page, `located` that one may name what was made, `ruled` that the rules of a game may refuse with codes of
        their own. `yields` says which path parameters of other operations the answer names, each by its JSON pointer:
        links follow from it (`api.links`). `bucket` is what a request is counted as, by itself `reads` or `writes`.
        `media` is the type of an answer that is not one JSON value; `doc` is merged into the operation of the spec.
        """
        counted = ("reads" if method == "GET" else "writes") if bucket == "" else bucket

        if (access == "none") != (scope is None):
            raise TypeError(f"{method} {rule}: an operation that looks at tokens needs a scope, and no other has one")

        def decorate(view: View) -> View:
            # What does not fit a path parameter with a converter finds no route.
            codes = [*fails, *_OF_ACCESS[access], *(["not_found"] if "<whole:" in rule else [])]
            wrapped = view
            if body is not None:
                wrapped = self.arguments(body, location="json", required=_needed(body))(wrapped)
                codes += BODY_CODES
            wrapped = _without_query(wrapped) if query is None else self.arguments(query, location="query")(wrapped)
            codes.append("validation_failed")
            if keyed:
                codes += ("bad_idempotency_key", "key_reused")
            if matched:
                codes.append("stale")
            wrapped = self.response(status, answer, content_type=media)(wrapped)
            wrapped = guarded(access, scope)(throttled(counted)(wrapped))
            codes += ("internal_error", "store_unavailable", *(["rate_limited"] if counted is not None else []))
            headers = {
                **(_NEXT_PAGE if paged else {}),
                **(_LOCATION if located else {}),
                **(_REPLAYED if keyed else {}),
            }
            more = dict(doc or {})
            statuses = {status, *(other for other in more.get("responses", {}) if other < 204)}
            # Merged as they are they would take the place of those that the argument decorators documented.
            parameters = [*more.pop("parameters", ()), *[KEY_PARAMETER] * keyed, *[MATCH_PARAMETER] * matched]
            extra = _documented(codes, access, scope, more, {one: {"headers": headers} for one in statuses})
            extra |= {"x-rate-limits": _names(counted)} if counted is not None else {}
            extra |= {"x-rules-refuse": True} if ruled else {}
            extra |= {"x-yields": yields} if yields else {}
            wrapped = self.doc(operationId=view.__name__, **extra)(wrapped)
            self.route(rule, methods=[method], endpoint=view.__name__)(_with_parameters(wrapped, parameters))
            return view

        return decorate


def _without_query(view: View) -> View:
    """A view that takes no query refuses one: a parameter that was left unread would seem to have been heeded."""

    @wraps(view)
    def checked(*args: Any, **kwargs: Any) -> Any:
        if request.query_string and request.args:
            raise problems.invalid_query(dict.fromkeys(request.args, "Unknown field."))
        return view(*args, **kwargs)

    return checked


def _names(bucket: str | Picked) -> list[str]:
    return [bucket] if isinstance(bucket, str) else list(bucket.names)


def _needed(schema: Any) -> bool:
    made = schema() if isinstance(schema, type) else schema
    return any(field.required for field in made.fields.values())


def _with_parameters(view: View, parameters: list[dict[str, Any]]) -> View:
    """Add header parameters beside those that the argument decorators documented: given to `doc` they replace them."""
    if parameters:
        documented = view._apidoc.setdefault("arguments", {})  # type: ignore[attr-defined]  # where flask-smorest keeps it
        documented.setdefault("parameters", []).extend(parameters)
    return view


def _documented(
    codes: Iterable[str], access: Access, scope: Scope | None, doc: dict[str, Any], responses: dict[int, Any]
) -> dict[str, Any]:
    """What the spec says of an operation; the responses of its codes are made from `x-problems` by `api.failures`."""
    token: list[dict[str, list[str]]] = [{"bearer": [scope] if scope else []}]
    security = {"none": [], "optional": [*token, {}], "required": token}[access]
    found = sorted(set(codes), key=lambda code: (problems.about(code).status, code))
    return {**doc, "security": security, "x-problems": found, "responses": _merged(responses, doc.get("responses", {}))}


def _merged(one: dict[int, Any], other: dict[int, Any]) -> dict[int, Any]:
    """Two sets of responses; headers of the same status are joined."""
    joined = {**one, **other}
    for status in one.keys() & other.keys():
        headers = {**one[status].get("headers", {}), **other[status].get("headers", {})}
        joined[status] = {**one[status], **other[status], "headers": headers}
    return joined
