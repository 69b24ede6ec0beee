"""Leaderboards: one table for each ruleset and kind of player, folded from finished games in the order of their end.

A table knows each of its games with the ratings that its players had before. So a game that comes late is put in its
place: what ended after it is taken back, and rated again. However often and in whatever order games come, the table is
that of all of them in order. Its keys lie in one slot, and one optimistic transaction writes them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import orjson
from redis import Redis
from redis.exceptions import WatchError

from domain.ratings import Rating, rate
from eventstore.cursors import BadCursor, beyond, cursor_of, place_of
from eventstore.results import Ended
from eventstore.stored import StoreBusy
from eventstore.wire import Word, pairs, send, send_all

Kind = Literal["player", "bot"]
KINDS: Final[tuple[Kind, ...]] = ("player", "bot")
ATTEMPTS: Final = 20
_CHUNK: Final = 500  # fields of one command

NEW: Final = Rating()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a game was for one of its rated players: its rank, and whether it won."""

    player: str
    rank: int
    won: bool


@dataclass(frozen=True, slots=True)
class Rated:
    """A finished game, and what it was for its players of one kind: at least two."""

    ended: Ended
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """A player in a table: its rating, from how many games, of which it won some."""

    rating: Rating = NEW
    games: int = 0
    won: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a leaderboard; players with equal ratings share a rank."""

    rank: int
    player: str
    standing: Standing


@dataclass(slots=True)
class _Fold:
    """A table, or the part of it that changes: standings of players, and of each game the ratings before it."""

    standings: dict[str, Standing]
    before: dict[str, list[Rating]] = field(default_factory=dict)

    def add(self, game: Rated) -> None:
        """Rate a game, after all that were added before."""
        held = [self.standings.get(o.player, Standing()) for o in game.outcomes]
        self.before[game.ended.game] = [one.rating for one in held]
        after = rate([one.rating for one in held], [o.rank for o in game.outcomes])
        for outcome, one, rating in zip(game.outcomes, held, after, strict=True):
            self.standings[outcome.player] = Standing(rating, one.games + 1, one.won + outcome.won)

    def take_back(self, game: Rated, before: Sequence[Rating]) -> None:
        """Undo the game that was added last."""
        for outcome, rating in zip(game.outcomes, before, strict=True):
            one = self.standings[outcome.player]
            self.standings[outcome.player] = Standing(rating, one.games - 1, one.won - outcome.won)


class Ratings:
    """The leaderboards of one store. Errors are those of redis-py, and StoreBusy."""

    def __init__(self, writing: Redis, reading: Redis | None = None) -> None:
        self._writer = writing
        self._reader = reading or writing

    # --- writing ---------------------------------------------------------------------------------------------------

    def add(self, ruleset: str, kind: Kind, game: Rated) -> None:
        """Rate a game in its place; nothing if it is rated. StoreBusy if too many others write at once."""
        keys = _Keys.of(ruleset, kind)

        def change(pipe: Any) -> _Change | None:
            if send(pipe, "ZSCORE", keys.order, game.ended.game) is not None:
                return None
            later = self._later(pipe, keys, game.ended)
            players = {o.player for one, _ in later for o in one.outcomes} | {o.player for o in game.outcomes}
            fold = _Fold(_standings(pipe, keys, players))
            for one, before in reversed(later):
                fold.take_back(one, before)
            games = [game, *(one for one, _ in later)]
            for one in games:
                fold.add(one)
            return _Change(fold, games)

        self._write(keys, change)

    def replace(self, ruleset: str, kind: Kind, games: Iterable[Rated], judge: Callable[[str], Rated | None]) -> int:
        """Write a table anew from all its games; how many they are.

        `judge` says of a game that was rated meanwhile what it is, from its log; None: nothing, it goes.
        """
        keys = _Keys.of(ruleset, kind)
        wanted = {game.ended.game: game for game in games}

        def change(pipe: Any) -> _Change:
            there = {member.decode() for member in send(pipe, "ZRANGE", keys.order, 0, -1)}
            for game in there - wanted.keys():
                found = judge(game)
                if found is not None:
                    wanted[game] = found
            fold = _Fold({})
            ordered = sorted(wanted.values(), key=lambda one: (one.ended.at, one.ended.game))
            for one in ordered:
                fold.add(one)
            return _Change(fold, ordered, anew=True)

        self._write(keys, change)
        return len(wanted)

    def _write(self, keys: "_Keys", change: Callable[[Any], "_Change | None"]) -> None:
        for _ in range(ATTEMPTS):
            with self._writer.pipeline(transaction=True) as pipe:
                send(pipe, "WATCH", keys.order)
                made = change(pipe)
                if made is None:
                    return
                pipe.multi()
                for command in made.commands(keys):
                    send(pipe, *command)
                try:
                    pipe.execute()
                except WatchError:
                    continue
                return
        raise StoreBusy

    def _later(self, pipe: Any, keys: "_Keys", place: Ended) -> list[tuple[Rated, list[Rating]]]:
        """The games of a table that ended after a place, in order, with the ratings before each."""
        scored = pairs(send(pipe, "ZRANGEBYSCORE", keys.order, place.at, "+inf", "WITHSCORES"))
        places = [Ended(int(float(score)), member.decode()) for member, score in scored]
        later = [one for one in places if (one.at, one.game) > (place.at, place.game)]
        held = send(pipe, "HMGET", keys.games, *[one.game for one in later]) if later else []
        return [_read_game(one, text) for one, text in zip(later, held, strict=True)]

    # --- reading ---------------------------------------------------------------------------------------------------

    def page(self, ruleset: str, kind: Kind, after: str | None, limit: int) -> tuple[tuple[Row, ...], str | None]:
        """Some rows of a table after a cursor, the best first, and the cursor of what follows. BadCursor."""
        keys = _Keys.of(ruleset, kind)
        found = self._below(keys, _place(after) if after else None, limit + 1)
        shown = found[:limit]
        if not shown:
            return (), None
        # In Redis's own words for a number, so that it is exactly that one.
        calls: list[tuple[Word, ...]] = [("ZCOUNT", keys.board, f"({score!r}", "+inf") for _, score in shown]
        *better, held = send_all(self._reader, [*calls, ("HMGET", keys.players, *[player for player, _ in shown])])
        rows = zip(better, shown, held, strict=True)
        page = tuple([Row(count + 1, player, _read_standing(text)) for count, (player, _), text in rows if text])
        return page, cursor_of(repr(shown[-1][1]), shown[-1][0]) if len(found) > limit else None

    def _below(self, keys: "_Keys", place: tuple[str, float] | None, wanted: int) -> list[tuple[str, float]]:
        best: Word = repr(place[1]) if place else "+inf"

        def read(offset: int, count: int) -> list[tuple[str, float]]:
            words = ("ZREVRANGEBYSCORE", keys.board, best, "-inf", "WITHSCORES", "LIMIT", offset, count)
            return [(member.decode(), float(score)) for member, score in pairs(send(self._reader, *words))]

        return beyond(read, lambda row: place is None or (row[1], row[0]) < (place[1], place[0]), wanted)


@dataclass(frozen=True, slots=True)
class _Keys:
    """The keys of one table."""

    order: str  # sorted set: game -> ms of its end
    games: str  # hash: game -> [[player, rank, won, mu before, sigma before], ...]
    players: str  # hash: player -> [mu, sigma, games, won]
    board: str  # sorted set: player -> ordinal

    @classmethod
    def of(cls, ruleset: str, kind: Kind) -> "_Keys":
        tag = f"{{rating:{ruleset}:{kind}}}"
        return cls(f"{tag}:order", f"{tag}:games", f"{tag}:players", f"{tag}:board")


@dataclass(frozen=True, slots=True)
class _Change:
    """What is to be written: a fold, and the games in it in order; `anew` if nothing else stays."""

    fold: _Fold
    games: Sequence[Rated]
    anew: bool = False

    def commands(self, keys: _Keys) -> Iterable[tuple[Word, ...]]:
        if self.anew:
            yield ("DEL", keys.order, keys.games, keys.players, keys.board)
        standings = self.fold.standings
        yield from _many("ZADD", keys.order, [(one.ended.at, one.ended.game) for one in self.games])
        yield from _many("HSET", keys.games, [(o.ended.game, _game_text(o, self.fold)) for o in self.games])
        yield from _many("HSET", keys.players, [(p, _standing_text(s)) for p, s in standings.items()])
        yield from _many("ZADD", keys.board, [(repr(s.rating.ordinal), p) for p, s in standings.items()])


def _many(command: str, key: str, items: Sequence[tuple[Word, Word]]) -> Iterable[tuple[Word, ...]]:
    for start in range(0, len(items), _CHUNK):
        yield (command, key, *[word for item in items[start : start + _CHUNK] for word in item])


def _game_text(game: Rated, fold: _Fold) -> bytes:
    before = fold.before[game.ended.game]
    return orjson.dumps([
        [o.player, o.rank, o.won, rating.mu, rating.sigma] for o, rating in zip(game.outcomes, before, strict=True)
    ])  # fmt: skip


def _read_game(ended: Ended, text: bytes) -> tuple[Rated, list[Rating]]:
    told = orjson.loads(text)
    outcomes = tuple([Outcome(player, rank, won) for player, rank, won, _, _ in told])
    return Rated(ended, outcomes), [Rating(mu, sigma) for *_, mu, sigma in told]


def _standing_text(standing: Standing) -> bytes:
    return orjson.dumps([standing.rating.mu, standing.rating.sigma, standing.games, standing.won])


def _read_standing(text: bytes) -> Standing:
    mu, sigma, games, won = orjson.loads(text)
    return Standing(Rating(mu, sigma), games, won)


def _standings(pipe: Any, keys: _Keys, players: set[str]) -> dict[str, Standing]:
    ordered = sorted(players)
    held = send(pipe, "HMGET", keys.players, *ordered)
    return {player: _read_standing(text) for player, text in zip(ordered, held, strict=True) if text}


def _place(cursor: str) -> tuple[str, float]:
    try:
        score, player = place_of(cursor)
        if not player or not abs(float(score)) < 1e9:
            raise ValueError("no place")
        return player, float(score)
    except ValueError as error:
        raise BadCursor("not a cursor of a leaderboard") from error
