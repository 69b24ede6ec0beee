"""Accounts."""

import fakeredis
import pytest

from eventstore.players import NAME_CACHE_S, Players, player_key


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


def names(players, ids):
    return {player: account.name for player, account in players.accounts(ids).items()}


def test_an_account_says_whether_a_program_plays(players):
    ann, hal = players.create("Ann"), players.create("Hal", bot=True)
    assert (players.by_id(ann.id), players.by_id(hal.id)) == (ann, hal)
    assert (ann.bot, hal.bot) == (False, True)
    assert players.accounts([ann.id, hal.id]) == {ann.id: ann, hal.id: hal}


def test_a_new_name_is_shown_here_at_once(players):
    ann = players.create("Ann")
    assert names(players, [ann.id]) == {ann.id: "Ann"}
    players.rename(ann.id, "Anna")
    assert names(players, [ann.id]) == {ann.id: "Anna"}
    assert players.by_id(ann.id).created == ann.created


def test_a_name_that_was_read_before_a_change_is_not_kept(players, client):
    ann = players.create("Ann")
    known = players._known
    mark = known.mark()
    players.rename(ann.id, "Anna")
    known.put(ann.id, ann, mark)
    assert names(players, [ann.id]) == {ann.id: "Anna"}


def test_names_come_in_one_round_trip_and_are_remembered(players, client, clock):
    ids = [players.create(name).id for name in ("Ann", "Bob", "Zoë")]
    client.calls = 0
    assert names(players, [*ids, ids[0]]) == dict(zip(ids, ("Ann", "Bob", "Zoë"), strict=True))
    assert client.calls == 1
    assert names(players, ids)[ids[2]] == "Zoë"
    assert client.calls == 1
    clock.now = NAME_CACHE_S + 1
    client.client.hset(player_key(ids[0]), "name", "Anna")
    assert names(players, ids)[ids[0]] == "Anna"


def test_a_player_that_is_not_there_has_no_name(players):
    assert players.accounts(["01JUNKNOWN"]) == {}
    assert players.by_id("01JUNKNOWN") is None


def test_a_command_reserves_one_id_however_often_it_is_sent(players):
    assert players.reserve("c1", "first") == "first"
    assert players.reserve("c1", "second") == "first"
    assert players.reserve("c2", "second") == "second"
