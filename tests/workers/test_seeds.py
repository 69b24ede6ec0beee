"""Seeds that are committed to: the reveal has a clock, and whatever fails, the game begins or is frozen."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Any

import pytest

from domain.bluff_king import BLUFF_KING
from domain.commands import CommitSeed, Expire, GiveSeed, Sit
from domain.entropy import commitment
from domain.errors import Refused
from eventstore.keys import shard_keys, shard_of
from eventstore.obligation import Obligation
from eventstore.owed import Claim
from eventstore.store import Store
from tests.waiting import until
from tests.workers.world import HOST, World
from workers import chores, jobs
from workers.reconcile import reconcile_all

SOON = {"vote_ms": 1000, "grace_ms": 50}
SEEDS = {HOST: "a5" * 32, "p_guest": "6b" * 32}


def full(world: World, store: Store | None = None, **clock: int) -> str:
    """Two players and a bot; the host has committed, and the guest commits as it sits down: the reveal is open."""
    repository = (store or world.store).repository
    game = world.create(1, seats=3, seeds="committed", clock=SOON | clock, store=store)
    repository.execute(game, CommitSeed(HOST, commitment(game, SEEDS[HOST])), key="commit")
    guest = Sit("p_guest", seed_commitment=commitment(game, SEEDS["p_guest"]))
    repository.execute(game, guest, key="sit")
    return game


def reveal(world: World, game: str, player: str = HOST, store: Store | None = None) -> None:
    (store or world.store).repository.execute(game, GiveSeed(player, SEEDS[player]), key=f"reveal {player}")


def kinds(world: World, game: str) -> Counter[str]:
    return Counter(due.obligation.kind for kind in ("expire", "clock", "bot") for due in world.due_of(game, kind))


def begun_by(world: World, game: str) -> list[str]:
    return [record["by"] for record in world.records(game) if record["type"] == "game_started"]


@pytest.mark.slow
def test_a_game_whose_players_are_gone_begins_by_its_clock_and_is_played_to_the_end(world: World) -> None:
    world.start_all()
    game = full(world, decision_ms=1000, away_after=1)
    reveal(world, game)
    until(lambda: world.over(game), 60)
    records = world.records(game)
    opened = next(record for record in records if record["type"] == "reveal_opened")
    started = next(record for record in records if record["type"] == "game_started")
    assert started["by"] == "clock"
    assert 1050 <= started["at"] - opened["at"] <= 1300
    world.assert_whole(game)


def test_the_clock_begins_without_a_seed_that_was_not_revealed(world: World) -> None:
    game = full(world)
    reveal(world, game)
    world.pump_until(lambda: world.game(game).status == "playing")
    after = world.game(game)
    assert begun_by(world, game) == ["clock"]
    assert [seat.client_seed for seat in after.seats] == [SEEDS[HOST], None, None]
    assert [seat.seed for seat in after.seats] == ["revealed", None, "committed"]
    assert [seat.timeouts for seat in after.seats] == [0, 0, 0]


def test_what_is_owed_is_the_expiry_then_the_reveal_then_the_game(world: World) -> None:
    game = world.create(0, seats=2, seeds="committed", clock=SOON)
    repository, seen = world.store.repository, []

    def look() -> None:
        seen.append(kinds(world, game))
        assert reconcile_all(world.store) == []

    look()
    repository.execute(game, CommitSeed(HOST, commitment(game, SEEDS[HOST])), key="commit")
    look()
    repository.execute(game, Sit("p_guest", seed_commitment=commitment(game, SEEDS["p_guest"])), key="sit")
    look()
    reveal(world, game)
    look()
    reveal(world, game, "p_guest")
    look()
    assert seen == [{"expire": 1}, {"expire": 1}, {"clock": 2}, {"clock": 1}, {"clock": 1}]
    assert begun_by(world, game) == ["rules"]


def test_nothing_owed_is_lost_where_one_timeout_answers_for_all(world: World) -> None:
    game = full(world)
    until(lambda: world.store.log.time() >= max(due.at for due in world.due_of(game, "clock")), 5)
    world.sweep_once()
    claims = [Claim(due.obligation, 1, due.at, 0) for due in world.due_of(game, "clock")]
    assert len(claims) == 2
    threads = [threading.Thread(target=jobs.perform, args=(world.store, claim)) for claim in claims * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert begun_by(world, game) == ["clock"]
    assert reconcile_all(world.store) == []


def test_a_timeout_handed_out_too_early_begins_nothing(world: World) -> None:
    game = full(world, vote_ms=60_000)
    world.skip_clock(game)
    version = world.store.repository.version(game)
    world.pump()
    assert world.store.repository.version(game) == version
    assert kinds(world, game) == {"clock": 2}


def test_a_late_seed_is_refused_after_the_clock_has_played(world: World) -> None:
    game = full(world)
    end = max(due.at for due in world.due_of(game, "clock"))
    until(lambda: world.store.log.time() > end + 10, 5)
    world.sweep_once()
    with pytest.raises(Refused, match="already_started"):
        reveal(world, game)
    assert begun_by(world, game) == ["clock"]
    assert [seat.client_seed for seat in world.game(game).seats] == [None] * 3


def test_the_clock_that_judges_is_the_stores(world: World) -> None:
    """A process whose own clock is slow takes no seed that the store's clock finds late."""
    game = full(world)
    end = max(due.at for due in world.due_of(game, "clock"))
    until(lambda: world.store.log.time() > end + 10, 5)
    world.sweep_once()
    slow = world.with_rules(BLUFF_KING)
    slow.repository.game(game)
    slow.repository._ahead_ms -= 5000
    assert slow.repository.now() < end
    with pytest.raises(Refused, match="already_started"):
        reveal(world, game, store=slow)
    assert begun_by(world, game) == ["clock"]


def test_two_seeds_at_once_begin_one_game(world: World) -> None:
    for _ in range(5):
        game = full(world, vote_ms=20_000)
        threads = [threading.Thread(target=reveal, args=(world, game, player)) for player in SEEDS]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert begun_by(world, game) == ["rules"]
        assert world.types(game).count("client_seed_revealed") == 2
    assert reconcile_all(world.store) == []


def test_downtime_is_credited_before_the_reveal_runs_out(world: World) -> None:
    game = full(world)
    end = max(due.at for due in world.due_of(game, "clock"))
    until(lambda: world.store.log.time() > end, 5)
    world.client.hset(shard_keys(shard_of(game)).alive, "at", world.store.log.time() - 20_000)
    (gap,) = [g for g in world.store.owed.claim().gaps if g.shard == shard_of(game)]
    world.pump()
    assert begun_by(world, game) == []
    chores.credit(world.store, gap, threading.Event())
    assert world.types(game).count("clock_credited") == 1
    assert reconcile_all(world.store) == []
    reveal(world, game)
    reveal(world, game, "p_guest")
    assert begun_by(world, game) == ["rules"]


def test_a_seed_that_could_not_come_while_the_server_was_away_is_in_time(world: World) -> None:
    game = full(world)
    end = max(due.at for due in world.due_of(game, "clock"))
    until(lambda: world.store.log.time() > end + 10, 5)
    world.client.hset(shard_keys(shard_of(game)).alive, "at", world.store.log.time() - 20_000)
    reveal(world, game)
    assert world.types(game)[-2:] == ["clock_credited", "client_seed_revealed"]
    assert begun_by(world, game) == []


def test_an_expiry_that_was_handed_out_before_the_reveal_does_nothing(world: World) -> None:
    game = world.create(1, seats=3, seeds="committed", clock=SOON)
    (due,) = world.due_of(game, "expire")
    world.store.repository.execute(game, CommitSeed(HOST, commitment(game, SEEDS[HOST])), key="commit")
    world.store.repository.execute(game, Sit("p_guest"), key="sit")
    version = world.store.repository.version(game)
    jobs.perform(world.store, Claim(due.obligation, 1, due.at, 0))
    with pytest.raises(Refused, match="reveal_open"):
        world.store.repository.execute(game, Expire(), key=Obligation(game, "expire", None, "lobby"))
    assert world.store.repository.version(game) == version
    world.pump_until(lambda: begun_by(world, game) == ["clock"])


class Undealt(type(BLUFF_KING)):
    """Rules that fail at the setup."""

    def setup(self, table: Any, moment: Any) -> Any:
        raise KeyError("S7")


def test_rules_that_fail_at_the_deal_freeze_the_game_and_leave_nobody_waiting(world: World) -> None:
    store = world.with_rules(Undealt())
    game = full(world, store)
    reveal(world, game, store=store)
    with pytest.raises(KeyError):
        reveal(world, game, "p_guest", store)
    assert world.types(game)[-1] == "client_seed_revealed", "the seed that would have begun the game is not kept"
    until(lambda: store.log.time() >= world.due_of(game, "clock")[0].at, 5)
    world.sweep_once()
    (due,) = world.due_of(game, "clock")
    for _ in range(5):
        jobs.perform(store, until(lambda: store.owed.claim_one(due.obligation)))
    assert (world.game(game).status, world.types(game)[-1]) == ("faulted", "game_faulted")
    assert kinds(world, game) == {}
