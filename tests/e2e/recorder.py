"""Everything that a server sends to anybody about one game, and whose eyes it was meant for."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.e2e.client import Client

STRANGER = -1
"""Whoever has no seat: a spectator, a stranger, one who resigned."""


@dataclass(frozen=True)
class Heard:
    """One answer: to whom, to what, and the version of the game for which it stands (None: not told).

    `now` says that this was the newest version then: neither a page of old events nor a receipt sent again.
    """

    observer: int
    asked: str
    request: str
    answer: str
    version: int | None
    now: bool = False


@dataclass
class Recorder:
    """Listens to clients; `observers` says who each of them is at the moment."""

    game: str = ""
    observers: dict[Client, int] = field(default_factory=dict)
    heard: list[Heard] = field(default_factory=list)

    def listen(self, client: Client, observer: int) -> Client:
        self.observers[client] = observer
        client.heard = self._note
        return client

    def _note(self, client: Client, answer: httpx.Response) -> None:
        request = answer.request
        if request.url.path == "/v1/players":
            return  # a token is random text, and may look like anything
        said = f"{request.url.raw_path.decode()} {request.content.decode(errors='replace')}"
        headers = "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
        told = f"{headers}\n\n{answer.text}"
        version = _version(answer) if self.game and f"/games/{self.game}" in request.url.path else None
        now = request.method == "GET" and request.url.path.rpartition("/")[2] in (self.game, "moves")
        self.heard.append(Heard(self.observers[client], str(request.url), said, told, version, now))


def _version(answer: httpx.Response) -> int | None:
    """The version that an answer of a game stands for, if it tells."""
    if not answer.is_success or answer.headers["content-type"] != "application/json":
        return None
    body: dict[str, Any] = json.loads(answer.text)
    return int(body["cursor"].partition("-")[0]) if "cursor" in body else None
