"""What the workers' tests share: a store, games at it, worker processes, and work done in this process."""

from __future__ import annotations

import itertools
import os
import random
import secrets
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from redis import Redis

from captain.child import launch
from domain import canonical
from domain.commands import Create, Play
from domain.decisions import Asked
from domain.events import Event
from domain.game import Game, evolve
from domain.lifecycle import Clock
from domain.observers import at_seat
from domain.registry import REGISTRY, Registry
from eventstore import connect
from eventstore.keys import SHARDS, shard_keys, shard_of
from eventstore.obligation import Due
from eventstore.store import Store
from eventstore.stored import Receipt, secrets_of
from tests.keys import KEYS, key_file
from tests.waiting import until
from workers import jobs

HOST = "p_host"
_numbers = itertools.count(1)


class World:
    """One store and the processes that work on it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.client: Redis = connect.appending(url)
        self.client.flushall()
        self.store = Store(url, allow_unsafe=True)
        self.processes: list[subprocess.Popen[bytes]] = []
        self._more: list[Store] = []

    def close(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                process.kill()
                process.wait()
        for store in (self.store, *self._more):
            store.close()
        self.client.close()
        self.client.connection_pool.disconnect()

    def with_rules(self, *rules: Any) -> Store:
        """The same store, its games played by other rules."""
        store = Store(self.url, registry=Registry(rules), allow_unsafe=True)
        self._more.append(store)
        return store

    # --- processes -------------------------------------------------------------------------------------------------

    def start(self, *commands: str) -> list[subprocess.Popen[bytes]]:
        env = {**os.environ, "REDIS_URL": self.url, "ALLOW_UNSAFE_STORE": "1", "SIGNING_KEYS": str(key_file())}
        started = [launch([sys.executable, "-m", "captain", command], env=env) for command in commands]
        self.processes += started
        return started

    def start_all(self) -> None:
        """A sweeper and two workers, at work."""
        self.start("work", "work", "sweep")
        until(lambda: len(self.client.smembers("rq:workers")) >= 2)

    def sweep_once(self) -> None:
        """Keep all shards alive, as a sweeper does, without taking anything."""
        self.store.owed.beat()

    def stop_all(self) -> None:
        """As a supervisor does; each must end by itself, and well."""
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for process in self.processes:
            process.wait(10)

    # --- games -----------------------------------------------------------------------------------------------------

    def create(
        self,
        bots: int = 3,
        *,
        host_seat: int | None = 0,
        store: Store | None = None,
        seats: int | None = None,
        **more: Any,
    ) -> str:
        """A game that starts at once if it is full; `clock` may be given as a dict."""
        game = f"G{next(_numbers)}-{secrets.token_hex(4)}"
        clock = Clock(**more.pop("clock", {}))
        command = Create(
            ruleset="bluff_king",
            options={},
            seats=seats or bots + (host_seat is not None),
            host=HOST,
            host_seat=host_seat,
            bots=tuple(more.pop("levels", ("novice",) * bots)),
            server_seed=secrets.token_hex(32),
            clock=clock,
            auto_start=True,
            **more,
        )
        (store or self.store).repository.create(game, command, key=f"create {game}")
        return game

    def game(self, game: str) -> Game:
        return self.store.repository.game(game).game

    def over(self, game: str) -> bool:
        return self.game(game).status in ("finished", "aborted", "faulted")

    def records(self, game: str) -> list[dict[str, Any]]:
        return [canonical.loads(record.record) for record in self.store.log.read(game)]

    def types(self, game: str) -> list[str]:
        return [record["type"] for record in self.records(game)]

    def asked(self, game: str, seat: int = 0) -> Asked | None:
        return next((a for a in self.game(game).open_for(seat) if a.decision.required), None)

    def play(self, game: str, seat: int = 0) -> Receipt:
        """Answer for a player, as a bot would."""
        seen = self.store.repository.fold(game, at_seat(seat))
        (asked,) = [a for a in seen.game.open_for(seat) if a.decision.required]
        move = seen.rules.info.bots["novice"](seen.game.table, seat, asked.decision, random.Random())
        return self.store.repository.execute(game, Play(seat, asked.id, move), key=f"play {secrets.token_hex(8)}")

    # --- what is owed ----------------------------------------------------------------------------------------------

    def owed(self) -> list[str]:
        return [due.obligation.print() for shard in range(SHARDS) for due in self.store.owed.list_due(shard)]

    def due_of(self, game: str, kind: str) -> list[Due]:
        dues = self.store.owed.list_due(shard_of(game), game)
        return [due for due in dues if due.obligation.kind == kind]

    def skip_clock(self, game: str, kind: str = "clock") -> None:
        """As if what the game owes of a kind had fallen due: for what does not depend on the time itself."""
        for due in self.due_of(game, kind):
            self.client.zadd(shard_keys(shard_of(game)).due, {due.obligation.print(): 1})

    def settled(self) -> bool:
        return not self.owed()

    def pump(self, store: Store | None = None, rounds: int = 10_000, lease_ms: int = 5000) -> int:
        """Do what is due in this process until nothing is; gives how much that was."""
        store = store or self.store
        done = 0
        for _ in range(rounds):
            claims = store.owed.claim(lease_ms=lease_ms).claims
            if not claims:
                break
            for claim in claims:
                jobs.perform(store, claim, KEYS)
                done += 1
        return done

    def pump_until(self, so: Callable[[], Any], store: Store | None = None, seconds: float = 15) -> None:
        """Do what falls due, one thing after the other, until it is so."""
        store = store or self.store

        def look() -> bool:
            if so():
                return True
            for claim in store.owed.claim(limit=1).claims:
                jobs.perform(store, claim, KEYS)
            return bool(so())

        until(look, seconds)

    def assert_whole(self, game: str) -> None:
        """Versions follow each other, and nobody answered a decision twice."""
        records = self.records(game)
        assert [record["v"] for record in records] == list(range(1, len(records) + 1))
        answered = answered_decisions(self, game)
        assert all(count == 1 for count in answered.values()), answered.most_common(3)


def history(world: World, game: str) -> Iterator[tuple[Game, Event]]:
    """Each first event of a batch, with the game before it."""
    rules, codec = REGISTRY.newest("bluff_king"), REGISTRY.codec("bluff_king", 1)
    state, first = Game(id=game), True
    for stored in world.store.log.read(game):
        event = codec.event(canonical.loads(stored.record), secrets_of(stored))
        if first:
            yield state, event
        state = evolve(rules, state, event)
        first = event.left == 0


def answered_decisions(world: World, game: str) -> Counter[tuple[int, str]]:
    """How often each decision was answered; fails for an answer to nothing, which would be a double move."""
    counted = Counter[tuple[int, str]]()
    for state, event in history(world, game):
        if state.status != "playing" or event.seat is None or event.type == "controller_changed":
            continue
        mine = [a for a in state.open_for(event.seat) if a.decision.required]
        assert mine, f"v{event.v} {event.type} answers no open decision"
        counted[event.seat, mine[0].id] += 1
    return counted


def lateness(world: World, game: str) -> list[int]:
    """Ms from the enforced deadline to each timeout, by the store's clock."""
    found = []
    for state, event in history(world, game):
        if event.by == "clock":
            (asked,) = [a for a in state.open_for(event.seat) if a.decision.required]
            found.append(event.at - state.enforced(asked))
    return found
