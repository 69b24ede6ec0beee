"""Requests that happen once although no log remembers them: with an Idempotency-Key, the first one reserves its answer.

A request that makes a secret gives the same secret again when it is repeated, and the store keeps none: half of it is a
salt that stands with the reservation, the other half is the token that the request is sent with. Neither is enough. So
a key belongs here to one token, not to all tokens of a player.
"""

import hmac
import secrets
from base64 import urlsafe_b64encode
from dataclasses import asdict, dataclass, replace
from typing import Any

import orjson
from flask import request
from ulid import ULID

from api import auth, commanding
from api.state import store
from eventstore.stored import KeyReused


@dataclass(frozen=True, slots=True)
class Once:
    """One intention: an id of its own, its time in ms, and `facts` that a repeat must find as they were."""

    id: str
    at: int
    salt: str
    body: str
    facts: dict[str, Any]
    replayed: bool = False

    def secret(self, size: int) -> str:
        """`size` bytes that only this intention makes, as text; the same at each repeat."""
        made = hmac.digest(bytes.fromhex(self.salt), auth.bearer().encode(), "sha256")
        return urlsafe_b64encode(made[:size]).decode().rstrip("=")

    @property
    def headers(self) -> dict[str, str]:
        """What says that this is a repeat."""
        return {"Idempotency-Replayed": "true"} if self.replayed else {}


def before() -> Once | None:
    """What the present request is a repeat of, if it is one; `KeyReused` if its key was used for something else."""
    if "Idempotency-Key" not in request.headers:
        return None
    held = store().players.reserved(_command())
    return None if held is None else _read(held)


def first(**facts: Any) -> Once:
    """Begin the present request, which is judged to be right; of several that begin at once all get the same."""
    made = Once(str(ULID()), store().repository.now(), secrets.token_hex(32), commanding.fingerprint(), facts)
    if "Idempotency-Key" not in request.headers:
        return made
    told = {name: value for name, value in asdict(made).items() if name != "replayed"}
    held = store().players.reserve(_command(), orjson.dumps(told).decode())
    found = _read(held)
    return replace(found, replayed=False) if found.id == made.id else found


def _command() -> str:
    return commanding.command_id(auth.shown().token.id)


def _read(held: str) -> Once:
    found = Once(**orjson.loads(held), replayed=True)
    if found.body != commanding.fingerprint():
        raise KeyReused
    return found
