"""The server itself: what it is, how it is, its documentation and its problem pages."""

from html import escape
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from flask import Blueprint, Response, request

from api import problems, throttle
from api.answers import answer, rfc3339
from api.limits import LIMITS
from api.problems import Problem
from api.resource import Resource
from api.rulesets import brief
from api.schemas import Health, Readiness, ServerSchema
from api.state import state, store

server = Resource("server", __name__, description="The server itself.")
pages = Blueprint("pages", __name__)

NAME = "Captain's Table"

_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}}
code{{background:#8882;padding:.1em .3em}}td,th{{text-align:left;padding:.2rem .8rem .2rem 0;vertical-align:top}}
</style>
<body>{body}</body></html>
"""


def release() -> str:
    """The version of this software."""
    try:
        return version("captains-table")
    except PackageNotFoundError:
        return "0"


@server.operation("GET", "/v1/server", answer=ServerSchema)
def get_server() -> Response:
    """Get versions, limits, time and durability of this server."""
    return answer(
        {
            "name": NAME,
            "version": release(),
            "time": rfc3339(store().repository.now()),
            "durability": str(store().durability),
            "limits": {**LIMITS, "rates": throttle.limits()},
            "rulesets": [brief(chapter) for chapter in state().rulebook],
            "signing_keys": state().signing_keys().jwks(),
        }
    )


@server.operation("GET", "/healthz", answer=Health, bucket=None)
def get_health() -> Response:
    """Is the process alive?"""
    return answer({"status": "ok"})


@server.operation("GET", "/readyz", answer=Readiness, bucket=None, fails=("not_ready",))
def get_readiness() -> Response:
    """Can this process serve? For load balancers.

    503 while it is to stop, or if the store or what follows its doorbells does not answer; `failed` says which.
    `degraded` serves, but something else is not as it should be: the queue is away, or nobody does what is due.
    """
    return answer(state().health().report(), headers={"Cache-Control": "no-store"})


@pages.get("/")
def index() -> Response:
    """Where to go from here: links for programs, the documentation for browsers."""
    wanted = request.accept_mimetypes.best_match(("application/json", "text/html"), default="application/json")
    made = Response(status=302, headers={"Location": "/docs/"}) if wanted == "text/html" else answer(_index())
    made.headers["Vary"] = "Accept"
    made.headers["Cache-Control"] = "public, max-age=60"
    return made


def _index() -> dict[str, Any]:
    links = {"docs": "/docs/", "openapi": "/openapi.json", "server": "/v1/server", "problems": "/problems"}
    return {"name": NAME, "version": release(), "links": links}


@pages.get("/problems/<string:code>")
def problem_page(code: str) -> Response:
    """What a problem code means, for people: the address in `type`."""
    if not problems.CODE.fullmatch(code):
        raise Problem("not_found")
    entry = problems.about(code)
    text = f"<h1>{escape(entry.title)}</h1><p><code>{code}</code>, HTTP {entry.status}</p><p>{escape(entry.advice)}</p>"
    return _page(code, text + '<p><a href="/problems">All problems</a> · <a href="/docs/">API</a></p>')


@pages.get("/problems")
def problem_index() -> Response:
    """All codes in one table."""
    rows = "".join(
        f'<tr><td><a href="/problems/{code}"><code>{code}</code></a><td>{entry.status}<td>{escape(entry.title)}'
        for code, entry in problems.CODES.items()
    )
    return _page("Problems", f"<h1>Problems</h1><table><tr><th>Code<th>HTTP<th>Title{rows}</table>")


def _page(title: str, body: str) -> Response:
    made = Response(_PAGE.format(title=escape(title), body=body), mimetype="text/html")
    made.headers["Cache-Control"] = "public, max-age=3600"
    return made
