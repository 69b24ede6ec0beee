"""Invitations: into a private game, or to one seat of any game."""

from typing import Any

from flask import Response

from api import access, auth, once, views
from api.account_schemas import AcceptedSchema, GivenInvite, InvitePage
from api.answers import answer, nothing, rfc3339
from api.problems import Problem
from api.requests import Acceptance, NewInvite
from api.resource import Resource
from api.state import store
from domain.game import Game
from eventstore.invites import CODE_BYTES, MOST_INVITES, Invite

invites = Resource("invites", __name__, url_prefix="/v1", description="Invitations to games.")

Json = dict[str, Any]


@invites.operation(
    "POST", "/games/<string:game>/invites", status=201, answer=GivenInvite, access="required", scope="create",
    body=NewInvite, keyed=True, fails=("unknown_game", "not_seated", "seat_out_of_range", "too_many_invites"),
)  # fmt: skip
def create_invite(new: Json, game: str) -> Response:
    """Invite to a game that you host or have a seat in.

    The code is shown in this answer and its repeats only. Whoever exchanges it (POST /v1/invites) may read the game
    from then on, also a private one, and sit down while there is a free seat; it keeps none free.
    """
    made = once.before() or _begun(new, game)
    code = made.secret(CODE_BYTES)
    invite = Invite(
        made.id,
        access.known(game),
        auth.player().id,
        new.get("seat"),
        made.at,
        made.at + new["expires_ms"],
        new["uses"],
    )
    # Also when it is a repeat: whoever began it may have died before this.
    store().invites.give(code, invite)
    return answer({**_told(invite), "code": code}, 201, {"Cache-Control": "no-store", **made.headers})


def _begun(new: Json, game: str) -> once.Once:
    facts = _mine(game)
    if new.get("seat", 0) >= len(facts.seats):
        raise Problem("seat_out_of_range", min=0, max=len(facts.seats) - 1)
    if len(store().invites.of(game)) >= MOST_INVITES:
        raise Problem("too_many_invites", max=MOST_INVITES)
    return once.first()


@invites.operation(
    "GET", "/games/<string:game>/invites", answer=InvitePage, access="required", scope="read",
    fails=("unknown_game", "not_seated"), yields={"invite": "/items/0/id"},
)  # fmt: skip
def list_invites(game: str) -> Response:
    """List the invitations that are still good, without the codes.

    The host is told of all of them, a seat of its own.
    """
    facts = _mine(game)
    shown = [one for one in store().invites.of(game) if _may_withdraw(one, facts)]
    accounts = store().players.accounts({one.by for one in shown})
    items = [{**_told(one), "by": views.account_of(one.by, accounts)} for one in shown]
    return answer({"items": items, "next": None})


@invites.operation(
    "DELETE", "/games/<string:game>/invites/<string:invite>", status=204, access="required", scope="create",
    fails=("unknown_game", "not_seated", "unknown_invite"),
)  # fmt: skip
def withdraw_invite(game: str, invite: str) -> Response:
    """Withdraw an invitation: nobody else comes by it.

    Whoever did already may still read the game.
    """
    facts = _mine(game)
    found = store().invites.get(game, invite)
    if found is None or not _may_withdraw(found, facts):
        raise Problem("unknown_invite")
    store().invites.withdraw(game, invite)
    return nothing(204, {"Cache-Control": "no-store"})


@invites.operation(
    "POST", "/invites", answer=AcceptedSchema, access="required", scope="play", body=Acceptance, keyed=True,
    fails=("unknown_invite",), yields={"game": "/game"},
)  # fmt: skip
def accept_invite(given: Json) -> Response:
    """Exchange a code: you may read its game from then on, with this and every other token of yours.

    You have no seat yet: POST …/seats, with the seat that is named here if there is one. You may exchange a code again.
    """
    made = once.before()
    if made is None:
        invite = store().invites.accept(given["code"], auth.player().id)
        if invite is None:
            raise Problem("unknown_invite")
        made = once.first(game=invite.game, seat=invite.seat)
    return answer(made.facts, headers={"Cache-Control": "no-store", **made.headers})


def _mine(game: str) -> Game:
    """The game, as of now, if the caller hosts it or sits in it."""
    player = auth.player()
    access.readable(game, player)
    facts = store().repository.game(game).game
    if facts.host != player.id and facts.seat_of(player.id) is None:
        raise Problem("not_seated")
    return facts


def _may_withdraw(invite: Invite, game: Game) -> bool:
    return auth.player().id in (game.host, invite.by)


def _told(invite: Invite) -> Json:
    return {
        "id": invite.id,
        "game": invite.game,
        "seat": invite.seat,
        "created": rfc3339(invite.created),
        "expires": rfc3339(invite.expires),
        "uses": invite.uses,
        "used": invite.used,
    }
