"""Streams over real sockets, from two web processes."""

from __future__ import annotations

import random
import secrets
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from api import live
from api.application import following
from domain.commands import GiveSeed
from domain.observers import SPECTATOR, at_seat
from eventstore import following as follows
from eventstore.keys import game_keys
from eventstore.store import Store
from eventstore.tickets import Ticket
from tests.api.client import Client, problem
from tests.api.sse import LAST, Listener
from tests.api.world import answer_as_bot


def events(client: Client, game: str) -> list[dict]:
    return client.get(f"/v1/games/{game}/events").json["items"]


def give_seeds(store: Store, game: str, player: str, count: int) -> None:
    """Append `count` events in the lobby."""
    for _ in range(count):
        store.repository.execute(game, GiveSeed(player, secrets.token_hex(32)), key=secrets.token_hex(8))


def present(frame) -> list[int]:
    return [seat["seat"] for seat in frame.data["presence"] if seat["present"]]


def test_it_begins_with_a_snapshot_and_tells_every_event(ann: Client, bob: Client, table: str, listen):
    with listen(ann, table) as stream:
        response = stream.response
        assert (stream.status, response.headers.get_content_type()) == (200, "text/event-stream")
        assert response.headers["X-Accel-Buffering"] == "no"
        assert response.headers["Cache-Control"] == "no-cache, no-transform"
        first = stream.next("snapshot")
        view = ann.view(table)
        assert first.data["view"] == view
        assert first.id == view["cursor"]
        assert 500 <= stream.retry <= 2500
        assert [seat["seat"] for seat in first.data["presence"]] == [0, 1]
        assert 0 in present(first)
        played = (ann if view["decision"] else bob).act(table).json
        told = stream.next("event")
        assert told.data["event"] == ann.get(f"/v1/games/{table}/events?after={view['version']}").json["items"][0]
        assert told.id == played["cursor"]


@pytest.mark.parametrize("how", ["cursor", "version", "header"])
def test_it_resumes_after_any_event_and_tells_the_rest_once(ann: Client, table: str, listen, how: str):
    whole = events(ann, table)
    for after in (*whole[:-1], {"v": 0, "cursor": "0"}):
        query = {"cursor": f"?after={after['cursor']}", "version": f"?after={after['v']}", "header": "?after=1"}[how]
        with listen(ann, table, query, last=after["cursor"] if how == "header" else None) as stream:
            told = stream.until(*LAST, "event") if after is whole[-1] else []
            while len(told) < len(whole) - after["v"]:
                told += stream.until("event")
            assert [frame.event for frame in told] == ["event"] * len(told)
            assert [frame.data["event"] for frame in told] == whole[after["v"] :]
            assert [frame.id for frame in told] == [event["cursor"] for event in whole[after["v"] :]]


def test_a_cursor_of_another_history_gets_resync_and_a_snapshot(ann: Client, table: str, listen):
    cursor = ann.view(table)["cursor"]
    version = cursor.partition("-")[0]
    for last in (f"{version}-00000000", "1-00000000", "999", "999-00000000"):
        with listen(ann, table, last=last) as stream:
            told = stream.until("snapshot")
            assert [frame.event for frame in told] == ["resync", "snapshot"]
            assert told[0].data["cursor"] == told[1].id == cursor


@pytest.mark.parametrize("after", ["x", "-1", "1-", "1-xyz", "1" * 30])
def test_what_is_no_cursor_is_refused(ann: Client, table: str, after: str):
    for options in ({"headers": {"Last-Event-ID": after}}, {"query_string": {"after": after}}):
        wrong = problem(ann.get(f"/v1/games/{table}/stream", **options), 422, "validation_failed")
        assert wrong["errors"][0]["parameter"] in ("after", "Last-Event-ID")


def test_a_game_that_is_over_ends_the_stream_and_is_not_told_again(ann: Client, bob: Client, table: str, listen):
    before = ann.view(table)["cursor"]
    with listen(ann, table, last=before) as stream:
        bob.delete(f"/v1/games/{table}/seats/me")
        told = stream.until("game_over")
        assert [f.data["event"]["type"] for f in told if f.event == "event"] == ["controller_changed", "game_ended"]
        assert told[-1].data["status"] == "finished"
        assert told[-1].data["result"] == ann.view(table)["result"]
        assert list(stream) == []
    with listen(ann, table) as stream:
        assert [frame.event for frame in stream] == ["snapshot", "game_over"]
    with listen(ann, table, last=before) as stream:
        assert [frame.event for frame in stream] == ["event", "event", "game_over"]
    with listen(ann, table, last="1-00000000") as stream:
        assert [frame.event for frame in stream] == ["resync", "snapshot", "game_over"]
    end = ann.view(table)["cursor"]
    for query in (f"?after={end}", f"?after={end.partition('-')[0]}"):
        with listen(ann, table, query) as stream:
            assert (stream.status, stream.response.read()) == (204, b"")


def test_a_stream_is_the_last_answer_of_its_connection_and_says_so(ann: Client, bob: Client, table: str, web):
    """A client that keeps connections would send its next request into one that is being closed."""
    bob.delete(f"/v1/games/{table}/seats/me")
    with httpx.Client(base_url=web.address, headers={"Authorization": f"Bearer {ann.token}"}) as client:
        for _ in range(20):
            told = client.get(f"/v1/games/{table}/stream")
            assert told.text.count("event: ") == 2
            assert told.headers["Connection"] == "close"
            view = client.get(f"/v1/games/{table}")
            assert (view.status_code, view.headers["Connection"]) == (200, "keep-alive")


def test_heads_answer_at_once(ann: Client, table: str, web):
    ticket = ann.post(f"/v1/games/{table}/stream-tickets").json["stream"]
    for path in (f"/v1/games/{table}/stream", ticket):
        answer = ann.app.test_client().head(path)
        assert (answer.status_code, answer.data) == (200, b"")
    with Listener(web.address, ticket) as stream:
        assert stream.next("snapshot").data["view"]["observer"] == {"seat": 0}


# --- whose eyes ------------------------------------------------------------------------------------------------------


def test_whoever_sits_down_sees_with_the_eyes_of_the_seat_from_then_on(ann: Client, bob: Client, listen):
    game = ann.game(auto_start=True)
    with listen(bob, game) as stream:
        assert stream.next("snapshot").data["view"]["observer"] == {"spectator": True}
        bob.post(f"/v1/games/{game}/seats", {})
        told = stream.until("snapshot")
        mine = [f.data["event"] for f in told if f.event == "event"]
        assert mine == events(bob, game)[-len(mine) :]
        assert [e["seat"] for e in mine if e["type"] == "hand_dealt" and e["opened"]] == [1]
        assert told[-1].data["view"] == bob.view(game)
        assert told[-1].id == mine[-1]["cursor"]


def test_whoever_resigns_is_a_spectator_from_that_event_on(ann: Client, bob: Client, anybody: Client, listen):
    game = ann.game(seats=3, bots=["novice"], auto_start=True)
    bob.post(f"/v1/games/{game}/seats", {})
    cards = set(next(h["cards"] for h in bob.view(game)["table"]["hands"] if h["seat"] == 2)) - {"JOKER"}
    with listen(bob, game) as stream:
        assert stream.next("snapshot").data["view"]["observer"] == {"seat": 2}
        bob.delete(f"/v1/games/{game}/seats/me")
        told = stream.until("snapshot")
        assert told[-1].data["view"] == bob.view(game) == anybody.view(game)
        assert [f.data["event"]["type"] for f in told if f.event == "event"] == ["controller_changed"]
        ann.delete(f"/v1/games/{game}/seats/me")
        rest = stream.until("game_over")
        assert not [f for f in rest if f.event == "event" and f.data["event"]["opened"]]
    # And who resumes from before that hears the past with today's eyes.
    with listen(bob, game, last="0") as stream:
        told = [f for f in stream if f.event == "event"]
        assert [f.data["event"] for f in told] == events(anybody, game)
        hidden = [f for f in told if f.data["event"]["type"] == "hand_dealt"]
        assert not [card for f in hidden for card in cards if f'"{card}"' in str(f.data)]


def test_what_is_sealed_to_a_seat_after_its_player_resigned_stays_sealed(ann, bob, listen, opened):
    """The seat plays on by a bot, and lays cards that only the seat knows: its former player must not see them."""
    game = ann.game(seats=3, bots=["novice"], auto_start=True)
    bob.post(f"/v1/games/{game}/seats", {})
    with listen(bob, game) as stream:
        bob.delete(f"/v1/games/{game}/seats/me")
        sealed_to_it = 0
        rng = random.Random(1)
        for _ in range(12):
            answer_as_bot(opened, game, rng)
        last = opened.repository.version(game)
        while True:
            frame = stream.next("event")
            event = frame.data["event"]
            if event["v"] > 8 and any(2 in seal["to"] for seal in event["seals"].values()):
                sealed_to_it += 1
                assert event["opened"] == {} or event["type"] == "hand_dealt"
            if event["v"] == last:
                break
        assert sealed_to_it


def test_whoever_leaves_a_private_lobby_hears_no_more(ann: Client, bob: Client, listen):
    game = ann.game(visibility="private", seats=3)
    problem(bob.get(f"/v1/games/{game}/stream"), 404, "unknown_game")
    with listen(ann, game) as stream:
        stream.next("snapshot")
        ann.delete(f"/v1/games/{game}/seats/me")
        assert [frame.event for frame in stream][-1] in ("gone", "game_over")
    host = ann.game(visibility="private", host_seat="none", seats=2)
    with listen(ann, host) as stream:
        assert stream.next("snapshot").data["view"]["observer"] == {"spectator": True}


# --- tickets ---------------------------------------------------------------------------------------------------------


def test_a_ticket_opens_one_stream_of_its_game_once(ann: Client, bob: Client, anybody: Client, table: str, listen):
    private = ann.game(visibility="private")
    for game in (table, private):
        made = ann.post(f"/v1/games/{game}/stream-tickets")
        assert made.status_code == 201
        assert made.headers["Cache-Control"] == "no-store"
        query = "?" + made.json["stream"].partition("?")[2]
        with listen(anybody, game, query) as stream:
            assert stream.next("snapshot").data["view"]["observer"] == {"seat": 0}
        problem(anybody.get(f"/v1/games/{game}/stream{query}"), 401, "ticket_invalid")
    other = ann.post(f"/v1/games/{table}/stream-tickets").json["ticket"]
    problem(anybody.get(f"/v1/games/{private}/stream?ticket={other}"), 401, "ticket_invalid")
    problem(anybody.get(f"/v1/games/{table}/stream?ticket={other}"), 401, "ticket_invalid")
    problem(anybody.post(f"/v1/games/{table}/stream-tickets"), 401, "token_missing")
    problem(bob.post(f"/v1/games/{private}/stream-tickets"), 404, "unknown_game")


def test_a_ticket_is_worth_no_more_than_its_token(ann: Client, anybody: Client, table: str, opened: Store):
    lent = ann.post("/v1/me/tokens", {"scopes": ["read"]}).json
    borrower = Client(ann.app, lent["token"])
    first, second = [borrower.post(f"/v1/games/{table}/stream-tickets").json["ticket"] for _ in range(2)]
    digest = opened.tokens.check(lent["token"]).digest
    assert opened.tickets.take(first, table) == Ticket(ann.player["id"], digest)
    assert ann.delete(f"/v1/me/tokens/{lent['id']}").status_code == 204
    problem(anybody.get(f"/v1/games/{table}/stream?ticket={second}"), 401, "ticket_invalid")


def test_a_ticket_is_stored_hashed_and_not_for_long(ann: Client, table: str, opened: Store):
    ticket = ann.post(f"/v1/games/{table}/stream-tickets").json["ticket"]
    found = [key for key in opened.reader.scan_iter("ticket:*", count=1000) if 25 < opened.reader.ttl(key) <= 30]
    assert found
    assert not [key for key in opened.reader.scan_iter("*", count=1000) if ticket.encode() in key]


# --- who is there ----------------------------------------------------------------------------------------------------


def test_presence_is_told_across_processes(ann: Client, bob: Client, table: str, listen, opened: Store):
    elsewhere = following(opened)  # this process is another one than those of the server
    with listen(ann, table) as stream:
        assert present(stream.next("snapshot")) == [0]
        follower = elsewhere.join(opened.repository.fold(table, SPECTATOR), 1)
        assert present(stream.next("presence")) == [0, 1]
        elsewhere.leave(follower)
        assert present(stream.next("presence")) == [0]
        with listen(bob, table) as other:
            assert present(other.next("snapshot")) == [0, 1]
            assert present(stream.next("presence")) == [0, 1]
        # Its client has hung up: nothing need be sent to it first for that to be known.
        assert present(stream.next("presence")) == [0]
    elsewhere.stop()


def test_a_killed_process_is_believed_for_a_moment_only(opened: Store, table: str):
    from eventstore.presence import LIVE_MS, Presence

    time = [1_000_000]
    here, gone = (Presence(opened.reader, lambda: time[0]) for _ in range(2))
    assert here.come(table, 0) == {0}
    assert gone.come(table, 1) == {0, 1}
    time[0] += LIVE_MS - 1
    assert here.beat({table: [0]}) == {table: {0, 1}}
    time[0] += 2
    assert here.at(table) == {0}
    here.go(table, 0)
    assert here.at(table) == frozenset()


# --- ends and pauses -------------------------------------------------------------------------------------------------


def test_a_slow_consumer_is_closed_and_nothing_is_skipped(ann: Client, listen, opened: Store):
    game = ann.game(seats=3)
    player = ann.player["id"]
    with listen(ann, game, receives=4096) as slow, listen(ann, game) as quick:
        quick.next("snapshot")
        slow.next("snapshot")
        version = opened.repository.version(game)
        writer = threading.Thread(target=give_seeds, args=(opened, game, player, 1400))
        writer.start()
        assert quick.versions(version + 1400) == list(range(version + 1, version + 1401))
        writer.join()
        told = slow.until(*LAST)
        assert told[-1].event == "slow_consumer"
        seen = [frame for frame in told if frame.event == "event"]
        assert [frame.data["event"]["v"] for frame in seen] == list(range(version + 1, version + 1 + len(seen)))
        assert told[-1].data["cursor"] == seen[-1].id
        assert list(slow) == []
    with listen(ann, game, last=seen[-1].id) as again:
        assert again.versions(version + 1400) == list(range(version + 1 + len(seen), version + 1401))


def test_a_server_that_stops_says_so_on_every_stream(ann: Client, table: str, listen, doomed_web):
    streams = [listen(ann, table, address=doomed_web.address) for _ in range(4)]
    for stream in streams:
        stream.next("snapshot")
    doomed_web.process.terminate()
    for stream in streams:
        assert [frame.event for frame in stream][-1] == "shutdown"
    assert doomed_web.process.wait(20) == 0


def test_a_stream_with_nothing_to_tell_has_a_heart(ann: Client, table: str, opened: Store, monkeypatch):
    monkeypatch.setattr(live, "HEARTBEAT_S", 0.02)
    monkeypatch.setattr(follows, "PULSE_S", 0.01)
    here = following(opened)
    start = live.Start(opened.repository.fold(table, SPECTATOR), SPECTATOR, None)
    stream = iter(live.Stream(opened, here, start, None))
    told = [next(stream) for _ in range(4)]
    assert [chunk.split(b"\n")[0] for chunk in told[2:]] == [b"event: heartbeat"] * 2
    assert all(b'"server_time"' in chunk for chunk in told[1:])
    here.stop()
    assert next(stream).startswith(b"event: shutdown")
    assert list(stream) == []


def test_a_stream_ends_when_its_token_works_no_more(ann: Client, table: str, opened: Store, monkeypatch):
    monkeypatch.setattr(live, "HEARTBEAT_S", 0.02)
    monkeypatch.setattr(follows, "PULSE_S", 0.01)
    here = following(opened)
    lent = ann.post("/v1/me/tokens", {"scopes": ["read"]}).json
    stored = opened.repository.fold(table, at_seat(0))

    def told(text: str) -> Iterator[bytes]:
        shown = opened.tokens.check(text)
        assert shown
        return iter(live.Stream(opened, here, live.Start(stored, at_seat(0), shown), None))

    streams = [told(lent["token"]), told(str(ann.token))]
    for stream in streams:
        assert [next(stream).split(b"\n")[0] for _ in range(3)][2] == b"event: heartbeat"
    assert ann.delete(f"/v1/me/tokens/{lent['id']}").status_code == 204
    revoked = [chunk.split(b"\n")[0] for chunk in streams[0]]
    assert revoked[-1] == b"event: gone"
    assert set(revoked[:-1]) <= {b"event: heartbeat"}
    assert next(streams[1]).startswith(b"event: heartbeat")  # another token of the same player
    here.stop()


def test_a_stream_outlives_a_store_that_is_away(ann: Client, bob: Client, table: str, opened: Store, monkeypatch):
    from eventstore.errors import StoreUnavailable

    here = following(opened)
    cursor = ann.view(table)["version"]
    (ann if ann.view(table)["decision"] else bob).act(table)
    stored = opened.repository.fold(table, SPECTATOR)
    place = (cursor, opened.repository.entry(table).hashes[cursor])
    read, failed = opened.log.read, threading.Event()

    def away(*arguments: object) -> object:
        if failed.is_set():
            return read(*arguments)
        failed.set()
        raise StoreUnavailable("away")

    monkeypatch.setattr(opened.log, "read", away)
    monkeypatch.setattr(live, "PAUSE_S", 0.01)
    stream = iter(live.Stream(opened, here, live.Start(stored, SPECTATOR, None, place), None))
    told = [next(stream), next(stream)]
    assert failed.is_set()
    assert told[1].startswith(b"id: %d-" % (cursor + 1))
    here.stop()
    stream.close()


# --- other histories -------------------------------------------------------------------------------------------------


def test_when_the_store_has_lost_writes_every_stream_begins_anew(ann: Client, bob: Client, listen, opened: Store):
    """As after a failover: versions are used again, with other content."""
    game = ann.game(seats=3)
    keys = (game_keys(game).stream, game_keys(game).meta, game_keys(game).commands)
    old = listen(ann, game)
    before = old.next("snapshot").data["view"]["version"]
    kept = {key: opened.writer.dump(key) for key in keys}
    give_seeds(opened, game, ann.player["id"], 3)
    assert old.versions(before + 3)[-1] == before + 3
    early = listen(bob, game, f"?after={before - 1}")
    assert early.versions(before + 3)[-1] == before + 3
    for key, value in kept.items():
        opened.writer.delete(key)
        if value is not None:
            opened.writer.restore(key, 0, value)
    give_seeds(opened, game, ann.player["id"], 1)
    for stream, client in ((old, ann), (early, bob)):
        told = stream.until("snapshot")
        assert [frame.event for frame in told if frame.event != "presence"] == ["resync", "snapshot"]
        assert told[-1].data["view"] == client.view(game)
        assert told[-1].data["view"]["version"] == before + 1
    give_seeds(opened, game, ann.player["id"], 2)
    for stream in (old, early):
        assert stream.versions(before + 3) == [before + 2, before + 3]


# --- many ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [50, pytest.param(500, marks=pytest.mark.long)])
def test_many_streams_see_every_event_once(ann: Client, listen, opened: Store, count: int):
    game = ann.game(seats=3)
    version = opened.repository.version(game)
    streams = [listen(ann, game, f"?after={n % version}", patience=60) for n in range(count)]
    writer = threading.Thread(target=give_seeds, args=(opened, game, ann.player["id"], 40))
    writer.start()
    with ThreadPoolExecutor(count) as pool:
        seen = list(pool.map(lambda stream: stream.versions(version + 40), streams))
    writer.join()
    for n, versions in enumerate(seen):
        assert versions == list(range(n % version + 1, version + 41))
