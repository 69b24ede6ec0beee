"""A reader of streams over a real socket; it waits as long as a stream may be silent, and fails after that."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any, NamedTuple, Self
from urllib.parse import urlsplit

LAST = ("game_over", "shutdown", "slow_consumer", "gone")


class Frame(NamedTuple):
    """One Server-Sent Event."""

    event: str
    id: str
    data: dict[str, Any]


class Listener:
    """One open stream; iterate over its frames. `receives` is how much the kernel keeps for us."""

    def __init__(
        self,
        address: str,
        path: str,
        token: str | None = None,
        last: str | None = None,
        *,
        receives: int | None = None,
        patience: float = 25,
        validate: Callable[[Frame], None] | None = None,
    ) -> None:
        host, port = urlsplit(address).hostname, urlsplit(address).port
        self._connection = HTTPConnection(str(host), port, timeout=patience)
        if receives is not None:
            # Before it connects: afterwards the window is agreed upon already.
            self._connection.sock = socket.socket()
            self._connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
            self._connection.sock.settimeout(patience)
            self._connection.sock.connect((host, port))
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if last is not None:
            headers["Last-Event-ID"] = last
        self._connection.request("GET", path, headers=headers)
        self.response: HTTPResponse = self._connection.getresponse()
        self.status = self.response.status
        self.retry = 0
        self._validate = validate

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Hang up."""
        self.response.close()
        self._connection.close()

    def __iter__(self) -> Iterator[Frame]:
        fields: dict[str, str] = {}
        while line := self.response.readline():
            text = line.decode().rstrip("\n")
            if text:
                name, _, value = text.partition(": ")
                fields[name] = value
            else:
                self.retry = int(fields.pop("retry", self.retry))
                frame = Frame(fields["event"], fields.get("id", ""), json.loads(fields["data"]))
                assert frame.data["server_time"]
                if self._validate:
                    self._validate(frame)
                yield frame
                fields = {}

    def until(self, *events: str) -> list[Frame]:
        """Read up to and with the first frame of these kinds."""
        found = []
        for frame in self:
            found.append(frame)
            if frame.event in events:
                return found
        raise AssertionError(f"the stream ended after {[f.event for f in found]}")

    def next(self, event: str) -> Frame:
        """The next frame of this kind."""
        return self.until(event)[-1]

    def versions(self, last: int) -> list[int]:
        """The versions of the events up to `last`."""
        found = []
        for frame in self:
            if frame.event == "event":
                found.append(frame.data["event"]["v"])
                if found[-1] == last:
                    return found
        raise AssertionError(f"the stream ended at {found[-1:]}")


def stubborn(address: Callable[[], str], path: str, token: str | None, ended: Callable[[], bool]) -> Iterator[Frame]:
    """Follow a game as the documents say: whatever happens, come again with the last id, until `game_over`."""
    last: str | None = None
    while True:
        with suppress(OSError, HTTPException, ValueError), Listener(address(), path, token, last) as stream:
            if stream.status == 204:
                return
            if stream.status == 200:
                for frame in stream:
                    last = frame.id or last
                    yield frame
                    if frame.event == "game_over":
                        return
        assert not ended()
