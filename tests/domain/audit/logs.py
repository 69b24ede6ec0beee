"""Games to be audited, driven by commands and a hand-set clock, and served as the server would."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Literal

from domain.audit import Finding, Verdict, audit
from domain.commands import Command, Create, Play, Sit, Start
from domain.decide import decide
from domain.decisions import Asked
from domain.game import Game
from domain.lifecycle import Clock
from domain.moves import Move
from domain.observers import EVERYTHING, SPECTATOR, Observer, at_seat
from domain.registry import REGISTRY
from tests.golden.record import Recorder
from tests.keys import SIGNER
from tests.mutations.draft import Draft, Entry
from tests.mutations.sources import play_on
from tests.served import serve

SEED = "5e" * 32
START = 1_790_000_000_000

CLAIM = 10
"""The version of the first move of `game()`: a claim, in a batch of its own."""


class Made:
    """A game in the making; `now` is its time in ms."""

    def __init__(self, key: str = "bluff_king", game: str = "G") -> None:
        self.rules = REGISTRY.newest(key)
        self.game = Game(id=game)
        self.now = START
        self.recorder = Recorder(game)

    def when(self, *commands: Command) -> "Made":
        """The commands, one after the other, at the time `now`."""
        for command in commands:
            made = decide(self.rules, self.game, command, self.now)
            self.recorder.add(made.game, made.events)
            self.game = made.game
        return self

    def later(self, ms: int) -> "Made":
        """`ms` pass."""
        self.now += ms
        return self

    @property
    def asked(self) -> Asked:
        """The first decision that somebody must make."""
        return next(a for a in self.game.asked if a.decision.required)

    @property
    def deadline(self) -> int:
        """When the clock plays for it, ms."""
        return self.game.enforced(self.asked)

    def until(self, at: int) -> "Made":
        """It is that late now."""
        self.now = at
        return self

    def plays(self, move: Move | None = None) -> "Made":
        """Who is asked first answers: with this move, or with the default of the rules."""
        asked = self.asked
        by: Literal["player", "bot"] = "bot" if self.game.seats[asked.decision.seat].controller == "bot" else "player"
        move = move or self.rules.default_move(self.game.table, asked.decision)
        return self.when(Play(asked.decision.seat, asked.id, move, by))

    def to_the_end(self) -> "Made":
        """Bots play it on, a few seconds at most between their moves."""
        for step in play_on(self.rules, self.game, self.now, Random(1)):
            self.until(step.at).when(step.command)
        return self

    def served(self, observer: Observer = EVERYTHING, upto: int | None = None) -> list[bytes]:
        """The log as the server serves it."""
        return serve(self.game.id, self.recorder.lines, observer, upto=upto)

    def observers(self) -> list[Observer]:
        """Everybody who can have a log with closed seals."""
        return [SPECTATOR, *(at_seat(seat) for seat in range(len(self.game.seats)))]


def lobby(seats: int = 3, key: str = "bluff_king", **settings: Any) -> Made:
    """A lobby of the player P0 at seat 0."""
    command = {"options": {}, "host": "P0", "server_seed": SEED, "clock": Clock(), **settings}
    return Made(key).when(Create(ruleset=key, seats=seats, **command)).later(1000)


def started(seats: int = 3, key: str = "bluff_king", **settings: Any) -> Made:
    """A game that has just started, with a player at each seat, each with a client seed."""
    table = lobby(seats, key, **settings).when(*[Sit(f"P{seat}", seat, f"seed {seat}") for seat in range(1, seats)])
    return table.later(1000).when(Start("P0")).later(1000)


def finished(seats: int = 3, key: str = "bluff_king", **settings: Any) -> Made:
    """A whole game."""
    return started(seats, key, **settings).to_the_end()


def forged(draft: Draft, observer: Observer = EVERYTHING, upto: int | None = None) -> list[bytes]:
    """The changed log, sealed and chained anew and signed with the server's own key: as sound as it can be made."""
    draft.rehash(SIGNER)
    if observer.everything and upto is None:
        return draft.lines()
    return serve(draft.header["game"], [entry.line() for entry in draft.entries], observer, upto=upto)


def judged(lines: Sequence[bytes], **settings: Any) -> Verdict:
    """The verdict with the server's key pinned."""
    return audit(lines, **{"keys": [SIGNER.public], **settings})


def only(lines: Sequence[bytes], **settings: Any) -> Finding:
    """The one thing that is wrong with a log."""
    verdict = judged(lines, **settings)
    assert verdict.verdict == "unsound"
    assert len(verdict.findings) == 1, [(f.version, f.rule, f.field) for f in verdict.findings]
    return verdict.findings[0]


def first(lines: Sequence[bytes], **settings: Any) -> Finding:
    """The first thing that is wrong with a log, of perhaps many."""
    verdict = judged(lines, **settings)
    assert verdict.verdict == "unsound"
    return verdict.findings[0]


def game() -> Made:
    """Three players; P0 leads a card; then bots play it on."""
    table = started()
    assert table.game.version == CLAIM - 1
    table.plays()
    return table.to_the_end()


def entry(draft: Draft, v: int) -> Entry:
    return draft.entries[v - 1]


def last_of(draft: Draft, kind: str) -> Entry:
    return next(e for e in reversed(draft.entries) if e.record["type"] == kind)


def ends_before(draft: Draft, v: int) -> int:
    """The last batch end before a version."""
    return max([0, *(e.record["v"] for e in draft.entries if e.record["left"] == 0 and e.record["v"] < v)])


def line(draft: Draft, v: int, change: Callable[[bytes], bytes]) -> list[bytes]:
    """The log with the line of a version changed."""
    lines = draft.lines()
    lines[v] = change(lines[v])
    return lines
