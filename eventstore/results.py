"""What public games came to, derived from the logs like the lists: written by the same job, and anew by `reindex`.

Games that are finished stand in the order of their end, all and by ruleset; and each player's by ruleset, won or not. A
result never changes, so to write it again, or in any order, changes nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from redis import Redis

from domain.game import Game
from eventstore.cursors import BadCursor, beyond, cursor_of, place_of
from eventstore.keys import GAME_ID
from eventstore.wire import Word, pairs, send, send_all

WON: Final = 1


@dataclass(frozen=True, slots=True)
class Ended:
    """A game and when it ended, ms since 1970: its place in the order, since several may end in the same ms."""

    at: int
    game: str

    @property
    def cursor(self) -> str:
        """The place as text, to go on after."""
        return cursor_of(self.at, self.game)

    @classmethod
    def of_cursor(cls, text: str) -> "Ended":
        """The place that a `cursor` tells; BadCursor if it is none."""
        try:
            at, game = place_of(text)
            if not GAME_ID.fullmatch(game):
                raise ValueError("no game id")
            return cls(int(at), game)
        except ValueError as error:
            raise BadCursor("not a cursor of an export") from error


@dataclass(frozen=True, slots=True)
class Count:
    """How many public games of a ruleset a player has finished, and won."""

    played: int
    won: int


class Results:
    """The results of one store. Errors are those of redis-py."""

    def __init__(self, writing: Redis, reading: Redis | None = None) -> None:
        self._writer = writing
        self._reader = reading or writing

    def record(self, game: Game) -> None:
        """Note what a game came to; nothing, unless it is public and finished."""
        if not counts(game):
            return
        commands: list[tuple[Word, ...]] = [
            ("ZADD", results_key(player, game.ruleset), int(won), game.id) for player, won in outcomes(game).items()
        ]
        commands += [("ZADD", ended_key(ruleset), game.at, game.id) for ruleset in ("", game.ruleset)]
        send_all(self._writer, commands)

    def counts(self, player: str, rulesets: Iterable[str]) -> Mapping[str, Count]:
        """What a player has played and won, of those rulesets that it has played at all."""
        wanted = tuple(rulesets)
        calls: list[tuple[Word, ...]] = []
        for ruleset in wanted:
            key = results_key(player, ruleset)
            calls += [("ZCARD", key), ("ZCOUNT", key, WON, WON)]
        replies = send_all(self._reader, calls)
        found = zip(wanted, replies[0::2], replies[1::2], strict=True)
        return {ruleset: Count(played, won) for ruleset, played, won in found if played}

    def ended(self, ruleset: str, after: Ended | None, until: int, limit: int) -> tuple[Ended, ...]:
        """The public games that ended after a place and before `until` (ms), the first ones first."""
        words = ("ZRANGEBYSCORE", ended_key(ruleset), after.at if after else "-inf", f"({until}", "WITHSCORES")

        def read(offset: int, count: int) -> list[Ended]:
            page = pairs(send(self._reader, *words, "LIMIT", offset, count))
            return [Ended(int(float(score)), member.decode()) for member, score in page]

        return tuple(beyond(read, lambda p: after is None or (p.at, p.game) > (after.at, after.game), limit))


def counts(game: Game) -> bool:
    """Whether a game counts in what all may see: it was played to an end, in public."""
    return game.status == "finished" and game.visibility == "public" and game.result is not None


def outcomes(game: Game) -> dict[str, bool]:
    """Whose results a finished game holds, also those who resigned, and whether they won."""
    if game.result is None:
        return {}
    found: dict[str, bool] = {}
    for number, seat in enumerate(game.seats):
        player = seat.player or seat.former
        if player:
            found[player] = number in game.result.winners
    return found


def ended_key(ruleset: str) -> str:
    """The sorted set of finished public games (of one ruleset, or all): id -> ms of the end."""
    return f"ended:{ruleset}"


def results_key(player: str, ruleset: str) -> str:
    """The sorted set of a player's finished public games of a ruleset: id -> 1 if it won, else 0."""
    return f"results:{ruleset}:{player}"
