"""Fixtures: a real server a test session, a clean one a test, and fakeredis for logic alone."""

from collections.abc import Iterator
from pathlib import Path

import fakeredis
import pytest
from redis import Redis

from eventstore import connect
from eventstore.log import Log
from eventstore.owed import Owed
from eventstore.scripts import scripts
from tests.eventstore.server import Server
from tests.eventstore.world import World

DURABLE = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("store"), **DURABLE).start()
    yield server
    server.kill()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that the test may kill and damage."""
    server = Server(tmp_path, **DURABLE).start()
    yield server
    server.kill()


@pytest.fixture
def client(server: Server) -> Iterator[Redis]:
    client = server.client()
    client.flushall()
    yield client
    client.close()
    client.connection_pool.disconnect()


@pytest.fixture
def log(client: Redis) -> Log:
    return Log(client)


@pytest.fixture
def owed(client: Redis) -> Owed:
    return Owed(client)


def fake_client() -> Redis:
    return connect.raw_streams(fakeredis.FakeRedis(protocol=2, legacy_responses=False))


@pytest.fixture(params=["real", "fake"])
def world(request: pytest.FixtureRequest) -> World:
    """The contract is held against a real server and against fakeredis."""
    if request.param == "real":
        return World(request.getfixturevalue("client"), scripts())
    return World(fake_client(), scripts().without_shebang())
