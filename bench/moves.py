"""Moves over HTTP against a bare endpoint of the same server, interleaved in one run, AOF always, two web processes.

Also: round trips to the store and bytes of answers, counted in one process; create, join and start.
"""

import http.client
import json
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any
from unittest import mock
from urllib.parse import urlsplit

import redis
from redis.connection import AbstractConnection

from api import app_for
from bench.bare import TOKEN
from captain.store import running_url
from eventstore.store import Store
from tests.e2e.instance import Instance, running
from tests.e2e.playing import a_move
from tests.keys import KEYS
from tests.waiting import until

PLAYERS = 6
"""Threads, each with a game of its own."""
STEPS = 60

Json = dict[str, Any]


class Wire:
    """One kept connection; the thinnest client, so that what is measured is the server."""

    def __init__(self, address: str) -> None:
        place = urlsplit(address)
        self._connection = http.client.HTTPConnection(place.hostname or "", place.port)

    def call(self, method: str, path: str, token: str = "", body: Any = None) -> tuple[Json, float]:
        """The answer as JSON, and how many ms it took."""
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = None if body is None else json.dumps(body)
        began = time.perf_counter()
        self._connection.request(method, path, data, headers)
        text = self._connection.getresponse().read()
        took = (time.perf_counter() - began) * 1000
        return json.loads(text), took


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as instance, _bare(instance) as bare:
        for label, humans in (("four humans", 4), ("one human, three bots", 1)):
            moves, bares = _interleaved(instance.address, bare, humans)
            print(
                f"{label}: a move {median(moves):.1f} ms (p95 {quantiles(moves, n=20)[-1]:.1f}), the bare endpoint "
                f"{median(bares):.1f} ms; {sum(bares) / sum(moves):.2f} of its rate, {len(moves)} of each"
            )
        print(f"create, three joins and start: {_opened(instance.address):.0f} games/s, one client")
        _counted(running_url(instance.folder / "data") or "")


@contextmanager
def _bare(instance: Instance) -> Iterator[str]:
    """The bare endpoint on the store of the running system; its address."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    url = running_url(instance.folder / "data") or ""
    with redis.Redis.from_url(url) as client:
        client.set(TOKEN, "1")
    with subprocess.Popen([sys.executable, "-m", "bench.bare", str(port), url]) as process:
        address = f"http://127.0.0.1:{port}"
        until(lambda: _answers(address))
        try:
            yield address
        finally:
            process.terminate()


def _answers(address: str) -> bool:
    try:
        return "version" in Wire(address).call("POST", "/bare", body={"type": "pass", "decision": "1"})[0]
    except OSError:
        return False


def _interleaved(address: str, bare: str, humans: int) -> tuple[list[float], list[float]]:
    moves: list[float] = []
    bares: list[float] = []
    threads = [
        threading.Thread(target=_play, args=(address, bare, humans, number, moves, bares)) for number in range(PLAYERS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return moves, bares


def _play(address: str, bare: str, humans: int, number: int, moves: list[float], bares: list[float]) -> None:
    wire, other, rng = Wire(address), Wire(bare), Random(number)
    table = _Table(wire, humans)
    for step in range(STEPS):
        token, view = table.next()
        body = a_move(view["decision"], rng, bold=0)
        _, took = wire.call("POST", f"/v1/games/{table.game}/moves", token, body)
        _, least = other.call("POST", "/bare", body={"type": "pass", "decision": "1"})
        if step >= STEPS // 6:
            moves.append(took)
            bares.append(least)


class _Table:
    """A game that goes on for ever: a new one follows when it is over."""

    def __init__(self, wire: Wire, humans: int) -> None:
        self._wire = wire
        self._humans = humans
        self.game = ""
        self._tokens = [wire.call("POST", "/v1/players", body={"name": f"P{i}"})[0]["token"] for i in range(humans)]

    def next(self) -> tuple[str, Json]:
        """Who is asked now, and its view; waits for the bots."""
        while True:
            if not self.game:
                self.game = _open(self._wire, self._tokens, 4 - self._humans)
            for token in self._tokens:
                view, _ = self._wire.call("GET", f"/v1/games/{self.game}", token)
                if view["decision"]:
                    return token, view
            if view["status"] != "playing":
                self.game = ""


def _open(wire: Wire, tokens: list[str], bots: int) -> str:
    new = {"ruleset": "bluff_king", "seats": 4, "bots": ["standard"] * bots, "auto_start": True}
    game: str = wire.call("POST", "/v1/games", tokens[0], new)[0]["game"]
    for token in tokens[1:]:
        wire.call("POST", f"/v1/games/{game}/seats", token, {})
    return game


def _opened(address: str) -> float:
    wire = Wire(address)
    tokens = [wire.call("POST", "/v1/players", body={"name": f"P{i}"})[0]["token"] for i in range(4)]
    began = time.perf_counter()
    for _ in range(20):
        _open(wire, tokens, 0)
    return 20 / (time.perf_counter() - began)


def _counted(url: str) -> None:
    """Round trips of a warm move and view, and the bytes of their answers early and late in a long game."""
    store = Store(url)
    client = app_for(store, KEYS).test_client()

    def call(method: str, path: str, token: str = "", body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return client.open(path, method=method, headers=headers, json=body)

    names = [call("POST", "/v1/players", body={"name": f"P{i}"}).json["token"] for i in range(2)]
    game = _long_game(call, names)
    sizes: list[tuple[int, int]] = []
    trips: list[tuple[int, int]] = []
    rng = Random(1)
    while len(sizes) < 500:
        for token in names:
            view, seen = _trips(partial(call, "GET", f"/v1/games/{game}", token))
            if view.json["decision"]:
                body = _dull(view.json["decision"], rng)
                made, sent = _trips(partial(call, "POST", f"/v1/games/{game}/moves", token, body))
                sizes.append((len(made.data), len(view.data)))
                trips.append((sent, seen))
    store.close()
    print(
        f"round trips to the store: {median(t[0] for t in trips):.0f} a move, {median(t[1] for t in trips):.0f} a view"
    )
    for first, last in ((10, 60), (450, 500)):
        part = sizes[first:last]
        receipt, view = median(s[0] for s in part), median(s[1] for s in part)
        print(f"moves {first} to {last}: {receipt:.0f} B a receipt, {view:.0f} B a view")


def _long_game(call: Callable[..., Any], tokens: list[str]) -> str:
    new = {"ruleset": "bluff_king", "seats": 2, "auto_start": True, "options": {"decks": 2, "max_turns": 10_000}}
    game: str = call("POST", "/v1/games", tokens[0], new).json["game"]
    call("POST", f"/v1/games/{game}/seats", tokens[1], {})
    return game


def _dull(decision: Json, rng: Random) -> Json:
    """A move that keeps a game going for ever: one card at a time, and every claim challenged."""
    forms = {form["type"]: form["fields"] for form in decision["moves"]}
    if "challenge" in forms:
        return {"type": "challenge", "decision": decision["id"]}
    cards = forms["lead"]["cards"]["from"]
    return {"type": "lead", "decision": decision["id"], "cards": [rng.choice(cards)], "rank": rng.choice("A23456789")}


def _trips(call: Callable[[], Any]) -> tuple[Any, int]:
    """What `call` answers, and how many times it sent something to the store."""
    sent = 0
    send = AbstractConnection.send_packed_command

    def counting(self: Any, *args: Any, **kwargs: Any) -> Any:
        nonlocal sent
        sent += 1
        return send(self, *args, **kwargs)

    with mock.patch.object(AbstractConnection, "send_packed_command", counting):
        return call(), sent
