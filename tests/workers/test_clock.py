"""Deadlines: never early, not late, with nobody connected; away, and back."""

import threading

import pytest

from domain.commands import TakeBack
from eventstore.keys import shard_keys, shard_of
from eventstore.obligation import Obligation
from eventstore.owed import Claim
from tests.waiting import until
from tests.workers.world import HOST, World, history, lateness
from workers import chores, jobs

SOON = {"decision_ms": 1000, "grace_ms": 50}


@pytest.mark.slow
def test_deadlines_fire_in_time_and_never_early_until_a_bot_takes_over_and_plays_on(world: World) -> None:
    world.start_all()
    games = [world.create(1, clock=SOON | {"grace_ms": 37 * n}) for n in range(3)]
    until(lambda: all("controller_changed" in world.types(game) or world.over(game) for game in games), 30)
    until(lambda: all(world.over(game) for game in games), 30)
    late = [ms for game in games for ms in lateness(world, game)]
    assert len(late) >= 6
    assert min(late) >= 0, late
    assert max(late) <= 250, late
    for game in games:
        world.assert_whole(game)


def test_after_three_timeouts_in_a_row_a_bot_plays_until_the_player_is_back(world: World) -> None:
    game = world.create(1, clock=SOON)
    world.pump_until(lambda: world.game(game).seats[0].controller == "bot")
    assert sum(event.by == "clock" for _, event in history(world, game)) == 3
    changed = [r for r in world.records(game) if r["type"] == "controller_changed"]
    assert [(r["seat"], r["data"]["reason"]) for r in changed] == [(0, "away")]
    world.pump_until(lambda: world.over(game))
    assert [r for r in world.records(game) if r["v"] > changed[0]["v"] and r["seat"] == 0 and r["by"] == "bot"]


def test_a_seat_is_taken_back_and_the_bot_answers_no_more(world: World) -> None:
    game = world.create(1, clock=SOON | {"away_after": 1, "bot_pace_ms": 900})
    world.pump_until(lambda: world.game(game).seats[0].controller == "bot" and world.asked(game))
    asked = world.asked(game)
    assert asked
    claim = Claim(Obligation(game, "bot", 0, asked.id), 1, 0, 0)
    world.store.repository.execute(game, TakeBack(HOST), key="back")
    assert not [d for d in world.due_of(game, "bot") if d.obligation.seat == 0]
    version = world.store.repository.version(game)
    jobs.perform(world.store, claim)
    assert world.store.repository.version(game) == version
    world.play(game)


def test_a_timeout_run_twice_and_at_once_counts_once(world: World) -> None:
    game = world.create(1, clock=SOON)
    world.pump_until(lambda: world.asked(game))
    (due,) = [d for d in world.due_of(game, "clock") if d.obligation.seat == 0]
    until(lambda: world.store.log.time() >= due.at, 5)
    world.sweep_once()
    claim = Claim(due.obligation, 1, due.at, 0)
    threads = [threading.Thread(target=jobs.perform, args=(world.store, claim)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    jobs.perform(world.store, claim)
    assert sum(r["by"] == "clock" for r in world.records(game)) == 1
    world.assert_whole(game)


def test_a_timeout_handed_out_too_early_does_nothing(world: World) -> None:
    game = world.create(1, clock={"decision_ms": 60_000})
    world.pump_until(lambda: world.asked(game))
    world.skip_clock(game)
    version = world.store.repository.version(game)
    world.pump()
    assert world.store.repository.version(game) == version
    assert world.due_of(game, "clock")


def test_no_timeout_fires_before_downtime_is_credited(world: World) -> None:
    game = world.create(1, clock=SOON)
    world.pump_until(lambda: world.asked(game))
    (asked,) = [a for a in world.game(game).open_for(0) if a.decision.required]
    until(lambda: world.store.log.time() > world.game(game).enforced(asked), 5)
    alive = shard_keys(shard_of(game)).alive
    world.client.hset(alive, "at", world.store.log.time() - 20_000)
    (gap,) = [g for g in world.store.owed.claim().gaps if g.shard == shard_of(game)]
    world.pump()
    assert "clock_credited" not in world.types(game)
    assert not [r for r in world.records(game) if r["by"] == "clock"]
    chores.credit(world.store, gap, threading.Event())
    chores.credit(world.store, gap, threading.Event())
    assert world.types(game).count("clock_credited") == 1
    assert world.client.hkeys(alive) == [b"at"]
    world.pump()
    assert not [r for r in world.records(game) if r["by"] == "clock"], "it has its time again"
    world.pump_until(lambda: [r for r in world.records(game) if r["by"] == "clock"])
    assert min(lateness(world, game)) >= 0


def test_a_lobby_expires_by_its_time_alone(world: World) -> None:
    game = world.create(1, seats=3)
    (due,) = world.due_of(game, "expire")
    world.skip_clock(game, "expire")
    world.pump()
    assert world.game(game).status == "lobby"
    world.client.zadd(shard_keys(shard_of(game)).due, {due.obligation.print(): due.at})
    assert due.at - world.game(game).created == 24 * 60 * 60 * 1000
