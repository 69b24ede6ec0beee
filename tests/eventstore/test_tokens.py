"""Tokens: who shows one, what it is for, and how it ends."""

import fakeredis
import pytest

from eventstore.players import RESERVED_S, Players
from eventstore.tokens import SCOPES, TOKEN_CACHE_S, USED_MS, Token, Tokens, fresh_token, token_key, tokens_key
from tests.eventstore.test_players import Clock, Counting

NOW = 1_800_000_000_000


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def client():
    return Counting(fakeredis.FakeRedis())


@pytest.fixture
def players(client):
    return Players(client)


@pytest.fixture
def tokens(client, players, clock):
    return Tokens(client, players.by_id, lambda: NOW + int(clock.now * 1000), clock)


@pytest.fixture
def elsewhere(client, players, clock):
    """The same tokens in another process."""
    return Tokens(client, players.by_id, lambda: NOW + int(clock.now * 1000), clock)


def test_a_token_names_its_player_and_nobody_else(players, tokens):
    ann, bob = players.create("Ann"), players.create("Bob")
    first, other = tokens.first(ann), tokens.first(bob)
    assert tokens.check(first).player == ann
    assert tokens.check(other).player == bob
    assert tokens.check(first).token.scopes == SCOPES


@pytest.mark.parametrize("text", ["", "ct_", "ct_x", "ct_" + "A" * 32, "né", "*"])
def test_a_token_nobody_has_names_nobody(players, tokens, text):
    tokens.first(players.create("Ann"))
    assert tokens.check(text) is None


def test_a_token_is_long_random_and_not_in_the_store_and_its_id_is_not_of_it(players, tokens, client):
    ann = players.create("Ann")
    texts = {tokens.first(ann) for _ in range(20)}
    assert len(texts) == 20
    assert all(text.startswith("ct_") and len(text) >= 3 + 22 for text in texts)
    stored = b"".join(key + repr(client.client.hgetall(key)).encode() for key in client.client.scan_iter())
    assert not any(text[3:].encode() in stored for text in texts)
    assert len({token.id for token in tokens.of(ann.id)}) == 20


def test_a_checked_token_costs_no_round_trip_for_a_short_time(players, tokens, client, clock):
    text = tokens.first(players.create("Ann"))
    known = tokens.check(text)
    client.calls = 0
    assert tokens.check(text) is known
    assert client.calls == 0
    clock.now = TOKEN_CACHE_S + 1
    assert tokens.check(text) == known
    assert client.calls > 0


def test_a_revoked_token_works_no_more_here_at_once_and_elsewhere_soon(players, tokens, elsewhere, clock):
    ann = players.create("Ann")
    text, other = tokens.first(ann), tokens.first(ann)
    assert elsewhere.check(text)
    token = tokens.check(text).token
    for _ in range(2):
        assert tokens.revoke(ann.id, token.id)
        assert tokens.check(text) is None
    assert elsewhere.check(text)
    clock.now = TOKEN_CACHE_S + 0.1
    assert elsewhere.check(text) is None
    assert tokens.check(other)
    assert token.id not in {one.id for one in tokens.of(ann.id)}


def test_a_token_is_revoked_by_its_own_player_only(players, tokens):
    ann, bob = players.create("Ann"), players.create("Bob")
    text = tokens.first(ann)
    assert not tokens.revoke(bob.id, tokens.check(text).token.id)
    assert not tokens.revoke(ann.id, "01JUNKNOWN")
    assert tokens.check(text)


def test_one_that_was_read_before_it_was_revoked_is_not_kept(players, tokens, monkeypatch):
    ann = players.create("Ann")
    text = tokens.first(ann)
    read = tokens._read_pass

    def slow(digest):
        found = read(digest)
        tokens.revoke(ann.id, found.token.id)
        return found

    monkeypatch.setattr(tokens, "_read_pass", slow)
    tokens.check(text)
    monkeypatch.undo()
    assert tokens.check(text) is None


def test_what_made_a_token_may_be_repeated_and_does_not_bring_it_back(players, tokens):
    ann, text = players.create("Ann"), fresh_token()
    made = Token("T1", "phone", ("read",), NOW)
    for _ in range(2):
        tokens.give(ann.id, text, made)
    assert tokens.check(text).token == made
    assert tokens.revoke(ann.id, "T1")
    tokens.give(ann.id, text, made)
    assert tokens.check(text) is None
    assert tokens.of(ann.id) == ()


def test_a_token_expires_also_while_it_is_trusted(players, tokens, client, clock):
    ann, text = players.create("Ann"), fresh_token()
    tokens.give(ann.id, text, Token("T1", "", ("read",), NOW, NOW + 3000))
    assert tokens.check(text)
    clock.now = 2.9
    assert tokens.check(text)
    clock.now = 3.0
    assert tokens.check(text) is None
    assert tokens.of(ann.id) == ()


def test_use_is_noted_roughly(players, tokens, client, clock):
    ann = players.create("Ann")
    text = tokens.first(ann)
    assert tokens.of(ann.id)[0].used is None
    tokens.check(text)
    assert tokens.of(ann.id)[0].used == NOW
    clock.now = USED_MS / 1000 - 1
    tokens.check(text)
    assert tokens.of(ann.id)[0].used == NOW
    clock.now = USED_MS / 1000 + TOKEN_CACHE_S
    tokens.check(text)
    assert tokens.of(ann.id)[0].used == NOW + int(clock.now * 1000)


def test_what_is_left_of_a_token_goes_away(players, tokens, client):
    ann = players.create("Ann")
    token = tokens.check(tokens.first(ann)).token
    tokens.revoke(ann.id, token.id)
    digest = client.client.hget(tokens_key(ann.id), token.id)
    assert client.client.ttl(token_key(digest.decode())) > RESERVED_S
    client.client.delete(token_key(digest.decode()))
    tokens.tidy(ann.id)
    assert not client.client.exists(tokens_key(ann.id))
