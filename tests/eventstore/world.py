"""What the store's tests share: a store with log and obligations, and batches that fit it."""

from hashlib import sha256
from typing import Any

from redis import Redis

from eventstore.commands import Command
from eventstore.keys import game_keys, shard_keys, shard_of
from eventstore.log import Log
from eventstore.obligation import Due, Obligation
from eventstore.owed import Owed
from eventstore.replies import Appended, Batch, NewRecord
from eventstore.scripts import Scripts

GAME = "01GAME"


def hash_of(*words: object) -> str:
    return sha256(repr(words).encode()).hexdigest()


def record(text: str = "x", secret: bytes = b"") -> NewRecord:
    return NewRecord("thing_happened", 1, text.encode(), secret)


def command(name: str, content: bytes = b"") -> Command:
    return Command.of_request("player", name, content)


def owes(kind: str, seat: int | None = 1, decision: str = "7", game: str = GAME) -> Obligation:
    return Obligation(game, kind, seat, decision)


class World:
    def __init__(self, client: Redis, lua: Scripts) -> None:
        self.client = client
        self.log = Log(client, lua=lua, retry_pauses_s=())
        self.owed = Owed(client, lua=lua)

    def batch(self, name: str, *records: NewRecord, game: str = GAME, **changes: Any) -> Batch:
        """A batch that would be accepted now, but for `changes`."""
        head = self.log.head(game)
        fields: dict[str, Any] = {
            "game": game,
            "command": command(name),
            "expected_version": head.version,
            "expected_head": head.head,
            "at": max(self.log.time(), head.at),
            "records": records or (record(name),),
            "head": hash_of(game, head.version, name),
        }
        return Batch(**(fields | changes))

    def append(self, name: str, *records: NewRecord, **changes: Any) -> Any:
        return self.log.append(self.batch(name, *records, **changes))

    def owe(self, obligation: Obligation, at: int) -> None:
        name = f"owe {obligation.print()} {at}"
        reply = self.append(name, game=obligation.game, owed=(Due(obligation, at),))
        assert isinstance(reply, Appended)

    def everything(self, game: str = GAME) -> dict[str, Any]:
        """All that an append of this game may change, to see that it did not."""
        g, s = game_keys(game), shard_keys(shard_of(game))
        return {
            "stream": self.client.execute_command("XRANGE", g.stream, "-", "+"),
            "meta": self.client.hgetall(g.meta),
            "commands": self.client.hgetall(g.commands),
            "due": self.client.zrange(s.due, 0, -1, withscores=True),
            "tries": self.client.hgetall(s.tries),
            "open": self.client.smembers(s.open),
            "bell": self.client.execute_command("XRANGE", s.bell, "-", "+"),
        }

    def step_clock(self, ms: int, game: str = GAME) -> int:
        """As if the clock had stepped back by `ms`: the last record lies that far ahead. Gives its `at`."""
        at = self.log.time() + ms
        self.client.hset(game_keys(game).meta, "a", at)
        return at

    def sleep_through(self, ms: int, shard: int = shard_of(GAME)) -> None:
        """As if nobody had swept this shard for `ms`."""
        self.client.hset(shard_keys(shard).alive, "at", self.log.time() - ms)
