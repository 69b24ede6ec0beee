"""Streams and replays: how late, and how large, 1,000 streams in one process are; how fast a log is folded.

Run `python -m bench streams`, with STREAMS=500 in the environment for fewer. The reader of all streams is this process,
so its time is in the figures.
"""

import os
import random
import resource
import secrets
import select
import socket
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median

from ulid import ULID

from captain.child import launch
from captain.store import EmbeddedStore
from domain.commands import Create, GiveSeed, Play
from domain.observers import EVERYTHING, SPECTATOR, Observer, at_seat
from eventstore.replay import Replays
from eventstore.store import Store
from tests.keys import key_file

STREAMS = 1000
ROUNDS = 40
HOST = "p_bench"


@contextmanager
def web(url: str) -> Iterator[tuple[tuple[str, int], int]]:
    """One web process over a store: its address, and its process id."""
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listener:
        listener.set_inheritable(True)
        env = {**os.environ, "REDIS_URL": url, "WEB_WORKERS": "1", "SIGNING_KEYS": str(key_file())}
        env["RATE_LIMITS"] = "off"
        command = [sys.executable, "-m", "captain", "web", "--fd", str(listener.fileno())]
        arbiter = launch(command, env=env, pass_fds=(listener.fileno(),))
        try:
            host, port = listener.getsockname()
            _until(lambda: _answers(f"http://{host}:{port}/healthz"))
            children = Path(f"/proc/{arbiter.pid}/task/{arbiter.pid}/children").read_text().split()
            yield (host, port), int(children[0])
        finally:
            arbiter.terminate()
            arbiter.wait(20)


def _answers(address: str) -> bool:
    with suppress(OSError), urllib.request.urlopen(address, timeout=5) as answer:
        return bool(answer.status == 200)
    return False


def _until(done: Callable[[], bool]) -> None:
    while not done():
        time.sleep(0.05)


def create(store: Store, bots: tuple[str, ...], auto_start: bool) -> str:
    """A game of bots, or a lobby."""
    game = str(ULID())
    command = Create(
        ruleset="bluff_king", options={}, seats=4, host=HOST, host_seat=None if bots else 0, bots=bots,
        server_seed=secrets.token_hex(32), auto_start=auto_start,
    )  # fmt: skip
    store.repository.create(game, command, key=game)
    return game


def cpu_s(pid: int) -> float:
    """What a process has computed, in seconds."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def memory_kib(pid: int) -> int:
    """What a process holds, in KiB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024


class Crowd:
    """Many streams of one game, read by one loop."""

    def __init__(self, address: tuple[str, int], game: str, count: int) -> None:
        self._epoll = select.epoll()
        self._sockets: dict[int, socket.socket] = {}
        request = f"GET /v1/games/{game}/stream HTTP/1.1\r\nHost: bench\r\n\r\n".encode()
        for _ in range(count):
            connection = socket.create_connection(address)
            connection.sendall(request)
            self._sockets[connection.fileno()] = connection
            self._epoll.register(connection.fileno(), select.EPOLLIN)

    def wait_for(self, words: bytes) -> list[float]:
        """When (perf_counter) each stream brought `words`."""
        waiting, seen = set(self._sockets), dict.fromkeys(self._sockets, b"")
        times = []
        while waiting:
            for number, _ in self._epoll.poll(30):
                piece = self._sockets[number].recv(1 << 16)
                if not piece or b" 404 " in piece[:20]:
                    sys.exit(f"no stream: {(seen[number] + piece)[:300]!r}")
                seen[number] += piece
                if number in waiting and words in seen[number]:
                    times.append(time.perf_counter())
                    waiting.discard(number)
        return times

    def close(self) -> None:
        """Hang up on all."""
        for connection in self._sockets.values():
            connection.close()


def streams(store: Store, url: str, count: int) -> None:
    """One event to all, and the memory of each."""
    game = create(store, (), False)
    with web(url) as (address, pid):
        Crowd(address, game, 8).wait_for(b"event: snapshot")  # what the first stream loads is not its own
        before = memory_kib(pid)
        began = time.perf_counter()
        crowd = Crowd(address, game, count)
        crowd.wait_for(b"event: snapshot")
        opened = time.perf_counter() - began
        late: list[float] = []
        worst: list[float] = []
        computed = cpu_s(pid)
        for _ in range(ROUNDS):
            now = time.perf_counter()
            seed = GiveSeed(HOST, secrets.token_hex(32))
            made = store.repository.execute(game, seed, key=secrets.token_hex(8))
            times = sorted(at - now for at in crowd.wait_for(f"id: {made.last}-".encode()))
            late += times
            worst.append(times[len(times) * 99 // 100])
        computed = (cpu_s(pid) - computed) / ROUNDS
        each = (memory_kib(pid) - before) / count
        crowd.close()
    late.sort()
    print(f"{count} streams in one process, opened in {opened:.1f} s")
    p50, p99 = late[len(late) // 2] * 1e3, late[len(late) * 99 // 100] * 1e3
    print(
        f"one event to all, of {ROUNDS}: {p50:.0f} ms median, {p99:.0f} ms p99 (of a round: {median(worst) * 1e3:.0f})"
    )
    print(f"the server's CPU for one event to all: {computed * 1e3:.0f} ms")
    print(f"memory a stream: {each:.1f} KiB")


def play(store: Store, rng: random.Random) -> tuple[str, int]:
    """A whole game of novices; its id and its length."""
    game = create(store, ("novice",) * 4, True)
    while (facts := store.repository.game(game).game).status == "playing":
        asked = next(a for a in facts.asked if a.decision.required)
        seat = asked.decision.seat
        seen = store.repository.fold(game, at_seat(seat))
        move = seen.rules.info.bots["novice"](seen.game.table, seat, asked.decision, rng)
        store.repository.execute(game, Play(seat, asked.id, move, by="bot"), key=secrets.token_hex(8))
    return game, facts.version


def replay(store: Store) -> None:
    """Whole games folded from their logs, for several observers; and stepped through."""
    rng = random.Random(1)
    games = dict(play(store, rng) for _ in range(20))
    total = sum(games.values())
    eyes: dict[str, Observer] = {"spectator": SPECTATOR, "seat": at_seat(0), "all": EVERYTHING}
    for name, observer in eyes.items():
        rates = []
        for _ in range(5):
            replays = Replays(store.log, store.repository.entry)
            began = time.process_time()
            for game, length in games.items():
                replays.at(game, observer, length)
            rates.append(total / (time.process_time() - began))
        print(
            f"replay of {len(games)} games, {total} events, {name}: {max(rates):,.0f} events/s of CPU, reading included"
        )
    replays = Replays(store.log, store.repository.entry)
    game = max(games, key=lambda g: games[g])
    steps = range(20, games[game], 5)
    began = time.process_time()
    for at in steps:
        replays.at(game, at_seat(1), at)
    print(f"stepping on by 5: {(time.process_time() - began) / len(steps) * 1e3:.2f} ms of CPU a step")


def main() -> None:
    """Print the figures."""
    count = int(os.environ.get("STREAMS", STREAMS))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 2 * count + 200)), hard))
    with tempfile.TemporaryDirectory() as folder, EmbeddedStore(folder) as embedded:
        store = Store(embedded.url)
        try:
            streams(store, embedded.url, count)
            replay(store)
        finally:
            store.close()
