"""Random play of whole games through the aggregate, batch by batch, from a seed."""

import hashlib
from collections.abc import Iterator
from typing import Any

from msgspec import convert

from domain import entropy
from domain.commands import Command, Create, Play, Sit, Start, Timeout
from domain.decide import Decided, decide, due
from domain.entropy import Rng, pick
from domain.errors import Refused
from domain.forms import Form
from domain.game import Game
from domain.laws.guess import guess_options
from domain.lifecycle import Clock
from domain.moves import Challenge, Move, Pass
from domain.registry import Registry
from domain.ruleset import Ruleset
from domain.values import Value

_CHALLENGE_SHARE = 15
"""Percent of the answers that challenge, where one may: or piles only circulate."""

_TIRED = 60
_TIRED_SHARE = 3
"""After so many batches random players want to be done: fewer answers challenge, fewer offers are taken, and of a few
moves the one with the most cards is made. A game that only circulates costs time and shows nothing new."""

_START = 1_790_000_000_000


class Step(Value, frozen=True):
    """One batch of a played game: the game before, the command, when (ms), and what was decided."""

    before: Game
    command: Command
    at: int
    decided: Decided


def random_game(registry: Registry, key: str, seed: str, most_batches: int = 5000) -> Iterator[Step]:
    """Play one random game of `key` to its end; equal seeds play equal games."""
    rules = registry.newest(key)
    rng = entropy.Stream(hashlib.sha256(seed.encode()).digest(), "law")
    game = Game(id=f"law-{seed}")
    at = _START
    commands = _opening(rules, rng, seed)
    for batch in range(most_batches):
        command = next(commands, None) or _command(rules, game, rng, tired=batch >= _TIRED)
        at += rng.randrange(2000)
        if due(game, at):
            command = Timeout()
        elif isinstance(command, Timeout):
            at = max(at, min(game.enforced(a) for a in game.asked if a.decision.required))
        decided = decide(rules, game, command, at)
        yield Step(game, command, at, decided)
        game = decided.game
        if game.result is not None:
            return
    raise AssertionError(f"{key}, seed {seed}: no end after {most_batches} batches")


def _opening(rules: Ruleset, rng: Rng, seed: str) -> Iterator[Command]:
    fewest, most = rules.info.seats
    seats = fewest + rng.randrange(most - fewest + 1)
    options = _options(rules, seats, rng)
    server_seed = hashlib.sha256(f"server {seed}".encode()).hexdigest()
    yield Create(rules.info.key, options, seats, "P0", server_seed, clock=Clock(away_after=1000))
    for seat in range(1, seats):
        yield Sit(f"P{seat}", seat, pick(rng, (None, f"seed of {seat}")))
    yield Start("P0")


def _options(rules: Ruleset, seats: int, rng: Rng) -> dict[str, Any]:
    """Random options that go together at this table."""
    while True:
        options = guess_options(rules.info.options, rng)
        try:
            rules.options(seats, convert(options, rules.info.options))
        except Refused:
            continue
        return options


def _command(rules: Ruleset, game: Game, rng: Rng, tired: bool) -> Command:
    """A move of somebody who is asked or offered something; now and then a timeout."""
    required = [asked for asked in game.asked if asked.decision.required]
    offers = [asked for asked in game.asked if not asked.decision.required]
    chance = rng.randrange(100)
    if required and chance < 3:
        return Timeout()
    asked = pick(rng, offers if offers and (chance < (_TIRED_SHARE if tired else 10) or not required) else required)
    forms = rules.forms(game.table, asked.decision)
    move = choose_from(forms, rng, _TIRED_SHARE if tired else _CHALLENGE_SHARE)
    if tired and not isinstance(move, (Challenge, Pass)):
        move = max(move, choose_from(forms, rng, 0), choose_from(forms, rng, 0), key=_cards_in)
    return Play(asked.decision.seat, asked.id, move)


def _cards_in(move: Move) -> int:
    return len(getattr(move, "cards", ()))


def choose_from(forms: tuple[Form, ...], rng: Rng, share: int = _CHALLENGE_SHARE) -> Move:
    """A random move of `forms`; a challenge in its share (percent) of cases only."""
    if any(form.move is Challenge for form in forms) and len(forms) > 1:
        if rng.randrange(100) < share:
            return Challenge()
        forms = tuple([form for form in forms if form.move is not Challenge])
        if any(form.move is Pass for form in forms) and rng.randrange(2):
            return Pass()
    return pick(rng, forms).sample(rng)
