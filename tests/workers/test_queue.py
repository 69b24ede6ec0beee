"""The queue: bounded, JSON, self-cleaning; and the sweeper that fills it only when somebody empties it."""

import json
import threading
import zlib

import pytest

from eventstore.obligation import Obligation
from eventstore.owed import Claim
from tests.waiting import until
from tests.workers.world import World
from workers.queue import CAPACITY, STUCK_MS, JobQueue
from workers.sweeper import Sweeper


@pytest.fixture
def queue(world: World) -> JobQueue:
    return JobQueue(world.client)


def claims(count: int, kind: str = "bot") -> list[Claim]:
    return [Claim(Obligation("G1", kind, seat, "7"), 1, 5, 9) for seat in range(count)]


def test_a_job_is_json_and_expires_by_itself(world: World, queue: JobQueue) -> None:
    queue.put(claims(1), 1000)
    (key,) = world.client.keys("rq:job:*")
    data = world.client.hget(key, "data")
    assert data is not None
    assert json.loads(zlib.decompress(data)) == ["workers.jobs.run", None, ["bot:0:G1:7", 1, 5, 9], {}]
    assert 0 < world.client.ttl(key) <= 60


def test_the_same_attempt_put_twice_is_two_jobs(world: World, queue: JobQueue) -> None:
    queue.put([*claims(1), *claims(1)], 1000)
    queue.put(claims(1), 1000)
    assert world.client.llen("rq:queue:turns") == 3
    assert len(world.client.keys("rq:job:*")) == 3


def test_clocks_wait_behind_no_bot(world: World, queue: JobQueue) -> None:
    queue.put([*claims(3), *claims(1, "clock"), *claims(1, "index")], 1000)
    assert world.client.llen("rq:queue:clocks") == 1
    assert world.client.llen("rq:queue:turns") == 4


def test_there_is_room_until_it_is_full_or_nobody_works(queue: JobQueue) -> None:
    assert queue.room(1000) == CAPACITY
    queue.put(claims(10), 1000)
    assert queue.room(1000 + STUCK_MS) == CAPACITY - 10
    assert queue.room(1001 + STUCK_MS) == 0
    queue.put(claims(CAPACITY), 1000)
    assert queue.room(1001) == 0


def test_while_nobody_works_no_attempt_is_used_up(world: World, queue: JobQueue) -> None:
    game = world.create(2, host_seat=None)
    queue.put(claims(1), world.store.log.time() - STUCK_MS - 1)
    sweeper = Sweeper(world.store, queue)
    for _ in range(3):
        sweeper._sweep_all()
    (due,) = world.due_of(game, "bot")
    assert world.client.llen("rq:queue:turns") == 1
    claim = world.store.owed.claim_one(due.obligation)
    assert claim is not None
    assert claim.attempt == 1


def test_a_sweeper_is_woken_by_the_doorbell_and_by_what_falls_due(
    world: World, queue: JobQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.sweeper.SWEEP_S", 30.0)
    sweeper = Sweeper(world.store, queue)
    end = world.store.doorbell.listen(sweeper.ring)
    world.store.follow()
    thread = threading.Thread(target=sweeper.run)
    thread.start()
    until(lambda: world.client.keys("{s00}:alive"))
    world.create(2, host_seat=None, clock={"bot_pace_ms": 300})
    until(lambda: world.client.llen("rq:queue:turns") == 1, 5)  # the list
    until(lambda: world.client.llen("rq:queue:turns") == 2, 5)  # the bot
    sweeper.stop()
    thread.join()
    end()
