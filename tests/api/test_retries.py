"""Every request that changes something, sent twice: what the table in docs/clients.md says."""

from __future__ import annotations

import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from domain.entropy import commitment
from tests.api.client import Client, filled, problem

DOCUMENT = (Path(__file__).resolve().parents[2] / "docs" / "clients.md").read_text("utf-8")
ROWS = re.findall(r"^\| `(\w+) ([^`]+)`([^|]*)\| ([^|]*) \| ([^|]*) \|$", DOCUMENT, re.MULTILINE)
SEED, BOT, BACK = {"client_seed": "ab" * 32}, {"bot": "novice"}, {"controller": "player"}
DIGEST = {"seed_commitment": "cd" * 32}


class Case(NamedTuple):
    """A request that succeeds: who sends it to which game, and what comes if it is sent again without a key."""

    method: str
    path: str
    body: Any
    game: str
    by: str = "ann"
    again: tuple[int, str] = (0, "")
    keyed: bool = True
    row: str = ""
    like: tuple[str, ...] = ("from", "to", "hash")
    same: bool = False


CASES = [
    Case("POST", "/v1/players", {"name": "Ann"}, "", again=(201, ""), keyed=False),
    Case("POST", "/v1/games", {"ruleset": "bluff_king"}, "", again=(201, "")),
    Case("POST", "/v1/games/{game}/seats", {}, "lobby", "bob", (409, "already_seated"), row="to sit down"),
    Case("POST", "/v1/games/{game}/seats", {**BOT, "seat": 2}, "lobby", again=(409, "seat_taken"), row="for a bot"),
    Case("POST", "/v1/games/{game}/seats", BOT, "lobby", again=(201, ""), row="for a bot"),
    Case("PUT", "/v1/games/{game}/seats/me", SEED, "lobby", again=(200, ""), row="with a seed"),
    Case("PUT", "/v1/games/{game}/seats/me", DIGEST, "committing", again=(200, ""), row="with a commitment"),
    Case("PUT", "/v1/games/{game}/seats/me", SEED, "revealing", again=(409, "not_asked"), row="to reveal a seed"),
    Case("PUT", "/v1/games/{game}/seats/me", SEED, "last_to_reveal", again=(409, "already_started"),
         row="to reveal a seed"),
    Case("PUT", "/v1/games/{game}/seats/me", BACK, "away", again=(409, "not_away"), row="to come back"),
    Case("DELETE", "/v1/games/{game}/seats/me", None, "shared", "bob", (403, "not_seated"), row="in the lobby"),
    Case("DELETE", "/v1/games/{game}/seats/me", None, "of_three", "bob", (403, "not_seated"), row="to resign"),
    Case("DELETE", "/v1/games/{game}/seats/me", None, "of_two", "bob", (409, "game_over"), row="to resign"),
    Case("POST", "/v1/games/{game}/start", {}, "full", again=(409, "already_started")),
    Case("POST", "/v1/games/{game}/start", {}, "committed", again=(409, "reveal_open")),
    Case("POST", "/v1/games/{game}/moves", "a move", "of_two", "asked", (409, "not_asked")),
    Case("POST", "/v1/games/{game}/stream-tickets", {}, "lobby", again=(201, ""), keyed=False),
    Case("POST", "/v1/games/{game}/disputes", {"reason": "?"}, "of_two", again=(409, "already_disputed"), like=("id",)),
    Case("POST", "/v1/games/{game}/rematch", {}, "over", again=(200, ""), like=("game", "hash"), same=True),
    Case("POST", "/v1/games/{game}/invites", {"uses": 3}, "lobby", again=(201, ""), like=("id", "code")),
    Case("DELETE", "/v1/games/{game}/invites/{invite}", None, "lobby", again=(204, ""), keyed=False),
    Case("POST", "/v1/invites", "a code", "lobby", "bob", (200, ""), like=("game", "seat"), same=True),
    Case("POST", "/v1/me/tokens", {"scopes": ["read"]}, "", again=(201, ""), like=("id", "token")),
    Case("DELETE", "/v1/me/tokens/{token}", None, "", again=(204, ""), keyed=False),
    Case("PATCH", "/v1/me", {"name": "Anna"}, "", again=(200, ""), keyed=False),
]  # fmt: skip

GAMES: dict[str, dict[str, Any]] = {
    "lobby": {"seats": 4},
    "shared": {"seats": 4},
    "full": {"bots": ["novice"]},
    "of_three": {"seats": 3, "bots": ["novice"], "auto_start": True},
    "of_two": {"auto_start": True},
    "away": {"auto_start": True},
    "over": {"auto_start": True},
}


@pytest.fixture
def world(ann: Client, bob: Client, opened):
    """Make the game of a case; gives its id and who sends."""

    def make(case: Case) -> tuple[str, Client]:
        if case.game in ("committing", "committed", "revealing", "last_to_reveal"):
            game = _committed(case.game, ann, bob)
        else:
            game = ann.game(**GAMES[case.game]) if case.game else ""
        if case.game in ("shared", "of_two", "of_three", "away", "over"):
            assert bob.post(f"/v1/games/{game}/seats", {}).status_code == 201
        if case.game == "over":
            bob.delete(f"/v1/games/{game}/seats/me")
        if case.game == "away":
            _away(game, opened)
        if case.by == "asked":
            return game, ann if ann.view(game)["decision"] else bob
        return game, {"ann": ann, "bob": bob}[case.by]

    return make


def _committed(how: str, ann: Client, bob: Client) -> str:
    """A full lobby with committed seeds, as far as the reveal of Ann's; she may be the only one who has committed."""
    game = ann.game(seeds="committed")
    own = {"seed_commitment": commitment(game, SEED["client_seed"])}
    assert bob.post(f"/v1/games/{game}/seats", {} if how == "last_to_reveal" else DIGEST).status_code == 201
    assert how == "committing" or ann.put(f"/v1/games/{game}/seats/me", own).status_code == 200
    assert how in ("committing", "committed") or ann.post(f"/v1/games/{game}/start", {}).status_code == 200
    return game


def _away(game: str, opened) -> None:
    """As after several timeouts: a bot plays for seat 0."""
    from domain import decide
    from domain.lifecycle import ControllerChanged

    real = decide._DECIDERS

    def leave(batch: Any, _: Any) -> None:
        batch.add(ControllerChanged(seat=0, controller="bot", reason="away", bot="standard"), by="rules")

    class Absent:
        """A command of this test only."""

    decide._DECIDERS = {**real, Absent: leave}
    try:
        opened.repository.execute(game, Absent(), key="away")
    finally:
        decide._DECIDERS = real


def body_of(case: Case, client: Client, game: str, host: Client) -> Any:
    if case.body == "a code":
        return {"code": host.post(f"/v1/games/{game}/invites", {}).json["code"]}
    return filled(client.view(game)["decision"]["moves"][0]) if case.body == "a move" else case.body


def path_of(case: Case, client: Client, game: str) -> str:
    made = {"game": game}
    if "{token}" in case.path:
        made["token"] = client.post("/v1/me/tokens", {"scopes": ["read"]}).json["id"]
    if "{invite}" in case.path:
        made["invite"] = client.post(f"/v1/games/{game}/invites", {}).json["id"]
    return case.path.format(**made)


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.method} {c.path} {c.row or c.game}".strip())
def test_sent_again_without_a_key(case: Case, world, version, ann: Client):
    game, client = world(case)
    path, body = path_of(case, client, game), body_of(case, client, game, ann)
    first = client.send(case.method, path, json=body)
    assert first.status_code < 300, first.text
    assert first.is_json or first.status_code == 204
    before = version(game) if game else 0
    again = client.send(case.method, path, json=body)
    status, code = case.again
    if code:
        problem(again, status, code)
        assert version(game) == before
    else:
        assert again.status_code == status
        assert (again.json == first.json) == (
            case.method in ("PATCH", "DELETE") or (case.again == (200, "") and case.method == "POST")
        )
    assert "Idempotency-Replayed" not in again.headers


@pytest.mark.parametrize("case", [c for c in CASES if c.keyed], ids=lambda c: f"{c.method} {c.path} {c.row or c.game}")
def test_sent_again_with_its_key(case: Case, world, version, ann: Client):
    game, client = world(case)
    path, body = path_of(case, client, game), body_of(case, client, game, ann)
    key = {"Idempotency-Key": "k"}
    first = client.send(case.method, path, json=body, headers=key)
    assert first.status_code < 300, first.text
    before = version(game) if game else 0
    for _ in range(2):
        again = client.send(case.method, path, json=body, headers=key)
        assert again.status_code == first.status_code
        assert again.headers["Idempotency-Replayed"] == "true"
        assert [again.json[name] for name in case.like] == [first.json[name] for name in case.like]
    if game:
        assert version(game) == before
    if body is not None:
        problem(client.send(case.method, path, json={**body, "x": 1}, headers=key), 422, "validation_failed")
    # The same to a reader of JSON, and not the same bytes: as of another request.
    other = json.dumps(body or {}).encode() + b" "
    answer = client.send(case.method, path, data=other, content_type="application/json", headers=key)
    problem(answer, 422, "key_reused")


def test_the_table_in_the_documents_names_each_of_them(app):
    operations = {
        (method.upper(), path)
        for path, item in app.extensions["openapi"]["paths"].items()
        for method in item
        if method in ("post", "put", "delete", "patch")
    }
    assert operations == {(method, path) for method, path, *_ in ROWS}
    assert operations == {(case.method, case.path) for case in CASES}
    for method, path, which, without, with_key in ROWS:
        cases = [c for c in CASES if (c.method, c.path) == (method, path) and c.row == which.strip()]
        assert cases, (method, path, which)
        for case in cases:
            assert not case.again[1] or f"{case.again[0]} `{case.again[1]}`" in without
            assert ("same" in with_key and "takes no key" not in with_key) == case.keyed


# --- If-Match --------------------------------------------------------------------------------------------------------


def test_a_request_that_looked_at_an_older_game_is_stale(ann: Client, bob: Client, version):
    game = ann.game(auto_start=True)
    old = ann.get(f"/v1/games/{game}").headers["ETag"]
    bob.post(f"/v1/games/{game}/seats", {})
    first, other = (ann, bob) if ann.view(game)["decision"] else (bob, ann)
    path, before = f"/v1/games/{game}/moves", version(game)
    move = filled(first.view(game)["decision"]["moves"][0])
    for held in (old, f"W/{old}", '"17-00000000"', '"x"', "x", "", '""', 'W/""'):
        wrong = problem(first.post(path, move, headers={"If-Match": held}), 412, "stale")
        assert wrong["cursor"] == first.view(game)["cursor"]
    for method, other_path, body in (("POST", "start", {}), ("PUT", "seats/me", SEED), ("DELETE", "seats/me", None)):
        answer = ann.send(method, f"/v1/games/{game}/{other_path}", json=body, headers={"If-Match": old})
        problem(answer, 412, "stale")
    assert version(game) == before
    tag = first.get(f"/v1/games/{game}").headers["ETag"]
    current = first.post(path, move, headers={"If-Match": f'"x", {tag}', "Idempotency-Key": "k"})
    assert current.status_code == 201
    # The repeat of a success is no stale request: its answer was lost.
    again = first.post(path, move, headers={"If-Match": f'"x", {tag}', "Idempotency-Key": "k"})
    assert (again.status_code, again.json) == (201, current.json)
    cursor = current.json["cursor"]
    answer = filled(other.view(game)["decision"]["moves"][-1])
    assert other.post(path, answer, headers={"If-Match": f'"{cursor}"'}).status_code == 201


@pytest.mark.parametrize("held", ["{tag}", "W/{tag}", "{moves}", '"{cursor}"', "*", '"1-00000000", {tag}'])
def test_a_request_that_looked_at_the_game_as_it_is_goes_on(ann: Client, table: str, held: str):
    view = ann.get(f"/v1/games/{table}")
    moves = ann.get(f"/v1/games/{table}/moves")
    given = held.format(tag=view.headers["ETag"], moves=moves.headers["ETag"], cursor=view.json["cursor"])
    assert ann.delete(f"/v1/games/{table}/seats/me", headers={"If-Match": given}).status_code == 200


def test_a_stale_request_to_a_hidden_game_is_unknown(ann: Client, bob: Client):
    game = ann.game(visibility="private", seats=3)
    for method, path, body in (("POST", "start", {}), ("POST", "seats", {}), ("DELETE", "seats/me", None)):
        answer = bob.send(method, f"/v1/games/{game}/{path}", json=body, headers={"If-Match": '"1-00000000"'})
        problem(answer, 404, "unknown_game")


def test_a_weakened_tag_is_known(ann: Client, table: str):
    for path in ("", "/moves"):
        tag = ann.get(f"/v1/games/{table}{path}").headers["ETag"]
        for held in (tag, f"W/{tag}", f'"x", W/{tag}', "*"):
            again = ann.get(f"/v1/games/{table}{path}", headers={"If-None-Match": held})
            assert (again.status_code, again.data) == (304, b"")
        assert ann.get(f"/v1/games/{table}{path}", headers={"If-None-Match": '"x"'}).status_code == 200


# --- at once ---------------------------------------------------------------------------------------------------------


def test_a_hundred_repeats_at_once_are_one_event_and_equal_receipts(ann: Client, bob: Client, table: str, web, version):
    first = ann if ann.view(table)["decision"] else bob
    move = filled(first.view(table)["decision"]["moves"][0])
    before, together = version(table), threading.Barrier(25)
    headers = {"Authorization": f"Bearer {first.token}", "Idempotency-Key": "one"}

    def send(_: int) -> list[httpx.Response]:
        with httpx.Client(base_url=web.address, headers=headers, timeout=30) as client:
            client.get("/healthz")
            together.wait(30)
            return [client.post(f"/v1/games/{table}/moves", json=move) for _ in range(4)]

    with ThreadPoolExecutor(25) as pool:
        answers = [answer for several in pool.map(send, range(25)) for answer in several]
    assert version(table) == before + 1
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1
    assert sum("Idempotency-Replayed" not in answer.headers for answer in answers) == 1
