"""The reconciler: nothing to say of a healthy store, and repairs what was planted."""

import threading

import pytest
from click.testing import CliRunner

from captain import logs
from captain.cli import main
from eventstore.keys import shard_keys, shard_of
from eventstore.obligation import Obligation
from tests.workers.world import World
from workers.reconcile import reconcile_all


@pytest.fixture
def command(world: World, monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    monkeypatch.setenv("REDIS_URL", world.url)
    monkeypatch.setenv("ALLOW_UNSAFE_STORE", "1")
    # The command runs in this process, whose logging is that of all other tests.
    monkeypatch.setattr(logs, "set_up", lambda *_: None)
    return CliRunner()


def test_a_healthy_store_owes_what_it_should(world: World) -> None:
    world.create(2)
    world.create(1, seats=3)
    world.create(3, host_seat=None)
    for _ in range(6):
        assert reconcile_all(world.store) == []
        world.pump(rounds=1)
    world.pump()
    assert reconcile_all(world.store) == []


def test_missing_moot_and_wrong_times_are_found_and_repaired(world: World, command: CliRunner) -> None:
    game = world.create(2, host_seat=None)
    world.store.owed.claim(limit=0)
    right = world.store.owed.list_due(shard_of(game), game)
    due = shard_keys(shard_of(game)).due
    (bot,), (clock,) = world.due_of(game, "bot"), world.due_of(game, "clock")
    world.client.zrem(due, bot.obligation.print())
    world.client.zadd(due, {clock.obligation.print(): 5})
    moot = Obligation(game, "bot", 1, "999").print()
    strange = Obligation("G-never", "clock", 1, "2").print()
    world.client.zadd(due, {moot: 7})
    world.client.zadd(shard_keys(shard_of("G-never")).due, {strange: 7})
    result = command.invoke(main, ["reconcile"])
    assert result.exit_code == 1, result.output
    assert sorted(result.stdout.split("\n")[:-1]) == sorted(
        [
            f"missing: {bot.obligation.print()}",
            f"missing: {clock.obligation.print()}",
            f"moot: {clock.obligation.print()}",
            f"moot: {moot}",
            f"moot: {strange}",
        ]
    )
    assert set(world.store.owed.list_due(shard_of(game), game)) == set(right)
    again = command.invoke(main, ["reconcile"])
    assert (again.exit_code, again.stdout) == (0, "")


def test_repairs_do_nothing_to_a_game_that_went_on(world: World) -> None:
    game = world.create(2, host_seat=None)
    world.pump(rounds=2)
    before = world.store.owed.list_due(shard_of(game), game)
    repair = world.store.owed.repair(game, 1, (), [due.obligation for due in before])
    assert (repair.moved, repair.missing, repair.moot) == (True, (), ())
    assert world.store.owed.list_due(shard_of(game), game) == before


def test_checking_while_games_are_played_finds_nothing(world: World) -> None:
    games = [world.create(3, host_seat=None) for _ in range(3)]
    player = threading.Thread(target=world.pump)
    player.start()
    found = []
    while player.is_alive():
        found += reconcile_all(world.store)
    player.join()
    assert found == []
    assert all(world.over(game) for game in games)


def test_reindexing_by_command(world: World, command: CliRunner) -> None:
    world.create(2)
    result = command.invoke(main, ["reindex"])
    assert (result.exit_code, result.stdout) == (0, "1 games listed\n")
