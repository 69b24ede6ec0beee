"""Leaderboards over HTTP."""

import pytest

from tests.api.client import Client, problem
from tests.api.test_player_pages import played


@pytest.fixture
def clean(opened) -> None:
    """No games of other tests."""
    opened.writer.flushall()


def test_who_wins_stands_above_and_both_are_told_with_their_games(clean, ann: Client, bob: Client, anybody, listed):
    assert anybody.get("/v1/leaderboards/bluff_king").json == {"items": [], "next": None}
    for _ in range(2):
        played(ann, bob, listed)
    played(ann, bob, listed, visibility="private")
    page = anybody.get("/v1/leaderboards/bluff_king").json
    assert [(row["rank"], row["player"], row["games"], row["won"]) for row in page["items"]] == [
        (1, {"id": ann.player["id"], "name": "Ann", "bot": False}, 2, 2),
        (2, {"id": bob.player["id"], "name": "Bob", "bot": False}, 2, 0),
    ]
    best = page["items"][0]
    assert best["mu"] > 25
    assert best["rating"] == pytest.approx(best["mu"] - 3 * best["sigma"], abs=0.01)
    first = anybody.get("/v1/leaderboards/bluff_king?limit=1").json
    second = anybody.get(first["next"]).json
    assert [first["items"], second["items"]] == [page["items"][:1], page["items"][1:]]
    assert second["next"] is None
    for path in ("bluff_king?kind=bot", "captain_flip"):
        assert anybody.get(f"/v1/leaderboards/{path}").json["items"] == []


def test_a_repeated_job_changes_nothing(clean, ann: Client, bob: Client, anybody: Client, listed):
    games = [played(ann, bob, listed, winner) for winner in ("ann", "bob", "ann")]
    page = anybody.get("/v1/leaderboards/bluff_king").data
    listed(*reversed(games), *games)
    assert anybody.get("/v1/leaderboards/bluff_king").data == page


def test_an_unknown_ruleset_and_a_wrong_query_are_refused(anybody: Client):
    for _ in range(2):
        problem(anybody.get("/v1/leaderboards/chess"), 404, "unknown_ruleset")
        for query in ("kind=human", "limit=0", "limit=201", "after=x", "after=bmFuIHA", "x=1"):
            problem(anybody.get(f"/v1/leaderboards/bluff_king?{query}"), 422, "validation_failed")
