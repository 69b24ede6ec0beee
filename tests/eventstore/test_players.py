"""Accounts and tokens."""

import fakeredis
import pytest

from eventstore.players import NAME_CACHE_S, TOKEN_CACHE_S, Players, player_key


class Clock:
    """A monotonic clock that a test moves."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


class Counting:
    """A client that counts the round trips made through it."""

    def __init__(self, client):
        self.client = client
        self.calls = 0

    def __getattr__(self, name):
        self.calls += 1
        return getattr(self.client, name)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def client():
    return Counting(fakeredis.FakeRedis())


@pytest.fixture
def players(client, clock):
    return Players(client, clock=clock)


def test_a_token_names_its_player_and_nobody_else(players):
    ann, token = players.create("Ann")
    bob, other = players.create("Bob")
    assert players.by_token(token) == ann
    assert players.by_token(other) == bob
    assert ann.id != bob.id
    assert len(ann.id) == 26


@pytest.mark.parametrize("token", ["", "ct_", "ct_x", "ct_" + "A" * 32, "né", "*"])
def test_a_token_nobody_has_names_nobody(players, token):
    players.create("Ann")
    assert players.by_token(token) is None


def test_a_token_is_long_random_and_not_in_the_store(players, client):
    tokens = {players.create("Ann")[1] for _ in range(20)}
    assert len(tokens) == 20
    assert all(token.startswith("ct_") and len(token) >= 3 + 22 for token in tokens)
    stored = b""
    for key in client.client.scan_iter():
        stored += key + repr(client.client.hgetall(key)).encode()
    assert not any(token[3:].encode() in stored for token in tokens)


def test_a_checked_token_costs_no_round_trip_for_a_short_time(players, client, clock):
    ann, token = players.create("Ann")
    players.by_token(token)
    client.calls = 0
    assert players.by_token(token) == ann
    assert client.calls == 0
    clock.now = TOKEN_CACHE_S + 1
    assert players.by_token(token) == ann
    assert client.calls > 0


def test_names_come_in_one_round_trip_and_are_remembered(players, client, clock):
    ids = [players.create(name)[0].id for name in ("Ann", "Bob", "Zoë")]
    client.calls = 0
    assert players.names([*ids, ids[0]]) == dict(zip(ids, ("Ann", "Bob", "Zoë"), strict=True))
    assert client.calls == 1
    assert players.names(ids)[ids[2]] == "Zoë"
    assert client.calls == 1
    clock.now = NAME_CACHE_S + 1
    client.client.hset(player_key(ids[0]), "name", "Anna")
    assert players.names(ids)[ids[0]] == "Anna"


def test_a_player_that_is_not_there_has_no_name(players):
    assert players.names(["01JUNKNOWN"]) == {}
    assert players.by_id("01JUNKNOWN") is None


def test_a_command_reserves_one_id_however_often_it_is_sent(players):
    assert players.reserve("c1", "first") == "first"
    assert players.reserve("c1", "second") == "first"
    assert players.reserve("c2", "second") == "second"
