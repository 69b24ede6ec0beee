"""Following: one read and one rendering for all who follow a game in a process."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

import pytest

from captain.store import EmbeddedStore
from domain.commands import Create, GiveSeed
from domain.observers import EVERYTHING, SPECTATOR, Observer, at_seat
from eventstore.following import Follower, Following, Step
from eventstore.replies import Head
from eventstore.store import Store
from tests.waiting import until

HOST = "p_host"


class Counting:
    """A log that counts how often it is read."""

    def __init__(self, store: Store) -> None:
        self._log = store.log
        self.reads = 0

    def load(self, game: str, after: int = 0) -> tuple[Head, tuple]:
        self.reads += 1
        return self._log.load(game, after)


@pytest.fixture
def opened(store: EmbeddedStore) -> Iterator[Store]:
    made = Store(store.url, allow_unsafe=True)
    made.follow()
    yield made
    made.close()


@pytest.fixture
def game(opened: Store) -> str:
    game = f"G{secrets.token_hex(8)}"
    command = Create(ruleset="bluff_king", options={}, seats=2, host=HOST, host_seat=0, bots=(), server_seed="5e" * 32)
    opened.repository.create(game, command, key=game)
    return game


def append(store: Store, game: str) -> int:
    seed = GiveSeed(HOST, secrets.token_hex(32))
    return store.repository.execute(game, seed, key=secrets.token_hex(8)).last


def test_many_followers_of_a_game_cost_one_read(opened: Store, game: str) -> None:
    log = Counting(opened)
    following = Following(log, opened.doorbell, opened.presence)
    start = opened.repository.fold(game, SPECTATOR)
    followers = [following.join(start, None) for _ in range(50)]
    until(lambda: log.reads == 1)
    for follower in followers:
        follower.rung.clear()
    last = append(opened, game)
    for follower in followers:
        assert follower.rung.wait(10)
        assert [step.v for step in follower.topic.tail.since(start.game.version) or ()] == [last]
    assert len({id(follower.topic) for follower in followers}) == 1
    assert log.reads <= 3, "of these one for the append, and one for whom presence has rung"
    following.stop()


def test_nobody_is_read_for_when_nobody_follows(opened: Store, game: str) -> None:
    following = Following(opened.log, opened.doorbell, opened.presence)
    follower = following.join(opened.repository.fold(game, SPECTATOR), 0)
    topic = follower.topic
    assert opened.presence.at(game) == {0}
    following.leave(follower)
    until(lambda: not topic.started)
    assert opened.presence.at(game) == frozenset()
    again = following.join(opened.repository.fold(game, SPECTATOR), None)
    assert again.topic is not topic
    append(opened, game)
    assert again.rung.wait(10)
    following.stop()


def test_what_is_made_of_a_record_is_made_once_for_all_who_may_open_the_same(opened: Store, game: str) -> None:
    (created, *_) = opened.log.read(game)
    step, made = Step(created), []

    def make(line) -> bytes:
        made.append(line.open)
        return str(sorted(line.open)).encode()

    eyes: list[Observer] = [SPECTATOR, at_seat(0), at_seat(1), EVERYTHING, SPECTATOR, EVERYTHING]
    found = [step.made(observer, make) for observer in eyes]
    assert found == [b"[]", b"[]", b"[]", b"['server_seed']", b"[]", b"['server_seed']"]
    assert len(made) == 2
    assert "server_seed" not in repr(step)


def test_the_last_stream_of_a_seat_takes_its_presence_along(opened: Store, game: str) -> None:
    following = Following(opened.log, opened.doorbell, opened.presence)
    start = opened.repository.fold(game, SPECTATOR)
    one, two = following.join(start, 0), following.join(start, 0)
    following.leave(one)
    assert opened.presence.at(game) == {0}
    following.move(two, 1)
    assert opened.presence.at(game) == {1}
    following.leave(two)
    assert opened.presence.at(game) == frozenset()
    following.stop()
    assert isinstance(one, Follower)
