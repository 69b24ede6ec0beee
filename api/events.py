"""What happened in a game: events in pages, and by long poll."""

import re
from typing import Any

from flask import Response, request

from api import access, auth, views
from api.answers import answer, next_page
from api.limits import LONGEST_WAIT_S
from api.problems import Problem
from api.requests import EventsQuery
from api.resource import Resource
from api.schemas import EventPage
from api.state import store
from api.throttle import Picked
from domain.observers import Observer
from eventstore.stored import Line, Stored

events = Resource("events", __name__, url_prefix="/v1/games/<string:game>/events", description="What happened.")

_GOING_ON = ("lobby", "playing")
_WAIT = re.compile(r'(?:^|[,;\s])wait\s*=\s*"?([0-9]{1,6})"?', re.IGNORECASE)


@events.operation(
    "GET",
    "",
    answer=EventPage,
    access="optional",
    scope="read",
    query=EventsQuery,
    paged=True,
    bucket=Picked(("reads", "polls"), lambda: "reads" if _wait() is None else "polls"),
    fails=("unknown_game", "game_not_over", "resync"),
    doc={
        "parameters": [
            {
                "in": "header",
                "name": "Prefer",
                "schema": {"type": "string"},
                "description": f"`wait=20`: answer when there is an event, or after 20 s; at most {LONGEST_WAIT_S} s.",
            }
        ],
        "responses": {
            200: {
                "headers": {
                    "Preference-Applied": {
                        "schema": {"type": "string"},
                        "description": "How long this answer would have waited.",
                    }
                }
            }
        },
    },
)
def list_events(query: dict[str, Any], game: str) -> Response:
    """Read the events after a cursor, with what you may open opened.

    Go on from `cursor`, also when the page is empty. With `Prefer: wait=20` the answer waits for an event.
    """
    after, head = _cursor(query["after"])
    player = auth.caller()
    stored, observer = access.observing(game, player, query["observer"])
    waited = _wait()
    if waited is not None and stored.game.version == after and stored.game.status in _GOING_ON:
        store().repository.wait(game, after, waited)
        stored, observer = access.observing(game, player, query["observer"])
    page = _page(stored, observer, after, head, query["limit"])
    last, place = (page[-1].record["v"], _place(page[-1])) if page else (after, stored.cursor)
    following, headers = next_page(place if last < stored.game.version else None)
    if waited is not None:
        headers["Preference-Applied"] = f"wait={waited}"
    body = {"items": [views.event(line) for line in page], "next": following, "cursor": place}
    return answer(body, headers=headers)


def _cursor(text: str) -> tuple[int, str | None]:
    """The version of a cursor, and the head that the log had at it, if it says."""
    version, _, head = text.partition("-")
    return int(version), head or None


def _place(line: Line) -> str:
    return f"{line.record['v']}-{line.hash[:8]}"


def _wait() -> int | None:
    """How many seconds the request would rather wait than be answered with nothing (RFC 7240)."""
    found = _WAIT.search(request.headers.get("Prefer", ""))
    return min(int(found[1]), LONGEST_WAIT_S) if found else None


def _page(stored: Stored, observer: Observer, after: int, head: str | None, limit: int) -> list[Line]:
    """The events after a cursor; `resync` if the cursor is not one of this history."""
    repository = store().repository
    if after > stored.game.version:
        raise Problem("resync", cursor=stored.cursor)
    if after == stored.game.version:
        if head not in (None, stored.head[:8]):
            raise Problem("resync", cursor=stored.cursor)
        return []
    if head is None or after == 0:
        return repository.lines(stored.game.id, observer, after, limit)
    # One more line, to see whether the log was at that version what the cursor says: versions may be used again
    # after a failover that lost writes.
    page = repository.lines(stored.game.id, observer, after - 1, limit + 1)
    if not page or page[0].hash[:8] != head:
        raise Problem("resync", cursor=stored.cursor)
    return page[1:]
