"""Retries: a request with an Idempotency-Key happens once."""

import pytest

from tests.api.client import Client, filled, problem


def twice(client: Client, method: str, path: str, body, key: str):
    """The same keyed request twice: same status, same receipt, said to be a repeat."""
    first = client.send(method, path, json=body, headers={"Idempotency-Key": key})
    second = client.send(method, path, json=body, headers={"Idempotency-Key": key})
    assert first.status_code == second.status_code < 300, (first.text, second.text)
    assert "Idempotency-Replayed" not in first.headers
    assert second.headers["Idempotency-Replayed"] == "true"
    assert first.json["hash"] == second.json["hash"]
    return first, second


def test_every_keyed_request_happens_once(ann: Client, bob: Client, version):
    created, again = twice(ann, "POST", "/v1/games", {"ruleset": "bluff_king", "seats": 3}, "create")
    game = created.json["game"]
    assert created.json == again.json
    assert again.headers["Location"] == created.headers["Location"]
    path = f"/v1/games/{game}"
    twice(ann, "POST", f"{path}/seats", {"bot": "novice", "seat": 2}, "bot")
    twice(bob, "POST", f"{path}/seats", {"seat": 1}, "sit")
    twice(ann, "PUT", f"{path}/seats/me", {"client_seed": "ab" * 32}, "seed")
    before = version(game)
    started, _ = twice(ann, "POST", f"{path}/start", {}, "start")
    assert version(game) == before + len(started.json["events"])
    before = version(game)
    resigned, _ = twice(bob, "DELETE", f"{path}/seats/me", None, "resign")
    assert version(game) == before + len(resigned.json["events"])


def test_a_keyed_move_happens_once_and_its_receipt_comes_again_later(ann: Client, bob: Client, table: str, version):
    view = ann.view(table)
    first, other = (ann, bob) if view["decision"] else (bob, ann)
    move = filled(first.view(table)["decision"]["moves"][0])
    path = f"/v1/games/{table}/moves"
    played, _ = twice(first, "POST", path, move, "k1")
    other.act(table)
    before = version(table)
    later = first.post(path, move, headers={"Idempotency-Key": "k1"})
    assert later.json["events"] == played.json["events"]
    assert version(table) == before
    # Also to one who has resigned since: with a spectator's eyes.
    first.delete(f"/v1/games/{table}/seats/me")
    after = first.post(path, move, headers={"Idempotency-Key": "k1"})
    assert after.status_code == 201
    assert after.json["hash"] == played.json["hash"]
    assert after.json["events"][0]["opened"] == {}


def test_a_key_with_another_body_is_a_mistake(ann: Client, bob: Client, version):
    game = ann.game(seats=3)
    path = f"/v1/games/{game}/seats"
    assert bob.post(path, {"seat": 1}, headers={"Idempotency-Key": "k"}).status_code == 201
    before = version(game)
    for _ in range(2):
        problem(bob.post(path, {"seat": 2}, headers={"Idempotency-Key": "k"}), 422, "key_reused")
    assert version(game) == before
    assert ann.post("/v1/games", {"ruleset": "bluff_king"}, headers={"Idempotency-Key": "k"}).status_code == 201
    problem(
        ann.post("/v1/games", {"ruleset": "bluff_king", "seats": 4}, headers={"Idempotency-Key": "k"}),
        422,
        "key_reused",
    )


def test_a_key_belongs_to_its_caller_method_and_path(ann: Client, bob: Client):
    made = [c.post("/v1/games", {"ruleset": "bluff_king"}, headers={"Idempotency-Key": "k"}) for c in (ann, bob)]
    assert made[0].json["game"] != made[1].json["game"]
    for answer in made:
        assert "Idempotency-Replayed" not in answer.headers


def test_only_successes_are_remembered(ann: Client, bob: Client):
    game = ann.game(seats=3)
    path = f"/v1/games/{game}/start"
    problem(ann.post(path, {}, headers={"Idempotency-Key": "k"}), 409, "seats_free")
    bob.post(f"/v1/games/{game}/seats", {})
    ann.post(f"/v1/games/{game}/seats", {"bot": "novice"})
    assert ann.post(path, {}, headers={"Idempotency-Key": "k"}).status_code == 200


def test_a_player_who_left_a_private_lobby_gets_the_receipt_again(ann: Client, anybody: Client):
    game = ann.game(visibility="private", host_seat=0)
    twice(ann, "DELETE", f"/v1/games/{game}/seats/me", None, "leave")


@pytest.mark.parametrize("key", ["", " ", "a b", "x" * 256, "é"])
def test_a_key_that_cannot_be_one_is_refused(ann: Client, bob: Client, size, version, key: str):
    game = ann.game()
    keys = size()
    before = version(game)
    sent = {"Idempotency-Key": key.encode("utf-8").decode("latin-1")}
    for path, body in (("/v1/games", {"ruleset": "bluff_king"}), (f"/v1/games/{game}/seats", {})):
        problem(bob.post(path, body, headers=sent), 400, "bad_idempotency_key")
    assert version(game) == before
    assert size() == keys
