"""What games came to: in the order of their end, and counted for each player once."""

import random
from itertools import pairwise
from typing import Any

import pytest

from domain.game import Game, Seat
from domain.results import Rank, Result
from eventstore.lists import BadCursor
from eventstore.results import Count, Ended, Results
from tests.workers.world import HOST, World

LATE = 10**15


def a_result(number: int, **changes: Any) -> Game:
    fields: dict[str, Any] = {
        "id": f"R{number:03}",
        "version": 9,
        "at": 1000 + number // 3,  # three in the same ms
        "ruleset": "chess",
        "status": "finished",
        "seats": (Seat(player="anne", controller="player"), Seat(former="bob", bot="standard", controller="bot")),
        "result": Result("mate", (Rank(0, 1, 0), Rank(1, 2, 0)), (number % 2,)),
    }
    return Game(**(fields | changes))


@pytest.fixture
def results(world: World) -> Results:
    return world.store.results


def test_each_game_counts_once_for_each_player_also_for_who_resigned(results: Results) -> None:
    games = [a_result(number) for number in range(5)]
    for game in random.sample(games * 3, 15):
        results.record(game)
    results.record(a_result(7, ruleset="go"))
    assert results.counts("anne", ("chess", "go", "dice")) == {"chess": Count(5, 3), "go": Count(1, 0)}
    assert results.counts("bob", ("chess",)) == {"chess": Count(5, 2)}
    assert results.counts("carl", ("chess",)) == {}


@pytest.mark.parametrize(
    "changes", [{"visibility": "private"}, {"visibility": "unlisted"}, {"status": "playing"}, {"status": "aborted"}]
)
def test_what_is_not_public_or_not_finished_counts_nowhere(results: Results, changes: dict[str, Any]) -> None:
    results.record(a_result(1, **changes))
    assert results.counts("anne", ("chess",)) == {}
    assert results.ended("", None, LATE, 9) == ()


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 100])
def test_ended_games_come_once_in_order_page_by_page(results: Results, limit: int) -> None:
    for number in random.sample(range(20), 20):
        results.record(a_result(number))
    found: list[Ended] = []
    place = None
    while page := results.ended("chess", place, LATE, limit):
        found += page
        place = Ended.of_cursor(page[-1].cursor)
    assert [one.game for one in found] == [f"R{number:03}" for number in range(20)]
    assert all((a.at, a.game) < (b.at, b.game) for a, b in pairwise(found))


def test_what_ended_after_a_time_is_left_for_later(results: Results) -> None:
    for number in range(6):
        results.record(a_result(number))
    assert [one.game for one in results.ended("", None, 1001, 9)] == ["R000", "R001", "R002"]
    assert results.ended("go", None, LATE, 9) == ()


@pytest.mark.parametrize("cursor", ["x", "!!", "MTA", "MTAgKiA", "ÿ", "-"])
def test_a_cursor_of_ones_own_making_is_refused(cursor: str) -> None:
    with pytest.raises(BadCursor):
        Ended.of_cursor(cursor)


def test_the_job_after_the_end_writes_them(world: World) -> None:
    game = world.create(1)
    world.pump_until(lambda: world.asked(game))
    world.pump()
    assert world.store.results.ended("", None, LATE, 9) == ()
    from domain.commands import Leave

    world.store.repository.execute(game, Leave(HOST), key="resign")
    world.pump()
    (ended,) = world.store.results.ended("bluff_king", None, LATE, 9)
    assert (ended.game, ended.at) == (game, world.game(game).at)
    assert world.store.results.counts(HOST, ("bluff_king",)) == {"bluff_king": Count(1, 0)}


def test_what_is_still_to_be_listed_is_known(world: World) -> None:
    """The time before which every game that ended is in the order."""
    assert world.store.owed.oldest("index") is None
    game = world.create(1)
    assert world.store.owed.oldest("index") == world.game(game).created
    (claim,) = [c for c in world.store.owed.claim().claims if c.obligation.kind == "index"]
    assert world.store.owed.oldest("index") == world.game(game).created, "also while somebody is at it"
    world.store.owed.release(claim)
    world.pump()
    assert world.store.owed.oldest("index") is None
