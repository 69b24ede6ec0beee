"""Reports on disputes: owed like everything else, and so written whatever dies."""

import secrets

import pytest

from domain.disputes import Dispute
from eventstore.commands import Command
from eventstore.disputes import AUDIT, case_of
from tests import forging
from tests.keys import KEYS
from tests.waiting import until
from tests.workers.world import HOST, World
from workers import audits, jobs


def file(world: World, game: str, challenge: int | None = None) -> Dispute:
    command = Command.of_request(HOST, secrets.token_hex(8))
    filed = world.store.disputes.file(game, seat=0, player=HOST, challenge=challenge, reason="why", command=command)
    return filed.dispute


def newest(world: World, game: str) -> Dispute:
    return world.store.disputes.read(game).disputes[-1]


def finished(world: World) -> str:
    game = world.create(2, host_seat=None)
    world.pump_until(lambda: world.over(game))
    return game


def test_a_game_that_is_over_gets_its_report_at_once_and_for_good(world: World) -> None:
    game = finished(world)
    v = next(record["v"] for record in world.records(game) if record["type"] == "challenged")
    file(world, game, v)
    world.pump()
    told = newest(world, game)
    assert told.report is not None
    assert (told.final, told.report["outcome"], told.report["audit"]["complete"]) == (True, "rejected", True)
    assert told.report["explained"]["v"] == v
    assert told.report["explained"]["provenance"]
    assert world.due_of(case_of(game), AUDIT) == []


def test_a_game_that_goes_on_gets_another_report_at_its_end(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audits, "SOONEST_MS", 30)
    game = world.create(1)
    file(world, game)
    world.pump_until(lambda: newest(world, game).report)
    first = newest(world, game)
    assert first.report is not None
    assert (first.final, first.report["outcome"]) == (False, "pending")
    (due,) = world.due_of(case_of(game), AUDIT)
    assert due.obligation.decision == f"{first.number}.final"
    # It looks again and again, writes nothing, and forgets nothing.
    until(lambda: (world.pump(), [d.at for d in world.due_of(case_of(game), AUDIT)] > [due.at])[1])
    assert world.store.disputes.read(game).version == 2
    while not world.over(game):
        world.pump()
        if world.asked(game):
            world.play(game)
    world.pump_until(lambda: newest(world, game).final)
    last = newest(world, game)
    assert last.report is not None
    assert (last.report["outcome"], last.report["audit"]["version"]) == ("rejected", world.game(game).version)
    assert world.due_of(case_of(game), AUDIT) == []


def test_a_report_that_is_made_twice_is_written_once(world: World) -> None:
    game = finished(world)
    file(world, game)
    (due,) = world.due_of(case_of(game), AUDIT)
    claim = until(lambda: world.store.owed.claim_one(due.obligation))
    for _ in range(2):
        jobs.perform(world.store, claim, KEYS)
    assert world.store.disputes.read(game).version == 2


@pytest.mark.slow
def test_workers_write_reports_and_one_that_is_killed_is_replaced(world: World) -> None:
    game = finished(world)
    file(world, game)
    first, _ = world.start("work", "sweep")
    until(lambda: newest(world, game).final, 30)
    first.kill()
    first.wait()
    another = world.create(2, host_seat=None)
    file(world, another)
    world.start("work")
    until(lambda: world.over(another) and newest(world, another).final, 60)


def test_a_log_that_cannot_be_folded_is_reported_on_all_the_same(world: World) -> None:
    """Records that no rules can read: the game can be neither loaded nor played, and the report says where."""
    game = finished(world)
    file(world, game)
    version = next(record.version for record in world.store.log.read(game) if record.type == "cards_claimed")
    forging.change(world.store, game, version, b'"count":', b'"cnt":')
    world.pump()
    told = newest(world, game)
    assert told.report is not None
    assert (told.final, told.report["outcome"]) == (True, "upheld")
    assert told.report["audit"]["findings"][0]["version"] == version
