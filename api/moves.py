"""Moves: which are legal, and playing one."""

from typing import Any

from flask import Response, request
from marshmallow import ValidationError

from api import access, auth, bodies, commanding, views
from api.answers import answer, conditional, unchanged
from api.problems import invalid
from api.resource import BODY_CODES, CONDITIONAL, Resource
from api.schemas import MovesSchema, ReceiptSchema
from api.state import state, store
from api.unions import Answer
from domain.commands import Play
from domain.game import Game

moves = Resource("moves", __name__, url_prefix="/v1/games/<string:game>/moves", description="Playing.")

NO_SEAT = -1


@moves.operation(
    "GET", "", answer=MovesSchema, access="required", scope="read", fails=("unknown_game",), doc=CONDITIONAL
)
def get_moves(game: str) -> Response:
    """Get your legal moves: the decision that waits for you, and what you may do besides.

    The same stands in the view. Forms are exact: every combination of allowed field values is legal, nothing else is.
    """
    stored, observer = access.observing(game, auth.player())
    tag = f"{stored.cursor}.{observer.tag}.moves"
    return unchanged(tag) or answer(views.legal(stored, observer), headers=conditional(tag))


@moves.operation(
    "POST",
    "",
    status=201,
    answer=ReceiptSchema,
    access="required", scope="play",
    keyed=True,
    matched=True,
    ruled=True,
    bucket="moves",
    fails=(*BODY_CODES, "unknown_game", "not_seated", "not_asked", "seat_away", "decision_closed", "illegal_move",
           "card_not_held", "seat_out_of_range", "game_over", "game_faulted"),
    doc={"requestBody": {
        "required": True,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Move"}}},
    }},
)  # fmt: skip
def play_move(game: str) -> Response:
    """Play a move: answer the decision that it names.

    A move that came too late is refused with `decision_closed`, after the server has played the default.
    """
    body = bodies.read(request)
    player = auth.player()
    table = access.readable(game, player)
    seat = table.seat_of(player.id)
    if seat is None:
        table = store().repository.game(game).game
        seat = table.seat_of(player.id)
    given = _read(table, body)
    # A caller without a seat is judged by the domain: the repeat of a move that was played gets its receipt again.
    play = Play(NO_SEAT if seat is None else seat, given.decision, given.move, player=player.id)
    return commanding.receipt(commanding.run(game, play), 201)


def _read(table: Game, body: Any) -> Answer:
    try:
        return state().rulebook.chapter(table.ruleset).moves.read(body)
    except ValidationError as error:
        raise invalid(error.messages) from None
