"""Creating, listing, viewing and starting games."""

import pytest

from tests.api.client import Client, problem


def test_only_the_ruleset_is_required(ann: Client):
    made = ann.post("/v1/games", {"ruleset": "bluff_king"})
    assert made.status_code == 201
    game = made.json["game"]
    assert made.headers["Location"] == f"/v1/games/{game}"
    assert [event["type"] for event in made.json["events"]] == ["game_created", "seat_taken"]
    view = ann.view(game)
    assert view["status"] == "lobby"
    assert view["host"]["name"] == "Ann"
    assert [seat["player"] and seat["player"]["name"] for seat in view["seats"]] == ["Ann", None]
    assert view["clock"]["decision_ms"] == 60000
    assert (view["visibility"], view["auto_start"], view["table"]) == ("public", False, None)
    assert view["observer"] == {"seat": 0}


def test_everything_can_be_said(ann: Client):
    game = ann.game(
        options={"decks": 2, "adding": "after_no_challenge"},
        seats=5,
        bots=["novice", "standard"],
        host_seat=3,
        clock={"decision_ms": 86_400_000, "vote_ms": 5000, "grace_ms": 0, "away_after": 1, "bot_pace_ms": 100},
        visibility="unlisted",
        auto_start=True,
    )
    view = ann.view(game)
    assert view["options"] == {"decks": 2, "adding": "after_no_challenge", "max_turns": 1000}
    assert [seat["bot"] for seat in view["seats"]] == ["novice", "standard", None, None, None]
    assert view["observer"] == {"seat": 3}
    assert view["clock"]["vote_ms"] == 5000


def test_a_host_may_stay_without_a_seat_and_as_many_seats_as_needed_are_made(ann: Client):
    view = ann.view(ann.game(host_seat="none", bots=["novice"] * 3))
    assert len(view["seats"]) == 3
    assert view["observer"] == {"spectator": True}
    assert len(ann.view(ann.game(bots=["novice"] * 3))["seats"]) == 4


@pytest.mark.parametrize(
    ("wanted", "code", "pointer"),
    [
        ({}, "validation_failed", "/ruleset"),
        ({"ruleset": None}, "validation_failed", "/ruleset"),
        ({"ruleset": 7}, "validation_failed", "/ruleset"),
        ({"ruleset": "chess"}, "validation_failed", "/ruleset"),
        ({"ruleset": "bluff_king", "colour": "red"}, "validation_failed", "/colour"),
        ({"ruleset": "bluff_king", "seats": "4"}, "validation_failed", "/seats"),
        ({"ruleset": "bluff_king", "seats": 4.0}, "validation_failed", "/seats"),
        ({"ruleset": "bluff_king", "seats": True}, "validation_failed", "/seats"),
        ({"ruleset": "bluff_king", "seats": 0}, "validation_failed", "/seats"),
        ({"ruleset": "bluff_king", "seats": 9}, "seats_out_of_range", None),
        ({"ruleset": "bluff_king", "seats": 1}, "seats_out_of_range", None),
        ({"ruleset": "bluff_king", "host_seat": "first"}, "validation_failed", "/host_seat"),
        ({"ruleset": "bluff_king", "host_seat": 2}, "seat_out_of_range", None),
        ({"ruleset": "bluff_king", "host_seat": -1}, "validation_failed", "/host_seat"),
        ({"ruleset": "bluff_king", "bots": "novice"}, "validation_failed", "/bots"),
        ({"ruleset": "bluff_king", "bots": [1]}, "validation_failed", "/bots/0"),
        ({"ruleset": "bluff_king", "bots": ["grandmaster"]}, "unknown_bot", None),
        ({"ruleset": "bluff_king", "bots": ["novice"] * 9}, "seats_out_of_range", None),
        ({"ruleset": "bluff_king", "seats": 2, "bots": ["novice"] * 2}, "game_full", None),
        ({"ruleset": "bluff_king", "options": []}, "validation_failed", "/options"),
        ({"ruleset": "bluff_king", "options": {"decks": 3}}, "options_out_of_range", "/options/decks"),
        ({"ruleset": "bluff_king", "options": {"decks": "1"}}, "options_out_of_range", "/options/decks"),
        ({"ruleset": "bluff_king", "options": {"dekcs": 1}}, "options_out_of_range", "/options/dekcs"),
        ({"ruleset": "bluff_king", "options": {"adding": "never"}}, "options_out_of_range", "/options/adding"),
        ({"ruleset": "bluff_king", "options": {"max_turns": 0}}, "options_out_of_range", "/options/max_turns"),
        ({"ruleset": "bluff_king", "options": {"max_turns": 10**9}}, "options_out_of_range", "/options/max_turns"),
        ({"ruleset": "bluff_king", "clock": {"decision_ms": 999}}, "validation_failed", "/clock/decision_ms"),
        ({"ruleset": "bluff_king", "clock": {"decision_ms": 10**10}}, "validation_failed", "/clock/decision_ms"),
        ({"ruleset": "bluff_king", "clock": {"speed": 1}}, "validation_failed", "/clock/speed"),
        ({"ruleset": "bluff_king", "clock": None}, "validation_failed", "/clock"),
        ({"ruleset": "bluff_king", "visibility": "hidden"}, "validation_failed", "/visibility"),
        ({"ruleset": "bluff_king", "auto_start": 1}, "validation_failed", "/auto_start"),
    ],
)
def test_a_wrong_wish_is_refused_and_nothing_is_created(ann: Client, size, wanted, code, pointer):
    before = size()
    for _ in range(2):
        wrong = problem(ann.post("/v1/games", wanted), 409 if code == "game_full" else 422, code)
        assert [error["pointer"] for error in wrong.get("errors", [])] == ([pointer] if pointer else [])
    assert size() == before


def test_a_refusal_says_what_would_be_right(ann: Client):
    assert problem(ann.post("/v1/games", {"ruleset": "bluff_king", "seats": 9}), 422, "seats_out_of_range")["max"] == 8
    wrong = problem(ann.post("/v1/games", {"ruleset": "bluff_king", "bots": ["x"]}), 422, "unknown_bot")
    assert wrong["levels"] == ["novice", "standard"]
    wrong = problem(
        ann.post("/v1/games", {"ruleset": "bluff_king", "options": {"decks": 3}}), 422, "options_out_of_range"
    )
    assert "1, 2" in wrong["errors"][0]["detail"]


def test_a_view_that_the_client_has_already_is_304(ann: Client, table: str, bob: Client):
    first = ann.get(f"/v1/games/{table}")
    tag = first.headers["ETag"]
    assert tag == f'"{first.json["cursor"]}.s0"'
    assert first.headers["Cache-Control"] == "private, no-cache, no-transform"
    assert "Authorization" in first.headers["Vary"]
    for sent in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = ann.get(f"/v1/games/{table}", headers={"If-None-Match": sent})
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == tag
    assert bob.get(f"/v1/games/{table}", headers={"If-None-Match": tag}).status_code == 200
    (ann if first.json["decision"] else bob).act(table)
    assert ann.get(f"/v1/games/{table}", headers={"If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize(
    "game", ["x", "01JZZZZZZZZZZZZZZZZZZZZZZZ", "01jzzzzzzzzzzzzzzzzzzzzzzz", "..", "%00", "x" * 5000]
)
def test_an_unknown_game_is_404(ann: Client, game: str):
    problem(ann.get(f"/v1/games/{game}"), 404, "unknown_game")


def test_a_query_that_is_not_known_is_refused(ann: Client, table: str):
    wrong = problem(ann.get(f"/v1/games/{table}?ass=all"), 422, "validation_failed")
    assert wrong["errors"] == [{"parameter": "ass", "detail": "Unknown field."}]
    problem(ann.get(f"/v1/games/{table}?as=god"), 422, "validation_failed")


def test_everything_open_is_for_games_that_are_over(ann: Client, bob: Client, anybody: Client, table: str):
    for client in (ann, anybody):
        problem(client.get(f"/v1/games/{table}?as=all"), 409, "game_not_over")
    assert bob.delete(f"/v1/games/{table}/seats/me").status_code == 200
    seen = anybody.get(f"/v1/games/{table}?as=all").json
    assert seen["observer"] == {"all": True}
    assert all(len(hand["cards"]) == 27 for hand in seen["table"]["hands"])
    assert seen["result"]["winners"] == [0]
    assert [rank["counts_for"] for rank in seen["result"]["ranking"]] == [ann.player["id"], bob.player["id"]]
    closed = anybody.view(table)
    assert closed["observer"] == {"spectator": True}
    assert not any("cards" in hand for hand in closed["table"]["hands"])


def test_the_host_starts_a_full_table(ann: Client, bob: Client, version):
    game = ann.game()
    before = version(game)
    assert problem(ann.post(f"/v1/games/{game}/start", {}), 409, "seats_free")["free"] == [1]
    assert bob.post(f"/v1/games/{game}/seats", {}).status_code == 201
    problem(bob.post(f"/v1/games/{game}/start", {}), 403, "not_host")
    assert version(game) == before + 1
    started = ann.post(f"/v1/games/{game}/start")
    assert started.status_code == 200
    assert started.json["events"][0]["type"] == "game_started"
    after = version(game)
    problem(ann.post(f"/v1/games/{game}/start"), 409, "already_started")
    wrong = problem(ann.post(f"/v1/games/{game}/start", {"now": True}), 422, "validation_failed")
    assert wrong["errors"][0]["pointer"] == "/now"
    assert version(game) == after


def test_lists_are_pages_of_public_games_or_of_mine(ann: Client, bob: Client, anybody: Client, listed):
    mine = [ann.game(visibility=visibility) for visibility in ("public", "unlisted", "private")]
    listed(*mine)
    page = ann.get("/v1/games?seat=me").json
    assert [item["id"] for item in page["items"]] == mine[::-1]
    public = {item["id"] for item in anybody.get("/v1/games?limit=200").json["items"]}
    assert mine[0] in public
    assert not public & set(mine[1:])
    first = ann.get("/v1/games?seat=me&limit=2&status=lobby&ruleset=bluff_king")
    assert f'<{first.json["next"]}>; rel="next"' == first.headers["Link"]
    second = ann.get(first.json["next"]).json
    assert [item["id"] for item in first.json["items"] + second["items"]] == mine[::-1]
    assert second["next"] is None
    assert ann.get("/v1/games?seat=me&status=finished").json["items"] == []
    assert bob.get("/v1/games?seat=me").json["items"] == []


@pytest.mark.parametrize(
    "query",
    ["limit=0", "limit=201", "limit=x", "limit=-1", "limit=1_0", "status=open", "seat=1", "page=2", "after=%3F"],
)
def test_a_list_with_a_wrong_query_is_refused(ann: Client, query: str):
    wrong = problem(ann.get(f"/v1/games?{query}"), 422, "validation_failed")
    assert [error["parameter"] for error in wrong["errors"]] == [query.partition("=")[0]]
