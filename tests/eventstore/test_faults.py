"""What may go wrong around an append: racing writers, lost replies, killed servers, cut files."""

import multiprocessing
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.queues import Queue
from pathlib import Path

import pytest
from redis.exceptions import ResponseError

from eventstore import connect
from eventstore.errors import StoreError
from eventstore.keys import game_keys
from eventstore.log import Log
from eventstore.obligation import Due
from eventstore.replies import Appended, Clock, Early, Late, NewRecord, Stale
from eventstore.scripts import scripts
from tests.eventstore.server import Server, free_port, until
from tests.eventstore.world import GAME, World, command, owes, record
from tests.eventstore.writers import GAMES, append_until_in, hammer, race_alone


def check_whole(log: Log, games: tuple[str, ...] = GAMES) -> dict[str, list[bytes]]:
    """Version = length = last id, and every batch is whole and in one piece."""
    found = {}
    for game in games:
        head, records = log.load(game)
        texts = [r.record for r in records]
        assert [r.version for r in records] == list(range(1, head.version + 1))
        assert [t[:-1] for t in texts[0::2]] == [t[:-1] for t in texts[1::2]]
        assert len(set(texts)) == len(texts)
        found[game] = texts
    return found


def race(server: Server, client, processes: int, count: int) -> None:
    context = multiprocessing.get_context("spawn")
    out: Queue[list[tuple[str, str, tuple[int, int]]]] = context.Queue()
    racers = [context.Process(target=race_alone, args=(server.url, n, count, out)) for n in range(processes)]
    for racer in racers:
        racer.start()
    made = [m for _ in racers for m in out.get(timeout=120)]
    for racer in racers:
        racer.join(10)
    found = check_whole(Log(client))
    assert sum(len(texts) for texts in found.values()) == 2 * processes * count
    for game, name, (first, last) in made:
        assert found[game][first - 1 : last] == [f"{name}a".encode(), f"{name}b".encode()]


def test_processes_that_race_with_repeated_sends_make_each_batch_once(server: Server, client) -> None:
    race(server, client, 3, 12)


@pytest.mark.long
def test_eight_processes_that_race_with_repeated_sends_make_each_batch_once(server: Server, client) -> None:
    race(server, client, 8, 150)


class Proxy:
    """Passes bytes to the server; instead of each `drop`-th reply to an append it hangs up."""

    def __init__(self, port: int) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = port
        self.drop = 0
        self.replies = 0
        self.dropped = 0
        self.threads: list[threading.Thread] = []

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.listener.getsockname()[1]}/0"

    def run(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                thread = threading.Thread(target=self._serve, args=(near,))
                self.threads.append(thread)
                thread.start()

    def _serve(self, near: socket.socket) -> None:
        with near, socket.create_connection(("127.0.0.1", self.port)) as far:
            while words := near.recv(1 << 20):
                far.sendall(words)
                reply = far.recv(1 << 20)
                if b"EVALSHA" in words and b"NOSCRIPT" not in reply:
                    self.replies += 1
                    if self.drop and self.replies % self.drop == 0:
                        self.dropped += 1
                        return
                near.sendall(reply)

    @classmethod
    @contextmanager
    def before(cls, server: Server) -> Iterator["Proxy"]:
        proxy = cls(server.port)
        runner = threading.Thread(target=proxy.run)
        runner.start()
        try:
            yield proxy
        finally:
            proxy.listener.shutdown(socket.SHUT_RDWR)
            proxy.listener.close()
            runner.join()
            for thread in proxy.threads:
                thread.join()


@pytest.mark.parametrize("drop", [1, 2, 3, 5])
def test_lost_replies_change_nothing_in_the_log(server: Server, client, drop: int) -> None:
    """With drop = 1 every reply is lost, also those to repeats; the log still holds each batch once."""
    names = [f"n{n}." for n in range(20)]
    undisturbed = World(client, scripts())
    for name in names:
        append_until_in(undisturbed.log, GAME, name)
    expected = undisturbed.log.read(GAME), undisturbed.client.hgetall(game_keys(GAME).commands)
    client.delete(game_keys(GAME).stream, game_keys(GAME).meta, game_keys(GAME).commands)
    with Proxy.before(server) as proxy:
        behind = connect.appending(proxy.url)
        log = Log(behind, client, retry_pauses_s=(0.0,) * 3)
        proxy.drop = drop
        for name in names:
            with suppress(StoreError):
                append_until_in(log, GAME, name)
        behind.connection_pool.disconnect()
        assert proxy.dropped >= len(names) // drop
    assert (undisturbed.log.read(GAME), client.hgetall(game_keys(GAME).commands)) == expected


@contextmanager
def load(server: Server, writers: int = 4) -> Iterator[list[tuple[str, str]]]:
    stop, acknowledged = threading.Event(), list[tuple[str, str]]()
    threads = [threading.Thread(target=hammer, args=(server.url, n, stop, acknowledged)) for n in range(writers)]
    for thread in threads:
        thread.start()
    try:
        yield acknowledged
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def kill_under_load(server: Server, rounds: int, appends: int) -> None:
    with load(server) as acknowledged:
        for _ in range(rounds):
            enough = len(acknowledged) + appends
            until(lambda enough=enough: len(acknowledged) >= enough, 30, "progress")
            server.kill()
            server.start()
        enough = len(acknowledged) + appends
        until(lambda: len(acknowledged) >= enough, 30, "progress after the last kill")
    found = check_whole(Log(server.client()))
    for game, name in acknowledged:
        assert f"{name}a".encode() in found[game]


def test_killing_the_server_under_load_loses_nothing_acknowledged(own_server: Server) -> None:
    kill_under_load(own_server, 2, 150)


@pytest.mark.long
def test_killing_the_server_many_times_under_load_loses_nothing_acknowledged(own_server: Server) -> None:
    kill_under_load(own_server, 20, 500)


def test_scripts_forgotten_under_load_are_loaded_again(server: Server, client) -> None:
    with load(server, 2) as acknowledged:
        for _ in range(20):
            enough = len(acknowledged) + 5
            until(lambda enough=enough: len(acknowledged) >= enough, what="progress")
            client.script_flush()
    check_whole(Log(client))


def cut(server: Server, tmp_path: Path, step: int) -> None:
    """Cut the append-only file inside the last script: the whole batch is there, or nothing of it."""
    world = World(server.client(), scripts())
    world.append("one", record("a"), owed=(Due(owes("bot"), 5),))
    before, size_before = world.everything(), server.aof.stat().st_size
    last = (NewRecord("x", 1, b"r" * 40, b"s" * 20),) * 3
    world.append("two", *last, fulfilled=(owes("bot"),), owed=(Due(owes("clock"), 6),), close=True)
    after, size_after = world.everything(), server.aof.stat().st_size
    server.kill()
    whole = tmp_path / "whole"
    shutil.copytree(server.folder, whole, ignore=shutil.ignore_patterns("whole", "cut*"))
    for size in [*range(size_before, size_after, step), size_after]:
        folder = tmp_path / f"cut{size}"
        shutil.copytree(whole, folder)
        damaged = Server(folder, **server.settings)
        with damaged.aof.open("r+b") as aof:
            aof.truncate(size)
        damaged.start()
        try:
            assert World(damaged.client(), scripts()).everything() == (after if size == size_after else before)
        finally:
            damaged.kill()
            shutil.rmtree(folder)


def test_a_cut_append_only_file_holds_whole_batches_only(own_server: Server, tmp_path: Path) -> None:
    cut(own_server, tmp_path, 41)


@pytest.mark.long
def test_an_append_only_file_cut_at_any_byte_holds_whole_batches_only(own_server: Server, tmp_path: Path) -> None:
    cut(own_server, tmp_path, 1)


def duel(world: World, server: Server, times: int) -> set[str]:
    """A move up to a deadline and a timeout from it on, sent at once: one wins, one hears why not."""
    outcomes = set()
    for n in range(times):
        game = f"D{n}"
        world.append("start", game=game)
        deadline = world.log.time() + 5 * (n % 7) - 5
        head, won, lost = world.log.head(game), [], []
        clients = connect.appending(server.url), connect.appending(server.url)

        def send(name: str, log: Log, head=head, deadline=deadline, game=game, won=won, lost=lost, **limits) -> None:
            at = log.time()
            while True:
                at = max(at, head.at)
                fields = {
                    "command": command(name),
                    "expected_version": 1,
                    "expected_head": head.head,
                    "at": at,
                }
                reply = log.append(world.batch(name, game=game, **fields, **limits))
                if isinstance(reply, Early | Clock):
                    at = log.time()
                    continue
                (won if isinstance(reply, Appended) else lost).append((name, type(reply), at <= deadline))
                return

        threads = [
            threading.Thread(target=send, args=("move", Log(clients[0])), kwargs={"not_after": deadline}),
            threading.Thread(target=send, args=("timeout", Log(clients[1])), kwargs={"not_before": deadline}),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for client in clients:
            client.connection_pool.disconnect()
        ((winner, _, before_deadline),), ((_, why, _),) = won, lost
        assert world.log.head(game).version == 2
        assert winner == "timeout" or before_deadline
        assert why in ((Stale,) if winner == "move" else (Stale, Late))
        outcomes.add(winner)
    return outcomes


def test_of_a_move_and_its_timeout_exactly_one_happens(server: Server, client) -> None:
    assert duel(World(client, scripts()), server, 60) == {"move", "timeout"}


@pytest.mark.long
def test_of_a_move_and_its_timeout_exactly_one_happens_a_thousand_times(server: Server, client) -> None:
    duel(World(client, scripts()), server, 1000)


def test_a_log_that_lost_its_meta_is_not_written_over(client) -> None:
    """Explicit ids are no concurrency control; but what is there is never written over."""
    world = World(client, scripts())
    world.append("one")
    client.delete(game_keys(GAME).meta)
    before = world.everything()
    with pytest.raises(ResponseError, match="equal or smaller"):
        world.append("two")
    assert world.everything() == before


def test_on_a_cluster_no_script_touches_two_slots(tmp_path: Path) -> None:
    settings = {"cluster-enabled": "yes", "appendonly": "yes", "cluster-port": "0"}
    node = Server(tmp_path, **settings)
    node.settings["cluster-port"] = str(_cluster_port(node.port))
    node.start()
    try:
        client = node.client()
        client.execute_command("CLUSTER ADDSLOTSRANGE", 0, 16383)
        until(lambda: b"cluster_state:ok" in _cluster_info(client))
        world = World(client, scripts())
        for n in range(100):
            world.append("one", game=f"G{n}", owed=(Due(owes("bot", game=f"G{n}"), 5),))
        sweep = world.owed.claim()
        assert len(sweep.claims) == 100
        assert world.owed.complete(sweep.claims[0])
        assert world.owed.claim_one(owes("bot", game="G1")) is None
        assert world.owed.overdue().waiting == 99
        assert world.log.load("G1")[0].version == 1
    finally:
        node.kill()


def _cluster_port(port: int) -> int:
    return until(lambda: (other := free_port()) != port and other)


def _cluster_info(client) -> bytes:
    reply = client.execute_command("CLUSTER INFO")
    return reply if isinstance(reply, bytes) else repr(reply).replace("': '", ":").encode()
