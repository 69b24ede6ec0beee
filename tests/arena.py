"""Bots against bots, for tests: whole games on a ruleset, each bot seeing its own fold only."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from domain.events import redact
from domain.observers import at_seat
from domain.results import Result
from domain.ruleset import Moment, Ruleset, Table


def play_game(rules: Ruleset, bots: Sequence[Any], seed: int, **options: Any) -> Result:
    """Play one game with a bot in each seat; the result."""
    rng = random.Random(seed)
    seats = len(bots)
    table = Table(seats, rules.options(seats, rules.info.options(**options)))
    states = [rules.initial(table) for _ in range(seats + 1)]
    version = 1
    events = rules.setup(table, Moment(version, lambda _: rng))
    while True:
        for event in events:
            version += 1
            for seat in range(seats):
                states[seat] = rules.evolve(states[seat], redact(event, at_seat(seat)))
            states[seats] = rules.evolve(states[seats], event)
        result = rules.result(states[seats])
        if result is not None:
            return result
        decision = next(d for d in rules.decisions(states[seats]) if d.required)
        move = bots[decision.seat](states[decision.seat], decision.seat, decision, rng)
        events = rules.decide(states[seats], decision.seat, move, Moment(version, lambda _: rng))


def win_shares(
    rules: Ruleset, hero: str, others: Sequence[str], games: int, bots: Mapping[str, Any] | None = None
) -> dict[str, float]:
    """The share of wins of the level `hero` against `others`, its seat rotated; a shared win counts in part.

    `bots` replaces some of the ruleset's own.
    """
    levelled = {**rules.info.bots, **(bots or {})}
    wins: dict[str, float] = {}
    seats = 1 + len(others)
    for game in range(games):
        levels = list(others)
        levels.insert(game % seats, hero)
        result = play_game(rules, [levelled[level] for level in levels], game)
        for winner in result.winners:
            level = hero if levels[winner] == hero else "others"
            wins[level] = wins.get(level, 0.0) + 1 / len(result.winners)
    return {level: count / games for level, count in wins.items()}
