"""How fast what a game owes is done: real processes, a durable store of its own.

Prints ms from a player's append to the bots' events readable, how late timeouts are, and moves of bots a second.
"""

from __future__ import annotations

import logging
import os
import random
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable

from captain.child import launch
from captain.store import EmbeddedStore
from domain import canonical
from domain.commands import Create, Play
from domain.game import Game, evolve
from domain.lifecycle import Clock
from domain.observers import at_seat
from domain.registry import REGISTRY
from eventstore.store import Store
from eventstore.stored import Stored, secrets_of
from tests.keys import key_file

HOST = "p_bench"
RULESET = "bluff_king"
ROUNDS = 60


def main() -> None:
    """Measure all."""
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder, EmbeddedStore(folder) as server:
        store = Store(server.url)
        store.follow()
        processes = [_start(server.url, command) for command in ("work", "work", "sweep")]
        try:
            _until_working(store)
            _report("1 bot, ms to its event", (ms for ms, _ in answers(store, 1, ROUNDS)))
            pairs = answers(store, 3, ROUNDS)
            _report("3 bots, ms to the first's event", (ms for ms, _ in pairs))
            _report("3 bots, ms to the player's turn", (ms for _, ms in pairs))
            _report("timeouts, ms after the deadline", lateness(store, ROUNDS))
            print(f"60 games of 4 bots at once: {throughput(store, 60):.0f} moves/s")
            time.sleep(1)
            print("idle for 5 s:", " ".join(_idle(processes, 5)))
        finally:
            for process in processes:
                process.terminate()
            for process in processes:
                process.wait()
            store.close()


def _start(url: str, command: str) -> subprocess.Popen[bytes]:
    env = {**os.environ, "REDIS_URL": url, "SIGNING_KEYS": str(key_file())}
    return launch([sys.executable, "-m", "captain", command], env=env)


def _until_working(store: Store) -> None:
    game = _create(store, 2, host_seat=None)
    while store.repository.game(game).game.status == "playing":
        time.sleep(0.01)


def _create(store: Store, bots: int, host_seat: int | None = 0, **clock: int) -> str:
    game = f"B{secrets.token_hex(8)}"
    command = Create(
        ruleset=RULESET,
        options={},
        seats=bots + (host_seat is not None),
        host=HOST,
        host_seat=host_seat,
        bots=("standard",) * bots,
        server_seed=secrets.token_hex(32),
        clock=Clock(**clock),
        auto_start=True,
    )
    store.repository.create(game, command, key=game)
    return game


def answers(store: Store, bots: int, wanted: int) -> list[tuple[float, float]]:
    """After each move of the player: ms until the next event is readable, and until the player is asked again."""
    found: list[tuple[float, float]] = []
    while len(found) < wanted:
        game = _create(store, bots)
        while len(found) < wanted:
            seen = _my_turn(store, game)
            if seen is None:
                break
            begun, version = time.perf_counter(), _play(store, seen)
            if version is None:
                break
            store.repository.wait(game, version, 10)
            first = (time.perf_counter() - begun) * 1000
            after = _my_turn(store, game)
            if after is not None:
                found.append((first, (time.perf_counter() - begun) * 1000))
    return found


def _my_turn(store: Store, game: str) -> Stored | None:
    version = 0
    while True:
        seen = store.repository.fold(game, at_seat(0))
        if seen.game.status != "playing":
            return None
        if any(a.decision.required for a in seen.game.open_for(0)):
            return seen
        version = seen.game.version
        store.repository.wait(game, version, 10)


def _play(store: Store, seen: Stored) -> int | None:
    (asked,) = [a for a in seen.game.open_for(0) if a.decision.required]
    move = seen.rules.info.bots["novice"](seen.game.table, 0, asked.decision, random.Random())
    receipt = store.repository.execute(seen.game.id, Play(0, asked.id, move), key=secrets.token_hex(8))
    after = receipt.stored.game
    asked_next = [a.decision.seat for a in after.asked if a.decision.required]
    return receipt.last if after.status == "playing" and asked_next and 0 not in asked_next else None


def lateness(store: Store, wanted: int) -> list[float]:
    """Ms from an enforced deadline to the timeout's `at`: three in each of the games, which nobody plays."""
    games = []
    for _ in range(-(-wanted // 3)):
        games.append(_create(store, 1, decision_ms=1000, grace_ms=random.randrange(400)))
        time.sleep(random.random() / 10)
    while any(not _gone_on(store.repository.game(game).game) for game in games):
        time.sleep(0.1)
    found = [late for game in games for late in _late(store, game)]
    while not all(store.log.head(game).closed for game in games):
        time.sleep(0.1)  # what follows is not to be disturbed by them
    return found


def _gone_on(game: Game) -> bool:
    return game.status != "playing" or game.seats[0].controller == "bot"


def _late(store: Store, game: str) -> list[float]:
    rules, codec = REGISTRY.newest(RULESET), REGISTRY.codec(RULESET, 1)
    state, found = Game(id=game), list[float]()
    for stored in store.log.read(game):
        event = codec.event(canonical.loads(stored.record), secrets_of(stored))
        if event.by == "clock":
            found += [event.at - state.enforced(a) for a in state.open_for(event.seat) if a.decision.required]
        state = evolve(rules, state, event)
    return found


def throughput(store: Store, count: int, seconds: float = 8.0) -> float:
    """Moves of bots a second while many games are played at once."""
    games = [_create(store, 4, host_seat=None) for _ in range(count)]
    time.sleep(2)
    begun, before = time.perf_counter(), _events(store, games)
    time.sleep(seconds)
    found = (_events(store, games) - before) / (time.perf_counter() - begun)
    over = sum(store.log.head(game).closed for game in games)
    print(f"({over} of {count} games were over by then)")
    return found


def _events(store: Store, games: list[str]) -> int:
    return sum(canonical.loads(r.record)["by"] == "bot" for game in games for r in store.log.read(game))


def _idle(processes: Iterable[subprocess.Popen[bytes]], seconds: float) -> list[str]:
    """The share of one core that each process takes while nothing happens."""
    before = [_cpu(p.pid) for p in processes]
    time.sleep(seconds)
    shares = [(_cpu(p.pid) - b) / seconds for p, b in zip(processes, before, strict=True)]
    return [f"{share:.1%}" for share in shares]


def _cpu(pid: int) -> float:
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _report(what: str, figures: Iterable[float]) -> None:
    values = sorted(figures)
    p95 = values[int(len(values) * 0.95)]
    spread = f"min {values[0]:.1f}, max {values[-1]:.1f}"
    print(f"{what}: median {statistics.median(values):.1f}, p95 {p95:.1f}, {spread} (n={len(values)})", flush=True)


if __name__ == "__main__":
    main()
