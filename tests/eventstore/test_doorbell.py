"""The doorbell: rings once an append, survives restarts and trims, and never holds a connection a waiter."""

import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from time import monotonic

import pytest

from eventstore import connect
from eventstore.doorbell import Doorbell
from eventstore.keys import game_keys, shard_keys, shard_of
from eventstore.log import Log
from eventstore.scripts import scripts
from tests.eventstore.server import Server, until
from tests.eventstore.world import GAME, World


@pytest.fixture
def world(client) -> World:
    return World(client, scripts())


def bell_at(server: Server, log: Log) -> Doorbell:
    return Doorbell(connect.blocking(server.url, 200), lambda game: log.head(game).version, block_ms=200)


@pytest.fixture
def bell(server: Server, log: Log) -> Iterator[Doorbell]:
    bell = bell_at(server, log)
    assert bell.start()
    yield bell
    bell.stop()


def test_each_append_rings_with_game_and_version(world: World, bell: Doorbell) -> None:
    heard: queue.Queue[tuple[str, int]] = queue.Queue()
    end = bell.listen(lambda game, version: heard.put((game, version)))
    games = [f"G{n}" for n in range(100)]
    for game in games:
        world.append("one", game=game)
    assert {heard.get(timeout=5) for _ in games} == {(game, 1) for game in games}
    end()
    world.append("two")
    assert bell.wait_for(GAME, 0, 5)
    assert heard.empty()


def test_what_was_rung_before_the_start_is_not_rung_again(world: World, server: Server) -> None:
    world.append("one")
    bell = bell_at(server, world.log)
    heard: queue.Queue[tuple[str, int]] = queue.Queue()
    bell.listen(lambda game, version: heard.put((game, version)))
    assert bell.start()
    world.append("two")
    assert heard.get(timeout=5) == (GAME, 2)
    bell.stop()


def test_a_listener_that_fails_silences_nobody(world: World, bell: Doorbell, caplog) -> None:
    heard: queue.Queue[int] = queue.Queue()
    bell.listen(lambda *_: 1 / 0)
    bell.listen(lambda _, version: heard.put(version))
    for expected in (1, 2):
        world.append(f"n{expected}")
        assert heard.get(timeout=5) == expected
    assert "a listener failed" in caplog.text


def test_an_entry_that_is_no_ring_does_not_end_the_reader(world: World, bell: Doorbell, caplog) -> None:
    world.client.execute_command("XADD", shard_keys(shard_of(GAME)).bell, "*", "odd", "")
    heard: queue.Queue[int] = queue.Queue()
    bell.listen(lambda _, version: heard.put(version))
    world.append("one")
    assert heard.get(timeout=5) == 1
    assert "failed, going on" in caplog.text


def test_waiting_ends_with_the_append_and_not_before(world: World, bell: Doorbell) -> None:
    world.append("one")
    assert bell.wait_for(GAME, 0, 5)
    assert not bell.wait_for(GAME, 1, 0.05)
    woken: queue.Queue[bool] = queue.Queue()
    waiters = [threading.Thread(target=lambda: woken.put(bell.wait_for(GAME, 1, 10))) for _ in range(20)]
    for waiter in waiters:
        waiter.start()
    until(lambda: len(bell._waiters.get(GAME, ())) == 20)
    world.append("elsewhere", game="other")
    assert woken.empty()
    world.append("two")
    assert [woken.get(timeout=2) for _ in waiters] == [True] * 20
    for waiter in waiters:
        waiter.join()
    assert bell._waiters == {}


def test_an_append_between_reading_and_waiting_is_not_missed(world: World, bell: Doorbell) -> None:
    with bell.watch(GAME) as waiter:
        world.append("one")
        until(lambda: waiter.version == 1)
        assert waiter.wait(0, 0)


def test_a_lost_doorbell_is_made_up_for_by_looking_again(world: World, bell: Doorbell) -> None:
    started = monotonic()
    woken: queue.Queue[bool] = queue.Queue()
    waiter = threading.Thread(target=lambda: woken.put(bell.wait_for(GAME, 0, 10, recheck_s=0.1)))
    waiter.start()
    until(lambda: bell._waiters)
    world.client.hset(game_keys(GAME).meta, "v", 1)
    assert woken.get(timeout=5)
    assert monotonic() - started < 5
    waiter.join()


def test_stopping_lets_everybody_go(world: World, server: Server) -> None:
    bell = bell_at(server, world.log)
    bell.start()
    woken: queue.Queue[bool] = queue.Queue()
    waiter = threading.Thread(target=lambda: woken.put(bell.wait_for(GAME, 0, 60)))
    waiter.start()
    until(lambda: bell._waiters)
    reader = bell._thread
    assert reader is not None
    bell.stop()
    assert woken.get(timeout=5) is False
    waiter.join()
    assert not reader.is_alive()


def test_a_store_that_is_killed_and_comes_back_is_followed_on(own_server: Server) -> None:
    log = Log(own_server.client())
    world, bell = World(own_server.client(), scripts()), bell_at(own_server, log)
    heard: queue.Queue[int] = queue.Queue()
    bell.listen(lambda _, version: heard.put(version))
    assert bell.start()
    world.append("one")
    assert heard.get(timeout=5) == 1
    own_server.kill()
    own_server.start()
    reply = until(lambda: _try_append(world, "two"))
    assert heard.get(timeout=10) == reply.version
    bell.stop()


def _try_append(world: World, name: str):
    from redis.exceptions import RedisError

    from eventstore.errors import StoreError

    try:
        return world.append(name)
    except (RedisError, StoreError):
        return None


def test_a_store_that_lost_its_bells_or_its_time_is_followed_on(world: World, server: Server) -> None:
    """After a failover the doorbell's ids may be behind those that the reader has seen."""
    key = shard_keys(shard_of(GAME)).bell
    world.client.execute_command("XADD", key, "99999999999999-0", "g", GAME, "v", 1)
    bell = bell_at(server, world.log)
    heard: queue.Queue[int] = queue.Queue()
    bell.listen(lambda _, version: heard.put(version))
    assert bell.start()
    world.client.delete(key)
    world.append("one")
    with world.client.pipeline(transaction=False) as pipe:
        pipe.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        pipe.execute()
    # Now at the end of what there is: the next one is heard.
    until(lambda: bell._after[key.encode()] < b"9")
    world.append("two")
    assert heard.get(timeout=5) == 2
    bell.stop()


def test_the_reader_starts_without_a_store_and_finds_it_later(own_server: Server) -> None:
    own_server.kill()
    world = World(own_server.client(), scripts())
    bell = bell_at(own_server, world.log)
    assert not bell.start(timeout=0.1)
    heard: queue.Queue[int] = queue.Queue()
    bell.listen(lambda _, version: heard.put(version))
    own_server.start()
    assert bell._ready.wait(10)
    world.append("one")
    assert heard.get(timeout=5) == 1
    bell.stop()


@pytest.mark.usefixtures("client")
def test_under_gevent_five_hundred_wait_on_one_connection(server: Server) -> None:
    pytest.importorskip("gevent")
    program = f"""
from gevent import monkey; monkey.patch_all()
import gevent
from eventstore import connect
from eventstore.doorbell import Doorbell
from eventstore.log import Log
from eventstore.scripts import scripts
from tests.eventstore.world import GAME, World
client = connect.appending({server.url!r}, connections=4)
log = Log(client)
bell = Doorbell(connect.blocking({server.url!r}, 200), lambda game: log.head(game).version, block_ms=200)
assert bell.start()
waiting = [gevent.spawn(bell.wait_for, GAME, 0, 20) for _ in range(500)]
while len(bell._waiters.get(GAME, ())) < 500: gevent.sleep(0.01)
World(client, scripts()).append("one")
gevent.joinall(waiting, timeout=10, raise_error=True)
assert all(w.value for w in waiting)
assert client.info("clients")["connected_clients"] < 20
bell.stop()
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 0, ended.stderr[-3000:]


def test_the_reader_says_for_how_long_it_has_heard_nothing(server: Server, log: Log) -> None:
    bell = bell_at(server, log)
    assert bell.silence_s is None
    assert bell.start()
    assert until(lambda: bell.silence_s is not None and bell.silence_s < 0.5)
    server.kill()
    assert until(lambda: bell.silence_s is not None and bell.silence_s > 1)
    server.start()
    assert until(lambda: bell.silence_s is not None and bell.silence_s < 0.5)
    bell.stop()
    assert bell.silence_s is None
