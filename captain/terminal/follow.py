"""Following a game: its events in order, each once, read in a thread of their own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

from captain.terminal.http import WAIT_S, Refused, Server, Unreachable

Json = dict[str, Any]
Pages = Iterator[list[Json]]

LAST = ("game_ended", "game_faulted")


def long_poll(server: Server, game: str, after: str) -> Pages:
    """The events after a cursor as they happen, to the end of the game. Raises Refused, Unreachable."""
    while True:
        page = server.get(f"/games/{game}/events", {"after": after}, wait=WAIT_S)
        after = page["cursor"]
        yield page["items"]
        if any(event["type"] in LAST for event in page["items"]):
            return


class Follower:
    """Events of a game, collected in a thread; `heard` is called from it whenever there is something to take.

    A cursor that is not in the game's history any more (`resync`) begins anew at the cursor that the server gives.
    """

    def __init__(
        self,
        server: Server,
        game: str,
        cursor: str,
        heard: Callable[[], None],
        pages: Callable[[Server, str, str], Pages] = long_poll,
    ) -> None:
        self.failure: Exception | None = None
        self._server = server.twin()
        self._game = game
        self._cursor = cursor
        self._heard = heard
        self._pages = pages
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
        while not self._stopped.is_set():
            try:
                for events in self._pages(self._server, self._game, self._cursor):
                    if self._stopped.is_set():
                        return
                    with self._lock:
                        self._news += events
                    self._heard()
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

    def _fail(self, error: Exception) -> None:
        self.failure = error
        self._heard()
