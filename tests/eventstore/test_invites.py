"""Invitations: good for so many players and so long, counted right when many come at once."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from captain.store import EmbeddedStore
from eventstore import connect
from eventstore.invites import Invite, Invites, digest_of, guests_key, invite_key

NOW = 1_800_000_000_000
WEEK = 7 * 24 * 60 * 60 * 1000


class Time:
    def __init__(self):
        self.now = NOW

    def __call__(self):
        return self.now


@pytest.fixture
def time():
    return Time()


@pytest.fixture
def client(store: EmbeddedStore):
    made = connect.appending(store.url)
    made.flushall()
    yield made
    made.close()
    made.connection_pool.disconnect()


@pytest.fixture
def invites(client, time):
    return Invites(client, time)


def invite(number: int = 1, **changes):
    fields = {
        "id": f"I{number}",
        "game": "G1",
        "by": "ann",
        "seat": None,
        "created": NOW,
        "expires": NOW + WEEK,
        "uses": 1,
    }
    return Invite(**(fields | changes))


def test_whoever_exchanges_a_code_may_read_the_game_and_nobody_else(invites):
    invites.give("code", invite(seat=2))
    assert not invites.admitted("G1", "bob")
    assert invites.accept("code", "bob").seat == 2
    assert invites.admitted("G1", "bob")
    assert not invites.admitted("G1", "eve")
    assert not invites.admitted("G2", "bob")


def test_it_is_used_up_by_players_and_not_by_repeats(invites):
    invites.give("code", invite(uses=2))
    for player in ("bob", "bob", "carl", "carl", "bob"):
        assert invites.accept("code", player)
    assert invites.accept("code", "dora") is None
    assert not invites.admitted("G1", "dora")
    assert invites.get("G1", "I1").used == 2
    assert invites.of("G1") == ()


def test_it_expires_and_is_withdrawn_and_whoever_came_by_it_stays(invites, time):
    invites.give("a", invite(1, uses=9, expires=NOW + 1000))
    invites.give("b", invite(2, uses=9))
    for code in ("a", "b"):
        assert invites.accept(code, "bob")
    assert [one.id for one in invites.of("G1")] == ["I1", "I2"]
    time.now += 1000
    invites.withdraw("G1", "I2")
    invites.withdraw("G1", "I3")
    for code in ("a", "b", "c", ""):
        assert invites.accept(code, "carl") is None
        assert invites.accept(code, "bob") is None
    assert invites.of("G1") == ()
    assert invites.admitted("G1", "bob")


def test_what_made_it_may_be_repeated_and_does_not_bring_it_back(invites):
    for _ in range(2):
        invites.give("code", invite())
    assert len(invites.of("G1")) == 1
    invites.withdraw("G1", "I1")
    invites.give("code", invite())
    assert invites.accept("code", "bob") is None


def test_a_code_is_for_one_game(invites):
    invites.give("code", invite())
    assert invites.find("G1", "code").id == "I1"
    assert invites.find("G2", "code") is None
    assert invites.find("G1", "edoc") is None


def test_no_code_is_in_the_store_and_what_is_goes_away(invites, client):
    invites.give("the-code", invite())
    invites.accept("the-code", "bob")
    stored = b"".join(key + client.dump(key) for key in client.scan_iter())
    assert b"the-code" not in stored
    digest = digest_of("the-code")
    for key in (invite_key(digest), guests_key(digest)):
        assert client.pttl(key) > 0


@pytest.mark.parametrize("uses", [1, 5])
def test_many_at_once_are_counted_one_by_one(invites, uses: int):
    invites.give("code", invite(uses=uses))
    together = threading.Barrier(20)

    def accept(number: int) -> bool:
        together.wait(10)
        return any(invites.accept("code", f"p{number % 10}") for _ in range(2))

    with ThreadPoolExecutor(20) as pool:
        results = list(pool.map(accept, range(20)))
    # Each player came twice at once, and counts once.
    assert sum(results) == 2 * uses
    assert invites.get("G1", "I1").used == uses
