"""Random play of whole games through the aggregate, batch by batch, from a seed."""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Literal

from domain import entropy
from domain.commands import Command, Leave, Play, TakeBack, Timeout
from domain.decide import Decided, decide, due
from domain.decisions import Asked
from domain.entropy import Rng, pick
from domain.forms import Form
from domain.game import Game
from domain.laws.opening import Opening
from domain.lifecycle import Seeds
from domain.moves import Challenge, Move, Pass
from domain.registry import Registry
from domain.ruleset import Ruleset
from domain.values import Value

_CHALLENGE_SHARE = 15
"""Percent of the answers that challenge, where one may: or piles only circulate."""

_TASTES = (1, 6, 36)
"""How much more a random table likes one of the moves than another: each game draws its own for each move."""

Tastes = Mapping[type[Move], int]

_PATIENCE = (60, 400)
"""After so many batches (each table has one of these) random players want to be done: they forget their tastes, leave
most offers, and of two moves make the one with more cards, and no challenge if they can. A game that only circulates
costs time and shows nothing new; but what only long games show must be seen too."""

_START = 1_790_000_000_000


class Step(Value, frozen=True):
    """One batch of a played game: the game before, the command, when (ms), and what was decided."""

    before: Game
    command: Command
    at: int
    decided: Decided


def random_game(
    registry: Registry, key: str, seed: str, most_batches: int = 5000, seeds: Seeds | None = None
) -> Iterator[Step]:
    """Play one random game of `key` to its end; equal seeds play equal games. One in four has committed seeds.

    `seeds` says what all games have instead.
    """
    rules = registry.newest(key)
    rng = entropy.Stream(hashlib.sha256(seed.encode()).digest(), "law")
    habits = entropy.Stream(hashlib.sha256(seed.encode()).digest(), "tastes")
    tastes, patience = tastes_of(rules, habits), pick(habits, _PATIENCE)
    game = Game(id=f"law-{seed}")
    at = _START
    opening = Opening(rules, rng, habits, seed, seeds)
    for batch in range(most_batches):
        command = opening.command(game) or _command(rules, game, rng, tastes, tired=batch >= patience)
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


def tastes_of(rules: Ruleset, rng: Rng) -> Tastes:
    """How often a table makes each move. Where one move ends things, only a table that hardly makes it gets far."""
    return {move: pick(rng, _TASTES) for move in rules.info.moves}


def _command(rules: Ruleset, game: Game, rng: Rng, tastes: Tastes, tired: bool) -> Command:
    """A move of somebody who is asked or offered something; now and then a timeout, a player who comes or goes."""
    required = [asked for asked in game.asked if asked.decision.required]
    offers = [asked for asked in game.asked if not asked.decision.required]
    chance = rng.randrange(1000)
    if chance < 30:
        return Timeout()
    away = [seat.player for seat in game.seats if seat.player and seat.controller == "bot"]
    if away and chance < 100:
        return TakeBack(pick(rng, away))
    present = [seat.player for seat in game.seats if seat.player]
    if len(present) > 1 and chance == 999:
        return Leave(pick(rng, present))
    asked = pick(rng, offers if offers and (chance < (60 if tired else 170) or not required) else required)
    seat = asked.decision.seat
    by: Literal["player", "bot"] = "bot" if game.seats[seat].controller == "bot" else "player"
    moves = [choose(rules, game, asked, rng, None if tired else tastes) for _ in range(2 if tired else 1)]
    return Play(seat, asked.id, max(moves, key=_ends), by=by)


def _ends(move: Move) -> tuple[bool, int]:
    """How much a move does for the end of the game."""
    return not isinstance(move, Challenge), len(getattr(move, "cards", ()))


def choose(rules: Ruleset, game: Game, asked: Asked, rng: Rng, tastes: Tastes | None = None) -> Move:
    """A legal move, from a random form; a challenge in its share of cases only."""
    return choose_from(rules.forms(game.table, asked.decision), rng, tastes)


def choose_from(forms: tuple[Form, ...], rng: Rng, tastes: Tastes | None = None) -> Move:
    """A random move of `forms`, each as likely as the others or to these tastes."""
    if any(form.move is Challenge for form in forms) and len(forms) > 1:
        if rng.randrange(100) < _CHALLENGE_SHARE:
            return Challenge()
        forms = tuple([form for form in forms if form.move is not Challenge])
        if any(form.move is Pass for form in forms) and rng.randrange(2):
            return Pass()
    likely = forms if tastes is None else tuple([form for form in forms for _ in range(tastes.get(form.move, 1))])
    return pick(rng, likely).sample(rng)
