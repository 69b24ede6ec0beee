"""Following a game: its events in order, each once, by stream, or by long poll where the server has no streams."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import httpx

from captain.terminal.http import WAIT_S, Refused, Server, Unreachable

Json = dict[str, Any]

LAST = ("game_ended", "game_faulted")
_PAUSE_S = 0.5
"""Before a stream that ended is opened again: a server that is stopping would be asked without a pause."""


class News(NamedTuple):
    """What was heard at once: events, and which seats are there, if that was told."""

    events: list[Json]
    present: dict[int, bool] | None = None


def live(server: Server, game: str, after: str) -> Iterator[News]:
    """What happens after a cursor, to the end of the game. Raises Refused, Unreachable."""
    try:
        yield from stream(server, game, after)
    except Refused as refused:
        if refused.code != "not_found":  # an unknown game has a code of its own: it is streams that are not here
            raise
        yield from long_poll(server, game, after)


def long_poll(server: Server, game: str, after: str) -> Iterator[News]:
    """The events after a cursor, page by page."""
    while True:
        page = server.get(f"/games/{game}/events", {"after": after}, wait=WAIT_S)
        after = page["cursor"]
        yield News(page["items"])
        if any(event["type"] in LAST for event in page["items"]):
            return


def stream(server: Server, game: str, after: str) -> Iterator[News]:
    """The events after a cursor, as the server sends them; a stream that breaks goes on from the last id."""
    while True:
        nothing = True
        try:
            for name, place, data in frames(server.stream(f"/games/{game}/stream", {"after": after})):
                nothing = False
                after = place or after
                if name == "event":
                    yield News([data["event"]])
                elif name in ("presence", "snapshot"):
                    yield News([], {one["seat"]: one["present"] for one in data["presence"]})
                elif name == "resync":
                    raise Refused({"code": "resync", **data})
                elif name == "gone":
                    raise Refused({"code": "unknown_game", "title": "The game is not there for you any more"})
                elif name == "game_over":
                    return
            if nothing:
                return  # 204: the game is over, and all of it was told
        except httpx.TransportError:
            pass  # as every client must expect: what came is told, the rest comes by the next stream
        time.sleep(_PAUSE_S)


def frames(lines: Iterable[str]) -> Iterator[tuple[str, str, Json]]:
    """Server-Sent Events as kind, id and data (https://html.spec.whatwg.org/multipage/server-sent-events.html)."""
    name, place, data = "message", "", ""
    for line in lines:
        if not line:
            if data:
                yield name, place, json.loads(data)
            name, place, data = "message", "", ""
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value
        elif field == "id":
            place = value
        elif field == "data":
            data = f"{data}\n{value}" if data else value


class Follower:
    """What happens in a game, collected in a thread; `heard` is called from it whenever there is something to take.

    A cursor that is not in the game's history any more (`resync`) begins anew at the cursor that the server gives.
    """

    def __init__(self, server: Server, game: str, cursor: str, heard: Callable[[], None]) -> None:
        self.failure: Exception | None = None
        self.present: dict[int, bool] = {}
        self._server = server.twin()
        self._game = game
        self._cursor = cursor
        self._heard = heard
        self._lock = threading.Lock()
        self._news: list[Json] = []
        self._stopped = threading.Event()
        # A daemon: at the end it may hang in a long poll, and nobody waits for that.
        threading.Thread(target=self._run, name="follower", daemon=True).start()

    def take(self) -> list[Json]:
        """The events since the last time."""
        with self._lock:
            news, self._news = self._news, []
        return news

    def stop(self) -> None:
        """Collect nothing more."""
        self._stopped.set()

    def _run(self) -> None:
        with self._server:
            self._go_on()

    def _go_on(self) -> None:
        while not self._stopped.is_set():
            try:
                self._listen()
                return
            except Refused as refused:
                cursor = refused.facts.get("cursor")
                if refused.code != "resync" or not isinstance(cursor, str):
                    self._fail(refused)
                    return
                self._cursor = cursor
                self._heard()
            except Unreachable as error:
                self._fail(error)
                return

    def _listen(self) -> None:
        for news in live(self._server, self._game, self._cursor):
            if self._stopped.is_set():
                return
            with self._lock:
                self._news += news.events
                self.present = self.present if news.present is None else news.present
            self._heard()

    def _fail(self, error: Exception) -> None:
        self.failure = error
        self._heard()
