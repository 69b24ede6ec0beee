"""The next game of the same table: what it is made of follows from the game that is over, and from nothing else."""

import msgspec

from domain.commands import Create
from domain.game import Game


def bots(game: Game) -> tuple[tuple[int, str], ...]:
    """The seats of the table's own bots, with their levels; not of those that play for somebody who left."""
    return tuple([(i, s.bot) for i, s in enumerate(game.seats) if s.bot and not s.player and not s.former])


def again(game: Game, host: str, server_seed: str) -> Create:
    """The same game once more, for now with its new host alone, in the seat that it had."""
    return Create(
        ruleset=game.ruleset,
        options=msgspec.to_builtins(game.options),
        seats=len(game.seats),
        host=host,
        server_seed=server_seed,
        host_seat=game.place_of(host),
        clock=game.clock,
        visibility=game.visibility,
        auto_start=game.auto_start,
        seeds=game.seeds,
    )
