"""One application over a real store for the session, which is empty at the start of each file."""

import os
import socket
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from typing import Any

import pytest
from flask import Flask

from api import app_for
from captain.child import launch
from captain.store import EmbeddedStore
from eventstore.store import Store
from tests import recording
from tests.api.client import Client, validator
from tests.api.sse import Frame, Listener
from tests.keys import KEYS, key_file
from tests.waiting import until
from workers.index import index_game

same_chance = recording.same_chance


@pytest.fixture(scope="session")
def opened(store: EmbeddedStore) -> Iterator[Store]:
    """The store that the application answers from."""
    made = Store(store.url, allow_unsafe=True)
    made.follow()
    yield made
    made.close()


@pytest.fixture(scope="module", autouse=True)
def _empty(opened: Store) -> None:
    """Other suites use the store of the process too: their games, and marks of when they last swept, are not ours."""
    opened.writer.flushall()


@pytest.fixture(scope="session")
def app(opened: Store) -> Flask:
    return app_for(opened, KEYS)


@pytest.fixture
def anybody(app: Flask) -> Client:
    """A client without a token."""
    return Client(app)


@pytest.fixture
def ann(anybody: Client) -> Client:
    return anybody.join("Ann")


@pytest.fixture
def bob(anybody: Client) -> Client:
    return anybody.join("Bob")


@pytest.fixture
def table(ann: Client, bob: Client) -> str:
    """A running game for two; Ann is host and sits at seat 0, Bob at seat 1."""
    game = ann.game(auto_start=True)
    assert bob.post(f"/v1/games/{game}/seats", {}).status_code == 201
    return game


@pytest.fixture
def version(opened: Store):
    """How long the log of a game is: what must not change when something is refused."""
    return opened.repository.version


@pytest.fixture
def size(opened: Store):
    """How many keys the store holds: what must not change when a game is not created."""
    return opened.reader.dbsize


@pytest.fixture
def listed(opened: Store):
    """Do what a worker does after an append: write the lists of these games."""

    def write(*games: str) -> None:
        for game in games:
            assert index_game(opened, game)

    return write


class Web:
    """A `captain web` with two processes over the session's store; `address` is where it answers."""

    def __init__(self, url: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            listener.set_inheritable(True)
            self.address = f"http://127.0.0.1:{listener.getsockname()[1]}"
            env = {**os.environ, "REDIS_URL": url, "ALLOW_UNSAFE_STORE": "1", "SIGNING_KEYS": str(key_file())}
            env["RATE_LIMITS"] = "off"
            command = [sys.executable, "-m", "captain", "web", "--fd", str(listener.fileno())]
            self.process = launch(command, env=env, pass_fds=(listener.fileno(),))
        until(self._answers, 60)

    def _answers(self) -> bool:
        with suppress(OSError), urllib.request.urlopen(f"{self.address}/healthz", timeout=20) as answer:
            return bool(answer.status == 200)
        return False

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(20)


@pytest.fixture(scope="session")
def web(store: EmbeddedStore) -> Iterator[Web]:
    made = Web(store.url)
    yield made
    made.stop()


@pytest.fixture
def doomed_web(store: EmbeddedStore) -> Iterator[Web]:
    """A server of the test's own, to be stopped."""
    made = Web(store.url)
    yield made
    made.stop()


@pytest.fixture
def listen(web: Web, app: Flask) -> Iterator[Callable[..., Listener]]:
    """Open a stream of a game: `listen(ann, game)`; each frame is held against the document."""

    def validate(frame: Frame) -> None:
        shown = {"event": frame.event, "data": frame.data} | ({"id": frame.id} if frame.id else {})
        validator(id(app), "#/components/schemas/StreamFrame", app).validate(shown)
        recording.note_frame(shown)

    with ExitStack() as stack:

        def start(client: Client, game: str, query: str = "", **options: Any) -> Listener:
            address = options.pop("address", web.address)
            path = f"/v1/games/{game}/stream{query}"
            return stack.enter_context(Listener(address, path, client.token, validate=validate, **options))

        yield start
