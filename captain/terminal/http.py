"""The API over HTTP: what got no answer is sent again, with the same key, as the API's documentation says."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import datetime
from typing import Any, Self
from uuid import uuid4

import httpx

Json = dict[str, Any]

WAIT_S = 20
"""How long a long poll may wait for an event."""

PATIENCE_S = 60.0
"""How long a request is tried again before the server counts as unreachable."""

_LONGEST_PAUSE_S = 5.0
_TRY_AGAIN = frozenset((429, 500, 502, 503, 504))


class Refused(Exception):
    """The server said no: the code and the facts of its problem document."""

    def __init__(self, problem: Json) -> None:
        self.code = str(problem.get("code", "?"))
        self.facts = problem
        super().__init__(self._text())

    def _text(self) -> str:
        faults = [f"{e.get('pointer') or e.get('parameter', '')} {e.get('detail')}" for e in self._list("errors")]
        said = f"{self.facts.get('title', self.code)}. {self.facts.get('detail', '')}".strip()
        return "; ".join([said, *(fault.strip() for fault in faults)])

    def _list(self, name: str) -> list[Json]:
        found = self.facts.get(name)
        return found if isinstance(found, list) else []


class Unreachable(Exception):
    """Nothing that understands us answers at the address."""


class Server:
    """One connection to one server, with a token or without.

    `say` is told when an answer is late, `keep` is given the answer to each change. `ahead` is by how many seconds the
    server's clock is ahead of ours.
    """

    def __init__(
        self,
        address: str,
        token: str | None = None,
        *,
        say: Callable[[str], None] | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.address = address.rstrip("/")
        self.token = token
        self.ahead = 0.0
        self.say: Callable[[str], None] = say or (lambda _: None)
        self.keep: Callable[[Json], None] = lambda _: None
        self._transport = transport
        self._http = httpx.Client(
            base_url=f"{self.address}/v1", timeout=httpx.Timeout(10.0, read=30.0), transport=transport
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the connection go."""
        self._http.close()

    def twin(self) -> Server:
        """Another connection of the same player; a silent one, as it is for another thread."""
        return Server(self.address, self.token, transport=self._transport)

    def get(self, path: str, params: Mapping[str, Any] | None = None, wait: int | None = None) -> Json:
        """Read something; `wait` is a long poll. Raises Refused, Unreachable."""
        headers = {} if wait is None else {"Prefer": f"wait={wait}"}
        answer = self._send("GET", path, headers=headers, params=params, read=WAIT_S + 15.0 if wait else None)
        return _document(answer)

    def lines(self, path: str, params: Mapping[str, Any] | None = None) -> list[str]:
        """Read the lines of a text. Raises Refused, Unreachable."""
        return self._send("GET", path, params=params).text.splitlines()

    def stream(self, path: str, params: Mapping[str, Any] | None = None) -> Iterator[str]:
        """The lines of an endless answer as they come; none when the server has no more to say (204).

        Raises Refused, Unreachable; what breaks the stream later is raised as it is, `httpx.TransportError`.
        """
        request = self._http.build_request("GET", path, params=params, headers=self._headers(None))
        with closing(self._sent(lambda: self._http.send(request, stream=True))) as answer:
            if not answer.is_success:
                answer.read()
            yield from self._good(answer).iter_lines()

    def do(self, method: str, path: str, body: Json | None = None) -> Json:
        """Change something, once, however often it must be sent. Raises Refused, Unreachable."""
        answer = _document(self._send(method, path, body, {"Idempotency-Key": uuid4().hex}))
        self.keep(answer)
        return answer

    def _send(
        self,
        method: str,
        path: str,
        body: Json | None = None,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, Any] | None = None,
        read: float | None = None,
    ) -> httpx.Response:
        """Send one request and return the answer if it is a good one."""
        kwargs: dict[str, Any] = {"headers": self._headers(headers), "params": params}
        if body is not None:
            kwargs["json"] = body
        if read is not None:
            kwargs["timeout"] = httpx.Timeout(10.0, read=read)
        return self._good(self._sent(lambda: self._http.request(method, path, **kwargs)))

    def _sent(self, send: Callable[[], httpx.Response]) -> httpx.Response:
        """Send until there is an answer to go by."""
        deadline = time.monotonic() + PATIENCE_S
        pause = 0.1
        while True:
            try:
                answer = send()
            except httpx.UnsupportedProtocol as error:
                raise Unreachable(f"{self.address}: {error}") from None
            except httpx.TransportError as error:
                trouble, least = str(error) or type(error).__name__, 0.0
            else:
                if answer.status_code not in _TRY_AGAIN:
                    return answer
                answer.close()
                trouble, least = f"status {answer.status_code}", _seconds(answer.headers.get("Retry-After"))
            if time.monotonic() + max(pause, least) > deadline:
                raise Unreachable(f"{self.address} does not answer: {trouble}")
            if pause > 0.3:
                self.say(f"No answer from {self.address} ({trouble}); trying again ...")
            time.sleep(max(pause, least))
            pause = min(pause * 2, _LONGEST_PAUSE_S)

    def _headers(self, more: Mapping[str, str] | None) -> dict[str, str]:
        token = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return {**token, **(more or {})}

    def _good(self, answer: httpx.Response) -> httpx.Response:
        told = answer.headers.get("Server-Time")
        if told:
            self.ahead = datetime.fromisoformat(told).timestamp() - time.time()
        if answer.is_success:
            return answer
        raise Refused({"title": f"Status {answer.status_code}", **_document(answer)})


def _document(answer: httpx.Response) -> Json:
    """The JSON object in an answer."""
    try:
        body = answer.json()
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise Unreachable(f"{answer.request.url} does not speak the API of Captain's Table.")
    return body


def _seconds(text: str | None) -> float:
    """The seconds of a Retry-After; a date in it is not worth the reading."""
    return min(float(text), _LONGEST_PAUSE_S) if text and text.isdigit() else 0.0
