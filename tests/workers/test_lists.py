"""Lists: pages that hold still, privacy, and the same however they came to be."""

import random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.commands import Leave, Sit
from domain.game import Game, Seat
from eventstore.cursors import BadCursor
from eventstore.keys import game_of_meta
from eventstore.lists import Lists
from tests.workers.world import HOST, World
from workers import reindex


def a_game(number: int, **changes: Any) -> Game:
    fields: dict[str, Any] = {
        "id": f"L{number:03}",
        "version": 3,
        "created": 1000 + number // 3,  # three in the same ms
        "ruleset": "chess",
        "host": "anne",
        "seats": (Seat(player="anne", controller="player"), Seat(bot="novice", controller="bot")),
    }
    return Game(**(fields | changes))


@pytest.fixture
def lists(world: World) -> Lists:
    return world.store.lists


def pages(lists: Lists, limit: int, **where: Any) -> list[str]:
    ids: list[str] = []
    after = None
    while True:
        page = lists.page(**where, after=after, limit=limit)
        ids += page.ids
        if page.next is None:
            return ids
        assert len(page.ids) == limit
        after = page.next


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 100])
def test_pages_give_every_game_once_the_newest_first(lists: Lists, limit: int) -> None:
    for number in random.sample(range(20), 20):
        assert lists.index(a_game(number))
    assert pages(lists, limit) == [f"L{number:03}" for number in reversed(range(20))]


def test_a_page_boundary_stays_where_it_is_while_games_come_and_go(lists: Lists) -> None:
    for number in range(9):
        lists.index(a_game(number))
    page = lists.page(limit=3)
    lists.index(a_game(50))
    lists.index(a_game(6, status="finished", version=9))
    assert lists.page(after=page.next, limit=3).ids == ("L005", "L004", "L003")


def test_games_are_found_by_status_ruleset_and_player(lists: Lists) -> None:
    lists.index(a_game(1))
    lists.index(a_game(2, status="playing"))
    lists.index(a_game(3, ruleset="go", status="playing"))
    assert pages(lists, 9, status="playing") == ["L003", "L002"]
    assert pages(lists, 9, ruleset="chess") == ["L002", "L001"]
    assert pages(lists, 9, ruleset="go", status="playing", player="anne") == ["L003"]
    assert pages(lists, 9, ruleset="go", status="lobby") == []
    assert pages(lists, 9, player="bob") == []
    assert lists.live("anne") == ("L003", "L002", "L001")


def test_a_game_changes_its_place_and_is_never_in_two(lists: Lists) -> None:
    for version, status in enumerate(("lobby", "playing", "finished"), 1):
        lists.index(a_game(1, status=status, version=version))
        found = [s for s in ("lobby", "playing", "finished") if lists.page(status=s).ids]
        assert found == [status]
    assert lists.live("anne") == ()
    assert pages(lists, 9, player="anne") == ["L001"]


def test_an_older_version_changes_nothing(lists: Lists) -> None:
    assert lists.index(a_game(1, status="playing", version=7))
    assert lists.index(a_game(1, status="playing", version=7))
    assert not lists.index(a_game(1, status="lobby", version=5))
    assert lists.page(status="lobby").ids == ()


@pytest.mark.parametrize("visibility", ["unlisted", "private"])
def test_what_is_not_public_is_only_in_its_players_lists(lists: Lists, visibility: str) -> None:
    lists.index(a_game(1, visibility=visibility))
    assert lists.page().ids == lists.page(status="lobby").ids == lists.page(ruleset="chess").ids == ()
    assert lists.page(player="anne").ids == ("L001",)


def test_of_a_players_games_others_are_shown_the_public_ones(lists: Lists) -> None:
    for number, visibility in enumerate(("public", "unlisted", "private", "public")):
        lists.index(a_game(number, visibility=visibility))
    assert lists.page(player="anne", shown=True).ids == ("L003", "L000")
    assert len(lists.page(player="anne").ids) == 4
    lists.index(a_game(0, version=4, seats=(Seat(), Seat()), host="bob"))
    assert lists.page(player="anne", shown=True).ids == ("L003",)


def test_who_resigned_still_sees_the_game_and_who_left_the_lobby_does_not(lists: Lists) -> None:
    lists.index(a_game(1, seats=(Seat(player="bob", controller="player"), Seat()), host="bob", version=2))
    lists.index(a_game(1, seats=(Seat(), Seat(former="carl", controller="bot")), host="dora", version=4))
    assert [p for p in ("bob", "carl", "dora") if lists.page(player=p).ids] == ["carl", "dora"]


@pytest.mark.parametrize("cursor", ["x", "!!", "MTA", "MTAgKiA", "", "ÿ"])
def test_a_cursor_of_ones_own_making_is_refused(lists: Lists, cursor: str) -> None:
    if cursor:
        with pytest.raises(BadCursor):
            lists.page(after=cursor)


def test_what_jobs_wrote_is_what_reindexing_writes(world: World) -> None:
    games = [world.create(1), world.create(1, seats=4), world.create(2, host_seat=None, visibility="private")]
    world.create(1, seats=2, host_seat=None)
    world.pump(rounds=3)
    world.store.repository.execute(games[1], Sit("p_guest"), key="sit")
    world.store.repository.execute(games[1], Leave("p_guest"), key="leave")
    world.store.repository.execute(games[0], Leave(HOST), key="resign")
    world.pump()
    before = _all_lists(world)
    assert {key.partition(b":")[0] for key in before} == {b"list", b"ended", b"results"}
    assert games[0] in world.store.lists.page(player=HOST).ids
    assert world.store.lists.page(player="p_guest").ids == ()
    for key in before:
        world.client.delete(key)
    assert reindex.reindex(world.store) == (4, 0)
    assert _all_lists(world) == before
    assert set(reindex.games(world.store)) >= set(games)


def test_keys_that_are_no_game_are_passed_over() -> None:
    assert game_of_meta("{s00}:g:x:m") is None
    assert game_of_meta("list:::public") is None


def _all_lists(world: World) -> dict[bytes, Any]:
    keys = [key for kind in ("list", "ended", "results") for key in world.client.keys(f"{kind}:*")]
    return {key: world.client.zrange(key, 0, -1, withscores=True) for key in keys}


def test_the_newer_version_wins_whoever_writes_last(lists: Lists) -> None:
    """A slow writer of an old version is told so after its writes, and writes the newer one over them."""
    old, new = a_game(1, version=2), replace(a_game(1), version=5, status="playing")
    note = lists._note

    def slow(game: Game, scopes: set[str]) -> Any:
        known = note(game, scopes)
        if game is old:
            assert lists.index(new)
        return known

    lists._note = slow
    assert not lists.index(old)
    assert lists.index(new)
    assert lists.page(status="lobby").ids == ()
    assert lists.page(status="playing").ids == ("L001",)
