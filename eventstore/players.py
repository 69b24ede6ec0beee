"""Players: plain hashes beside the logs, never events. Names never enter a log; views join them when rendered."""

import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from redis import Redis
from ulid import ULID

from eventstore.wire import as_text, send

NAME_CACHE_S: Final = 60.0
"""How long a process shows a name before it looks again."""

CACHE_SIZE: Final = 10_000

RESERVED_S: Final = 30 * 24 * 60 * 60
"""How long a reserved id is remembered: longer than the 48 hours that a retry is promised."""

PLAYER_ID: Final = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Player:
    """A player's account; `created` is in ms since 1970. `bot` says that a program plays, which never changes."""

    id: str
    name: str
    created: int
    bot: bool = False


def player_key(player: str) -> str:
    """The hash of a player: name, created, bot."""
    return f"player:{player}"


def reserved_key(digest: str) -> str:
    """The string that holds the id which a command reserved."""
    return f"reserved:{digest}"


class Fresh(Generic[K, V]):
    """A small cache whose entries are good for a stated time."""

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._seconds = seconds
        self._clock = clock
        self._entries: dict[K, tuple[float, V]] = {}
        self._changes = 0

    def get(self, key: K) -> V | None:
        """What is kept and still good, or None."""
        entry = self._entries.get(key)
        if entry is None or entry[0] < self._clock():
            return None
        return entry[1]

    def mark(self) -> int:
        """A mark to `put` with what is read after it."""
        return self._changes

    def put(self, key: K, value: V, mark: int | None = None) -> None:
        """Keep a value; not one that was read before something was dropped, since it may be just that."""
        if mark is not None and mark != self._changes:
            return
        if len(self._entries) >= CACHE_SIZE:
            # Everything is cheap to read again; forgetting all at once needs no bookkeeping on the way.
            self._entries.clear()
        self._entries[key] = (self._clock() + self._seconds, value)

    def drop(self, key: K) -> None:
        """Keep this no longer."""
        self._changes += 1
        self._entries.pop(key, None)


class Players:
    """The accounts in one store; safe to share between threads."""

    def __init__(self, client: Redis, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._known: Fresh[str, Player] = Fresh(NAME_CACHE_S, clock)

    def create(self, name: str, *, bot: bool = False) -> Player:
        """Open an account; it has no token yet."""
        player = Player(str(ULID()), name, int(time.time() * 1000), bot)
        fields = ("name", player.name, "created", player.created, "bot", int(bot))
        send(self._client, "HSET", player_key(player.id), *fields)
        return player

    def rename(self, player: str, name: str) -> None:
        """Give an account another name; other processes show it within the time of the cache."""
        self._client.hset(player_key(player), "name", name)
        self._known.drop(player)

    def by_id(self, player: str) -> Player | None:
        """The account with this id as it is now, or None."""
        return _player(player, self._client.hmget(player_key(player), *_FIELDS))

    def accounts(self, ids: Iterable[str]) -> Mapping[str, Player]:
        """Accounts by id, perhaps under a former name; one round trip for all that are not remembered, or none."""
        wanted = set(ids)
        mark = self._known.mark()
        found = {player: known for player in wanted if (known := self._known.get(player)) is not None}
        missing = sorted(wanted - found.keys())
        if missing:
            pipe = self._client.pipeline(transaction=False)
            for player in missing:
                pipe.hmget(player_key(player), *_FIELDS)
            for player, held in zip(missing, pipe.execute(), strict=True):
                account = _player(player, held)
                if account is not None:
                    found[player] = account
                    self._known.put(player, account, mark)
        return found

    def reserved(self, command: str) -> str | None:
        """What the command with this id reserved, or None."""
        held: Any = self._client.get(reserved_key(command))
        return as_text(held) if held else None

    def reserve(self, command: str, fresh: str) -> str:
        """The id that the command with this id makes: `fresh` the first time, the same one at every repeat."""
        key = reserved_key(command)
        if self._client.set(key, fresh, nx=True, ex=RESERVED_S):
            return fresh
        held: Any = self._client.get(key)
        return as_text(held) if held else fresh


_FIELDS: Final = ("name", "created", "bot")


def _player(player: str, held: Any) -> Player | None:
    name, created, bot = held
    return Player(player, as_text(name), int(created), bot is not None and as_text(bot) == "1") if name else None
