"""Tokens of a player: give, list, revoke."""

from typing import Any

from flask import Response

from api import auth, once
from api.account_schemas import GivenToken, TokenPage
from api.answers import answer, nothing, rfc3339
from api.problems import Problem
from api.requests import NewToken
from api.resource import Resource
from api.state import store
from eventstore.tokens import MOST_TOKENS, TOKEN_BYTES, TOKEN_PREFIX, Token, scopes_in_order

tokens = Resource("tokens", __name__, url_prefix="/v1/me/tokens", description="Tokens, and what each may do.")


@tokens.operation(
    "POST", "", status=201, answer=GivenToken, access="required", scope="account", body=NewToken, keyed=True,
    fails=("too_many_tokens",),
)  # fmt: skip
def create_token(new: dict[str, Any]) -> Response:
    """Get another token of yours, for some of what the one you send may do.

    It is shown in this answer and its repeats only. It works no longer than the token that you send, and goes on if
    that one is revoked.
    """
    made = once.before() or _begun(new)
    text = TOKEN_PREFIX + made.secret(TOKEN_BYTES)
    given = Token(made.id, new.get("label", ""), scopes_in_order(new["scopes"]), made.at, made.facts["expires"])
    # Also when it is a repeat: whoever began it may have died before this.
    store().tokens.give(auth.player().id, text, given)
    return answer({**_told(given), "token": text}, 201, {"Cache-Control": "no-store", **made.headers})


def _begun(new: dict[str, Any]) -> once.Once:
    mine = auth.shown().token
    beyond = [scope for scope in new["scopes"] if scope not in mine.scopes]
    if beyond:
        raise Problem("scope_missing", scope=beyond[0])
    store().tokens.tidy(auth.player().id)
    if len(store().tokens.of(auth.player().id)) >= MOST_TOKENS:
        raise Problem("too_many_tokens", max=MOST_TOKENS)
    ends = [mine.expires] if mine.expires is not None else []
    if "expires_ms" in new:
        ends.append(store().repository.now() + new["expires_ms"])
    return once.first(expires=min(ends, default=None))


@tokens.operation("GET", "", answer=TokenPage, access="required", scope="account", yields={"token": "/items/0/id"})
def list_tokens() -> Response:
    """List your tokens that work, the oldest first.

    Each with its scopes, its label and its end; the token itself is not kept.
    """
    found = store().tokens.of(auth.player().id)
    return answer({"items": [_told(token) for token in found], "next": None})


@tokens.operation("DELETE", "/<string:token>", status=204, access="required", scope="account", fails=("unknown_token",))
def revoke_token(token: str) -> Response:
    """Revoke a token of yours; the one that you send, too.

    It works no more: at once in the process that answered, within 10 s in all others. Nobody can make a token for an
    account that has none with the scope `account`.
    """
    if not store().tokens.revoke(auth.player().id, token):
        raise Problem("unknown_token")
    return nothing(204, {"Cache-Control": "no-store"})


def _told(token: Token) -> dict[str, Any]:
    return {
        "id": token.id,
        "label": token.label,
        "scopes": list(token.scopes),
        "created": rfc3339(token.created),
        "expires": None if token.expires is None else rfc3339(token.expires),
        "used": None if token.used is None else rfc3339(token.used),
        "current": token.id == auth.shown().token.id,
    }
