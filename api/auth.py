"""Who is asking: bearer tokens, and what each of them may do."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Literal, cast

from flask import g, request

from api.problems import Problem
from api.state import store
from eventstore.players import Player
from eventstore.tokens import Pass, Scope

Access = Literal["none", "optional", "required"]
SCHEME = {
    "type": "http",
    "scheme": "bearer",
    "bearerFormat": "ct_...",
    "description": "A token of a player. Each operation names the scope that it needs: `read` (what only you may see), "
    "`play` (moves, seats, start), `create` (games, rematches, invitations) or `account` (name and tokens). The first "
    "token of a player has all of them. Another token is not needed for what everybody may do without one, and one "
    "that is sent must have the scope.",
}
_LONGEST = 200


def caller() -> Player | None:
    """The player who sent the present request, or None for an anonymous one."""
    return cast("Player | None", g.get("player"))


def player() -> Player:
    """The player who sent the present request, on an operation that needs one."""
    return cast(Player, g.player)


def shown_if_any() -> Pass | None:
    """The player and the token that the present request showed, or None for an anonymous one."""
    return cast("Pass | None", g.get("shown"))


def shown() -> Pass:
    """The player and the token that the present request showed, on an operation that needs one."""
    return cast(Pass, g.shown)


def guarded(access: Access, scope: Scope | None) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a view: a token is needed, or looked at if there is one; a wrong one is refused either way."""

    def decorate(view: Callable[..., Any]) -> Callable[..., Any]:
        if access == "none":
            return view

        @wraps(view)
        def checked(*args: Any, **kwargs: Any) -> Any:
            g.shown = _authenticate()
            g.player = g.shown.player if g.shown else None
            if g.shown is None and access == "required":
                raise Problem("token_missing")
            if g.shown is not None and scope is not None and scope not in g.shown.token.scopes:
                raise Problem("scope_missing", scope=scope)
            return view(*args, **kwargs)

        return checked

    return decorate


def bearer() -> str:
    """The token that the present request came with; empty if with none."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _authenticate() -> Pass | None:
    if "Authorization" not in request.headers:
        return None
    token = bearer()
    if not token or len(token) > _LONGEST or not token.isascii():
        raise Problem("token_invalid")
    found = store().tokens.check(token)
    if found is None:
        raise Problem("token_invalid")
    return found
