"""Who may read a game: a hidden one is as unknown as one that is not there."""

import pytest

from tests.api.client import Client, problem

ROUTES = [
    ("GET", "", None),
    ("GET", "?as=all", None),
    ("GET", "/moves", None),
    ("GET", "/events", None),
    ("GET", "/events?as=all", None),
    ("GET", "/events?after=999", None),
    ("POST", "/start", {}),
    ("POST", "/seats", {}),
    ("POST", "/seats", {"seat": 0}),
    ("POST", "/seats", {"bot": "novice"}),
    ("PUT", "/seats/me", {"controller": "player"}),
    ("PUT", "/seats/me", {"client_seed": "ab" * 32}),
    ("DELETE", "/seats/me", None),
    ("POST", "/moves", {"type": "pass", "decision": "1"}),
    ("POST", "/moves", {"type": "castle"}),
]


@pytest.mark.parametrize("started", [False, True])
@pytest.mark.parametrize(("method", "path", "body"), ROUTES)
def test_a_private_game_is_unknown_to_strangers(ann: Client, anybody: Client, version, method, path, body, started):
    game = ann.game(visibility="private", bots=["novice"])
    if started:
        ann.post(f"/v1/games/{game}/start")
    before = version(game)
    eve = anybody.join("Eve")
    answers = []
    for one in (game, "01JZZZZZZZZZZZZZZZZZZZZZZZ"):
        answer = eve.send(method, f"/v1/games/{one}{path}", json=body)
        problem(answer, 404, "unknown_game")
        answers.append((answer.data, sorted(k for k, _ in answer.headers)))
    assert answers[0] == answers[1]
    if method == "GET":
        expected = (401, "token_missing") if path == "/moves" else (404, "unknown_game")
        problem(anybody.send(method, f"/v1/games/{game}{path}"), *expected)
    assert version(game) == before


def test_a_private_game_shows_itself_to_host_and_former_seats(ann: Client):
    hosted = ann.game(visibility="private", host_seat="none", bots=["novice"] * 2)
    assert ann.view(hosted)["observer"] == {"spectator": True}
    game = ann.game(visibility="private", bots=["novice"], auto_start=True)
    ann.delete(f"/v1/games/{game}/seats/me")
    assert ann.view(game)["status"] == "finished"


def test_public_and_unlisted_games_can_be_read_by_whoever_knows_the_id(ann: Client, bob: Client, anybody: Client):
    for visibility in ("public", "unlisted"):
        game = ann.game(visibility=visibility)
        for client in (bob, anybody):
            assert client.view(game)["observer"] == {"spectator": True}


def test_no_view_shows_a_card_that_its_reader_may_not_know(ann: Client, bob: Client, anybody: Client, table: str):
    mine = set(next(h["cards"] for h in ann.view(table)["table"]["hands"] if h["seat"] == 0)) - {"JOKER"}
    for client in (bob, anybody):
        for path in ("", "/events") + (("/moves",) if client.token else ()):
            text = client.get(f"/v1/games/{table}{path}").text
            assert not [card for card in mine if f'"{card}"' in text]


def test_whoever_sits_down_sees_with_the_eyes_of_the_seat_at_once(ann: Client, bob: Client):
    game = ann.game()
    assert bob.view(game)["observer"] == {"spectator": True}
    bob.post(f"/v1/games/{game}/seats", {})
    assert bob.view(game)["observer"] == {"seat": 1}
    bob.delete(f"/v1/games/{game}/seats/me")
    assert bob.view(game)["observer"] == {"spectator": True}


def test_names_stand_in_views_and_not_in_events(ann: Client, bob: Client, table: str):
    assert "Ann" in bob.get(f"/v1/games/{table}").text
    assert "Ann" not in bob.get(f"/v1/games/{table}/events").text
