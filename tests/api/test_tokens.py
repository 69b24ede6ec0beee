"""Tokens over HTTP: scopes, repeats, revocation; and the account that they stand for."""

import pytest

from eventstore.tokens import MOST_TOKENS, SCOPES
from tests.api.client import Client, filled, problem
from tests.waiting import until

KEY = {"Idempotency-Key": "k"}


def another(client: Client, *scopes: str, **more: object) -> Client:
    """The same player with another token."""
    made = client.post("/v1/me/tokens", {"scopes": list(scopes), **more})
    assert made.status_code == 201, made.text
    return Client(client.app, made.json["token"], client.player)


def test_another_token_is_of_the_same_player_and_shown_once(ann: Client):
    made = ann.post("/v1/me/tokens", {"scopes": ["read", "play", "read"], "label": "phone", "expires_ms": 60_000})
    assert made.status_code == 201
    assert made.headers["Cache-Control"] == "no-store"
    told = made.json
    assert (told["label"], told["scopes"], told["current"]) == ("phone", ["play", "read"], False)
    assert told["expires"] > told["created"]
    assert Client(ann.app, told["token"]).get("/v1/me").json["player"] == ann.player
    listed = ann.get("/v1/me/tokens")
    assert [(t["label"], t["current"]) for t in listed.json["items"]] == [("first", True), ("phone", False)]
    assert listed.json["items"][0]["used"]
    assert told["token"] not in listed.text
    assert ann.token not in listed.text


def test_without_a_key_each_is_another_one_and_with_it_all_are_the_same(ann: Client):
    body = {"scopes": ["read"]}
    texts = {ann.post("/v1/me/tokens", body).json["token"] for _ in range(2)}
    first = ann.post("/v1/me/tokens", body, headers=KEY)
    again = ann.post("/v1/me/tokens", body, headers=KEY)
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"
    assert (again.status_code, again.json) == (201, first.json)
    assert len({*texts, first.json["token"]}) == 3
    problem(ann.post("/v1/me/tokens", {"scopes": ["play"]}, headers=KEY), 422, "key_reused")
    assert len(ann.get("/v1/me/tokens").json["items"]) == 4


def test_a_key_belongs_to_one_token(ann: Client):
    """Half of a new token is the one that it is asked for with: another one cannot be told the same."""
    body = {"scopes": ["read"]}
    first = ann.post("/v1/me/tokens", body, headers=KEY).json
    other = another(ann, "account", "read").post("/v1/me/tokens", body, headers=KEY).json
    assert first["token"] != other["token"]
    assert first["id"] != other["id"]


def test_the_repeat_of_what_made_a_revoked_token_does_not_bring_it_back(ann: Client):
    made = ann.post("/v1/me/tokens", {"scopes": ["read"]}, headers=KEY).json
    for _ in range(2):
        assert ann.delete(f"/v1/me/tokens/{made['id']}").status_code == 204
    assert ann.post("/v1/me/tokens", {"scopes": ["read"]}, headers=KEY).json == made
    problem(Client(ann.app, made["token"]).get("/v1/me"), 401, "token_invalid")


def test_the_store_holds_no_token(ann: Client, opened):
    made = ann.post("/v1/me/tokens", {"scopes": ["read"]}, headers=KEY).json["token"]
    for key in opened.reader.scan_iter():
        kind = opened.reader.type(key)
        held = opened.reader.hgetall(key) if kind == b"hash" else opened.reader.get(key) if kind == b"string" else b""
        assert made[3:].encode() not in key + repr(held).encode()


NEEDED = [
    ("read", "GET", "/v1/me", None),
    ("read", "GET", "/v1/games", None),
    ("read", "GET", "/v1/games?seat=me", None),
    ("read", "GET", "/v1/games/{game}", None),
    ("read", "GET", "/v1/games/{game}/moves", None),
    ("read", "GET", "/v1/games/{game}/events", None),
    ("read", "GET", "/v1/games/{game}/log", None),
    ("read", "GET", "/v1/games/{game}/replay", None),
    ("read", "POST", "/v1/games/{game}/stream-tickets", {}),
    ("create", "POST", "/v1/games", {"ruleset": "bluff_king"}),
    ("play", "POST", "/v1/games/{game}/start", {}),
    ("play", "POST", "/v1/games/{game}/seats", {"bot": "novice"}),
    ("play", "PUT", "/v1/games/{game}/seats/me", {"client_seed": "ab" * 32}),
    ("play", "DELETE", "/v1/games/{game}/seats/me", None),
    ("play", "POST", "/v1/games/{game}/moves", {"type": "pass", "decision": "1"}),
    ("account", "GET", "/v1/me/tokens", None),
    ("account", "POST", "/v1/me/tokens", {"scopes": ["account"]}),
    ("account", "DELETE", "/v1/me/tokens/x", None),
    ("account", "PATCH", "/v1/me", {"name": "Anna"}),
]


@pytest.mark.parametrize(("scope", "method", "path", "body"), NEEDED)
def test_a_call_outside_the_scope_is_refused_and_says_which_is_needed(ann: Client, version, scope, method, path, body):
    game = ann.game()
    before = version(game)
    others = another(ann, *[one for one in SCOPES if one != scope])
    for _ in range(2):
        wrong = others.send(method, path.format(game=game), json=body)
        assert problem(wrong, 403, "scope_missing")["scope"] == scope
        expected = f'Bearer realm="captains-table", error="insufficient_scope", scope="{scope}"'
        assert wrong.headers["WWW-Authenticate"] == expected
    assert version(game) == before
    allowed = another(ann, scope).send(method, path.format(game=game), json=body)
    assert allowed.json is None or allowed.json.get("code") != "scope_missing"


def test_every_operation_that_looks_at_tokens_says_its_scope(app):
    for path, item in app.extensions["openapi"]["paths"].items():
        for method, operation in item.items():
            for scheme in filter(None, operation.get("security", ()) if method != "parameters" else ()):
                assert scheme["bearer"][0] in SCOPES, (method, path)
                assert "`scope_missing`" in operation["responses"]["403"]["description"]


def test_what_everybody_may_read_needs_no_token_whatever_its_scope(ann: Client):
    limited = another(ann, "play")
    for path in ("/v1/rulesets", "/v1/server", "/healthz"):
        assert limited.get(path).status_code == 200


def test_a_program_that_may_only_play_and_read_plays(ann: Client, bob: Client, table: str):
    mover = ann if ann.view(table)["decision"] else bob
    program = another(mover, "play", "read")
    move = filled(program.view(table)["decision"]["moves"][0])
    assert program.post(f"/v1/games/{table}/moves", move).status_code == 201


def test_a_token_gives_no_more_than_it_has(ann: Client):
    limited = another(ann, "account", "read", expires_ms=60_000)
    assert problem(limited.post("/v1/me/tokens", {"scopes": ["read", "play"]}), 403, "scope_missing")["scope"] == "play"
    mine = next(t for t in limited.get("/v1/me/tokens").json["items"] if t["current"])
    for more in ({}, {"expires_ms": 1_000_000}):
        given = limited.post("/v1/me/tokens", {"scopes": ["read"], **more}).json
        assert given["expires"] == mine["expires"]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/scopes"),
        ({"scopes": []}, "/scopes"),
        ({"scopes": ["admin"]}, "/scopes/0"),
        ({"scopes": "read"}, "/scopes"),
        ({"scopes": ["read"] * 5}, "/scopes"),
        ({"scopes": ["read"], "label": "a\nb"}, "/label"),
        ({"scopes": ["read"], "label": "x" * 41}, "/label"),
        ({"scopes": ["read"], "expires_ms": 999}, "/expires_ms"),
        ({"scopes": ["read"], "expires_ms": "1000"}, "/expires_ms"),
        ({"scopes": ["read"], "x": 1}, "/x"),
    ],
)
def test_another_shape_is_refused_with_a_pointer(ann: Client, size, body, pointer):
    ann.get("/v1/me")
    before = size()
    for _ in range(2):
        wrong = problem(ann.post("/v1/me/tokens", body), 422, "validation_failed")
        assert [error["pointer"] for error in wrong["errors"]] == [pointer]
    assert size() == before


def test_a_token_may_revoke_itself_and_the_last_full_one_too(ann: Client, bob: Client):
    mine = ann.get("/v1/me/tokens").json["items"][0]["id"]
    for other in (mine, "01JZZZZZZZZZZZZZZZZZZZZZZZ", "x"):
        problem(bob.delete(f"/v1/me/tokens/{other}"), 404, "unknown_token")
    assert ann.get("/v1/me").status_code == 200
    assert ann.delete(f"/v1/me/tokens/{mine}").status_code == 204
    for _ in range(2):
        problem(ann.delete(f"/v1/me/tokens/{mine}"), 401, "token_invalid")
        problem(ann.get("/v1/games"), 401, "token_invalid")


def test_a_token_expires(ann: Client):
    short = another(ann, "read", expires_ms=1000)
    assert short.get("/v1/me").status_code == 200
    until(lambda: short.get("/v1/me").status_code == 401)
    assert [t["label"] for t in ann.get("/v1/me/tokens").json["items"]] == ["first"]


def test_there_is_a_bound(ann: Client):
    for _ in range(MOST_TOKENS - 1):
        another(ann, "read")
    wrong = problem(ann.post("/v1/me/tokens", {"scopes": ["read"]}), 409, "too_many_tokens")
    assert wrong["max"] == MOST_TOKENS
    newest = ann.get("/v1/me/tokens").json["items"][-1]["id"]
    ann.delete(f"/v1/me/tokens/{newest}")
    another(ann, "read")


# --- the account -----------------------------------------------------------------------------------------------------


def test_a_new_name_is_shown_wherever_the_player_is(ann: Client, bob: Client):
    game = ann.game()
    assert bob.view(game)["host"]["name"] == "Ann"
    for _ in range(2):
        named = ann.send("PATCH", "/v1/me", json={"name": " Anna "})
        assert (named.status_code, named.json) == (200, {**ann.player, "name": "Anna"})
    assert ann.get("/v1/me").json["player"]["name"] == "Anna"
    assert bob.view(game)["host"]["name"] == bob.view(game)["seats"][0]["player"]["name"] == "Anna"
    for body in ({}, {"name": ""}, {"name": "x" * 41}, {"name": "A", "kind": "bot"}):
        problem(ann.send("PATCH", "/v1/me", json=body), 422, "validation_failed")


def test_a_program_says_so_wherever_it_is_seen(anybody: Client, ann: Client):
    made = anybody.post("/v1/players", {"name": "Hal", "kind": "bot"})
    assert made.json["player"]["bot"] is True
    hal = Client(anybody.app, made.json["token"], made.json["player"])
    game = hal.game(seats=3)
    ann.post(f"/v1/games/{game}/seats", {})
    view = anybody.view(game)
    assert view["host"] == {"id": hal.player["id"], "name": "Hal", "bot": True}
    assert [seat["player"]["bot"] for seat in view["seats"][:2]] == [True, False]
    assert hal.get("/v1/me").json["player"]["bot"] is True
    for kind in ("human", None, True):
        problem(anybody.post("/v1/players", {"name": "Hal", "kind": kind}), 422, "validation_failed")
