"""The same table once more: one game, whoever asks and however many at once."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from domain.lifecycle import LOBBY_MS
from eventstore.rematches import rematch_id
from tests.api.client import Client, problem

KEY = {"Idempotency-Key": "k"}
NONE = "01JZZZZZZZZZZZZZZZZZZZZZZZ"


def over(ann: Client, bob: Client, **wanted: Any) -> str:
    """A finished game; Bob has resigned it."""
    game = ann.game(auto_start=True, **{"seats": 2} | wanted)
    body: dict[str, Any] = {}
    if wanted.get("visibility") == "private":
        body["invite"] = ann.post(f"/v1/games/{game}/invites", {}).json["code"]
    assert bob.post(f"/v1/games/{game}/seats", body).status_code == 201
    assert bob.delete(f"/v1/games/{game}/seats/me").status_code == 200
    if ann.view(game)["status"] == "playing":
        ann.delete(f"/v1/games/{game}/seats/me")
    assert ann.view(game)["status"] == "finished"
    return game


def test_the_first_makes_it_and_the_others_sit_down_in_it(ann: Client, bob: Client):
    game = over(ann, bob, options={"max_turns": 30}, clock={"decision_ms": 77_000}, visibility="unlisted")
    assert ann.view(game)["rematch"] is None
    first = bob.post(f"/v1/games/{game}/rematch", {})
    assert first.status_code == 201
    new = first.json["game"]
    assert first.headers["Location"] == f"/v1/games/{new}"
    lobby = bob.view(new)
    assert (lobby["status"], lobby["host"]["name"], lobby["observer"]) == ("lobby", "Bob", {"seat": 1})
    assert [seat["player"] and seat["player"]["name"] for seat in lobby["seats"]] == [None, "Bob"]
    second = ann.post(f"/v1/games/{game}/rematch", {})
    assert second.status_code == 200
    assert (second.json["hash"], second.headers["Location"]) == (first.json["hash"], first.headers["Location"])
    old, view = ann.view(game), ann.view(new)
    assert view["status"] == "playing"
    assert view["observer"] == {"seat": 0}
    for name in ("ruleset", "options", "clock", "visibility", "auto_start", "seeds"):
        assert view[name] == old[name], name
    assert old["rematch"] == new
    assert view["rematch"] is None


def test_the_tag_of_the_finished_game_changes_with_it(ann: Client, bob: Client):
    game = over(ann, bob)
    for path in ("", "/replay"):
        old = ann.get(f"/v1/games/{game}{path}").headers["ETag"]
        assert ann.get(f"/v1/games/{game}{path}", headers={"If-None-Match": old}).status_code == 304
    ann.post(f"/v1/games/{game}/rematch", {})
    for path in ("", "/replay"):
        seen = ann.get(f"/v1/games/{game}{path}", headers={"If-None-Match": old})
        assert seen.status_code == 200
        assert seen.json["rematch"]
        assert ann.get(f"/v1/games/{game}{path}", headers={"If-None-Match": seen.headers["ETag"]}).status_code == 304
    assert ann.get(f"/v1/games/{game}").data == ann.get(f"/v1/games/{game}/replay").data
    started = ann.get(f"/v1/games/{game}/replay?at=7").json
    assert (started["status"], started["rematch"]) == ("playing", None)


def test_the_log_of_the_finished_game_is_left_alone(ann: Client, bob: Client, version):
    game = over(ann, bob)
    before, log = version(game), ann.get(f"/v1/games/{game}/log?as=all").data
    ann.post(f"/v1/games/{game}/rematch", {})
    assert version(game) == before
    assert ann.get(f"/v1/games/{game}/log?as=all").data == log


def test_bots_sit_where_they_sat_and_those_that_stood_in_do_not(ann: Client, bob: Client):
    game = ann.game(seats=4, host_seat=2)
    bob.post(f"/v1/games/{game}/seats", {"seat": 1})
    for seat, level in ((0, "standard"), (3, "novice")):
        ann.post(f"/v1/games/{game}/seats", {"bot": level, "seat": seat})
    ann.post(f"/v1/games/{game}/start")
    for client in (bob, ann):
        client.delete(f"/v1/games/{game}/seats/me")
    new = ann.post(f"/v1/games/{game}/rematch", {}).json["game"]
    view = ann.view(new)
    assert view["status"] == "lobby"
    assert [seat["bot"] for seat in view["seats"]] == ["standard", None, None, "novice"]
    assert view["observer"] == {"seat": 2}
    assert bob.post(f"/v1/games/{game}/rematch", {}).status_code == 200
    assert bob.view(new)["observer"] == {"seat": 1}
    assert ann.post(f"/v1/games/{new}/start").status_code == 200
    assert ann.get(f"/v1/games/{new}").json["status"] == "playing"


def test_a_game_against_bots_alone_begins_at_once_again(ann: Client):
    game = ann.game(bots=["novice"], auto_start=True)
    ann.delete(f"/v1/games/{game}/seats/me")
    new = ann.post(f"/v1/games/{game}/rematch", {}).json["game"]
    assert ann.view(new)["status"] == "playing"
    ann.delete(f"/v1/games/{new}/seats/me")
    assert ann.get(f"/v1/games/{new}/audit").json["verdict"] == "sound"


def test_repeats_by_key_get_what_they_got(ann: Client, bob: Client, version):
    game = over(ann, bob)
    path = f"/v1/games/{game}/rematch"
    first, second = ann.post(path, {}, headers=KEY), bob.post(path, {}, headers=KEY)
    new = first.json["game"]
    before = version(new)
    for client, given, status in ((ann, first, 201), (bob, second, 200)):
        assert given.status_code == status
        assert "Idempotency-Replayed" not in given.headers
        again = client.post(path, {}, headers=KEY)
        assert (again.status_code, again.json["hash"]) == (status, first.json["hash"])
        assert again.headers["Idempotency-Replayed"] == "true"
    # Without a key all are told of the same game, and nothing more happens.
    for client in (ann, bob):
        assert client.post(path, {}).status_code == 200
    assert version(new) == before


def test_who_finds_the_seat_taken_gets_another_and_who_finds_none_is_told_where(
    ann: Client, bob: Client, anybody: Client
):
    game = over(ann, bob, seats=3, bots=["novice"])
    new = ann.post(f"/v1/games/{game}/rematch", {}).json["game"]
    carl, path = anybody.join("Carl"), f"/v1/games/{game}/rematch"
    assert carl.post(f"/v1/games/{new}/seats", {"seat": 2}).status_code == 201
    before = ann.view(new)["version"]
    for _ in range(2):
        wrong = problem(bob.post(path, {}), 409, "already_started")
        assert wrong["game"] == new
    assert ann.view(new)["version"] == before
    slow = ann.game(seats=3)
    bob.post(f"/v1/games/{slow}/seats", {"seat": 2})
    carl.post(f"/v1/games/{slow}/seats", {"seat": 1})
    ann.post(f"/v1/games/{slow}/start")
    for client in (ann, bob, carl):
        client.delete(f"/v1/games/{slow}/seats/me")
    new = ann.post(f"/v1/games/{slow}/rematch", {}).json["game"]
    dora = anybody.join("Dora")
    dora.post(f"/v1/games/{new}/seats", {"seat": 2})
    assert bob.post(f"/v1/games/{slow}/rematch", {}).status_code == 200
    assert bob.view(new)["observer"] == {"seat": 1}
    assert problem(carl.post(f"/v1/games/{slow}/rematch", {}), 409, "game_full")["game"] == new


def test_only_a_seat_of_a_finished_game_may(ann: Client, bob: Client, anybody: Client, table: str, size):
    lobby, eve = ann.game(), anybody.join("Eve")
    aborted = ann.game()
    ann.delete(f"/v1/games/{aborted}/seats/me")
    finished = over(ann, bob)
    hosted = bob.game(host_seat="none", bots=["novice"] * 2, auto_start=True)
    before = size()
    for _ in range(2):
        problem(ann.post(f"/v1/games/{table}/rematch", {}), 409, "game_not_over")
        problem(ann.post(f"/v1/games/{lobby}/rematch", {}), 409, "game_not_over")
        problem(ann.post(f"/v1/games/{aborted}/rematch", {}), 403, "not_seated")
        problem(eve.post(f"/v1/games/{finished}/rematch", {}), 403, "not_seated")
        problem(bob.post(f"/v1/games/{hosted}/rematch", {}), 403, "not_seated")
        problem(anybody.post(f"/v1/games/{finished}/rematch", {}), 401, "token_missing")
        problem(ann.post(f"/v1/games/{finished}/rematch", {"seats": 3}), 422, "validation_failed")
    assert size() - before <= 1  # Eve's token was used for the first time
    assert ann.view(finished)["rematch"] is None


def test_a_private_game_has_a_private_rematch_that_its_players_may_read(ann: Client, bob: Client, anybody: Client):
    game, eve = over(ann, bob, visibility="private"), anybody.join("Eve")
    for one in (game, NONE):
        problem(eve.post(f"/v1/games/{one}/rematch", {}), 404, "unknown_game")
    new = ann.post(f"/v1/games/{game}/rematch", {}).json["game"]
    assert ann.view(new)["visibility"] == "private"
    assert bob.view(game)["rematch"] == new
    assert bob.view(new)["observer"] == {"spectator": True}
    for client in (eve, anybody):
        problem(client.get(f"/v1/games/{new}"), 404, "unknown_game")
    problem(eve.post(f"/v1/games/{new}/seats", {}), 404, "unknown_game")


def test_one_that_came_to_nothing_does_not_stand_in_the_way(ann: Client, bob: Client, opened):
    game = over(ann, bob)
    path = f"/v1/games/{game}/rematch"
    first = ann.post(path, {}, headers=KEY)
    new = first.json["game"]
    ann.delete(f"/v1/games/{new}/seats/me")
    assert ann.view(new)["status"] == "aborted"
    assert ann.view(game)["rematch"] is None
    second = bob.post(path, {})
    assert (second.status_code, second.json["game"] != new) == (201, True)
    assert ann.view(game)["rematch"] == second.json["game"]
    # The answer that was lost is still the one to the request that it answered.
    again = ann.post(path, {}, headers=KEY)
    assert (again.status_code, again.json["hash"]) == (201, first.json["hash"])
    assert ann.post(path, {}).json["game"] == second.json["game"]


def test_its_lobby_expires_as_any_other(ann: Client, bob: Client, opened):
    new = ann.post(f"/v1/games/{over(ann, bob)}/rematch", {}).json["game"]
    lobby = opened.repository.game(new).game
    assert lobby.expires == lobby.created + LOBBY_MS


def test_the_id_follows_from_the_finished_game(ann: Client, bob: Client, opened):
    finished = opened.repository.game(over(ann, bob)).game
    ids = [rematch_id(finished, number) for number in range(3)]
    assert len(set(ids)) == 3
    assert ids == [rematch_id(finished, number) for number in range(3)]
    assert all(len(one) == 26 for one in ids)


@pytest.mark.slow
def test_twenty_that_ask_at_once_get_one_game(ann: Client, bob: Client, anybody: Client, web):
    """Four players with five connections each, over two web processes."""
    clients = [ann, bob, anybody.join("Carl"), anybody.join("Dora")]
    game = ann.game(seats=5, bots=["novice"])
    for client in clients[1:]:
        client.post(f"/v1/games/{game}/seats", {})
    ann.post(f"/v1/games/{game}/start")
    for client in clients:
        client.delete(f"/v1/games/{game}/seats/me")
    together = threading.Barrier(20)

    def ask(number: int) -> httpx.Response:
        headers = {"Authorization": f"Bearer {clients[number % 4].token}"}
        with httpx.Client(base_url=web.address, headers=headers, timeout=30) as connection:
            connection.get("/healthz")
            together.wait(30)
            return connection.post(f"/v1/games/{game}/rematch", json={})

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(ask, range(20)))
    assert sorted(answer.status_code for answer in answers) == [200] * 19 + [201]
    assert len({(answer.headers["Location"], answer.json()["hash"]) for answer in answers}) == 1
    view = ann.view(answers[0].json()["game"])
    old = ann.view(game)
    assert [s["player"] and s["player"]["id"] for s in view["seats"]] == [
        s["former"] and s["former"]["id"] for s in old["seats"]
    ]
    assert [s["bot"] for s in view["seats"]] == [None, "novice", None, None, None]
    assert old["rematch"] == view["id"]
