"""The server itself: what it is, and how it is."""

from importlib.metadata import PackageNotFoundError, version

from flask import Response

from api.answers import answer, rfc3339
from api.limits import LIMITS
from api.resource import Resource
from api.rulesets import brief
from api.schemas import Health, Readiness, ServerSchema
from api.state import state, store

server = Resource("server", __name__, description="The server itself.")

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
            "limits": LIMITS,
            "rulesets": [brief(chapter) for chapter in state().rulebook],
            "signing_keys": state().signing_keys().jwks(),
        }
    )


@server.operation("GET", "/healthz", answer=Health)
def get_health() -> Response:
    """Is the process alive?

    It asks nothing of anybody: see `/readyz` for whether the server can serve.
    """
    return answer({"status": "ok"})


@server.operation("GET", "/readyz", answer=Readiness, fails=("not_ready",))
def get_readiness() -> Response:
    """Can the server serve?

    It asks the store, and answers 503 if that does not answer.
    """
    store().ping()
    return answer({"status": "ok", "durability": str(store().durability)})
