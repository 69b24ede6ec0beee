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

_KEPT = 1000
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
        self._read(max(0, self.view["version"] - _BEFORE))
        self._follower = Follower(server, game, self.view["cursor"], wake)

    @property
    def over(self) -> bool:
        """Whether nothing will happen any more."""
        return self.view["status"] in OVER

    @property
    def absent(self) -> frozenset[int]:
        """Seats whose players have no stream open, as far as the server tells."""
        return frozenset(seat for seat, there in self._follower.present.items() if not there)

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
        if receipt["from"] <= self._known + 1:  # else others were first, and following brings both in order
            self._add(receipt["events"])

    def close(self) -> None:
        """Follow it no longer."""
        self._follower.stop()

    def catch_up(self) -> None:
        """Read the events that the view tells of and that have not been heard yet: of a game that is over, all."""
        if self._known < self.view["version"]:
            self._read(self._known)

    @property
    def _known(self) -> int:
        return self.events[-1][0] if self.events else 0

    def _read(self, after: int) -> None:
        page: Json = {"cursor": after, "next": True}
        while page["next"]:
            page = self.server.get(f"/games/{self.id}/events", {"after": page["cursor"]})
            self._add(page["items"])

    def _add(self, events: list[Json]) -> None:
        """Keep the words of events; one that came twice (in a receipt, and by following) is kept once."""
        names = names_of(self.view)
        for event in events:
            if event["v"] > self._known:
                self.events.append((event["v"], event_text(event, names)))
