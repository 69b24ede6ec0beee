"""Players as others see them: counts and public games, nothing of private ones."""

import pytest

from tests.api.client import Client, problem


def played(ann: Client, bob: Client, listed, winner: str = "ann", **wanted) -> str:
    """A game that the other one resigned."""
    game = ann.game(auto_start=True, **wanted)
    body = {}
    if wanted.get("visibility") == "private":
        body = {"invite": ann.post(f"/v1/games/{game}/invites", {}).json["code"]}
    bob.post(f"/v1/games/{game}/seats", body)
    (bob if winner == "ann" else ann).delete(f"/v1/games/{game}/seats/me")
    listed(game)
    return game


def test_a_player_is_shown_with_what_it_played_and_won(ann: Client, bob: Client, anybody: Client, listed):
    path = f"/v1/players/{ann.player['id']}"
    assert anybody.get(path).json == {**ann.player, "games": []}
    for winner in ("ann", "ann", "bob"):
        played(ann, bob, listed, winner)
    played(ann, bob, listed, visibility="private")
    played(ann, bob, listed, visibility="unlisted")
    listed(ann.game(auto_start=True))
    for client in (anybody, bob, ann):
        assert client.get(path).json["games"] == [{"ruleset": "bluff_king", "played": 3, "won": 2}]
    assert anybody.get(f"/v1/players/{bob.player['id']}").json["games"][0]["won"] == 1


@pytest.mark.parametrize("player", ["x", "01JZZZZZZZZZZZZZZZZZZZZZZZ", "%00", "*", "A" * 300])
def test_an_unknown_player_is_404(ann: Client, player: str):
    for path in ("", "/games"):
        for _ in range(2):
            problem(ann.get(f"/v1/players/{player}{path}"), 404, "unknown_player")


def test_others_see_public_games_and_the_player_all(ann: Client, bob: Client, anybody: Client, listed):
    public = [played(ann, bob, listed) for _ in range(2)]
    hidden = [played(ann, bob, listed, visibility=v) for v in ("private", "unlisted")]
    lobby = ann.game()
    listed(lobby)
    path = f"/v1/players/{ann.player['id']}/games"
    for client in (anybody, bob):
        assert [g["id"] for g in client.get(path).json["items"]] == [lobby, *reversed(public)]
        assert [g["id"] for g in client.get(f"{path}?status=finished").json["items"]] == public[::-1]
        assert not [game for game in hidden if game in client.get(path).text]
    assert {g["id"] for g in ann.get(path).json["items"]} == {*public, *hidden, lobby}
    assert [g["id"] for g in ann.get(f"{path}?ruleset=bluff_king&status=lobby").json["items"]] == [lobby]
    assert ann.get(f"{path}?ruleset=captain_flip").json["items"] == []
    for lists in (path, "/v1/games"):
        assert problem(ann.get(f"{lists}?ruleset=chess"), 404, "unknown_ruleset")["rulesets"]
    first = anybody.get(f"{path}?limit=2").json
    assert [g["id"] for g in anybody.get(first["next"]).json["items"]] == [public[0]]


@pytest.mark.parametrize("query", ["limit=0", "limit=x", "after=nonsense", "status=over", "seat=me", "x=1"])
def test_a_wrong_query_is_refused(ann: Client, query: str):
    for _ in range(2):
        problem(ann.get(f"/v1/players/{ann.player['id']}/games?{query}"), 422, "validation_failed")
