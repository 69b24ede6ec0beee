"""`captain web` is stopped while people are in the middle of things: each gets a proper end, and in time."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from captain.store import EmbeddedStore
from tests.api.sse import Listener
from tests.e2e.client import Client
from tests.e2e.instance import ROOT
from tests.keys import key_file
from tests.waiting import until

REFUSED = 0


class Web:
    """A `captain web` on a port of its own, with nobody to restart it."""

    def __init__(self, url: str, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        env = {**os.environ, "REDIS_URL": url, "ALLOW_UNSAFE_STORE": "1", "SIGNING_KEYS": str(key_file())}
        env |= {"PORT": str(port), "PYTHONPATH": ROOT}
        self._log = folder / "log"
        with self._log.open("w") as log:
            self.process = subprocess.Popen([sys.executable, "-m", "captain", "web"], env=env, cwd=folder, stderr=log)
        until(lambda: self.status("/healthz") == 200, 60)

    def status(self, path: str) -> int:
        try:
            return httpx.get(self.address + path, timeout=5).status_code
        except httpx.TransportError:
            return REFUSED

    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._log.read_text().splitlines()]


@pytest.fixture
def web(store: EmbeddedStore, tmp_path: Path) -> Iterator[Web]:
    made = Web(store.url, tmp_path)
    yield made
    if made.process.poll() is None:
        made.process.kill()
    made.process.wait(20)


def slow_post(address: str, begun: threading.Event, go_on: threading.Event) -> bytes:
    """A request whose body comes in two halves, the second one when told; all of the answer."""
    body = b'{"name": "Slow"}'
    place = urlsplit(address)
    with socket.create_connection((place.hostname, place.port), timeout=20) as wire:
        head = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        wire.sendall(head % len(body) + body[:5])
        begun.set()
        assert go_on.wait(20)
        time.sleep(1)
        wire.sendall(body[5:])
        found = b""
        while data := wire.recv(65536):
            found += data
        return found


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    began = time.monotonic()
    return call(), time.monotonic() - began


@pytest.mark.slow
def test_a_stream_a_long_poll_and_a_slow_post_all_end_properly(web: Web) -> None:
    with Client(web.address) as ann, Client(web.address) as bob, ThreadPoolExecutor(3) as pool:
        ann.register("Ann")
        game = ann.create(bots=["novice"], auto_start=True, clock={"bot_pace_ms": 60_000, "decision_ms": 600_000})
        cursor = ann.view(game)["cursor"]
        begun, go_on = threading.Event(), threading.Event()
        with Listener(web.address, f"/v1/games/{game}/stream", ann.token) as stream:
            frames = iter(stream)
            assert next(frames).event == "snapshot"
            told = pool.submit(lambda: [frame.event for frame in frames])
            poll = pool.submit(
                timed, lambda: bob.get(f"/games/{game}/events?after={cursor}", headers={"Prefer": "wait=25"})
            )
            post = pool.submit(slow_post, web.address, begun, go_on)
            assert begun.wait(10)
            assert web.status("/readyz") == 200
            time.sleep(0.3)  # the long poll is under way, too

            web.process.send_signal(signal.SIGTERM)
            go_on.set()
            assert told.result(10)[-1:] == ["shutdown"]
            time.sleep(0.1)  # the other process has heard of it, too
            seen = [web.status("/readyz") for _ in range(10)]
            assert set(seen) <= {503, REFUSED}, "ready no more"
            page, waited = poll.result(10)
            assert page["items"] == []
            assert page["cursor"] == cursor
            assert waited < 10
            head, _, body = post.result(10).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 201 ")
            assert json.loads(body)["token"]
        assert web.process.wait(20) == 0
    records = web.records()
    ended = {record["route"]: record["status"] for record in records if record["event"] == "request"}
    assert ended["/v1/games/{game}/stream"] == ended["/v1/games/{game}/events"] == 200
    assert ended["/v1/players"] == 201


@pytest.mark.slow
def test_idle_connections_do_not_hold_it_up(web: Web) -> None:
    """They are closed cleanly, and one whose request has just begun to arrive is left alone or closed."""
    place = urlsplit(web.address)
    with Client(web.address) as ann, socket.create_connection((place.hostname, place.port), timeout=20) as silent:
        ann.register("Ann")
        silent.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        said = b""
        while not said.endswith(b"}"):
            said += silent.recv(65536)
        web.process.send_signal(signal.SIGTERM)
        end, took = timed(lambda: silent.recv(65536))
        assert end == b"", "closed, not reset"
        assert took < 3, "and not by the kill that comes after the grace"
        assert web.process.wait(20) == 0
