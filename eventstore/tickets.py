"""Tickets: a way to open one stream without a header, for whoever cannot send any. Good once, and not for long.

Of a ticket only the SHA-256 is stored, with the player and the game that it is bound to.
"""

import secrets
from hashlib import sha256
from typing import Any, Final

from redis import Redis

from eventstore.wire import send

TICKET_S: Final = 30
_BYTES: Final = 24


class Tickets:
    """The tickets of one store; safe to share between threads."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    def give(self, player: str, game: str) -> str:
        """A new ticket for one stream of `game` with the eyes of `player`."""
        ticket = secrets.token_urlsafe(_BYTES)
        send(self._client, "SET", ticket_key(ticket), f"{player} {game}", "EX", TICKET_S)
        return ticket

    def take(self, ticket: str, game: str) -> str | None:
        """The player of a ticket, which is spent by that; None if it is none for this game, spent or expired."""
        held: Any = send(self._client, "GETDEL", ticket_key(ticket))
        if not held:
            return None
        player, _, of = held.decode().partition(" ")
        return player if of == game else None


def ticket_key(ticket: str) -> str:
    """The string that a ticket's SHA-256 names: player and game."""
    return f"ticket:{sha256(ticket.encode()).hexdigest()}"
