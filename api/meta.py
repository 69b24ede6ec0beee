"""The server itself: what it is, and how it is."""

from importlib.metadata import PackageNotFoundError, version
from typing import Any

from flask import Blueprint, Response, request

from api import throttle
from api.answers import answer, rfc3339
from api.limits import LIMITS
from api.resource import Resource
from api.rulesets import brief
from api.server_schemas import Health, Readiness, ServerSchema
from api.state import state, store

server = Resource("server", __name__, description="The server itself.")

pages = Blueprint("pages", __name__)

NAME = "Captain's Table"


def release() -> str:
    """The version of this software."""
    try:
        return version("captains-table")
    except PackageNotFoundError:
        return "0"


@server.operation("GET", "/v1/server", answer=ServerSchema)
def get_server() -> Response:
    """Get versions, limits, time and durability of this server.

    `signing_keys` has the keys that its receipts, logs and reports are signed with.
    """
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
    """Is the process alive?

    It asks nothing of anybody: see `/readyz` for whether the server can serve.
    """
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
    links = {
        "guide": "/docs/getting-started",
        "docs": "/docs/",
        "openapi": "/openapi.json",
        "server": "/v1/server",
        "problems": "/problems",
    }
    return {"name": NAME, "version": release(), "links": links}
