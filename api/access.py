"""Who may read a game, and with whose eyes. Everything a caller sees is folded from what that observer may know."""

import re

from api.problems import Problem
from api.state import store
from domain.game import Game
from domain.observers import EVERYTHING, SPECTATOR, Observer, at_seat
from eventstore.invites import Invites
from eventstore.players import Player
from eventstore.stored import Stored

_ID = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")


def known(game: str) -> str:
    """The id, if it can be one; otherwise there is no such game."""
    if not _ID.fullmatch(game):
        raise Problem("unknown_game")
    return game


def may_read(game: Game, player: Player | None, invites: Invites) -> bool:
    """Whether a game shows itself: a private one to its host, its seats, those who resigned one, and the invited."""
    if game.visibility != "private":
        return True
    if player is None:
        return False
    if game.host == player.id or game.place_of(player.id) is not None:
        return True
    return invites.admitted(game.id, player.id)


def eyes(game: Game, player: Player | None) -> Observer:
    """The observer that a caller is: its seat, or a spectator."""
    seat = game.seat_of(player.id) if player else None
    return SPECTATOR if seat is None else at_seat(seat)


def as_whom(game: Game, player: Player | None, wanted: str) -> Observer:
    """The observer that a caller asks for: `me`, `spectator`, a seat, or `all`; not its own only once all is over.

    `game` must be as of now: it says who the caller is.
    """
    mine = eyes(game, player)
    if wanted in ("me", "spectator"):
        return mine if wanted == "me" else SPECTATOR
    if wanted != "all" and int(wanted) >= len(game.seats):
        raise Problem("seat_out_of_range", min=0, max=len(game.seats) - 1)
    observer = EVERYTHING if wanted == "all" else at_seat(int(wanted))
    if observer != mine and not game.over:
        raise Problem("game_not_over")
    return observer


def readable(game: str, player: Player | None) -> Game:
    """The public facts of a game that shows itself to a caller, perhaps a moment behind; a hidden one is unknown."""
    repository = store().repository
    facts = repository.recent(known(game)).game
    if not may_read(facts, player, store().invites):
        # Whoever sat down a moment ago, by another process, is not turned away.
        facts = repository.game(game).game
    if not may_read(facts, player, store().invites):
        raise Problem("unknown_game")
    return facts


def observing(game: str, player: Player | None, wanted: str = "me") -> tuple[Stored, Observer]:
    """The caller's own fold of a game, as of now, and whose eyes that is; a hidden game is an unknown one.

    `wanted` is `all` for everything open, which a game that is over allows to whoever may read it.
    """
    facts = readable(game, player)
    observer = EVERYTHING if wanted == "all" else eyes(facts, player)
    stored = store().repository.fold(game, observer)
    if not may_read(stored.game, player, store().invites):
        raise Problem("unknown_game")
    if not observer.everything and eyes(stored.game, player) != observer:
        # The caller sat down or resigned since the facts were known; the fold that told so is of now.
        observer = eyes(stored.game, player)
        stored = store().repository.fold(game, observer)
    return stored, observer
