"""Bots that fail, rules that fail: it ends in the log, never in silence."""

import signal
import threading
import time
from typing import Any

import pytest
from msgspec.structs import replace

from domain.bluff_king import BLUFF_KING
from domain.errors import Refused
from eventstore.obligation import Obligation
from eventstore.owed import Claim
from eventstore.store import Store
from tests.waiting import until
from tests.workers.world import World
from workers import budget, jobs, turns

Rules = type(BLUFF_KING)


def with_bot(bot: Any) -> Any:
    class Sabotaged(Rules):
        info = replace(BLUFF_KING.info, bots={"novice": bot, "standard": bot})

    return Sabotaged()


def broken(fold: Any, seat: int, decision: Any, rng: Any) -> Any:
    raise ZeroDivisionError("S7 H3")


def foolish(fold: Any, seat: int, decision: Any, rng: Any) -> Any:
    from domain.bluff_king.moves import Lead

    return Lead(("no card at all",), "7")


def endless(fold: Any, seat: int, decision: Any, rng: Any) -> Any:
    while True:
        try:
            time.sleep(0.001)
        except Exception:  # what a bot may do
            continue


class NoDefault(Rules):
    info = replace(BLUFF_KING.info, bots={"novice": broken, "standard": broken})

    def default_move(self, state: Any, decision: Any) -> Any:
        raise KeyError("S7")


class RefusedDefault(NoDefault):
    def default_move(self, state: Any, decision: Any) -> Any:
        raise Refused("illegal_move", reason="none")


def bot_turn(world: World, store: Store, **clock: int) -> tuple[str, Obligation]:
    """A game of two bots, and what the first owes."""
    game = world.create(2, host_seat=None, store=store, clock=clock)
    (due,) = world.due_of(game, "bot")
    return game, due.obligation


@pytest.mark.parametrize("bot", [broken, foolish])
def test_a_bot_that_fails_is_tried_five_times_at_once_and_then_plays_the_default(
    world: World, bot: Any, caplog: pytest.LogCaptureFixture
) -> None:
    store = world.with_rules(with_bot(bot))
    game, owed = bot_turn(world, store)
    begun = time.monotonic()
    attempts = []
    while world.due_of(game, "bot")[0].obligation == owed:
        claim = until(lambda: store.owed.claim_one(owed), 3)
        attempts.append(claim.attempt)
        jobs.perform(store, claim)
    assert attempts == [1, 2, 3, 4, 5]
    assert time.monotonic() - begun < 3, "without waiting for leases"
    (played,) = [r for r in world.records(game) if r["by"] == "clock"]
    assert played["seat"] == owed.seat
    assert "S7" not in caplog.text


def test_a_bot_that_ended_five_processes_is_not_asked_again(world: World) -> None:
    asked = []

    def deadly(fold: Any, seat: int, decision: Any, rng: Any) -> Any:
        asked.append(seat)
        raise ZeroDivisionError

    store = world.with_rules(with_bot(deadly))
    game, owed = bot_turn(world, store)
    claims = [until(lambda: store.owed.claim_one(owed, lease_ms=1)) for _ in range(6)]
    jobs.perform(store, claims[-1])
    assert not asked
    assert [r["seat"] for r in world.records(game) if r["by"] == "clock"] == [owed.seat]


def test_a_bot_that_thinks_for_ever_is_interrupted(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "THINKING_S", 0.05)
    store = world.with_rules(with_bot(endless))
    game, owed = bot_turn(world, store)
    for _ in range(5):
        jobs.perform(store, until(lambda: store.owed.claim_one(owed)))
    assert [r["seat"] for r in world.records(game) if r["by"] == "clock"] == [owed.seat]
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.parametrize(("rules", "named"), [(NoDefault, "KeyError"), (RefusedDefault, "Refused")])
def test_rules_that_fail_at_the_default_freeze_the_game(world: World, rules: Any, named: str) -> None:
    store = world.with_rules(rules())
    game, owed = bot_turn(world, store)
    for _ in range(5):
        jobs.perform(store, until(lambda: store.owed.claim_one(owed)))
    assert world.records(game)[-1]["type"] == "game_faulted"
    assert world.records(game)[-1]["data"]["error"] == named
    assert world.game(game).status == "faulted"
    world.pump(store)
    assert world.settled()


def test_rules_that_fail_at_a_timeout_freeze_the_game(world: World) -> None:
    store = world.with_rules(NoDefault())
    game = world.create(1, store=store, clock={"decision_ms": 1000, "grace_ms": 0})
    world.pump_until(lambda: world.game(game).status == "faulted", store)
    assert world.types(game)[-1] == "game_faulted"


def test_a_turn_run_many_times_and_at_once_is_one_turn(world: World) -> None:
    game = world.create(2, host_seat=None)
    for _ in range(10):
        dues = world.due_of(game, "bot")
        if not dues:
            break
        claim = until(lambda owed=dues[0].obligation: world.store.owed.claim_one(owed))
        stores = [world.store, world.with_rules(BLUFF_KING), world.with_rules(BLUFF_KING)]
        threads = [threading.Thread(target=jobs.perform, args=(store, claim)) for store in stores]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        jobs.perform(world.store, claim)
    world.assert_whole(game)


def test_what_is_moot_is_removed(world: World) -> None:
    game = world.create(2, host_seat=None)
    key = f"bot:1:{game}:999"
    planted = Obligation.parse(key)
    from eventstore.keys import shard_keys

    world.client.zadd(shard_keys(planted.shard).due, {key: 1})
    jobs.perform(world.store, until(lambda: world.store.owed.claim_one(planted)))
    assert key not in world.owed()


def test_work_of_an_unknown_kind_or_game_harms_nothing(world: World) -> None:
    for member in ("dance:1:GX:1", "bot:1:GX:1", "clock:1:GX:1", "index::GX:1", "expire::GX:lobby"):
        jobs.perform(world.store, Claim(Obligation.parse(member), 1, 0, 0))


def test_budgets_nest_and_leave_no_timer() -> None:
    with pytest.raises(budget.OverBudget), budget.budget(0.05), budget.budget(5):
        time.sleep(2)
    with budget.budget(5):
        with pytest.raises(budget.OverBudget), budget.budget(0.02):
            time.sleep(2)
        assert 4 < signal.getitimer(signal.ITIMER_REAL)[0] <= 5
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
