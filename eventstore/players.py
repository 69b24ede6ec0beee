"""Players and their tokens: plain hashes beside the logs, never events.

Of a token only the SHA-256 is stored. Names never enter a log; views join them when they are rendered.
"""

import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, Generic, TypeVar

from redis import Redis
from ulid import ULID

TOKEN_PREFIX: Final = "ct_"  # noqa: S105  # public, like the word Bearer
TOKEN_BYTES: Final = 24
"""192 bits: a token is 35 characters."""

TOKEN_CACHE_S: Final = 10.0
"""How long a process trusts a token it has checked: a revoked one may still work for this long elsewhere."""

NAME_CACHE_S: Final = 60.0
"""How long a process shows a name before it looks again."""

CACHE_SIZE: Final = 10_000

RESERVED_S: Final = 30 * 24 * 60 * 60
"""How long a reserved id is remembered: longer than the 48 hours that a retry is promised."""

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Player:
    """A player's account; `created` is in ms since 1970."""

    id: str
    name: str
    created: int


def player_key(player: str) -> str:
    """The hash of a player: name, created."""
    return f"player:{player}"


def token_key(digest: str) -> str:
    """The hash of a token, named by the token's SHA-256: player."""
    return f"token:{digest}"


def reserved_key(digest: str) -> str:
    """The string that holds the id which a command reserved."""
    return f"reserved:{digest}"


class _Fresh(Generic[K, V]):
    """A small cache whose entries are good for a stated time."""

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._seconds = seconds
        self._clock = clock
        self._entries: dict[K, tuple[float, V]] = {}

    def get(self, key: K) -> V | None:
        entry = self._entries.get(key)
        if entry is None or entry[0] < self._clock():
            return None
        return entry[1]

    def put(self, key: K, value: V) -> None:
        if len(self._entries) >= CACHE_SIZE:
            # Everything is cheap to read again; forgetting all at once needs no bookkeeping on the way.
            self._entries.clear()
        self._entries[key] = (self._clock() + self._seconds, value)


class Players:
    """The accounts in one store; safe to share between threads."""

    def __init__(self, client: Redis, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._tokens: _Fresh[str, Player] = _Fresh(TOKEN_CACHE_S, clock)
        self._names: _Fresh[str, str] = _Fresh(NAME_CACHE_S, clock)

    def create(self, name: str) -> tuple[Player, str]:
        """Open an account; gives the player and its token, which is never shown again."""
        player = Player(str(ULID()), name, int(time.time() * 1000))
        token = TOKEN_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
        pipe = self._client.pipeline(transaction=False)
        pipe.hset(player_key(player.id), mapping={"name": player.name, "created": player.created})
        pipe.hset(token_key(_digest(token)), mapping={"player": player.id})
        pipe.execute()
        return player, token

    def by_token(self, token: str) -> Player | None:
        """The player whom a token names, or None."""
        digest = _digest(token)
        known = self._tokens.get(digest)
        if known is not None:
            return known
        held: Any = self._client.hget(token_key(digest), "player")
        player = self.by_id(_text(held)) if held else None
        if player is not None:
            self._tokens.put(digest, player)
        return player

    def by_id(self, player: str) -> Player | None:
        """The account with this id, or None."""
        held: Any = self._client.hmget(player_key(player), "name", "created")
        name, created = held
        return Player(player, _text(name), int(created)) if name else None

    def names(self, ids: Iterable[str]) -> Mapping[str, str]:
        """The names of players, by id; one round trip for all that are not remembered, none if all are."""
        wanted = set(ids)
        found = {player: name for player in wanted if (name := self._names.get(player)) is not None}
        missing = sorted(wanted - found.keys())
        if missing:
            pipe = self._client.pipeline(transaction=False)
            for player in missing:
                pipe.hget(player_key(player), "name")
            for player, name in zip(missing, pipe.execute(), strict=True):
                if name:
                    found[player] = _text(name)
                    self._names.put(player, found[player])
        return found

    def reserve(self, command: str, fresh: str) -> str:
        """The id that the command with this id makes: `fresh` the first time, the same one at every repeat."""
        key = reserved_key(command)
        if self._client.set(key, fresh, nx=True, ex=RESERVED_S):
            return fresh
        held: Any = self._client.get(key)
        return _text(held) if held else fresh


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
