"""Streams while the server dies: whatever is killed, each client is told 1..n once, in order."""

from __future__ import annotations

import os
import signal
from random import Random

import pytest

from tests.e2e.client import Client
from tests.e2e.ears import Ears
from tests.e2e.instance import Instance
from tests.e2e.test_kills import BOTS, CLOCK, of, some_moves
from tests.waiting import gone, until

PARTS = ("worker", "web workers", "web", "store")


def kill(instance: Instance, part: str) -> None:
    victims = of(instance, part)
    for pid in victims:
        os.kill(pid, signal.SIGKILL)
    until(lambda: all(gone(pid) for pid in victims))


def game_with_streams(instance: Instance, ann: Client, streams: int) -> tuple[str, list[Ears]]:
    game = ann.create(bots=BOTS, clock={**CLOCK, "bot_pace_ms": 20}, auto_start=True)
    watcher = Client(instance.address)
    return game, [Ears(lambda: instance.address, client, game) for client in (ann, *[watcher] * (streams - 1))]


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_a_stream_is_told_every_event_once_whatever_is_killed(private: Instance, part: str) -> None:
    kills(private, part, Random(part), 2)


@pytest.mark.long
@pytest.mark.parametrize("part", PARTS)
def test_a_stream_is_told_every_event_once_through_ten_kills(private: Instance, part: str) -> None:
    kills(private, part, Random(part), 10)


def kills(instance: Instance, part: str, rng: Random, count: int) -> None:
    with instance.client("Ann") as ann:
        game, ears = game_with_streams(instance, ann, 4)
        for _ in range(count):
            if not some_moves(ann, game, rng, rng.randint(1, 3)):
                for one in ears:
                    one.check()
                game, ears = game_with_streams(instance, ann, 4)
            kill(instance, part)
        while some_moves(ann, game, rng, 10):
            pass
        for one in ears:
            one.check()


@pytest.mark.long
def test_five_hundred_streams_over_a_restart(private: Instance) -> None:
    rng = Random(5)
    with private.client("Ann") as ann:
        game, ears = game_with_streams(private, ann, 500)
        until(lambda: all(one.frames for one in ears), 60)
        for part in ("web", "store"):
            assert some_moves(ann, game, rng, 1)
            kill(private, part)
        while some_moves(ann, game, rng, 10):
            pass
        for one in ears:
            one.check()
