"""Recording golden logs: bot games through the aggregate, from fixed seeds."""

import hashlib
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from domain import canonical, sealing
from domain.commands import Command, Create, Play, Start
from domain.decide import decide
from domain.events import Event
from domain.game import Game
from domain.laws.play import Step, random_game
from domain.observers import at_seat
from domain.registry import REGISTRY, Registry
from domain.ruleset import Ruleset
from tests.golden.folds import SeatFolds

FOLDER = Path(__file__).parent / "logs"
BOT_GAMES, RANDOM_GAMES, COMMITTED_GAMES = 4, 2, 2


def name(rules: Ruleset, kind: str, number: int) -> str:
    return f"{rules.info.key}-v{rules.info.rules_version}-{kind}-{number}.ndjson"


class Recorder:
    """A log in the making: the lines of every batch, fully opened."""

    def __init__(self, game: str) -> None:
        self.hashes = [sealing.genesis(game)]
        self.lines: list[bytes] = []

    def add(self, game: Game, events: Sequence[Event]) -> None:
        sealed = sealing.seal(game.id, game.seed or "", events, self.hashes)
        self.hashes += [one.hash for one in sealed]
        for one in sealed:
            self.lines.append(b'{"record":' + one.record + b',"open":' + (one.secrets or b"{}") + b"}")


def record_bots(registry: Registry, key: str, number: int) -> list[bytes]:
    """A whole game of bots of all levels, as log lines."""
    rules = registry.newest(key)
    rng = random.Random(number)
    fewest, most = rules.info.seats
    seats = fewest + number % (most - fewest + 1)
    levels = sorted(rules.info.bots)
    game = Game(id=f"golden-{key}-{number}")
    recorder, folds = Recorder(game.id), SeatFolds(rules, seats, game.id)
    bots = tuple([levels[(number + i) % len(levels)] for i in range(seats)])
    seed = hashlib.sha256(game.id.encode()).hexdigest()
    at = 1_790_000_000_000
    commands: list[Command] = [Create(key, {}, seats, "host", seed, host_seat=None, bots=bots), Start("host")]
    while game.result is None:
        if commands:
            command = commands.pop(0)
        else:
            asked = next(a for a in game.asked if a.decision.required)
            seat = asked.decision.seat
            bot = rules.info.bots[bots[seat]]
            move = bot(folds[at_seat(seat)].table, seat, asked.decision, rng)
            command = Play(seat, asked.id, move, by="bot")
        at += 500
        decided = decide(rules, game, command, at)
        recorder.add(decided.game, decided.events)
        folds.add(decided.events)
        game = decided.game
    return recorder.lines


def record_random(registry: Registry, key: str, number: int) -> list[bytes]:
    """A whole game of random moves and timeouts, as log lines."""
    return _record(random_game(registry, key, f"golden-{number}", seeds="open"))


def record_committed(registry: Registry, key: str, number: int) -> list[bytes]:
    """The same, with client seeds that are committed to, which some players do not reveal."""
    return _record(random_game(registry, key, f"committed-{number}", seeds="committed"))


def _record(steps: Iterator[Step]) -> list[bytes]:
    recorder = None
    for step in steps:
        recorder = recorder or Recorder(step.decided.game.id)
        recorder.add(step.decided.game, step.decided.events)
    assert recorder is not None
    return recorder.lines


Make = Callable[[Registry, str, int], list[bytes]]
KINDS: Mapping[str, tuple[int, Make]] = {
    "bots": (BOT_GAMES, record_bots),
    "random": (RANDOM_GAMES, record_random),
    "committed": (COMMITTED_GAMES, record_committed),
}


def main(chosen: Sequence[str] = ()) -> None:
    """Record the golden logs of the newest rules of the chosen games, or of all."""
    FOLDER.mkdir(exist_ok=True)
    for rules in [REGISTRY.newest(key) for key in chosen] or list(REGISTRY):
        key = rules.info.key
        for kind, (count, make) in KINDS.items():
            for number in range(count):
                lines = make(REGISTRY, key, number)
                path = FOLDER / name(rules, kind, number)
                path.write_bytes(b"\n".join(lines) + b"\n")
                last = canonical.loads(lines[-1])["record"]
                print(f"{path.name}: {len(lines)} events, {last['data']['reason']}")
