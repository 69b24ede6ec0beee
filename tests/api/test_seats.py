"""Sitting down, bots, seeds, leaving, coming back."""

import pytest

from domain.commands import Timeout
from tests.api.client import Client, filled, problem
from tests.waiting import until

SEED = "ab" * 32


def test_a_player_sits_down_once_at_a_seat_of_choice(ann: Client, bob: Client, version):
    game = ann.game(seats=4)
    sat = bob.post(f"/v1/games/{game}/seats", {"seat": 2, "client_seed": SEED})
    assert sat.status_code == 201
    assert [(e["type"], e["seat"]) for e in sat.json["events"]] == [("seat_taken", 2)]
    before = version(game)
    for body in ({"seat": 2}, {}, {"seat": 3}):
        assert problem(bob.post(f"/v1/games/{game}/seats", body), 409, "already_seated")["seat"] == 2
    assert version(game) == before
    assert bob.view(game)["observer"] == {"seat": 2}


def test_a_seat_that_is_taken_or_is_none_is_refused(ann: Client, bob: Client, version):
    game = ann.game(seats=3)
    before = version(game)
    for _ in range(2):
        assert problem(bob.post(f"/v1/games/{game}/seats", {"seat": 0}), 409, "seat_taken")["free"] == [1, 2]
        assert problem(bob.post(f"/v1/games/{game}/seats", {"seat": 3}), 422, "seat_out_of_range")["max"] == 2
    assert version(game) == before


def test_a_full_table_and_a_running_game_take_nobody(ann: Client, bob: Client, anybody: Client, version):
    game = ann.game(bots=["novice"])
    before = version(game)
    for _ in range(2):
        problem(bob.post(f"/v1/games/{game}/seats", {}), 409, "game_full")
    assert version(game) == before
    ann.post(f"/v1/games/{game}/start")
    after = version(game)
    for _ in range(2):
        problem(bob.post(f"/v1/games/{game}/seats", {}), 409, "already_started")
    assert version(game) == after


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"seat": "2"}, "/seat"),
        ({"seat": -1}, "/seat"),
        ({"client_seed": "short"}, "/client_seed"),
        ({"client_seed": "AB" * 32}, "/client_seed"),
        ({"client_seed": SEED + "\n"}, "/client_seed"),
        ({"bot": 1}, "/bot"),
        ({"bot": "novice", "client_seed": SEED}, "/client_seed"),
        ({"invitee": "x"}, "/invitee"),
    ],
)
def test_another_shape_is_refused(ann: Client, bob: Client, version, body, pointer):
    game = ann.game()
    before = version(game)
    for _ in range(2):
        wrong = problem(bob.post(f"/v1/games/{game}/seats", body), 422, "validation_failed")
        assert {error["pointer"] for error in wrong["errors"]} == {pointer}
    assert version(game) == before


def test_the_host_seats_bots_and_nobody_else_does(ann: Client, bob: Client, version):
    game = ann.game(seats=3)
    seated = ann.post(f"/v1/games/{game}/seats", {"bot": "novice", "seat": 2})
    assert seated.status_code == 201
    before = version(game)
    for _ in range(2):
        problem(bob.post(f"/v1/games/{game}/seats", {"bot": "novice"}), 403, "not_host")
        assert problem(ann.post(f"/v1/games/{game}/seats", {"bot": "x"}), 422, "unknown_bot")["levels"]
        problem(ann.post(f"/v1/games/{game}/seats", {"bot": "novice", "seat": 2}), 409, "seat_taken")
    assert version(game) == before
    assert [seat["bot"] for seat in ann.view(game)["seats"]] == [None, None, "novice"]


def test_the_last_seat_starts_a_game_that_starts_by_itself(ann: Client, bob: Client):
    game = ann.game(auto_start=True)
    sat = bob.post(f"/v1/games/{game}/seats", {})
    assert [e["type"] for e in sat.json["events"]][:2] == ["seat_taken", "game_started"]
    assert bob.view(game)["status"] == "playing"


def test_a_seed_can_be_given_until_the_start(ann: Client, bob: Client, version):
    game = ann.game()
    for _ in range(2):
        given = ann.put(f"/v1/games/{game}/seats/me", {"client_seed": SEED})
        assert [e["type"] for e in given.json["events"]] == ["client_seed_given"]
    before = version(game)
    problem(bob.put(f"/v1/games/{game}/seats/me", {"client_seed": SEED}), 403, "not_seated")
    problem(ann.put(f"/v1/games/{game}/seats/me", {"controller": "player"}), 409, "not_away")
    assert version(game) == before
    bob.post(f"/v1/games/{game}/seats", {})
    ann.post(f"/v1/games/{game}/start")
    problem(ann.put(f"/v1/games/{game}/seats/me", {"client_seed": SEED}), 409, "already_started")


@pytest.mark.parametrize(
    "body", [{}, {"controller": "bot"}, {"controller": None}, {"controller": "player", "client_seed": SEED}, {"x": 1}]
)
def test_a_change_of_another_shape_is_refused(ann: Client, version, body):
    game = ann.game()
    before = version(game)
    problem(ann.put(f"/v1/games/{game}/seats/me", body), 422, "validation_failed")
    assert version(game) == before


def test_leaving_the_lobby_frees_the_seat_and_hands_the_table_on(ann: Client, bob: Client, version):
    game = ann.game(seats=3)
    bob.post(f"/v1/games/{game}/seats", {})
    left = ann.delete(f"/v1/games/{game}/seats/me")
    assert [e["type"] for e in left.json["events"]] == ["seat_left"]
    before = version(game)
    problem(ann.delete(f"/v1/games/{game}/seats/me"), 403, "not_seated")
    assert version(game) == before
    assert bob.view(game)["host"]["name"] == "Bob"
    assert bob.delete(f"/v1/games/{game}/seats/me").status_code == 200
    assert bob.view(game)["status"] == "aborted"
    problem(bob.delete(f"/v1/games/{game}/seats/me"), 409, "game_over")


def test_leaving_a_running_game_is_resigning(ann: Client, bob: Client, table: str, version):
    gone = bob.delete(f"/v1/games/{table}/seats/me")
    assert [e["type"] for e in gone.json["events"]] == ["controller_changed", "game_ended"]
    before = version(table)
    problem(bob.delete(f"/v1/games/{table}/seats/me"), 409, "game_over")
    problem(ann.post(f"/v1/games/{table}/start"), 409, "game_over")
    assert version(table) == before
    view = bob.view(table)
    assert view["observer"] == {"spectator": True}
    assert view["seats"][1]["former"]["name"] == "Bob"


def test_whoever_resigned_at_a_larger_table_plays_no_more(ann: Client, bob: Client, version):
    game = ann.game(seats=3, bots=["novice"], auto_start=True)
    bob.post(f"/v1/games/{game}/seats", {})
    assert bob.delete(f"/v1/games/{game}/seats/me").status_code == 200
    before = version(game)
    for method, path, body in (
        ("DELETE", "seats/me", None),
        ("PUT", "seats/me", {"controller": "player"}),
        ("POST", "moves", {"type": "pass", "decision": "1"}),
    ):
        problem(bob.send(method, f"/v1/games/{game}/{path}", json=body), 403, "not_seated")
    assert version(game) == before


def test_a_player_who_was_away_takes_the_seat_back(ann: Client, bob: Client, anybody: Client, opened):
    game = ann.game(auto_start=True, clock={"decision_ms": 2000, "grace_ms": 0, "away_after": 1})
    bob.post(f"/v1/games/{game}/seats", {})
    asked = opened.repository.game(game).game.asked[0]
    away = ann if asked.decision.seat == 0 else bob
    until(lambda: opened.repository.now() > asked.since + 2010)
    opened.repository.execute(game, Timeout(), key="the clock")
    seat = away.view(game)["seats"][asked.decision.seat]
    assert (seat["controller"], seat["player"]["id"]) == ("bot", away.player["id"])
    other = bob if away is ann else ann
    other.post(f"/v1/games/{game}/moves", {"type": "pass", "decision": other.view(game)["decision"]["id"]})
    move = filled(away.view(game)["decision"]["moves"][0])
    before = opened.repository.version(game)
    problem(away.post(f"/v1/games/{game}/moves", move), 409, "seat_away")
    assert opened.repository.version(game) == before
    back = away.put(f"/v1/games/{game}/seats/me", {"controller": "player"})
    assert [e["type"] for e in back.json["events"]] == ["controller_changed"]
    problem(away.put(f"/v1/games/{game}/seats/me", {"controller": "player"}), 409, "not_away")
