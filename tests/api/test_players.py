"""Accounts, tokens, and what waits for a player."""

import pytest

from tests.api.client import Client, problem


def test_registering_gives_a_player_and_a_token_that_names_it(anybody: Client):
    made = anybody.post("/v1/players", {"name": "Ann"})
    again = anybody.post("/v1/players", {"name": "Ann"})
    assert (made.status_code, again.status_code) == (201, 201)
    assert made.json["player"]["id"] != again.json["player"]["id"]
    assert made.json["token"] != again.json["token"]
    assert made.headers["Cache-Control"] == "no-store"
    me = Client(anybody.app, made.json["token"]).get("/v1/me").json
    assert me["player"] == made.json["player"]
    assert me["waiting"] == []
    assert me["limits"]["body_bytes"] == 65536


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("Ann", "Ann"),
        ("  Ann ", "Ann"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("王", "王"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("👩🏽\u200d❤\ufe0f\u200d👩", "👩🏽\u200d❤\ufe0f\u200d👩"),
        ("🏴\u200d☠\ufe0f Anne", "🏴\u200d☠\ufe0f Anne"),
        ("x" * 40, "x" * 40),
    ],
)
def test_a_name_is_kept_as_people_read_it(anybody: Client, name: str, seen: str):
    assert anybody.join(name).player["name"] == seen


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "\u200d",
        "An\u200dn",
        "Ann\u200d",
        "👩\u200d",
        "a\u200bb",
        "a\u2066b",
        "a\u00adb",
        "\u3164",
        "Ann\u115f",
        "\u2800",
        "a\nb",
        "a\u0000b",
        "a\u001bb",
        "a\u007fb",
        "a\u202eb",
        "a\u2028b",
        "\ufeffa",
        "a\ue000",
        "x" * 41,
        "\u0301",
    ],
)
def test_a_name_that_cannot_be_read_is_refused_with_a_pointer(anybody: Client, name: str):
    for _ in range(2):
        wrong = problem(anybody.post("/v1/players", {"name": name}), 422, "validation_failed")
        assert [error["pointer"] for error in wrong["errors"]] == ["/name"]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [({}, "/name"), ({"name": None}, "/name"), ({"name": 7}, "/name"), ({"name": "Ann", "admin": True}, "/admin")],
)
def test_another_shape_is_refused_with_a_pointer(anybody: Client, body, pointer):
    wrong = problem(anybody.post("/v1/players", body), 422, "validation_failed")
    assert [error["pointer"] for error in wrong["errors"]] == [pointer]


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Basic QTpC",
        "Bearer ct_unknown",
        "ct_unknown",
        "Bearer ct_é",
        "Bearer a b",
        "Bearer " + "x" * 4000,
    ],
)
def test_a_wrong_token_is_401_also_where_none_is_needed(anybody: Client, header: str):
    for path in ("/v1/me", "/v1/games"):
        answer = anybody.get(path, headers={"Authorization": header.encode("utf-8").decode("latin-1")})
        problem(answer, 401, "token_invalid")
        assert "Bearer" in answer.headers["WWW-Authenticate"]


def test_no_token_is_401_where_one_is_needed(anybody: Client, table: str, version):
    before = version(table)
    for method, path, body in (
        ("GET", "/v1/me", None),
        ("GET", "/v1/games?seat=me", None),
        ("POST", "/v1/games", {"ruleset": "bluff_king"}),
        ("POST", f"/v1/games/{table}/seats", {}),
        ("PUT", f"/v1/games/{table}/seats/me", {"controller": "player"}),
        ("DELETE", f"/v1/games/{table}/seats/me", None),
        ("POST", f"/v1/games/{table}/start", {}),
        ("GET", f"/v1/games/{table}/moves", None),
        ("POST", f"/v1/games/{table}/moves", {"type": "pass", "decision": "1"}),
    ):
        answer = anybody.send(method, path, json=body)
        problem(answer, 401, "token_missing")
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert version(table) == before


def test_what_waits_for_me_is_in_me(ann: Client, bob: Client, table: str, listed):
    listed(table)
    asked = ann.view(table)["asked"][0]["seat"]
    mine, other = (ann, bob) if asked == 0 else (bob, ann)
    waiting = mine.get("/v1/me").json["waiting"]
    assert [(w["game"], w["seat"], w["kind"]) for w in waiting] == [(table, asked, "lead")]
    assert waiting[0]["decision"] == mine.view(table)["decision"]["id"]
    assert other.get("/v1/me").json["waiting"] == []
