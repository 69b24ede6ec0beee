"""Streams that listen in the background of a test."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable

from tests.api.sse import Frame, stubborn
from tests.e2e.client import Client
from tests.e2e.recorder import STRANGER, Heard


class Ears:
    """Follows a game with the eyes of a client, coming again whenever its stream breaks off, until the game is over."""

    def __init__(self, address: Callable[[], str], client: Client, game: str, observer: int = STRANGER) -> None:
        self.frames: list[Frame] = []
        self.heard: list[Heard] = []
        self.failure: BaseException | None = None
        self._observer = observer
        self._arguments = (address, f"/v1/games/{game}/stream", client.token, lambda: False)
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        version = 0
        try:
            for frame in stubborn(*self._arguments):
                self.frames.append(frame)
                if frame.event in ("snapshot", "event"):
                    version = int(frame.id.partition("-")[0])
                self.heard.append(Heard(self._observer, "stream", "", json.dumps(frame), version))
                if frame.event == "event" and self._resigns(frame.data["event"]):
                    self._observer = STRANGER
        except BaseException as failure:
            self.failure = failure

    def _resigns(self, event: dict) -> bool:
        return (
            event["type"] == "controller_changed"
            and event["seat"] == self._observer
            and event["data"]["reason"] == "resigned"
        )

    def finish(self, seconds: float = 60) -> list[Frame]:
        """Wait for the end of the game; all that was told."""
        self._thread.join(seconds)
        assert self.failure is None, self.failure
        assert not self._thread.is_alive(), f"still at {self.frames[-1:]}"
        assert self.frames[-1].event == "game_over"
        return self.frames

    def check(self) -> None:
        """A snapshot, then every event after it once, in order, to the end; no other history was ever told."""
        frames = self.finish()
        assert frames[0].event == "snapshot"
        assert not [frame for frame in frames if frame.event == "resync"]
        events = [frame.data["event"]["v"] for frame in frames if frame.event == "event"]
        begun = frames[0].data["view"]["version"]
        assert events == list(range(begun + 1, begun + 1 + len(events)))
        assert [f for f in frames if f.event == "event"][-1].data["event"]["type"] == "game_ended"
