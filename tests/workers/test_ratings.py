"""Leaderboards: the same table however often, in whatever order and by however many at once games come to it."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from domain.commands import Create, Leave, Sit, Start
from domain.ratings import Rating, rate
from eventstore.lists import BadCursor
from eventstore.ratings import Outcome, Rated, Ratings, Row
from eventstore.results import Ended
from tests.workers.world import World
from workers import rerate


def a_game(number: int, rng: random.Random) -> Rated:
    players = rng.sample([f"p{i}" for i in range(6)], rng.randint(2, 4))
    ranks = [rng.randint(1, 3) for _ in players]
    ended = Ended(1000 + number // 3, f"R{number:03}")  # three in the same ms
    return Rated(ended, tuple([Outcome(p, r, r == min(ranks)) for p, r in zip(players, ranks, strict=True)]))


GAMES = [a_game(number, random.Random(number)) for number in range(30)]


def by_hand(games: list[Rated]) -> dict[str, tuple[Rating, int, int]]:
    held: dict[str, tuple[Rating, int, int]] = {}
    for game in games:
        before = [held.get(o.player, (Rating(), 0, 0)) for o in game.outcomes]
        after = rate([one[0] for one in before], [o.rank for o in game.outcomes])
        for o, one, rating in zip(game.outcomes, before, after, strict=True):
            held[o.player] = (rating, one[1] + 1, one[2] + o.won)
    return held


@pytest.fixture
def ratings(world: World) -> Ratings:
    return world.store.ratings


def table(ratings: Ratings, kind: Any = "player") -> list[Row]:
    return list(ratings.page("chess", kind, None, 100)[0])


def dump(world: World) -> dict[bytes, Any]:
    found: dict[bytes, Any] = {}
    for key in world.client.keys("{rating:*"):
        hashed = world.client.type(key) == b"hash"
        found[key] = world.client.hgetall(key) if hashed else world.client.zrange(key, 0, -1, withscores=True)
    return found


def test_games_in_order_are_rated_one_after_the_other(ratings: Ratings) -> None:
    for game in GAMES:
        ratings.add("chess", "player", game)
    expected = by_hand(GAMES)
    rows = table(ratings)
    found = {row.player: (row.standing.rating, row.standing.games, row.standing.won) for row in rows}
    assert found == expected
    assert [row.rank for row in rows] == list(range(1, len(rows) + 1))
    assert [row.standing.rating.ordinal for row in rows] == sorted(
        [rating.ordinal for rating, *_ in expected.values()], reverse=True
    )


@pytest.mark.parametrize("seed", range(5))
def test_in_whatever_order_and_however_often_the_table_is_the_same(world: World, ratings: Ratings, seed: int) -> None:
    for game in GAMES:
        ratings.add("chess", "player", game)
    right = dump(world)
    world.client.flushall()
    for game in random.Random(seed).sample(GAMES * 2, 60):
        ratings.add("chess", "player", game)
    assert dump(world) == right
    assert ratings.replace("chess", "player", GAMES, lambda _: None) == len(GAMES)
    assert dump(world) == right


def test_several_at_once_lose_none(world: World, ratings: Ratings) -> None:
    for game in GAMES:
        ratings.add("chess", "player", game)
    right = dump(world)
    world.client.flushall()
    together = threading.Barrier(3)

    def add(number: int) -> None:
        together.wait(10)
        for game in random.Random(number).sample(GAMES, len(GAMES)):
            ratings.add("chess", "player", game)

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(add, range(3)))
    assert dump(world) == right


def test_a_game_that_ends_while_all_are_rated_anew_stays(world: World, ratings: Ratings) -> None:
    for game in GAMES:
        ratings.add("chess", "player", game)
    right = dump(world)
    judged = {game.ended.game: game for game in GAMES}
    assert ratings.replace("chess", "player", GAMES[:-2], judged.get) == len(GAMES)
    assert dump(world) == right
    assert ratings.replace("chess", "player", GAMES[:-2], lambda _: None) == len(GAMES) - 2
    assert dump(world) != right


def test_one_that_comes_in_between_makes_it_begin_again(world: World, ratings: Ratings) -> None:
    for game in GAMES[:-1]:
        ratings.add("chess", "player", game)
    calls: list[str] = []

    def judge(game: str) -> Rated | None:
        if not calls:
            ratings.add("chess", "player", GAMES[-1])
        calls.append(game)
        return next(one for one in GAMES if one.ended.game == game)

    ratings.replace("chess", "player", GAMES[:-2], judge)
    assert calls == [GAMES[-2].ended.game, GAMES[-1].ended.game]
    assert len(by_hand(GAMES)) == len(table(ratings))
    expected = by_hand(GAMES)
    assert {row.player: row.standing.rating for row in table(ratings)} == {p: one[0] for p, one in expected.items()}


@pytest.mark.parametrize("limit", [1, 2, 5, 100])
def test_pages_give_everyone_once(ratings: Ratings, limit: int) -> None:
    for game in GAMES[:6]:
        ratings.add("chess", "player", game)
    found: list[Row] = []
    after = None
    while True:
        rows, after = ratings.page("chess", "player", after, limit)
        found += rows
        if after is None:
            break
        assert len(rows) == limit
    assert found == table(ratings)


def test_equals_share_a_rank(ratings: Ratings) -> None:
    tie = (Outcome("a", 1, True), Outcome("b", 1, True), Outcome("c", 3, False))
    ratings.add("chess", "player", Rated(Ended(1, "R1"), tie))
    assert [(row.player, row.rank) for row in table(ratings)] == [("b", 1), ("a", 1), ("c", 3)]
    assert table(ratings, "bot") == []


@pytest.mark.parametrize("cursor", ["x", "!!", "MTA", "bmFuIHA", "aW5mIHA", "ÿ"])
def test_a_cursor_of_ones_own_making_is_refused(ratings: Ratings, cursor: str) -> None:
    with pytest.raises(BadCursor):
        ratings.page("chess", "player", cursor, 5)


# --- from games -----------------------------------------------------------------------------------------------------


def finished(world: World, players: list[str], *, bots: int = 0, **more: Any) -> str:
    """A game at which the players resign one after the other; its jobs are still owed."""
    game = f"G{random.randrange(10**9)}"
    repository = world.store.repository
    seats = len(players) + bots
    command = Create(
        ruleset="bluff_king",
        options={},
        seats=seats,
        host=players[0],
        bots=("novice",) * bots,
        server_seed="ab" * 32,
        **more,
    )
    repository.create(game, command, key="create")
    for player in players[1:]:
        repository.execute(game, Sit(player), key=f"sit {player}")
    repository.execute(game, Start(players[0]), key="start")
    for player in players:
        if world.game(game).status == "playing":
            repository.execute(game, Leave(player), key=f"leave {player}")
    assert world.game(game).status == "finished"
    return game


def account(world: World, name: str, bot: bool = False) -> str:
    return world.store.players.create(name, bot=bot).id


def names(world: World, kind: Any = "player") -> dict[str, int]:
    rows, _ = world.store.ratings.page("bluff_king", kind, None, 100)
    known = world.store.players.accounts([row.player for row in rows])
    return {known[row.player].name: row.standing.games for row in rows}


def test_players_and_programs_are_rated_apart_and_the_tables_own_bots_not_at_all(world: World) -> None:
    ann, bob = account(world, "Ann"), account(world, "Bob")
    hal, pol = account(world, "Hal", True), account(world, "Pol", True)
    finished(world, [ann, bob])
    finished(world, [ann, bob, hal], bots=1)
    finished(world, [hal, pol, ann])
    finished(world, [ann], bots=1)
    finished(world, [ann, hal])
    finished(world, [ann, bob], visibility="private")
    finished(world, [ann, bob], visibility="unlisted")
    assert names(world) == {}
    world.pump()
    assert names(world) == {"Ann": 2, "Bob": 2}
    assert names(world, "bot") == {"Hal": 1, "Pol": 1}


def test_rerating_from_the_logs_gives_what_the_jobs_gave(world: World) -> None:
    people = [account(world, name) for name in ("Ann", "Bob", "Carl", "Dora")]
    rng = random.Random(3)
    for _ in range(8):
        finished(world, rng.sample(people, rng.randint(2, 4)))
    world.pump()
    right = dump(world)
    assert right
    done, failed = rerate.rerate(world.store)
    assert (done, failed) == (8, 0)
    assert dump(world) == right
    for key in right:
        world.client.delete(key)
    rerate.rerate(world.store)
    assert dump(world) == right
    # What no log tells goes.
    world.store.ratings.add("bluff_king", "player", GAMES[0])
    rerate.rerate(world.store)
    assert dump(world) == right
