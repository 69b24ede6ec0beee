"""Live: a game as Server-Sent Events, and tickets for browsers, whose EventSource sends no headers."""

from threading import Semaphore
from typing import Any

from flask import Response, request

from api import access, auth
from api.answers import PRIVATE, answer, nothing, rfc3339
from api.live import Start, Stream
from api.problems import Problem
from api.requests import AFTER, Nothing, StreamQuery
from api.resource import Resource
from api.sockets import bounded
from api.state import state, store
from api.stream_schemas import TicketSchema
from eventstore.tickets import TICKET_S
from eventstore.tokens import Pass

streams = Resource("streams", __name__, url_prefix="/v1/games/<string:game>", description="Following a game live.")

MEDIA_TYPE = "text/event-stream"
# A proxy that kept a stream to make it smaller or send it in one piece would keep it for ever.
HEADERS = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no", "Vary": PRIVATE["Vary"]}

_GATE = Semaphore(16)
"""How many streams are being opened at once: after a restart all come again, and moves need the store as well."""


@streams.operation(
    "GET",
    "/stream",
    answer="StreamFrame",
    media=MEDIA_TYPE,
    access="optional",
    scope="read",
    query=StreamQuery,
    bucket="streams",
    fails=("unknown_game", "ticket_invalid"),
    doc={
        "parameters": [
            {
                "in": "header",
                "name": "Last-Event-ID",
                "schema": {"type": "string"},
                "description": "The last `id` that was received; goes before `after`. Browsers send it by themselves.",
            }
        ],
        "responses": {204: {"description": "The game is over and you have seen all of it: do not come again."}},
    },
)
def stream_game(query: dict[str, Any], game: str) -> Response:
    """Follow a game: every event as it happens, as you may see it (Server-Sent Events).

    The first event is `snapshot`, unless you resume by `Last-Event-ID` or `after`. Of each event the field `event`
    says which kind it is and `data` is JSON. The `id` of `snapshot` and `event` is the cursor to resume from; the
    others have none. The last event says why the stream ends: `game_over`, `shutdown` and `slow_consumer` (come again
    with the last id), `gone` (you may not read the game any more, or your token was revoked or has expired). A stream
    that ends without one was cut.
    """
    reader = _reader(game, query.get("ticket"))
    with _GATE:
        start = _start(game, reader, request.headers.get("Last-Event-ID") or query.get("after"))
    if start.stored.game.over and start.place and start.place[0] == start.stored.game.version:
        return nothing(204, HEADERS)
    if request.method == "HEAD":
        return Response(mimetype=MEDIA_TYPE, headers=HEADERS)
    stream = Stream(store(), state().live(), start, bounded(request.environ.get("gunicorn.socket")))
    return Response(iter(stream), mimetype=MEDIA_TYPE, headers=HEADERS)


def _reader(game: str, ticket: str | None) -> Pass | None:
    """Who asks, by token or by ticket, whose token must still be good."""
    if ticket is None or request.method == "HEAD":
        return auth.shown_if_any()
    taken = store().tickets.take(ticket, access.known(game))
    shown = store().tokens.still(taken.token) if taken else None
    if shown is None:
        raise Problem("ticket_invalid")
    return shown


def _start(game: str, shown: Pass | None, after: str | None) -> Start:
    if after is not None and not AFTER.fullmatch(after):
        raise Problem("validation_failed", errors=[{"parameter": "Last-Event-ID", "detail": "Not a cursor."}])
    stored, observer = access.observing(game, shown.player if shown else None)
    if after is None:
        return Start(stored, observer, shown)
    version, _, head = after.partition("-")
    hashes = store().repository.entry(game).hashes
    if int(version) >= len(hashes) or not hashes[int(version)].startswith(head):
        return Start(stored, observer, shown, foreign=True)
    return Start(stored, observer, shown, (int(version), hashes[int(version)]))


@streams.operation(
    "POST",
    "/stream-tickets",
    status=201,
    answer=TicketSchema,
    access="required",
    scope="read",
    body=Nothing,
    bucket="tickets",
    fails=("unknown_game",),
)
def create_stream_ticket(_: dict[str, Any], game: str) -> Response:
    """Get a ticket that opens one stream of this game with your eyes, for an EventSource, which sends no token.

    It is good once, for 30 s. When the stream ends, take another and go on with `after`.
    """
    access.readable(game, auth.player())
    ticket = store().tickets.give(auth.player().id, game, auth.shown().digest)
    expires = rfc3339(store().repository.now() + TICKET_S * 1000)
    body = {"ticket": ticket, "expires": expires, "stream": f"/v1/games/{game}/stream?ticket={ticket}"}
    return answer(body, 201, {"Cache-Control": "no-store"})
