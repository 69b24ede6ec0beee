"""Tickets: a way to open one stream without a header, for whoever cannot send any. Good once, and not for long.

Of a ticket only the SHA-256 is stored, with the player, the game and the token that it is bound to.
"""

import secrets
from hashlib import sha256
from typing import Any, Final, NamedTuple

from redis import Redis

from eventstore.wire import send

TICKET_S: Final = 30
_BYTES: Final = 24


class Ticket(NamedTuple):
    """Whose it was, and the digest of the token that it was given for."""

    player: str
    token: str


class Tickets:
    """The tickets of one store; safe to share between threads."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    def give(self, player: str, game: str, token: str) -> str:
        """A new ticket for one stream of `game` with the eyes of `player`, who showed the token of this digest."""
        ticket = secrets.token_urlsafe(_BYTES)
        send(self._client, "SET", ticket_key(ticket), f"{player} {game} {token}", "EX", TICKET_S)
        return ticket

    def take(self, ticket: str, game: str) -> Ticket | None:
        """What a ticket stands for, which is spent by that; None if it is none for this game, spent or expired."""
        held: Any = send(self._client, "GETDEL", ticket_key(ticket))
        if not held:
            return None
        player, of, token = held.decode().split(" ")
        return Ticket(player, token) if of == game else None


def ticket_key(ticket: str) -> str:
    """The string that a ticket's SHA-256 names: player, game and the digest of a token."""
    return f"ticket:{sha256(ticket.encode()).hexdigest()}"
