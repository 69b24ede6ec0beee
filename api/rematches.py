"""Rematches: the same table once more."""

import secrets
from typing import Any

from flask import Response

from api import access, auth, commanding
from api.problems import Problem
from api.requests import Nothing
from api.resource import Resource
from api.schemas import ReceiptSchema
from api.state import store
from domain.errors import Refused
from domain.game import Game
from eventstore.rematches import Asking

rematches = Resource("rematches", __name__, url_prefix="/v1/games/<string:game>", description="The same table again.")


@rematches.operation(
    "POST", "/rematch", status=201, answer=ReceiptSchema, access="required", scope="create", body=Nothing, keyed=True,
    fails=("unknown_game", "not_seated", "game_not_over", "game_over", "game_full", "already_started", "reveal_open",
           "options_out_of_range", "seats_out_of_range", "unknown_ruleset"),
    located=True, yields={"game": "/game"},
    doc={"responses": {
        200: {"description": "Others were first: you sit in their game.",
              "content": {"application/json": {"schema": ReceiptSchema}}},
    }},
)  # fmt: skip
def create_rematch(_: dict[str, Any], game: str) -> Response:
    """Play again: the same seats, options, clock, visibility and bots.

    It is one game for all who ask and have or had a seat in the finished one: the first makes it and is its host (201),
    the others sit down in it (200). Each gets the seat that it had, or if somebody else sits there by now a free one;
    who does not ask leaves a free seat. All get the receipt of the creation, and its address in `Location`. `rematch`
    in the view of the finished game names it.
    """
    asked = Asking(auth.player().id, commanding.command_id(), commanding.fingerprint())
    old = _finished(game)
    new, _there = store().rematches.next(old, asked)
    if old.visibility == "private":
        # Also for those who do not ask: they may look before they sit down, or look on.
        store().invites.admit(new, old.people)
    try:
        made, first = store().rematches.join(old, new, asked, secrets.token_hex(32))
    except Refused as refused:
        raise Refused(refused.code, **{**refused.facts, "game": new}) from None
    return commanding.receipt(made, 201 if first else 200)


def _finished(game: str) -> Game:
    player = auth.player()
    access.readable(game, player)
    old = store().repository.game(game).game
    if old.place_of(player.id) is None:
        raise Problem("not_seated")
    if not old.over:
        raise Problem("game_not_over")
    if old.status != "finished":
        raise Problem("game_over", status=old.status)
    return old
