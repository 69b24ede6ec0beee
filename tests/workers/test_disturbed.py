"""Workers killed, stopped and continued, the queue wiped, the store away: every game ends, no turn is taken twice."""

from __future__ import annotations

import os
import random
import signal
import time

import pytest

from captain.store import EmbeddedStore
from tests.waiting import until
from tests.workers.world import World
from workers.reconcile import reconcile_all

CHAOS_S = float(os.environ.get("CHAOS_SECONDS", "0"))


def _wipe(world: World) -> None:
    keys = world.client.keys("rq:*")
    if keys:
        world.client.delete(*keys)


def _all_well(world: World, games: list[str], seconds: float = 60) -> None:
    until(lambda: all(world.over(game) for game in games), seconds)
    until(world.settled, 20)
    for game in games:
        assert world.types(game)[-1] == "game_ended"
        world.assert_whole(game)
    assert reconcile_all(world.store) == []


@pytest.mark.slow
def test_games_end_although_all_of_the_queue_is_wiped_again_and_again(world: World) -> None:
    world.start_all()
    games = [world.create(2, host_seat=None) for _ in range(3)]
    for _ in range(2):
        goal = sum(world.store.repository.version(game) for game in games) + 10
        until(lambda goal=goal: sum(map(world.store.repository.version, games)) >= goal or all(map(world.over, games)))
        _wipe(world)
    _all_well(world, games)


@pytest.mark.slow
def test_games_end_although_workers_are_killed_at_any_moment(world: World) -> None:
    world.start_all()
    games = [world.create(2, host_seat=None) for _ in range(3)]
    for _ in range(3):
        goal = sum(world.store.repository.version(game) for game in games) + random.randrange(3, 12)
        until(lambda goal=goal: sum(map(world.store.repository.version, games)) >= goal or all(map(world.over, games)))
        victim = random.choice([p for p in world.processes if p.poll() is None])
        command = victim.args[-1]
        victim.kill()
        victim.wait()
        world.start(command)
    _all_well(world, games)


@pytest.mark.slow
def test_a_worker_stopped_past_its_lease_and_continued_moves_for_nobody(world: World) -> None:
    sleeper, _ = world.start("work", "sweep")
    until(lambda: world.client.smembers("rq:workers"))
    games = [world.create(2, host_seat=None) for _ in range(3)]
    until(lambda: sum(map(world.store.repository.version, games)) > 25)
    sleeper.send_signal(signal.SIGSTOP)
    world.start("work")
    _all_well(world, games)
    versions = [world.store.repository.version(game) for game in games]
    sleeper.send_signal(signal.SIGCONT)
    world.stop_all()
    assert [world.store.repository.version(game) for game in games] == versions
    assert {process.returncode for process in world.processes} == {0}


@pytest.mark.slow
def test_workers_and_sweeper_survive_the_store_going_away(tmp_path) -> None:
    with EmbeddedStore(tmp_path) as server:
        world = World(server.url)
        world.start_all()
        games = [world.create(3, host_seat=None) for _ in range(2)]
        until(lambda: sum(map(world.store.repository.version, games)) > 20)
        server.kill()
        server._process.wait()
        server.launch()
        until(server.settled)
        try:
            _all_well(world, games)
            assert all(process.poll() is None for process in world.processes)
            world.stop_all()
        finally:
            world.close()


@pytest.mark.skipif(not CHAOS_S, reason="the long form: make chaos")
def test_chaos(world: World) -> None:
    """For `CHAOS_SECONDS`: games begin all the time while workers die or freeze, and the queue is wiped."""
    world.start_all()
    games: list[str] = []
    end = time.monotonic() + CHAOS_S
    while time.monotonic() < end:
        games.append(world.create(random.randrange(2, 6), host_seat=None))
        running = [p for p in world.processes if p.poll() is None]
        victim = random.choice(running)
        deed = random.choice(["kill", "kill", "stop", "wipe", "nothing"])
        if deed == "kill":
            victim.kill()
            victim.wait()
            world.start(victim.args[-1])
        elif deed == "stop":
            victim.send_signal(signal.SIGSTOP)
            time.sleep(random.choice([0.1, 1, 7]))
            victim.send_signal(signal.SIGCONT)
        elif deed == "wipe":
            _wipe(world)
        time.sleep(random.random())
    _all_well(world, games, 120)
