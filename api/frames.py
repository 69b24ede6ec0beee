"""Server-Sent Events as bytes: one frame for each thing that a stream tells."""

from collections.abc import Iterable
from typing import Any

import orjson

from api import views
from eventstore.stored import Line

LAST = ("game_over", "shutdown", "slow_consumer", "gone")
"""The events that a stream ends with; each says why."""


def frame(event: str, data: dict[str, Any], now: str, cursor: str = "") -> bytes:
    """One frame; `now` is the server's time, `cursor` where a client goes on that has seen it."""
    place = f"id: {cursor}\n" if cursor else ""
    body = orjson.dumps({"server_time": now, **data}).decode()
    return f"{place}event: {event}\ndata: {body}\n\n".encode()


def retry(ms: int) -> bytes:
    """How long a browser waits before it comes again; also the first bytes, so that proxies let the answer through.

    It is the first line of the first frame: not all readers pass over an event without data, as the standard says.
    """
    return f"retry: {ms}\n".encode()


def event(body: bytes, now: str, cursor: str) -> bytes:
    """The frame of an event whose JSON was made before, for all who may open the same."""
    return b'id: %b\nevent: event\ndata: {"server_time":"%b","event":%b}\n\n' % (cursor.encode(), now.encode(), body)


def event_json(line: Line) -> bytes:
    """The JSON of an event: the same as in a page of events."""
    return orjson.dumps(views.event(line))


def presence(seats: int, present: Iterable[int]) -> list[dict[str, Any]]:
    """For each seat whether it has a live stream."""
    there = frozenset(present)
    return [{"seat": seat, "present": seat in there} for seat in range(seats)]
