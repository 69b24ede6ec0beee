"""A client of a running server, as a program that plays would have it: one connection, one player."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, Self
from uuid import uuid4

import httpx

from tests.document import ours

Json = dict[str, Any]
OVER = ("finished", "aborted", "faulted")
WAIT = {"Prefer": "wait=20"}
PATIENCE_S = 30


class Client:
    """Sends requests over one kept-alive connection; `heard` is called with every answer."""

    def __init__(self, address: str, token: str | None = None, player: Json | None = None) -> None:
        self.address = address
        self.token = token
        self.player = player or {}
        self.heard: Callable[[Client, httpx.Response], None] | None = None
        self._http = httpx.Client(
            base_url=f"{address}/v1", timeout=40, limits=httpx.Limits(max_connections=1, max_keepalive_connections=1)
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def register(self, name: str) -> Self:
        """Become a new player."""
        made = self.post("/players", {"name": name})
        self.token, self.player = made["token"], made["player"]
        return self

    def twin(self) -> Client:
        """Another connection of the same player."""
        made = Client(self.address, self.token, self.player)
        made.heard = self.heard
        return made

    # --- requests --------------------------------------------------------------------------------------------------

    def send(self, method: str, path: str, body: Any = None, **kwargs: Any) -> httpx.Response:
        """Send one request; whatever comes back is returned, if it is as the document says."""
        headers = dict(kwargs.pop("headers", {}))
        if self.token:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        if body is not None:
            kwargs["json"] = body
        answer = self._http.request(method, path, headers=headers, **kwargs)
        ours().check(method, answer.request.url.path, answer.status_code, answer.headers, answer.content)
        if self.heard:
            self.heard(self, answer)
        return answer

    def get(self, path: str, **kwargs: Any) -> Json:
        return _good(self.send("GET", path, **kwargs))

    def post(self, path: str, body: Any = None, **kwargs: Any) -> Json:
        return _good(self.send("POST", path, {} if body is None else body, **kwargs))

    def put(self, path: str, body: Any, **kwargs: Any) -> Json:
        return _good(self.send("PUT", path, body, **kwargs))

    def delete(self, path: str, **kwargs: Any) -> Json:
        return _good(self.send("DELETE", path, **kwargs))

    def patiently(self, method: str, path: str, body: Any = None, wait: int = 0) -> httpx.Response:
        """Send a request until the server takes or refuses it, with one key: what a good client does in a storm."""
        headers = {"Idempotency-Key": uuid4().hex} if method != "GET" else {"Prefer": f"wait={wait}"}
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                answer = self.send(method, path, body, headers=headers)
                if answer.status_code not in (500, 502, 503):
                    return answer
                fault = answer.text
            except httpx.TransportError as error:
                fault = repr(error)
            assert time.monotonic() < deadline, f"{method} {path}: {fault}"
            time.sleep(0.02)

    # --- games -----------------------------------------------------------------------------------------------------

    def create(self, **wanted: Any) -> str:
        """Create a game of Bluff King; its id."""
        game: str = self.post("/games", {"ruleset": "bluff_king", **wanted})["game"]
        return game

    def sit(self, game: str, **wanted: Any) -> Json:
        return self.post(f"/games/{game}/seats", wanted)

    def view(self, game: str) -> Json:
        return self.get(f"/games/{game}")

    def question(self, game: str) -> Json | None:
        """The decision that waits for this player."""
        found: Json | None = self.get(f"/games/{game}/moves")["decision"]
        return found

    def move(self, game: str, move: Json, **kwargs: Any) -> httpx.Response:
        return self.send("POST", f"/games/{game}/moves", move, **kwargs)

    def log(self, game: str, after: int | str = 0, observer: str = "me") -> list[Json]:
        """All events after a place, as this player may see them."""
        found: list[Json] = []
        page: Json = {"cursor": after, "next": True}
        while page["next"]:
            page = self.get(f"/games/{game}/events", params={"after": page["cursor"], "as": observer})
            found += page["items"]
        return found

    def follow(self, game: str, after: int | str = 0, seconds: float = 60) -> Iterator[Json]:
        """The events of a game as they happen, by long poll, to its end; fails if that takes too long."""
        deadline = time.monotonic() + seconds
        while True:
            page = self.get(f"/games/{game}/events", params={"after": after}, headers=WAIT)
            yield from page["items"]
            if any(event["type"] in ("game_ended", "game_faulted") for event in page["items"]):
                return
            after = page["cursor"]
            assert time.monotonic() < deadline, f"{game} is still at {after} after {seconds} s"

    def until_asked(self, game: str, seconds: float = 60) -> Json:
        """Wait by long poll until this player must answer, or the game is over; the view then."""
        deadline = time.monotonic() + seconds
        while True:
            view = self.view(game)
            if view["decision"] or view["status"] in OVER:
                return view
            self.get(f"/games/{game}/events", params={"after": view["cursor"]}, headers=WAIT)
            assert time.monotonic() < deadline, f"{game}: nothing asked for {seconds} s"


def _good(answer: httpx.Response) -> Json:
    assert answer.is_success, f"{answer.request.method} {answer.request.url}: {answer.status_code} {answer.text}"
    body: Json = answer.json()
    return body


def code_of(answer: httpx.Response) -> str:
    """The code of a refusal, `` for a success; a refusal is a problem document, whatever it is."""
    if answer.is_success:
        return ""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    problem = answer.json()
    assert problem["status"] == answer.status_code
    assert problem["type"] == f"/problems/{problem['code']}"
    assert problem["title"]
    assert problem["detail"]
    return str(problem["code"])
