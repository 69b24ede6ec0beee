"""Every key name of the event store.

A game lives in one of 64 virtual shards for ever; the shard's hash tag is in each of its keys, so that one
script may touch a game and its shard's indices, on one server or on a cluster alike.
"""

import re
from binascii import crc32
from dataclasses import dataclass
from functools import lru_cache

SHARDS = 64
GAME_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_META = re.compile(rf"\{{s\d\d\}}:g:({GAME_ID.pattern}):m")


@dataclass(frozen=True, slots=True)
class ShardKeys:
    """The keys of one shard."""

    due: str  # sorted set: obligation -> ms at which it is due, or its lease ends
    tries: str  # hash: obligation -> "attempts first-due-ms", once it was handed out
    open: str  # set: ids of the games that are not closed
    bell: str  # stream: one entry {g: game, v: version} an append; trimmed
    alive: str  # hash: at -> ms of the last sweep; since-ms -> ms, each gap still to be credited
    fence: str  # string: written before a WAIT that must cover an earlier connection's writes


@dataclass(frozen=True, slots=True)
class GameKeys:
    """The keys of one log: a game's, or a case file's."""

    stream: str  # stream: <version>-0 -> {t: type, n: schema version, r: record, s: secret}
    meta: str  # hash: v version, h head, a last `at` in ms, c closed; never deleted
    commands: str  # hash: command digest -> fingerprint and the versions made
    open: str  # set of the shard: ids of the logs that are not closed


def shard_of(game: str) -> int:
    """Give the shard, 0 to 63, of a game id; ValueError if it cannot be one."""
    if not GAME_ID.fullmatch(game):
        raise ValueError("a game id has 1 to 64 of A-Z a-z 0-9 _ -")
    return crc32(game.encode()) % SHARDS


@lru_cache(maxsize=SHARDS)
def shard_keys(shard: int) -> ShardKeys:
    """Give the keys of a shard, 0 to 63."""
    if not 0 <= shard < SHARDS:
        raise ValueError("a shard is 0 to 63")
    tag = f"{{s{shard:02}}}"
    return ShardKeys(*(f"{tag}:{name}" for name in ("due", "tries", "open", "bell", "alive", "fence")))


@lru_cache(maxsize=4096)
def game_keys(game: str) -> GameKeys:
    """Give the keys of a game; ValueError if the id cannot be one."""
    shard = shard_of(game)
    return _log_keys(f"{{s{shard:02}}}:g:{game}", shard_keys(shard).open)


def case_keys(case: str) -> GameKeys:
    """Give the keys of a case file: a log of the same kind, not counted among the games."""
    tag = f"{{s{shard_of(case):02}}}"
    return _log_keys(f"{tag}:d:{case}", f"{tag}:cases")


def _log_keys(log: str, open_logs: str) -> GameKeys:
    return GameKeys(f"{log}:e", f"{log}:m", f"{log}:c", open_logs)


def presence_key(game: str) -> str:
    """Give the key of who is there (sorted set: "<seat> <process>" -> ms until which that is believed)."""
    return f"{{s{shard_of(game):02}}}:g:{game}:p"


def list_key(scope: str, status: str = "", ruleset: str = "") -> str:
    """Give the key of a list of games (sorted set: game id -> ms of its creation): all, or of one status or ruleset.

    `scope` is `public`, `p:<player>` or `public:<player>`. Lists belong to no shard: each has a key and a place of its
    own.
    """
    return f"list:{status}:{ruleset}:{scope}"


def listing_key(game: str) -> str:
    """Give the key of what is known of a game's place in the lists (sorted set, see lists.py)."""
    return f"listing:{game}"


def game_of_meta(key: str) -> str | None:
    """Give the game whose meta hash has this key; None if it is another key."""
    match = _META.fullmatch(key)
    return match[1] if match and game_keys(match[1]).meta == key else None
