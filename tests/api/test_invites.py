"""Invitations over HTTP: a private game for a friend, and still none for a stranger."""

import pytest

from api import invites
from tests.api.client import Client, problem
from tests.waiting import until

KEY = {"Idempotency-Key": "k"}
NONE = "01JZZZZZZZZZZZZZZZZZZZZZZZ"


def code_of(client: Client, game: str, **wanted: object) -> str:
    made = client.post(f"/v1/games/{game}/invites", wanted)
    assert made.status_code == 201, made.text
    return made.json["code"]


def test_an_invited_player_reads_a_private_game_and_sits_down(ann: Client, bob: Client):
    game = ann.game(visibility="private", seats=3)
    problem(bob.get(f"/v1/games/{game}"), 404, "unknown_game")
    code = code_of(ann, game, seat=2)
    for _ in range(2):
        exchanged = bob.post("/v1/invites", {"code": code})
        assert (exchanged.status_code, exchanged.json) == (200, {"game": game, "seat": 2})
    assert bob.view(game)["observer"] == {"spectator": True}
    for path in ("/events", "/moves", "/log", "/replay", "/challenges", "/disputes"):
        assert bob.get(f"/v1/games/{game}{path}").status_code == 200
    assert bob.post(f"/v1/games/{game}/seats", {"seat": 2}).status_code == 201
    assert bob.view(game)["observer"] == {"seat": 2}


def test_a_code_is_enough_to_sit_down(ann: Client, bob: Client, version):
    game = ann.game(visibility="private", seats=3)
    code = code_of(ann, game, seat=2)
    body = {"invite": code}
    before = version(game)
    sat = bob.post(f"/v1/games/{game}/seats", body, headers=KEY)
    assert (sat.status_code, sat.json["events"][0]["seat"]) == (201, 2)
    again = bob.post(f"/v1/games/{game}/seats", body, headers=KEY)
    assert (again.status_code, again.json["hash"]) == (201, sat.json["hash"])
    problem(bob.post(f"/v1/games/{game}/seats", body), 409, "already_seated")
    assert version(game) == before + 1
    assert "invite" not in str(ann.get(f"/v1/games/{game}/events").json)


def test_the_repeat_of_sitting_down_is_told_so_also_when_the_code_is_gone(ann: Client, bob: Client):
    game = ann.game(visibility="private", seats=3)
    made = ann.post(f"/v1/games/{game}/invites", {}).json
    sat = bob.post(f"/v1/games/{game}/seats", {"invite": made["code"]}, headers=KEY)
    ann.delete(f"/v1/games/{game}/invites/{made['id']}")
    again = bob.post(f"/v1/games/{game}/seats", {"invite": made["code"]}, headers=KEY)
    assert (again.status_code, again.json["hash"]) == (201, sat.json["hash"])
    accept = ann.post(f"/v1/games/{game}/invites", {}).json
    carl = bob.join("Carl")
    first = carl.post("/v1/invites", {"code": accept["code"]}, headers=KEY)
    ann.delete(f"/v1/games/{game}/invites/{accept['id']}")
    assert carl.post("/v1/invites", {"code": accept["code"]}, headers=KEY).json == first.json
    problem(carl.post("/v1/invites", {"code": accept["code"]}), 404, "unknown_invite")


def test_a_seat_of_choice_goes_before_that_of_the_code(ann: Client, bob: Client):
    game = ann.game(seats=3)
    bob.post(f"/v1/games/{game}/seats", {"invite": code_of(ann, game, seat=2), "seat": 1})
    assert bob.view(game)["observer"] == {"seat": 1}


def test_host_and_seats_invite_and_nobody_else(ann: Client, bob: Client, anybody: Client):
    game = ann.game(visibility="private", seats=3)
    bob.post("/v1/invites", {"code": code_of(ann, game)})
    for method, path, body in (
        ("POST", "", {}),
        ("GET", "", None),
        ("DELETE", "/x", None),
    ):
        problem(bob.send(method, f"/v1/games/{game}/invites{path}", json=body), 403, "not_seated")
        problem(anybody.send(method, f"/v1/games/{game}/invites{path}", json=body), 401, "token_missing")
    bob.post(f"/v1/games/{game}/seats", {})
    carl = anybody.join("Carl")
    assert carl.post("/v1/invites", {"code": code_of(bob, game)}).status_code == 200
    hosted = ann.game(visibility="private", host_seat="none", bots=["novice"] * 2)
    assert code_of(ann, hosted)


def test_the_host_sees_all_invitations_and_a_seat_its_own(ann: Client, bob: Client):
    game = ann.game(seats=3)
    bob.post(f"/v1/games/{game}/seats", {})
    codes = [code_of(ann, game, uses=2, seat=2), code_of(bob, game, expires_ms=60_000)]
    listed = ann.get(f"/v1/games/{game}/invites")
    assert [(i["by"]["name"], i["seat"], i["uses"], i["used"]) for i in listed.json["items"]] == [
        ("Ann", 2, 2, 0), ("Bob", None, 1, 0),
    ]  # fmt: skip
    mine = bob.get(f"/v1/games/{game}/invites")
    assert [i["by"]["name"] for i in mine.json["items"]] == ["Bob"]
    for code in codes:
        assert code not in listed.text + mine.text
    anns, bobs = (i["id"] for i in listed.json["items"])
    problem(bob.delete(f"/v1/games/{game}/invites/{anns}"), 404, "unknown_invite")
    for _ in range(2):
        assert bob.delete(f"/v1/games/{game}/invites/{bobs}").status_code == 204
    problem(ann.delete(f"/v1/games/{game}/invites/{NONE}"), 404, "unknown_invite")
    assert [i["id"] for i in ann.get(f"/v1/games/{game}/invites").json["items"]] == [anns]


def test_one_that_is_not_good_any_more_is_like_one_that_never_was(ann: Client, anybody: Client, version):
    game = ann.game(visibility="private", seats=4)
    withdrawn = ann.post(f"/v1/games/{game}/invites", {}).json
    ann.delete(f"/v1/games/{game}/invites/{withdrawn['id']}")
    used = code_of(ann, game)
    assert anybody.join("Bob").post("/v1/invites", {"code": used}).status_code == 200
    expired = code_of(ann, game, expires_ms=1000)
    until(lambda: len(ann.get(f"/v1/games/{game}/invites").json["items"]) == 0)
    other = code_of(ann, ann.game(visibility="private"))
    before, eve = version(game), anybody.join("Eve")
    answers = set()
    for code in (withdrawn["code"], used, expired, "x" * 22, "é"):
        for _ in range(2):
            answer = eve.post("/v1/invites", {"code": code})
            problem(answer, 404, "unknown_invite")
            answers.add(answer.data)
        problem(eve.post(f"/v1/games/{game}/seats", {"invite": code}), 404, "unknown_game")
    assert len(answers) == 1
    problem(eve.post(f"/v1/games/{game}/seats", {"invite": other}), 404, "unknown_game")
    open_game = ann.game()
    problem(eve.post(f"/v1/games/{open_game}/seats", {"invite": other}), 404, "unknown_invite")
    assert version(game) == before


ROUTES = [
    ("POST", "/invites", {}),
    ("POST", "/invites", {"seat": 99}),
    ("GET", "/invites", None),
    ("DELETE", "/invites/x", None),
    ("POST", "/seats", {"invite": "x" * 22}),
]


@pytest.mark.parametrize(("method", "path", "body"), ROUTES)
def test_a_stranger_cannot_tell_a_private_game_from_none(ann: Client, anybody: Client, method, path, body):
    game, eve = ann.game(visibility="private"), anybody.join("Eve")
    answers = set()
    for one in (game, NONE):
        answer = eve.send(method, f"/v1/games/{one}{path}", json=body)
        problem(answer, 404, "unknown_game")
        answers.add((answer.data, tuple(sorted(name for name, _ in answer.headers))))
    assert len(answers) == 1


def test_the_repeat_with_its_key_is_the_same_code_also_after_it_was_withdrawn(ann: Client, bob: Client):
    game = ann.game(visibility="private")
    first = ann.post(f"/v1/games/{game}/invites", {"uses": 2}, headers=KEY)
    again = ann.post(f"/v1/games/{game}/invites", {"uses": 2}, headers=KEY)
    assert (first.json["code"], again.headers["Idempotency-Replayed"]) == (again.json["code"], "true")
    problem(ann.post(f"/v1/games/{game}/invites", {"uses": 3}, headers=KEY), 422, "key_reused")
    assert len(ann.get(f"/v1/games/{game}/invites").json["items"]) == 1
    ann.delete(f"/v1/games/{game}/invites/{first.json['id']}")
    assert ann.post(f"/v1/games/{game}/invites", {"uses": 2}, headers=KEY).json["code"] == first.json["code"]
    problem(bob.post("/v1/invites", {"code": first.json["code"]}), 404, "unknown_invite")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"seat": -1}, "/seat"),
        ({"seat": "1"}, "/seat"),
        ({"uses": 0}, "/uses"),
        ({"uses": 1001}, "/uses"),
        ({"expires_ms": 0}, "/expires_ms"),
        ({"expires_ms": 10**12}, "/expires_ms"),
        ({"code": "mine"}, "/code"),
    ],
)
def test_another_shape_is_refused_with_a_pointer(ann: Client, body, pointer):
    game = ann.game()
    for _ in range(2):
        wrong = problem(ann.post(f"/v1/games/{game}/invites", body), 422, "validation_failed")
        assert [error["pointer"] for error in wrong["errors"]] == [pointer]
        problem(ann.post(f"/v1/games/{game}/invites", {"seat": 2}), 422, "seat_out_of_range")
    assert ann.get(f"/v1/games/{game}/invites").json["items"] == []


@pytest.mark.parametrize("body", [{}, {"code": 1}, {"code": ""}, {"code": "x" * 101}, {"code": "x", "game": "y"}])
def test_another_shape_of_an_exchange_is_refused(ann: Client, body):
    for _ in range(2):
        problem(ann.post("/v1/invites", body), 422, "validation_failed")
    game = ann.game()
    problem(ann.post(f"/v1/games/{game}/seats", {"bot": "novice", "invite": "x"}), 422, "validation_failed")


def test_an_invited_player_may_look_at_a_game_that_is_over(ann: Client, bob: Client):
    game = ann.game(visibility="private", bots=["novice"], auto_start=True)
    ann.delete(f"/v1/games/{game}/seats/me")
    code = code_of(ann, game)
    bob.post("/v1/invites", {"code": code})
    assert bob.view(game)["status"] == "finished"


def test_no_code_is_in_a_log(ann: Client, bob: Client, opened):
    game = ann.game(visibility="private", seats=3)
    code = code_of(ann, game)
    bob.post(f"/v1/games/{game}/seats", {"invite": code})
    for record in opened.log.read(game):
        assert code.encode() not in record.record + record.secret


def test_a_game_has_so_many_invitations_and_no_more(ann: Client, monkeypatch):
    monkeypatch.setattr(invites, "MOST_INVITES", 2)
    game = ann.game(visibility="private")
    for _ in range(2):
        assert ann.post(f"/v1/games/{game}/invites", {}).status_code == 201
    assert problem(ann.post(f"/v1/games/{game}/invites", {}), 409, "too_many_invites")["max"] == 2
