"""The next game of the same table: what it is made of follows from the game that is over, and from nothing else."""

import msgspec

from domain.commands import Create
from domain.game import Game


def place_of(game: Game, player: str) -> int | None:
    """The seat that a player has, or had until it resigned; None if neither."""
    return next((i for i, seat in enumerate(game.seats) if player in (seat.player, seat.former)), None)


def people(game: Game) -> frozenset[str]:
    """Everybody who has or had a seat."""
    return frozenset(player for seat in game.seats for player in (seat.player, seat.former) if player)


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
        host_seat=place_of(game, host),
        clock=game.clock,
        visibility=game.visibility,
        auto_start=game.auto_start,
        seeds=game.seeds,
    )
