"""Who is asking: bearer tokens."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Literal, cast

from flask import g, request

from api.problems import Problem
from api.state import store
from eventstore.players import Player

Access = Literal["none", "optional", "required"]
SCHEME = {"type": "http", "scheme": "bearer", "bearerFormat": "ct_...", "description": "The token of a player."}
_LONGEST = 200


def caller() -> Player | None:
    """The player who sent the present request, or None for an anonymous one."""
    return cast("Player | None", g.get("player"))


def player() -> Player:
    """The player who sent the present request, on an operation that needs one."""
    return cast(Player, g.player)


def guarded(access: Access) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a view: a token is needed, or looked at if there is one; a wrong one is refused either way."""

    def decorate(view: Callable[..., Any]) -> Callable[..., Any]:
        if access == "none":
            return view

        @wraps(view)
        def checked(*args: Any, **kwargs: Any) -> Any:
            g.player = _authenticate()
            if g.player is None and access == "required":
                raise Problem("token_missing")
            return view(*args, **kwargs)

        return checked

    return decorate


def _authenticate() -> Player | None:
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token or len(token) > _LONGEST or not token.isascii():
        raise Problem("token_invalid")
    found = store().players.by_token(token)
    if found is None:
        raise Problem("token_invalid")
    return found
