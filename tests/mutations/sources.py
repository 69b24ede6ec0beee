"""Fresh games to be forged: the batches of each, and the log that the server would serve of it."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count
from random import Random
from typing import Literal

from domain.commands import Create, Play, Start
from domain.decide import decide
from domain.game import Game
from domain.laws.play import Step, random_game
from domain.registry import REGISTRY
from domain.ruleset import Ruleset
from tests.golden.record import Recorder
from tests.mutations.draft import Draft
from tests.served import serve

LONGEST = 300
"""Records: longer games cost more time and show nothing else."""

_START = 1_790_000_000_000


class Source:
    """A finished game: its rules, its batches, its log."""

    def __init__(self, rules: Ruleset, steps: Sequence[Step]) -> None:
        self.rules = rules
        self.steps = tuple(steps)
        self.game = steps[-1].decided.game
        self.recorded = recorded(steps)
        self.lines = serve(self.game.id, self.recorded)
        self.draft = Draft(self.lines)
        """For other logs to take records from; never changed."""


def recorded(steps: Iterable[Step]) -> list[bytes]:
    """The log lines of some batches, fully opened."""
    recorder: Recorder | None = None
    for step in steps:
        recorder = recorder or Recorder(step.decided.game.id)
        recorder.add(step.decided.game, step.decided.events)
    return recorder.lines if recorder else []


@lru_cache(maxsize=64)
def source(key: str, seed: str, longest: int = LONGEST) -> Source:
    """A game of random moves, or of bots alone (one in three), of up to `longest` records; equal seeds, equal games."""
    rules = REGISTRY.newest(key)
    for attempt in count():
        name = f"{seed}-{attempt}"
        # Tossed in each attempt: games of bots alone may all be longer than that.
        steps = list(_of_bots(rules, name) if Random(name).randrange(3) == 0 else random_game(REGISTRY, key, name))
        if sum(len(step.decided.events) for step in steps) <= longest:
            return Source(rules, steps)
    raise AssertionError("unreachable")


def _of_bots(rules: Ruleset, seed: str) -> Iterator[Step]:
    rng = Random(seed)
    seats = rng.randint(*rules.info.seats)
    levels = [rng.choice(sorted(rules.info.bots)) for _ in range(seats)]
    create = Create(rules.info.key, {}, seats, "host", rng.randbytes(32).hex(), host_seat=None, bots=tuple(levels))
    game, at = Game(id=f"bots-{seed}"), _START
    for command in (create, Start("host")):
        step = Step(game, command, at, decide(rules, game, command, at))
        yield step
        game, at = step.decided.game, at + rng.randrange(2000)
    yield from play_on(rules, game, at, rng)


def play_on(rules: Ruleset, game: Game, at: int, rng: Random) -> Iterator[Step]:
    """The game played to its end by bots, which see the whole table: legal moves, which is all that is wanted."""
    while game.result is None:
        at += rng.randrange(2000)
        asked = next(a for a in game.asked if a.decision.required)
        seat = asked.decision.seat
        by: Literal["player", "bot"] = "bot" if game.seats[seat].controller == "bot" else "player"
        command = Play(seat, asked.id, rules.info.bots["standard"](game.table, seat, asked.decision, rng), by)
        step = Step(game, command, at, decide(rules, game, command, at))
        yield step
        game = step.decided.game
