"""Who may read a game, and with whose eyes. Everything a caller sees is folded from what that observer may know."""

import re

from api.problems import Problem
from api.state import store
from domain.game import Game
from domain.observers import EVERYTHING, SPECTATOR, Observer, at_seat
from eventstore.players import Player
from eventstore.stored import Stored

_ID = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")


def known(game: str) -> str:
    """The id, if it can be one; otherwise there is no such game."""
    if not _ID.fullmatch(game):
        raise Problem("unknown_game")
    return game


def may_read(game: Game, player: Player | None) -> bool:
    """Whether a game shows itself: a private one to its host, its seats and those who resigned one."""
    if game.visibility != "private":
        return True
    if player is None:
        return False
    return game.host == player.id or any(player.id in (seat.player, seat.former) for seat in game.seats)


def eyes(game: Game, player: Player | None) -> Observer:
    """The observer that a caller is: its seat, or a spectator."""
    seat = game.seat_of(player.id) if player else None
    return SPECTATOR if seat is None else at_seat(seat)


def observing(game: str, player: Player | None, wanted: str = "me") -> tuple[Stored, Observer]:
    """The caller's own fold of a game, and whose eyes that is; a hidden game is an unknown one.

    `wanted` is `all` for everything open, which a finished game allows to whoever may read it.
    """
    repository = store().repository
    public = repository.fold(known(game), SPECTATOR)
    if not may_read(public.game, player):
        raise Problem("unknown_game")
    observer = eyes(public.game, player)
    if wanted == "all":
        observer = EVERYTHING
    if observer == SPECTATOR:
        return public, observer
    return repository.fold(game, observer), observer
