"""What a finished game costs: bytes of Redis memory an event, over real games of Bluff King and all keys they leave.

Run `python -m bench memory`; it starts a store of its own. The games are played in this process, by the workers' own
functions, so that the store holds what it would hold after the same games over HTTP.
"""

import os
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median

from redis import Redis

from captain.store import EmbeddedStore
from eventstore.keys import shard_keys
from eventstore.owed import ALL_SHARDS
from tests.workers.world import World

GAMES = int(os.environ.get("GAMES", "200"))
SEATS = (2, 3, 4, 4, 6, 8)
ALLOWED = 600


def play(world: World, games: int) -> list[str]:
    """Play so many games of bots, of all table sizes and both ways to add, until nothing is owed; their ids."""
    made = []
    for number in range(games):
        seats = SEATS[number % len(SEATS)]
        levels = ("novice", "standard") * (seats // 2) + ("novice",) * (seats % 2)
        made.append(world.create(seats, host_seat=None, levels=levels))
        # Games are played one after the other, or the last ones would sit there until all are over.
        world.pump()
        if not world.over(made[-1]):
            raise SystemExit(f"game {made[-1]} did not end")
    return made


def by_kind(client: Redis, keys: Iterable[bytes]) -> dict[str, int]:
    """Bytes of memory of all keys, by what they are."""
    names: tuple[tuple[str, Callable[[bytes], bool]], ...] = (
        ("doorbells", lambda key: key in {shard_keys(shard).bell.encode() for shard in ALL_SHARDS}),
        ("events", lambda key: key.endswith(b":e")),
        ("meta", lambda key: key.endswith(b":m")),
        ("commands", lambda key: key.endswith(b":c")),
        ("lists", lambda key: key.startswith(b"list")),
    )
    sizes: dict[str, int] = {}
    for key in keys:
        name = next((name for name, fits in names if fits(key)), "other")
        sizes[name] = sizes.get(name, 0) + (client.memory_usage(key, samples=0) or 0)
    return sizes


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedStore(Path(folder), durable=False) as server:
        world = World(server.url)
        client = world.client
        empty = int(client.info("memory")["used_memory"])
        games = play(world, GAMES)
        full = int(client.info("memory")["used_memory"])
        lengths = [world.game(game).version for game in games]
        events = sum(lengths)
        sizes = by_kind(client, client.scan_iter(count=1000))
        world.close()
    print(f"{len(games)} games, {events} events, {median(lengths):.0f} in the median game")
    for name, size in sorted(sizes.items(), key=lambda one: -one[1]):
        print(f"bytes an event, {name:20} {size / events:6.1f}")
    print(f"bytes an event, {'all keys':20} {sum(sizes.values()) / events:6.1f}   (at most {ALLOWED})")
    print(f"bytes an event, {'used_memory':20} {(full - empty) / events:6.1f}")


if __name__ == "__main__":
    main()
