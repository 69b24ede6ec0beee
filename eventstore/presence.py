"""Which seats have a live stream, over all processes: a sorted set beside each log, whose members expire.

It is no part of the log and proves nothing: a process that is killed is believed for `LIVE_MS` more.
"""

import secrets
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from redis import Redis

from eventstore.keys import presence_key, shard_keys, shard_of
from eventstore.log import BELL_LENGTH
from eventstore.wire import Word, send_all

LIVE_MS: Final = 25_000
"""How long a mark is good: two beats may be lost."""

Seats = frozenset[int]


class Presence:
    """The seats that are present in each game; `now` is the store's clock in ms. Safe to share between threads.

    A change rings the game's doorbell with version 0: nothing was appended, look at who is there.
    """

    def __init__(self, client: Redis, now: Callable[[], int]) -> None:
        self._client = client
        self._now = now
        self._process = secrets.token_hex(6)

    def come(self, game: str, seat: int) -> Seats:
        """A seat has a stream in this process; gives all that are present."""
        replies = send_all(self._client, (*self._mark(game, (seat,)), _ring(game), self._read(game)))
        return _seats(replies[-1])

    def go(self, game: str, seat: int) -> None:
        """A seat has no stream in this process any more."""
        send_all(self._client, (("ZREM", presence_key(game), self._member(seat)), _ring(game)))

    def at(self, game: str) -> Seats:
        """The seats that are present in a game."""
        return self.beat({game: ()})[game]

    def beat(self, games: Mapping[str, Collection[int]]) -> dict[str, Seats]:
        """Keep this process's marks alive, by game; gives all that are present in those games, in one round trip."""
        commands: list[tuple[Word, ...]] = []
        ends = {}
        for game, seats in games.items():
            commands += self._mark(game, seats)
            commands += [("ZREMRANGEBYSCORE", presence_key(game), "-inf", self._now()), self._read(game)]
            ends[game] = len(commands) - 1
        replies = send_all(self._client, commands) if commands else []
        return {game: _seats(replies[end]) for game, end in ends.items()}

    def _mark(self, game: str, seats: Collection[int]) -> list[tuple[Word, ...]]:
        if not seats:
            return []
        key, until = presence_key(game), self._now() + LIVE_MS
        marks = [word for seat in seats for word in (until, self._member(seat))]
        return [("ZADD", key, *marks), ("PEXPIRE", key, 2 * LIVE_MS)]

    def _read(self, game: str) -> tuple[Word, ...]:
        return ("ZRANGEBYSCORE", presence_key(game), f"({self._now()}", "+inf")

    def _member(self, seat: int) -> str:
        return f"{seat} {self._process}"


def _ring(game: str) -> tuple[Word, ...]:
    bell = shard_keys(shard_of(game)).bell
    return ("XADD", bell, "MAXLEN", "~", BELL_LENGTH, "*", "g", game, "v", 0)


def _seats(members: list[Any]) -> Seats:
    return frozenset(int(member.partition(b" ")[0]) for member in members)
