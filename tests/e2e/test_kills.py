"""SIGKILL in the middle of games: whatever dies, a game goes on where it was, with nothing lost and nothing twice."""

from __future__ import annotations

import os
import signal
from random import Random

import httpx
import pytest

from eventstore.keys import shard_of
from tests.e2e.client import OVER, Client, Json, code_of
from tests.e2e.instance import Instance
from tests.e2e.playing import a_move
from tests.waiting import gone, until

CLOCK = {"decision_ms": 60_000, "vote_ms": 60_000}
BOTS = ["standard", "novice", "novice"]


def some_moves(client: Client, game: str, rng: Random, count: int) -> bool:
    """Play on for so many moves, through whatever happens to the server; False if the game ended first."""
    while count:
        view = client.patiently("GET", f"/games/{game}").json()
        if view["status"] in OVER:
            return False
        if view["decision"] is None:
            client.patiently("GET", f"/games/{game}/events?after={view['version']}", wait=2)
            continue
        answer = client.patiently("POST", f"/games/{game}/moves", a_move(view["decision"], rng))
        assert answer.is_success, answer.text
        count -= 1
    return True


def whole_log(client: Client, game: str, observer: str = "me") -> list[Json]:
    """All events of a game; they follow each other without a gap, and no batch is half there."""
    until(lambda: client.patiently("GET", f"/games/{game}").is_success)
    events = client.log(game, observer=observer)
    assert [event["v"] for event in events] == list(range(1, len(events) + 1))
    assert events[-1]["left"] == 0
    return events


def assert_ended(instance: Instance, client: Client, game: str) -> None:
    """The game is over, its seals hold against its seed, and it owes nothing."""
    events = whole_log(client, game, observer="all")
    assert events[-1]["type"] == "game_ended"
    assert sum(event["type"] == "game_ended" for event in events) == 1
    with instance.store() as store:
        until(lambda: not store.owed.list_due(shard_of(game), game))


@pytest.mark.slow
def test_after_a_kill_of_everything_the_game_goes_on_where_it_was(private: Instance) -> None:
    rng = Random(3)
    with private.client("Ann") as ann:
        game = ann.create(bots=BOTS, clock=CLOCK, auto_start=True)
        assert some_moves(ann, game, rng, 3)
        seen = whole_log(ann, game)
        key = {"headers": {"Idempotency-Key": "the-last-word"}}
        move = a_move(ann.until_asked(game)["decision"], rng)
        played = ann.move(game, move, **key)
        assert played.status_code == 201
        # No calm: bots are at work when it happens.
        private.kill()
    private.start()
    with Client(private.address, ann.token, ann.player) as ann:
        log = whole_log(ann, game)
        assert log[: len(seen)] == seen, "what was seen before is still the beginning"
        again = ann.move(game, move, **key)
        assert again.headers["Idempotency-Replayed"] == "true", "the move that was accepted is kept, and not made twice"
        assert again.json() == played.json()
        cursor = seen[-1]["cursor"]
        assert ann.log(game, after=cursor)[0]["v"] == seen[-1]["v"] + 1, "a cursor from before is good"
        while some_moves(ann, game, rng, 10):
            pass
        assert whole_log(ann, game)[: len(log)] == log
        assert_ended(private, ann, game)


@pytest.mark.slow
def test_whatever_part_is_killed_the_game_goes_on(private: Instance) -> None:
    rng = Random(4)
    with private.client("Ann") as ann:
        game = ann.create(bots=BOTS, clock={**CLOCK, "bot_pace_ms": 50}, auto_start=True)
        seen: list[Json] = []
        for part in ("worker", "sweeper", "web workers", "web", "queue", "store"):
            victims = of(private, part)
            for pid in victims:
                os.kill(pid, signal.SIGKILL)
            until(lambda victims=victims: all(gone(pid) for pid in victims))
            if not some_moves(ann, game, rng, 2):
                # A short game: what comes after is the trouble of the next one.
                assert_ended(private, ann, game)
                game, seen = ann.create(bots=BOTS, clock=CLOCK, auto_start=True), []
            log = whole_log(ann, game)
            assert log[: len(seen)] == seen, part
            seen = log
        until(lambda part=part: len(of(private, part)) >= (2 if part in ("worker", "web workers") else 1))
        while some_moves(ann, game, rng, 10):
            pass
        assert_ended(private, ann, game)
        assert code_of(ann.move(game, {"type": "pass", "decision": "1"})) == "game_over"
    said = [record["event"] for record in private.records() if record["process"] == "supervisor"]
    ended = [event.split(" ended")[0] for event in said]
    figures = httpx.get(f"{private.address}/metrics").text
    # Two that die at once are noticed in either order.
    assert sorted(ended[:2]) == ["worker 1", "worker 2"]
    assert ended[2:] == ["sweeper", "web", "queue", "store"]
    for name in ended:
        assert f'captain_restarts_total{{process="{name}"}} 1.0' in figures


def of(instance: Instance, part: str) -> list[int]:
    """The processes to kill: all workers, the sweeper, both web processes, their arbiter, the queue, the store."""
    match part:
        case "worker":
            return instance.pids("work")
        case "sweeper":
            return instance.pids("sweep")
        case "web workers":
            return instance.pids("web")[1:]
        case "web":
            return instance.pids("web")[:1]
        case "queue":
            return [instance.store_pid("data/queue")]
    return [instance.store_pid()]
