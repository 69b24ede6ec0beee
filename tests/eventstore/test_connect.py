"""Clients by purpose, and the refusal of a store that could lose events."""

import socket
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from redis.exceptions import ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

from eventstore import connect
from eventstore.connect import Durability, check_store
from eventstore.errors import NotReplicated, StoreFull, StoreUnavailable, UnsafeStore
from eventstore.keys import game_keys
from eventstore.log import Log
from eventstore.replies import Appended, Batch, Dup
from eventstore.scripts import scripts
from tests.eventstore.server import Server, free_port, until
from tests.eventstore.world import GAME, World, command, record

SAFE = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}


@pytest.mark.parametrize(
    ("setting", "value", "level"),
    [
        ("appendonly", "no", None),
        ("appendfsync", "no", None),
        ("appendfsync", "everysec", Durability.EVERYSEC),
        ("appendfsync", "always", Durability.ALWAYS),
        ("maxmemory-policy", "allkeys-lru", None),
        ("maxmemory-policy", "volatile-ttl", None),
    ],
)
def test_a_store_is_used_only_if_its_settings_are_safe(client, setting, value, level) -> None:
    client.config_set(setting, value)
    try:
        if level is None:
            with pytest.raises(UnsafeStore, match=f"{setting}.*{value}.*set it to"):
                check_store(client)
            assert check_store(client, allow_unsafe=True) is Durability.DEV
        else:
            assert check_store(client) is level
            assert check_store(client, replicas=1) is (
                Durability.REPLICATED if level is Durability.ALWAYS else Durability.EVERYSEC
            )
    finally:
        for name, safe in SAFE.items():
            client.config_set(name, safe)


def test_a_server_that_does_not_tell_is_not_safe() -> None:
    class Silent:
        def execute_command(self, *_words: object) -> dict[bytes, bytes]:
            return {}

    class Hosted:
        def execute_command(self, *_words: object) -> None:
            raise ResponseError("unknown command 'CONFIG'")

    for store in (Silent(), Hosted()):
        with pytest.raises(UnsafeStore, match="unknown"):
            check_store(store)


@pytest.fixture
def silent_port():
    """A server that takes what it is sent and never answers; counts the connections."""
    listener = socket.create_server(("127.0.0.1", 0))
    taken: list[socket.socket] = []

    def accept() -> None:
        while True:
            try:
                taken.append(listener.accept()[0])
            except OSError:
                return

    thread = threading.Thread(target=accept)
    thread.start()
    yield listener.getsockname()[1], taken
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join()
    for connection in taken:
        connection.close()


def test_the_appending_client_sends_nothing_twice(silent_port) -> None:
    port, taken = silent_port
    client = connect.appending(f"redis://127.0.0.1:{port}/0", socket_timeout=0.1)
    with pytest.raises(RedisTimeoutError):
        client.execute_command("APPEND", "k", "v")
    assert len(taken) == 1
    client.connection_pool.disconnect()


def test_a_store_that_never_answers_is_unavailable_after_a_bounded_number_of_tries(silent_port) -> None:
    port, taken = silent_port
    client = connect.appending(f"redis://127.0.0.1:{port}/0", socket_timeout=0.05)
    log = Log(client, retry_pauses_s=(0.0, 0.01))
    batch = World(client, scripts()).batch
    with pytest.raises(RedisTimeoutError):
        batch("x")
    before = len(taken)
    with pytest.raises(StoreUnavailable, match="same command id"):
        log.append(_batch())
    assert len(taken) - before == 3
    client.connection_pool.disconnect()


def test_a_store_that_is_not_there_is_unavailable() -> None:
    log = Log(connect.appending(f"redis://127.0.0.1:{free_port()}/0"), retry_pauses_s=(0.0,))
    with pytest.raises(StoreUnavailable):
        log.append(_batch())


def _batch() -> Batch:
    return Batch(
        game=GAME,
        command=command("x"),
        expected_version=0,
        expected_head="",
        at=0,
        records=(record(),),
        head="0" * 64,
    )


def test_a_blocking_read_longer_than_redis_pys_own_timeout_is_possible() -> None:
    client = connect.blocking("redis://127.0.0.1/0", 20_000)
    settings = client.connection_pool.connection_kwargs
    assert settings["socket_timeout"] == 25
    assert settings["retry"].get_retries() == 0


def test_a_full_store_says_so_and_writes_nothing(own_server: Server) -> None:
    client = own_server.client()
    world = World(client, scripts())
    world.append("one")
    before = world.everything()
    client.config_set("maxmemory", 1)
    batch = world.batch("two", record("x" * 1000))
    with pytest.raises(StoreFull):
        world.log.append(batch)
    assert world.everything() == before
    client.config_set("maxmemory", 0)
    assert isinstance(world.log.append(batch), Appended)


def test_memory_that_fills_up_under_appends_never_leaves_half_a_batch(own_server: Server) -> None:
    client = own_server.client()
    world = World(client, scripts())
    world.append("one")
    client.config_set("maxmemory", client.info("memory")["used_memory"] + 200_000)
    saved = 1
    with suppress(StoreFull):
        for n in range(2000):
            reply = world.append(f"n{n}", record("x" * 700), record("y" * 700), record("z" * 700))
            saved = reply.version
    assert 1 < saved < 6000
    head, records = world.log.load(GAME)
    assert head.version == saved == len(records)
    assert client.hlen(game_keys(GAME).commands) == 1 + (saved - 1) // 3


def test_a_store_that_takes_no_writes_is_unavailable_and_writes_nothing(own_server: Server) -> None:
    client = own_server.client()
    world = World(client, scripts())
    batch = world.batch("one")
    client.config_set("min-replicas-to-write", 1)
    with pytest.raises(StoreUnavailable, match="NOREPLICAS"):
        world.log.append(batch)
    client.config_set("min-replicas-to-write", 0)
    client.execute_command("REPLICAOF", "127.0.0.1", free_port())
    with pytest.raises(StoreUnavailable):
        world.log.append(batch)
    client.execute_command("REPLICAOF", "NO", "ONE")
    assert isinstance(world.log.append(batch), Appended)


def test_an_append_is_confirmed_by_a_replica_or_says_that_it_is_not(own_server: Server, tmp_path: Path) -> None:
    primary = own_server.client()
    primary.config_set("repl-diskless-sync-delay", 0)
    lonely = Log(primary, replicas=1, replica_timeout_ms=50)
    world = World(primary, scripts())
    first = world.batch("one")
    with pytest.raises(NotReplicated, match="0 of 1"):
        lonely.append(first)
    with pytest.raises(NotReplicated):
        lonely.append(first)  # a repeat is not confirmed either
    folder = tmp_path / "replica"
    folder.mkdir()
    replica = Server(folder, replicaof=f"127.0.0.1 {own_server.port}").start()
    try:
        until(lambda: primary.info("replication")["connected_slaves"] == 1)
        safe = Log(primary, replicas=1, replica_timeout_ms=5000)
        assert isinstance(safe.append(first), Dup)
        primary.script_flush()
        assert isinstance(safe.append(world.batch("two")), Appended)
        assert Log(replica.client()).head(GAME).version == 2
    finally:
        replica.kill()
