"""Two web processes over one store: what one of them knows may be a moment behind."""

from collections.abc import Iterator

import pytest
from flask import Flask

from api import app_for
from captain.store import EmbeddedStore
from eventstore.store import Store
from tests.api.client import Client, filled, problem
from tests.keys import KEYS


@pytest.fixture(scope="module")
def behind(store: EmbeddedStore) -> Iterator[Flask]:
    """A process that follows no doorbell: it learns of what others did only when it looks."""
    opened = Store(store.url, allow_unsafe=True)
    yield app_for(opened, KEYS)
    opened.close()


def there(client: Client, behind: Flask) -> Client:
    """The same player, talking to the process that is behind."""
    return Client(behind, client.token, client.player)


def test_whoever_sat_down_elsewhere_is_seated_here(ann: Client, bob: Client, behind: Flask):
    game = ann.game(auto_start=True)
    assert there(bob, behind).view(game)["observer"] == {"spectator": True}
    bob.post(f"/v1/games/{game}/seats", {})
    mover = ann if ann.view(game)["decision"] else bob
    move = filled(mover.view(game)["decision"]["moves"][0])
    assert there(mover, behind).post(f"/v1/games/{game}/moves", move).status_code == 201
    assert there(bob, behind).view(game)["observer"] == {"seat": 1}


def test_whoever_resigned_elsewhere_plays_and_sees_no_more_here(ann: Client, bob: Client, behind: Flask, version):
    game = ann.game(seats=3, bots=["novice"], auto_start=True)
    bob.post(f"/v1/games/{game}/seats", {})
    assert there(bob, behind).view(game)["observer"] == {"seat": 2}
    bob.delete(f"/v1/games/{game}/seats/me")
    before = version(game)
    for kind in ({"type": "pass"}, {"type": "challenge"}):
        move = {**kind, "decision": "1"}
        problem(there(bob, behind).post(f"/v1/games/{game}/moves", move), 403, "not_seated")
    assert version(game) == before
    assert there(bob, behind).view(game)["observer"] == {"spectator": True}


def test_the_same_answer_by_two_processes_counts_once(ann: Client, bob: Client, behind: Flask, version):
    game = ann.game(auto_start=True)
    bob.post(f"/v1/games/{game}/seats", {})
    mover = ann if ann.view(game)["decision"] else bob
    move = filled(there(mover, behind).view(game)["decision"]["moves"][0])
    path = f"/v1/games/{game}/moves"
    assert mover.post(path, move).status_code == 201
    before = version(game)
    problem(there(mover, behind).post(path, move), 409, "not_asked")
    assert version(game) == before


def test_a_keyed_move_is_repeated_by_another_process(ann: Client, bob: Client, behind: Flask, version):
    game = ann.game(auto_start=True)
    bob.post(f"/v1/games/{game}/seats", {})
    mover = ann if ann.view(game)["decision"] else bob
    move = filled(mover.view(game)["decision"]["moves"][0])
    path, key = f"/v1/games/{game}/moves", {"Idempotency-Key": "one intention"}
    problem(mover.post(path, move, headers=key), 400, "bad_idempotency_key")
    key = {"Idempotency-Key": "one-intention"}
    first = mover.post(path, move, headers=key)
    before = version(game)
    again = there(mover, behind).post(path, move, headers=key)
    assert (again.status_code, again.json) == (201, first.json)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert version(game) == before


def test_whoever_left_a_private_lobby_elsewhere_sees_it_no_more_here(ann: Client, bob: Client, behind: Flask):
    game = ann.game(visibility="private", seats=3)
    problem(there(bob, behind).get(f"/v1/games/{game}"), 404, "unknown_game")
    problem(bob.post(f"/v1/games/{game}/seats", {}), 404, "unknown_game")
    ann.delete(f"/v1/games/{game}/seats/me")
    problem(there(ann, behind).get(f"/v1/games/{game}"), 404, "unknown_game")
