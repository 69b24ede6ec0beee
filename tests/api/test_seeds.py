"""Committed client seeds over HTTP: commit in the lobby, reveal when asked, and every refusal between."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from api.rulebook import event_schema
from domain.bluff_king import BLUFF_KING
from domain.entropy import entropy, provable
from domain.lifecycle import GameCreated, GameStarted
from domain.ruleset import Moment, Table
from tests.api.client import Client, filled, problem
from tests.waiting import until

ANNS, BOBS = "a1" * 32, "b2" * 32


def digest(game: str, seed: str) -> str:
    """A commitment, by the documentation and nothing of ours."""
    return hashlib.sha256(json.dumps([game, "client_seed", seed], separators=(",", ":")).encode()).hexdigest()


def me(client: Client, game: str, **body: Any) -> Any:
    return client.put(f"/v1/games/{game}/seats/me", body)


@pytest.fixture
def lobby(ann: Client, bob: Client) -> str:
    """A full lobby of a committed game in which Ann, the host, and Bob have committed."""
    game = ann.game(seeds="committed", seats=3, bots=["novice"])
    assert me(ann, game, seed_commitment=digest(game, ANNS)).status_code == 200
    assert bob.post(f"/v1/games/{game}/seats", {"seed_commitment": digest(game, BOBS)}).status_code == 201
    return game


@pytest.fixture
def revealing(ann: Client, lobby: str) -> str:
    """The reveal of that game is open."""
    assert ann.post(f"/v1/games/{lobby}/start").status_code == 200
    return lobby


def types(answer: Any) -> list[str]:
    assert answer.status_code < 300, answer.text
    return [event["type"] for event in answer.json["events"]]


# --- commit ----------------------------------------------------------------------------------------------------------


def test_a_game_has_open_seeds_unless_it_says_otherwise(ann: Client, size):
    open_game, committed = ann.game(), ann.game(seeds="committed")
    assert [ann.view(game)["seeds"] for game in (open_game, committed)] == ["open", "committed"]
    made = ann.get(f"/v1/games/{committed}/events").json["items"][0]
    assert made["data"]["seeds"] == "committed"
    before = size()
    for wrong in ("secret", None, True, ["open"]):
        answer = ann.post("/v1/games", {"ruleset": "bluff_king", "seeds": wrong})
        assert problem(answer, 422, "validation_failed")["errors"][0]["pointer"] == "/seeds"
    assert size() == before


def test_a_commitment_can_be_replaced_until_the_start(ann: Client, bob: Client, lobby: str):
    for _ in range(2):
        made = me(ann, lobby, seed_commitment=digest(lobby, BOBS))
        assert types(made) == ["client_seed_committed"]
        assert made.json["events"][0]["data"] == {"commitment": digest(lobby, BOBS)}
    assert [seat["seed"] for seat in bob.view(lobby)["seats"]] == ["committed", None, "committed"]


def test_sitting_down_and_committing_are_one_batch(ann: Client, bob: Client):
    game = ann.game(seeds="committed")
    sat = bob.post(f"/v1/games/{game}/seats", {"seed_commitment": digest(game, BOBS)})
    assert types(sat) == ["seat_taken", "client_seed_committed"]
    assert [event["left"] for event in sat.json["events"]] == [1, 0]


def test_seeds_and_commitments_do_not_mix(ann: Client, bob: Client, version):
    for seeds, wrong, code in (
        ("committed", {"client_seed": ANNS}, "seeds_committed"),
        ("open", {"seed_commitment": ANNS}, "seeds_open"),
    ):
        game = ann.game(seeds=seeds)
        before = version(game)
        for _ in range(2):
            problem(me(ann, game, **wrong), 409, code)
            problem(bob.post(f"/v1/games/{game}/seats", wrong), 409, code)
        assert version(game) == before


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"seed_commitment": "short"}, "/seed_commitment"),
        ({"seed_commitment": "AB" * 32}, "/seed_commitment"),
        ({"seed_commitment": None}, "/seed_commitment"),
        ({"seed_commitment": 7}, "/seed_commitment"),
        ({"seed_commitment": ANNS, "client_seed": ANNS}, "/seed_commitment"),
        ({"seed_commitment": ANNS, "bot": "novice"}, "/seed_commitment"),
    ],
)
def test_another_shape_of_sitting_down_is_refused(ann: Client, bob: Client, version, body, pointer):
    game = ann.game(seeds="committed")
    before = version(game)
    wrong = problem(bob.post(f"/v1/games/{game}/seats", body), 422, "validation_failed")
    assert {error["pointer"] for error in wrong["errors"]} == {pointer}
    assert version(game) == before


@pytest.mark.parametrize(
    "body",
    [
        {"seed_commitment": ANNS, "client_seed": ANNS},
        {"seed_commitment": ANNS, "controller": "player"},
        {"seed_commitment": ANNS + "\n"},
    ],
)
def test_a_change_of_another_shape_is_refused(ann: Client, version, body):
    game = ann.game(seeds="committed")
    before = version(game)
    problem(me(ann, game, **body), 422, "validation_failed")
    assert version(game) == before


def test_only_a_seat_commits_and_a_hidden_game_stays_hidden(ann: Client, bob: Client):
    game, hidden = ann.game(seeds="committed"), ann.game(seeds="committed", visibility="private")
    problem(me(bob, game, seed_commitment=BOBS), 403, "not_seated")
    problem(me(bob, hidden, seed_commitment=BOBS), 404, "unknown_game")


# --- reveal ----------------------------------------------------------------------------------------------------------


def test_the_start_asks_for_the_seeds(ann: Client, bob: Client, anybody: Client, lobby: str, listed):
    assert ann.view(lobby)["asked"] == []
    started = ann.post(f"/v1/games/{lobby}/start")
    assert types(started) == ["reveal_opened"]
    view = bob.view(lobby)
    assert (view["status"], view["table"]) == ("lobby", None)
    assert [(one["seat"], one["kind"]) for one in view["asked"]] == [(0, "reveal_seed"), (2, "reveal_seed")]
    decision = view["decision"]
    assert (decision["kind"], decision["moves"], decision["id"]) == ("reveal_seed", [], str(view["version"]))
    assert decision["deadline"] == view["asked"][1]["deadline"]
    assert view["offers"] == []
    assert bob.get(f"/v1/games/{lobby}/moves").json["decision"] == decision
    assert anybody.view(lobby)["decision"] is None
    listed(lobby)
    (waiting,) = bob.get("/v1/me").json["waiting"]
    assert (waiting["game"], waiting["kind"], waiting["decision"]) == (lobby, "reveal_seed", decision["id"])
    newest = anybody.get("/v1/games?status=lobby").json["items"][0]
    assert (newest["id"], newest["asked"], newest["seeds"]) == (lobby, view["asked"], "committed")


def test_the_last_seed_begins_the_game(ann: Client, bob: Client, revealing: str):
    assert types(me(bob, revealing, client_seed=BOBS)) == ["client_seed_revealed"]
    view = ann.view(revealing)
    assert [seat["seed"] for seat in view["seats"]] == ["committed", None, "revealed"]
    assert [one["seat"] for one in view["asked"]] == [0]
    assert bob.view(revealing)["decision"] is None
    last = me(ann, revealing, client_seed=ANNS)
    assert types(last)[:2] == ["client_seed_revealed", "game_started"]
    view = ann.view(revealing)
    assert (view["status"], [seat["seed"] for seat in view["seats"]]) == ("playing", ["revealed", None, "revealed"])


def test_the_cards_follow_from_the_seeds_that_were_revealed(ann: Client, bob: Client, revealing: str, opened):
    me(bob, revealing, client_seed=BOBS)
    events = me(ann, revealing, client_seed=ANNS).json["events"]
    game = opened.repository.game(revealing).game
    draws = provable(entropy(game.seed, revealing, [ANNS, None, BOBS]))
    dealt = BLUFF_KING.setup(Table(3, game.options), Moment(events[2]["v"], draws))
    (own,) = [event for event in events if event["type"] == "hand_dealt" and event["seat"] == 0]
    (expected,) = [event for event in dealt if event.type == "hand_dealt" and event.seat == 0]
    assert own["opened"]["cards"]["value"] == list(expected.cards.value)


def test_what_cannot_be_done_while_seeds_are_revealed(ann: Client, bob: Client, anybody: Client, revealing, version):
    eve, before = anybody.join("Eve"), version(revealing)
    path = f"/v1/games/{revealing}"
    for _ in range(2):
        assert problem(eve.post(f"{path}/seats", {}), 409, "reveal_open")["asked"] == [0, 2]
        problem(ann.post(f"{path}/seats", {"bot": "novice"}), 409, "reveal_open")
        problem(ann.post(f"{path}/start"), 409, "reveal_open")
        problem(bob.delete(f"{path}/seats/me"), 409, "reveal_open")
        problem(me(bob, revealing, seed_commitment=digest(revealing, ANNS)), 409, "reveal_open")
        problem(me(bob, revealing, controller="player"), 409, "not_away")
        wrong = problem(me(bob, revealing, client_seed=ANNS), 409, "seed_mismatch")
        assert wrong["commitment"] == digest(revealing, BOBS)
        problem(me(eve, revealing, client_seed=ANNS), 403, "not_seated")
        move = {"type": "pass", "decision": bob.view(revealing)["decision"]["id"]}
        assert problem(bob.post(f"{path}/moves", move), 409, "illegal_move")["moves"] == []
        problem(bob.post(f"{path}/moves", {**move, "decision": "1"}), 409, "decision_closed")
        problem(eve.post(f"{path}/moves", move), 403, "not_seated")
    assert version(revealing) == before
    assert types(me(bob, revealing, client_seed=BOBS)) == ["client_seed_revealed"]
    after = version(revealing)
    problem(me(bob, revealing, client_seed=BOBS), 409, "not_asked")
    problem(bob.post(f"{path}/moves", move), 409, "not_asked")
    assert version(revealing) == after


def test_a_repeat_with_its_key_gets_its_receipt_also_when_the_game_has_begun(ann: Client, bob: Client, revealing: str):
    path, key = f"/v1/games/{revealing}/seats/me", {"Idempotency-Key": "k"}
    for client, seed in ((bob, BOBS), (ann, ANNS)):
        first = client.put(path, {"client_seed": seed}, headers=key)
        again = client.put(path, {"client_seed": seed}, headers=key)
        assert (again.status_code, again.json, again.headers["Idempotency-Replayed"]) == (200, first.json, "true")
    again = bob.put(path, {"client_seed": BOBS}, headers=key)
    assert (again.status_code, again.json["events"][0]["type"]) == (200, "client_seed_revealed")
    problem(me(bob, revealing, client_seed=BOBS), 409, "already_started")


def test_a_late_seed_makes_the_clock_begin_the_game_first(ann: Client, bob: Client, opened, version):
    game = ann.game(seeds="committed", auto_start=True, clock={"vote_ms": 1000, "grace_ms": 0})
    bob.post(f"/v1/games/{game}/seats", {"seed_commitment": digest(game, BOBS)})
    (asked,) = opened.repository.game(game).game.asked
    until(lambda: opened.repository.now() > asked.since + 1010)
    before = version(game)
    problem(me(bob, game, client_seed=BOBS), 409, "already_started")
    items = bob.get(f"/v1/games/{game}/events?after={before}").json["items"]
    assert (items[0]["type"], items[0]["by"], items[0]["seat"]) == ("game_started", "clock", None)
    assert [seat["seed"] for seat in bob.view(game)["seats"]] == [None, "committed"]
    after = version(game)
    problem(me(bob, game, client_seed=BOBS), 409, "already_started")
    assert version(game) == after


def test_a_late_move_makes_the_clock_begin_the_game_first(ann: Client, bob: Client, opened):
    game = ann.game(seeds="committed", auto_start=True, clock={"vote_ms": 1000, "grace_ms": 0})
    bob.post(f"/v1/games/{game}/seats", {"seed_commitment": digest(game, BOBS)})
    (asked,) = opened.repository.game(game).game.asked
    until(lambda: opened.repository.now() > asked.since + 1010)
    wrong = bob.post(f"/v1/games/{game}/moves", {"type": "pass", "decision": asked.id})
    assert (wrong.status_code, wrong.json["code"]) in ((409, "not_asked"), (409, "decision_closed"))
    assert bob.view(game)["status"] == "playing"


def test_a_game_in_which_nobody_committed_begins_at_once(ann: Client, bob: Client):
    game = ann.game(seeds="committed", auto_start=True)
    assert types(bob.post(f"/v1/games/{game}/seats", {}))[:2] == ["seat_taken", "game_started"]
    assert [seat["seed"] for seat in bob.view(game)["seats"]] == [None, None]
    assert bob.view(game)["decision"] or ann.view(game)["decision"]


def test_a_whole_game_with_committed_seeds_is_played_and_its_log_tells_all(ann: Client, bob: Client, revealing: str):
    for client, seed in ((ann, ANNS), (bob, BOBS)):
        assert me(client, revealing, client_seed=seed).status_code == 200
    asked = ann.view(revealing)["decision"]
    if asked:
        assert ann.post(f"/v1/games/{revealing}/moves", filled(asked["moves"][0])).status_code == 201
    assert bob.delete(f"/v1/games/{revealing}/seats/me").status_code == 200
    assert ann.delete(f"/v1/games/{revealing}/seats/me").status_code == 200
    items = ann.get(f"/v1/games/{revealing}/events?as=all").json["items"]
    told = {e["type"]: e["data"] for e in items if e["seat"] == 2}
    assert told["client_seed_committed"]["commitment"] == digest(revealing, told["client_seed_revealed"]["client_seed"])


def test_looking_back_shows_the_reveal_as_it_was(ann: Client, bob: Client, revealing: str):
    at = ann.view(revealing)["version"]
    before = ann.view(revealing)
    for client, seed in ((ann, ANNS), (bob, BOBS)):
        me(client, revealing, client_seed=seed)
    seen = ann.get(f"/v1/games/{revealing}/replay?at={at}").json
    assert (seen["asked"], seen["seats"], seen["decision"]) == (before["asked"], before["seats"], before["decision"])


def test_a_stream_tells_of_the_reveal(ann: Client, bob: Client, lobby: str, listen):
    with listen(bob, lobby) as stream:
        assert stream.next("snapshot").data["view"]["seeds"] == "committed"
        ann.post(f"/v1/games/{lobby}/start")
        assert stream.next("event").data["event"]["type"] == "reveal_opened"
        me(ann, lobby, client_seed=ANNS)
        event = stream.next("event").data["event"]
        assert (event["type"], event["seat"], event["data"]) == ("client_seed_revealed", 0, {"client_seed": ANNS})
    with listen(bob, lobby) as stream:
        view = stream.next("snapshot").data["view"]
        assert (view["decision"]["kind"], view["decision"]["moves"]) == ("reveal_seed", [])
        me(bob, lobby, client_seed=BOBS)
        assert [stream.next("event").data["event"]["type"] for _ in range(2)] == [
            "client_seed_revealed",
            "game_started",
        ]


# --- older logs ------------------------------------------------------------------------------------------------------


def test_a_field_that_older_records_lack_is_not_said_to_be_there_always():
    data = event_schema(GameCreated)["allOf"][-1]["properties"]["data"]
    assert "seeds" in data["properties"]
    assert "seeds" not in data["required"]
    assert {"ruleset", "clock", "auto_start"} <= set(data["required"])
    assert event_schema(GameStarted)["allOf"][-1]["properties"]["data"]["required"] == []
