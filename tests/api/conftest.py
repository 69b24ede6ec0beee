"""One application over a real store for the session; a clean store for each test."""

from collections.abc import Iterator

import pytest
from flask import Flask

from api import app_for
from captain.store import EmbeddedStore
from eventstore.store import Store
from tests.api.client import Client
from workers.index import index_game


@pytest.fixture(scope="session")
def opened(store: EmbeddedStore) -> Iterator[Store]:
    """The store that the application answers from."""
    made = Store(store.url, allow_unsafe=True)
    made.follow()
    yield made
    made.close()


@pytest.fixture(scope="session")
def app(opened: Store) -> Flask:
    return app_for(opened)


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
