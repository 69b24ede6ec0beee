"""A game as it is seen from here: its view, and its newest events in words."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from captain.terminal.follow import Follower
from captain.terminal.http import Server
from captain.terminal.picture import OVER
from captain.terminal.words import event_text, names_of

Json = dict[str, Any]

_KEPT = 50
_BEFORE = 20
"""So many events of the past are shown to who comes later."""


class SeenGame:
    """Kept up to date by `news`; `wake` is called from another thread when there are any."""

    def __init__(self, server: Server, game: str, wake: Callable[[], None]) -> None:
        self.server = server
        self.id = game
        self.events: deque[tuple[int, str]] = deque(maxlen=_KEPT)
        self.view: Json = {}
        self.look()
        self._add(self._past())
        self._follower = Follower(server, game, self.view["cursor"], wake)

    @property
    def over(self) -> bool:
        """Whether nothing will happen any more."""
        return self.view["status"] in OVER

    @property
    def seat(self) -> int | None:
        """My seat; None for a spectator."""
        seat: int | None = self.view["observer"].get("seat")
        return seat

    def look(self) -> None:
        """Read the view anew."""
        self.view = self.server.get(f"/games/{self.id}")

    def news(self) -> bool:
        """Take what has happened; whether anything has. Raises what made the following fail."""
        events = self._follower.take()
        if events:
            self.look()
            self._add(events)
        if self._follower.failure is not None:
            raise self._follower.failure
        return bool(events)

    def do(self, method: str, path: str, body: Json | None = None) -> None:
        """Change something about the game, and see what came of it. Raises Refused, Unreachable."""
        receipt = self.server.do(method, f"/games/{self.id}{path}", body)
        self.look()
        known = self.events[-1][0] if self.events else 0
        if receipt["from"] <= known + 1:  # else others were first, and following brings both in order
            self._add(receipt["events"])

    def close(self) -> None:
        """Follow it no longer."""
        self._follower.stop()

    def _past(self) -> list[Json]:
        after = max(0, self.view["version"] - _BEFORE)
        found: list[Json] = self.server.get(f"/games/{self.id}/events", {"after": after})["items"]
        return found

    def _add(self, events: list[Json]) -> None:
        """Keep the words of events; one that came twice (in a receipt, and by following) is kept once."""
        names = names_of(self.view)
        known = self.events[-1][0] if self.events else 0
        for event in events:
            if event["v"] > known:
                self.events.append((event["v"], event_text(event, names)))
