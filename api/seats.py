"""Seats: sit down, seat a bot, bring a seed, come back, leave."""

from typing import Any

from flask import Response

from api import access, auth, commanding
from api.problems import Problem
from api.requests import SeatChange, SeatRequest
from api.resource import Resource
from api.schemas import ReceiptSchema
from api.state import store
from domain.commands import Command, CommitSeed, GiveSeed, Leave, SeatBot, Sit, TakeBack

seats = Resource("seats", __name__, url_prefix="/v1/games/<string:game>/seats", description="Who sits at the table.")

_OF_GAMES = ("unknown_game", "game_over", "game_faulted")


@seats.operation(
    "POST",
    "",
    status=201,
    answer=ReceiptSchema,
    access="required", scope="play",
    body=SeatRequest,
    keyed=True,
    matched=True,
    fails=(*_OF_GAMES, "seat_taken", "game_full", "seat_out_of_range", "already_seated", "already_started",
           "reveal_open", "seeds_open", "seeds_committed", "not_host", "unknown_bot", "unknown_invite"),
)  # fmt: skip
def take_seat(wanted: dict[str, Any], game: str) -> Response:
    """Sit down at a seat, or at the first free one; as the host, seat a bot instead.

    With `auto_start` the game begins when the last seat is taken.
    Into a private game with `invite`: the code counts as exchanged, and the seat that it names is the default.
    """
    player = auth.player().id
    bot, seat = wanted.get("bot"), wanted.get("seat")
    if bot is not None:
        made = commanding.run_own(game, SeatBot(player, bot, seat))
    else:
        if "invite" in wanted:
            invited = _invited(wanted["invite"], game)
            seat = invited if seat is None else seat
        else:
            # A stranger could succeed here, so a hidden game must be hidden before anything is tried.
            access.readable(game, auth.caller())
        made = commanding.run(game, Sit(player, seat, wanted.get("client_seed"), wanted.get("seed_commitment")))
    return commanding.receipt(made, 201)


def _invited(code: str, game: str) -> int | None:
    """Exchange the code of an invitation to this game; the seat that it names."""
    invite = store().invites.find(access.known(game), code)
    if invite is not None and store().invites.accept(code, auth.player().id) is not None:
        return invite.seat
    # To whoever may not know of the game it is not there, whatever was sent along.
    access.readable(game, auth.caller())
    if not commanding.made(game):
        raise Problem("unknown_invite")
    return None


@seats.operation(
    "PUT",
    "/me",
    answer=ReceiptSchema,
    access="required",
    scope="play",
    body=SeatChange,
    keyed=True,
    matched=True,
    fails=(*_OF_GAMES, "not_seated", "not_away", "already_started", "reveal_open", "seeds_open", "seeds_committed",
           "not_asked", "decision_closed", "seed_mismatch"),
)  # fmt: skip
def change_seat(change: dict[str, Any], game: str) -> Response:
    """Take your seat back from the bot that played while you were away; before the start, bring a client seed.

    In a game with committed seeds that takes two steps: commit in the lobby, reveal when you are asked (`reveal_seed`).
    """
    return commanding.receipt(commanding.run_own(game, _change(auth.player().id, change)), 200)


def _change(player: str, change: dict[str, Any]) -> Command:
    if "client_seed" in change:
        return GiveSeed(player, change["client_seed"])
    if "seed_commitment" in change:
        return CommitSeed(player, change["seed_commitment"])
    return TakeBack(player)


@seats.operation(
    "DELETE",
    "/me",
    answer=ReceiptSchema,
    access="required",
    scope="play",
    keyed=True,
    matched=True,
    fails=(*_OF_GAMES, "not_seated", "reveal_open"),
)
def leave_seat(game: str) -> Response:
    """Leave the table before the start; after it, resign, and be a spectator from then on.

    The game goes on without one who resigned while enough are left; your receipt says what followed.
    """
    return commanding.receipt(commanding.run_own(game, Leave(auth.player().id)), 200)
