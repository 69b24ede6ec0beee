"""What the event store costs: time an append, a read and a sweep, and bytes of memory an event.

Run `python -m bench.store [redis url]`; the store is flushed. Without an address it starts its own.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, process_time

from redis import Redis

from eventstore import connect
from eventstore.commands import Command
from eventstore.keys import ShardKeys, shard_keys
from eventstore.log import Log
from eventstore.obligation import Due, Obligation
from eventstore.owed import ALL_SHARDS, Owed
from eventstore.replies import Appended, Batch, NewRecord

RECORD_BYTES, SECRET_BYTES = 350, 120


@contextmanager
def store() -> Iterator[str]:
    """Give the address of a store that may be flushed."""
    if len(sys.argv) > 1:
        yield sys.argv[1]
        return
    from tests.eventstore.server import Server

    with tempfile.TemporaryDirectory() as folder:
        settings = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}
        server = Server(Path(folder), **settings).start()
        try:
            yield server.url
        finally:
            server.kill()


def fill(log: Log, rng: Random, games: int, batches: int, records: int) -> list[tuple[float, float]]:
    """Append to games in turn; gives wall and Python seconds of each append."""
    heads = dict.fromkeys((f"{rng.getrandbits(120):024X}" for _ in range(games)), "")
    costs = []
    for n in range(batches):
        for game, head in heads.items():
            batch = Batch(
                game=game,
                command=Command.of_request("player", str(rng.getrandbits(64))),
                expected_version=n * records,
                expected_head=head,
                at=log.time(),
                records=tuple(
                    NewRecord("cards_claimed", 1, rng.randbytes(RECORD_BYTES), rng.randbytes(SECRET_BYTES))
                    for _ in range(records)
                ),
                head=sha256(f"{game}{n}".encode()).hexdigest(),
                owed=(Due(Obligation(game, "bot", n % 4, str(n)), 1_000_000 + n),),
                fulfilled=(Obligation(game, "bot", (n - 1) % 4, str(n - 1)),) if n else (),
            )
            wall, cpu = perf_counter(), process_time()
            reply = log.append(batch)
            costs.append((perf_counter() - wall, process_time() - cpu))
            if not isinstance(reply, Appended):
                raise SystemExit(f"unexpected reply {reply!r}")
            heads[game] = batch.head
    return costs


def memory_per_event(client: Redis, games: int, batches: int, records: int) -> float:
    """Fill a store and give bytes of memory an event of all keys, doorbells left out as they are bounded."""
    client.flushall()
    fill(Log(client), Random(1), games, batches, records)
    bells = {shard_keys(shard).bell.encode() for shard in ALL_SHARDS}
    keys = [key for key in client.scan_iter(count=1000) if key not in bells]
    total = sum(client.memory_usage(key, samples=0) or 0 for key in keys)
    return total / (games * batches * records)


def times(act: Callable[[], object], count: int) -> tuple[float, float]:
    """Give the median wall ms, and the mean Python ms, of an act."""
    walls, cpu = [], process_time()
    for _ in range(count):
        start = perf_counter()
        act()
        walls.append(perf_counter() - start)
    return median(walls) * 1000, (process_time() - cpu) / count * 1000


def appends(client: Redis, fsync: str) -> Iterator[tuple[str, str]]:
    client.flushall()
    client.config_set("appendfsync", fsync)
    for records in (1, 4):
        costs = fill(Log(client), Random(2), 10, 100, records)
        walls = sorted(wall for wall, _ in costs)
        python = sum(cpu for _, cpu in costs) / len(costs)
        label = f"append of {records}, fsync {fsync}: ms median / p99, us of Python"
        yield (
            label,
            f"{median(walls) * 1e3:.2f} / {walls[len(walls) * 99 // 100] * 1e3:.2f}, {python * 1e6:.0f}",
        )
        client.flushall()


def sweeps(client: Redis) -> Iterator[tuple[str, str]]:
    owed = Owed(client)
    for due in (0, 1000):
        client.flushall()
        dues = [Obligation(f"G{n}", "bot", 1, str(n)) for n in range(due)]
        with client.pipeline(transaction=False) as pipe:
            for obligation in dues:
                keys: ShardKeys = shard_keys(obligation.shard)
                pipe.zadd(keys.due, {obligation.print(): 5})
            pipe.execute()
        wall, cpu = times(lambda: owed.claim(lease_ms=0), 50)
        yield f"sweep of 64 shards, {due} due: ms, ms of Python", f"{wall:.2f}, {cpu:.2f}"


def reads(client: Redis) -> Iterator[tuple[str, str]]:
    client.flushall()
    fill(Log(client), Random(3), 1, 50, 4)
    log, game = Log(client), next(client.scan_iter("*:e")).decode().split(":")[2]
    for after in (0, 199):
        wall, cpu = times(partial(log.load, game, after), 200)
        yield f"load of {200 - after} records: ms, ms of Python", f"{wall:.2f}, {cpu:.3f}"


def main() -> None:
    """Print the table."""
    with store() as url:
        client = connect.appending(url)
        rows = [*appends(client, "always"), *appends(client, "everysec"), *reads(client), *sweeps(client)]
        for batches, records in ((100, 1), (60, 2), (400, 1)):
            size = memory_per_event(client, 20, batches, records)
            rows.append((f"bytes an event, {batches} appends of {records}, all keys", f"{size:.0f}"))
        client.connection_pool.disconnect()
    for label, value in rows:
        print(f"{label:62} {value}")


if __name__ == "__main__":
    main()
