"""How a random game comes about: its options, who sits down, and the seeds of its players."""

import hashlib
from collections.abc import Iterator
from typing import Any

from msgspec import convert

from domain.commands import Command, CommitSeed, Create, GiveSeed, Sit, Start, Timeout
from domain.entropy import Rng, commitment, pick
from domain.errors import Refused
from domain.game import Game
from domain.laws.guess import guess_options
from domain.lifecycle import Clock, Seeds
from domain.ruleset import Ruleset

_COMMITTED = ("open", "open", "open", "committed")
_CANDOUR = (*("reveals",) * 4, "withholds", "silent")
"""What a player does where seeds are committed; the silent ones do not commit at all."""


class Opening:
    """The commands from an empty table to the start. What depends on seeds being committed is drawn from `habits`."""

    def __init__(self, rules: Ruleset, rng: Rng, habits: Rng, seed: str, seeds: Seeds | None) -> None:
        drawn = pick(habits, _COMMITTED)
        self._rules = rules
        self._rng = rng
        self._habits = habits
        self._seed = seed
        self._seeds: Seeds = seeds or ("committed" if drawn == "committed" else "open")
        self._withheld: set[int] = set()
        self._lobby = self._arrivals() if self._seeds == "open" else self._commitments()

    def command(self, game: Game) -> Command | None:
        """What comes next; None once the game has begun."""
        return self._reveal(game) if game.revealing else next(self._lobby, None)

    def _arrivals(self) -> Iterator[Command]:
        create = self._create()
        yield create
        for seat in range(1, create.seats):
            yield Sit(f"P{seat}", seat, pick(self._rng, (None, f"seed of {seat}")))
        yield Start("P0")

    def _commitments(self) -> Iterator[Command]:
        create = self._create()
        yield create
        for seat in range(create.seats):
            candour = pick(self._habits, _CANDOUR)
            if candour == "withholds":
                self._withheld.add(seat)
            made = None if candour == "silent" else commitment(f"law-{self._seed}", self._seed_of(seat))
            if seat:
                yield Sit(f"P{seat}", seat, seed_commitment=made)
            elif made:
                # The game has no id before it is created; and a commitment may be replaced.
                yield CommitSeed("P0", commitment(f"law-{self._seed}", "another"))
                yield CommitSeed("P0", made)
        yield Start("P0")

    def _create(self) -> Create:
        fewest, most = self._rules.info.seats
        seats = fewest + self._rng.randrange(most - fewest + 1)
        options = _options(self._rules, seats, self._rng)
        server_seed = hashlib.sha256(f"server {self._seed}".encode()).hexdigest()
        clock = Clock(away_after=pick(self._rng, (1, 2, 1000)))
        return Create(self._rules.info.key, options, seats, "P0", server_seed, clock=clock, seeds=self._seeds)

    def _seed_of(self, seat: int) -> str:
        return hashlib.sha256(f"{self._seed} {seat}".encode()).hexdigest()

    def _reveal(self, game: Game) -> Command:
        """One of those who do not withhold, in any order; then time runs out for the others."""
        willing = [asked.decision.seat for asked in game.asked if asked.decision.seat not in self._withheld]
        if not willing:
            return Timeout()
        seat = pick(self._habits, willing)
        return GiveSeed(str(game.seats[seat].player), self._seed_of(seat))


def _options(rules: Ruleset, seats: int, rng: Rng) -> dict[str, Any]:
    """Random options that go together at this table."""
    while True:
        options = guess_options(rules.info.options, rng)
        try:
            rules.options(seats, convert(options, rules.info.options))
        except Refused:
            continue
        return options
