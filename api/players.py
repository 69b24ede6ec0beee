"""Players and their tokens."""

from typing import Any

from flask import Response

from api import auth, throttle
from api.answers import answer, rfc3339
from api.limits import LIMITS
from api.requests import NewPlayer
from api.resource import Resource
from api.schemas import Me, Registered
from api.state import store
from domain.game import Game
from domain.observers import SPECTATOR
from eventstore.players import Player

players = Resource("players", __name__, url_prefix="/v1", description="Accounts and tokens.")

MOST_LIVE = 200
"""Of how many games it is looked up whether they wait: the newest ones."""


def own_account(player: Player) -> dict[str, Any]:
    """A player as it sees itself."""
    return {"id": player.id, "name": player.name, "created": rfc3339(player.created)}


@players.operation("POST", "/players", status=201, answer=Registered, body=NewPlayer, bucket="players")
def create_player(new: dict[str, Any]) -> Response:
    """Make a guest account.

    The token is shown this once. Names need not be unique.
    """
    player, token = store().players.create(new["name"])
    return answer({"player": own_account(player), "token": token}, 201, {"Cache-Control": "no-store"})


@players.operation("GET", "/me", answer=Me, access="required")
def get_me() -> Response:
    """Who am I, what are my limits, and which games wait for me?"""
    player = auth.player()
    live = store().lists.live(player.id)[:MOST_LIVE]
    games = [store().repository.fold(game, SPECTATOR).game for game in live]
    waiting = [asked for game in games for asked in _waiting(game, player)]
    waiting.sort(key=lambda one: one["deadline"])
    return answer({"player": own_account(player), "limits": {**LIMITS, "rates": throttle.limits()}, "waiting": waiting})


def _waiting(game: Game, player: Player) -> list[dict[str, Any]]:
    seat = game.seat_of(player.id)
    if seat is None:
        return []
    return [
        {
            "game": game.id,
            "ruleset": game.ruleset,
            "seat": seat,
            "decision": asked.id,
            "kind": asked.decision.kind,
            "deadline": rfc3339(game.deadline(asked)),
        }
        for asked in game.open_for(seat)
        if asked.decision.required
    ]
