"""What is told and counted of jobs: one line each, how it ended, how long the bot thought."""

import logging

import pytest
from prometheus_client import REGISTRY
from structlog.contextvars import get_contextvars

from domain.errors import Corrupt
from domain.observers import at_seat
from eventstore.errors import StoreUnavailable
from eventstore.keys import shard_keys, shard_of
from eventstore.obligation import Obligation
from eventstore.owed import Claim
from eventstore.owes import BOT
from eventstore.stored import UnknownGame
from tests.workers.world import World
from workers import jobs, turns
from workers.budget import OverBudget
from workers.queue import QUEUES, JobQueue
from workers.reconcile import reconcile_all

GAME = "01ARZ3NDEKTSV4RRFFQ69G5FAV"


def count(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


def test_a_bots_answer_is_told_and_counted(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    thoughts = {"ruleset": "bluff_king", "level": "novice"}
    before = count("captain_bot_seconds_count", **thoughts)
    moves = count("captain_moves_total", ruleset="bluff_king", by="bot")
    done = count("captain_job_seconds_count", kind="bot", outcome="done")
    game = world.create(2, host_seat=None, clock={"bot_pace_ms": 0})
    world.pump_until(lambda: world.over(game) or world.game(game).version > 20)
    jobs_told = [record for record in caplog.records if record.message == "job"]
    bots = count("captain_job_seconds_count", kind="bot", outcome="done") - done
    assert bots >= 1
    assert count("captain_bot_seconds_count", **thoughts) - before >= 1
    assert count("captain_moves_total", ruleset="bluff_king", by="bot") - moves >= 1
    assert len(jobs_told) >= bots
    assert all(record.outcome == "done" and record.ms > 0 for record in jobs_told)


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (UnknownGame(), "gone"),
        (StoreUnavailable("redis://:password@host"), "store"),
        (OverBudget(), "over_budget"),
        (Corrupt("KH"), "corrupt"),
        (ValueError("KH"), "failed"),
        (None, "done"),
    ],
)
def test_every_end_has_a_name(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error, outcome: str
) -> None:
    caplog.set_level(logging.DEBUG)
    bound = {}

    def handler(*_: object) -> None:
        bound.update(get_contextvars())
        if error is not None:
            raise error

    monkeypatch.setattr(jobs, "HANDLERS", {BOT: handler})
    before = count("captain_job_seconds_count", kind="bot", outcome=outcome)
    jobs.perform(world.store, Claim(Obligation(GAME, BOT, 1, "7"), 3, 0, 0))
    assert count("captain_job_seconds_count", kind="bot", outcome=outcome) == before + 1
    (line,) = [record for record in caplog.records if record.message == "job"]
    assert line.outcome == outcome
    assert bound == {"kind": "bot", "game": GAME, "seat": 1, "attempt": 3}
    assert get_contextvars() == {}, "the next job is another"
    for text in ("KH", "password"):
        assert text not in caplog.text


def test_work_of_another_version_is_told(world: World) -> None:
    before = count("captain_job_seconds_count", kind="juggle", outcome="unknown")
    jobs.perform(world.store, Claim(Obligation(GAME, "juggle", None, "7"), 1, 0, 0))
    assert count("captain_job_seconds_count", kind="juggle", outcome="unknown") == before + 1


def test_a_bot_that_fails_is_measured_too(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    game = world.create(2, host_seat=None, clock={"bot_pace_ms": 0})
    asked = next(a for seat in (0, 1) if (a := world.asked(game, seat)))
    seen = world.store.repository.fold(game, at_seat(asked.decision.seat))
    before = count("captain_bot_seconds_count", ruleset="bluff_king", level="novice")

    def fail(*_: object) -> None:
        raise ValueError

    monkeypatch.setitem(seen.rules.info.bots, "novice", fail)
    with pytest.raises(turns.Failed):
        turns.think(seen, asked)
    assert count("captain_bot_seconds_count", ruleset="bluff_king", level="novice") == before + 1


def test_waiting_jobs_are_counted_by_queue(world: World) -> None:
    queue = JobQueue(world.client)
    game = world.create(2, host_seat=None, clock={"bot_pace_ms": 0})
    claim = Claim(world.due_of(game, "bot")[0].obligation, 1, 0, 0)
    queue.put([claim, claim], world.store.log.time())
    queue.room(world.store.log.time())
    assert [count("captain_queued_jobs", queue=name) for name in QUEUES] == [0, 2, 0]


def test_differences_are_counted(world: World) -> None:
    game = world.create(2, host_seat=None, clock={"bot_pace_ms": 0})
    before = count("captain_reconciled_total", what="moot")
    (due, *_) = world.due_of(game, "bot")
    world.client.zrem(shard_keys(shard_of(game)).due, due.obligation.print())
    missing = count("captain_reconciled_total", what="missing")
    assert reconcile_all(world.store)
    assert count("captain_reconciled_total", what="missing") == missing + 1
    assert count("captain_reconciled_total", what="moot") == before
