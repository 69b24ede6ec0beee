"""Rates of the pure domain on one core: moves through decide and evolve, with forms, sealing, replay."""

import random
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

from domain import canonical, sealing
from domain.commands import Command, Create, Play, Start
from domain.decide import decide
from domain.events import redact
from domain.game import Game, fold
from domain.observers import at_seat
from domain.registry import REGISTRY
from domain.ruleset import Moment, Ruleset, Table

ROUNDS = 5
MOVES = 4000
Played = list[tuple[Any, list[tuple[int, Any]]]]


def main() -> None:
    """A line a game."""
    for rules in REGISTRY:
        games = _played(rules)
        moves = sum(len(steps) for _, steps in games)
        plain = _rate(partial(_run, rules, games, forms=False), moves)
        offered = _rate(partial(_run, rules, games, forms=True), moves)
        print(f"{rules.info.key}: {plain:,.0f} moves/s through decide and evolve, {offered:,.0f} with forms")
        _aggregate(rules)


def _played(rules: Ruleset) -> Played:
    """Games of standard bots, as start states and the moves that follow."""
    rng = random.Random(7)
    games: Played = []
    moves = 0
    while moves < MOVES:
        fewest, most = rules.info.seats
        seats = fewest + len(games) % (most - fewest + 1)
        start, folds = _started(rules, seats, rng)
        state, steps = start, list[tuple[int, Any]]()
        while rules.result(state) is None:
            decision = next(d for d in rules.decisions(state) if d.required)
            seat = decision.seat
            move = rules.info.bots["standard"](folds[seat], seat, decision, rng)
            for event in rules.decide(state, seat, move, Moment(1000, random.Random)):
                state = rules.evolve(state, event)
                folds = [rules.evolve(known, redact(event, at_seat(s))) for s, known in enumerate(folds)]
            steps.append((seat, move))
        games.append((start, steps))
        moves += len(steps)
    return games


def _started(rules: Ruleset, seats: int, rng: random.Random) -> tuple[Any, list[Any]]:
    """A table that is dealt, and what each seat knows of it: a bot that saw all would play other games."""
    table = Table(seats, rules.options(seats, rules.info.options()))
    state, folds = rules.initial(table), [rules.initial(table)] * seats
    for event in rules.setup(table, Moment(1000, lambda _: rng)):
        state = rules.evolve(state, event)
        folds = [rules.evolve(known, redact(event, at_seat(s))) for s, known in enumerate(folds)]
    return state, folds


def _run(rules: Ruleset, games: Played, forms: bool) -> None:
    # The draws follow from their labels alone, here and when the games were played: the same cards come again.
    moment = Moment(1000, random.Random)
    for start, steps in games:
        state = start
        for seat, move in steps:
            if forms:
                for decision in rules.decisions(state):
                    rules.forms(state, decision)
            for event in rules.decide(state, seat, move, moment):
                state = rules.evolve(state, event)


def _rate(run: Callable[[], None], count: int) -> float:
    seconds = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - began)
    return count / median(seconds)


def _aggregate(rules: Ruleset) -> None:
    """Whole games through the aggregate: deciding, sealing, reading back and folding."""
    rng = random.Random(3)
    game, commands = Game(id="bench"), _opening(rules)
    folds = [Game(id="bench") for _ in range(4)]
    hashes = [sealing.genesis(game.id)]
    stored, deciding, sealing_s = [], 0.0, 0.0
    while game.result is None:
        command = commands.pop(0) if commands else _answer(rules, game, folds, rng)
        began = time.perf_counter()
        decided = decide(rules, game, command, 1000)
        between = time.perf_counter()
        sealed = sealing.seal("bench", decided.game.seed or "", decided.events, hashes)
        sealing_s += time.perf_counter() - between
        deciding += between - began
        hashes += [one.hash for one in sealed]
        stored += [(one.record, one.secrets) for one in sealed]
        folds = [fold(rules, f, [redact(e, at_seat(s)) for e in decided.events]) for s, f in enumerate(folds)]
        game = decided.game
    codec = REGISTRY.codec(rules.info.key, rules.info.rules_version)
    began = time.perf_counter()
    events = [codec.event(canonical.loads(r), canonical.loads(s or b"{}")) for r, s in stored]
    fold(rules, Game(id="bench"), events)
    replay = len(stored) / (time.perf_counter() - began)
    size = sum(len(r) + len(s) for r, s in stored) / len(stored)
    print(
        f"  one game of {len(stored)} events: sealing and hashing {sealing_s / len(stored) * 1e6:.1f} us a record, "
        f"replay from bytes {replay:,.0f} events/s, {size:.0f} bytes an event with its secrets"
    )


def _opening(rules: Ruleset) -> list[Command]:
    bots = ("standard", "novice", "standard", "novice")
    return [Create(rules.info.key, {}, 4, "host", "ab" * 32, host_seat=None, bots=bots), Start("host")]


def _answer(rules: Ruleset, game: Game, folds: list[Game], rng: random.Random) -> Play:
    asked = next(a for a in game.asked if a.decision.required)
    seat = asked.decision.seat
    move = rules.info.bots[game.seats[seat].bot or "standard"](folds[seat].table, seat, asked.decision, rng)
    return Play(seat, asked.id, move, by="bot")
