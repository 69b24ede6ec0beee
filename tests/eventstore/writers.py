"""Writers and sweepers that tests run beside each other, in threads or in processes of their own."""

import threading
from contextlib import suppress
from multiprocessing.queues import Queue

from redis.exceptions import RedisError

from eventstore import connect
from eventstore.errors import StoreError
from eventstore.log import Log
from eventstore.owed import Owed
from eventstore.replies import Appended, Batch, Clock, Dup, Stale
from tests.eventstore.world import command, hash_of, record

GAMES = ("G1", "G2", "G3")


def append_until_in(log: Log, game: str, name: str) -> tuple[int, int]:
    """Append one small batch as the repository will: retry on STALE and CLOCK. Gives the versions made."""
    records = (record(f"{name}a"), record(f"{name}b"))
    head = log.head(game)
    version, at, digest = head.version, max(log.time(), head.at), head.head
    while True:
        new = hash_of(game, digest, name)
        batch = Batch(
            game=game,
            command=command(name),
            expected_version=version,
            expected_head=digest,
            at=at,
            records=records,
            head=new,
        )
        match log.append(batch):
            case Appended(_, last):
                return last - 1, last
            case Dup(_, first, last, _):
                return first, last
            case Stale(now, version, digest, last_at, _, _):
                at = max(now, last_at)
            case Clock(_, at):
                pass
            case other:
                raise AssertionError(other)


def race_alone(url: str, me: int, count: int, out: "Queue[list[tuple[str, str, tuple[int, int]]]]") -> None:
    client = connect.appending(url)
    log, made = Log(client), []
    for n in range(count):
        game = GAMES[n % len(GAMES)]
        # Every name is sent by this process twice, and by its neighbour too.
        names = (f"{me}-{n}.", f"{me // 2 * 2}-{n}.", f"{me}-{n}.")
        made += [(game, name, append_until_in(log, game, name)) for name in names]
    client.connection_pool.disconnect()
    out.put(made)


def hammer(url: str, me: int, stop: threading.Event, acknowledged: list[tuple[str, str]]) -> None:
    """Append until told to stop; whatever the store does meanwhile, an unsure command is sent again."""
    client = connect.appending(url)
    log, n = Log(client, retry_pauses_s=(0.0, 0.05)), 0
    while not stop.is_set():
        game, name = GAMES[n % len(GAMES)], f"{me}-{n}."
        with suppress(StoreError, RedisError):
            append_until_in(log, game, name)
            acknowledged.append((game, name))
            n += 1
    client.connection_pool.disconnect()


def sweep_until_empty(url: str, lease_ms: int, out: "Queue[list[tuple[str, int, int, int]]]") -> None:
    """Let each obligation's first lease run out, and complete it at a later one."""
    client = connect.appending(url)
    owed, got = Owed(client), []
    while True:
        sweep = owed.claim(limit=3, lease_ms=lease_ms)
        got += [(c.obligation.print(), c.attempt, c.token - lease_ms, c.token) for c in sweep.claims]
        if not sweep.claims and owed.overdue().waiting == 0:
            break
        for claim in sweep.claims:
            if claim.attempt >= 2:
                owed.complete(claim)
    client.connection_pool.disconnect()
    out.put(got)
