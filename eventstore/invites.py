"""Invitations: codes that let players read a private game, and who came by one. Beside the logs: a log has no secrets
that are not sealed, and a game that is over may still be shown to somebody.

Of a code only the SHA-256 is stored.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from redis import Redis

from eventstore.keys import GAME_ID
from eventstore.scripts import Scripts, scripts
from eventstore.wire import Word, as_text, send, send_all, text_fields

CODE_BYTES: Final = 16
MOST_USES: Final = 1000
MOST_INVITES: Final = 100
"""How many invitations of one game may be good at once."""

_KEPT_MS: Final = 31 * 24 * 60 * 60 * 1000
"""How long what is withdrawn or expired is remembered as such: longer than what made it can be repeated."""


@dataclass(frozen=True, slots=True)
class Invite:
    """An invitation to a game, by a player; for a `seat` or any. Times in ms since 1970; `used` players came by it."""

    id: str
    game: str
    by: str
    seat: int | None
    created: int
    expires: int
    uses: int
    used: int = 0
    withdrawn: bool = False


class Invites:
    """The invitations of one store; `now` is in ms. Safe to share between threads."""

    def __init__(self, client: Redis, now: Callable[[], int], *, lua: Scripts | None = None) -> None:
        self._client = client
        self._now = now
        self._accept = (lua or scripts()).accept

    def give(self, code: str, invite: Invite) -> None:
        """Make `code` an invitation; doing so again changes nothing, also after it was withdrawn."""
        digest = digest_of(code)
        fields: list[Word] = ["id", invite.id, "game", invite.game, "by", invite.by, "created", invite.created]
        fields += ["expires", invite.expires, "uses", invite.uses, "seat", "" if invite.seat is None else invite.seat]
        # First where it can be withdrawn.
        send(self._client, "HSET", invites_key(invite.game), invite.id, digest)
        gone = ("PEXPIREAT", invite_key(digest), invite.expires + _KEPT_MS)
        send_all(self._client, (("HSET", invite_key(digest), *fields), gone), atomic=True)

    def find(self, game: str, code: str) -> Invite | None:
        """The invitation of a code, if it is one to this game; whether it is good is for `accept` to say."""
        found = self._read([digest_of(code)])
        return found[0] if found and found[0].game == game else None

    def accept(self, code: str, player: str) -> Invite | None:
        """Let a player use a code: from then on it may read the game. None if it is not good, for whatever reason.

        Whoever has used it may do so again.
        """
        digest = digest_of(code)
        keys = (invite_key(digest), guests_key(digest))
        if not self._accept.run(self._client, keys, (player, self._now())):
            return None
        (invite,) = self._read([digest])
        gone = ("PEXPIREAT", guests_key(digest), invite.expires + _KEPT_MS)
        send_all(self._client, (("SADD", readers_key(invite.game), player), gone))
        return invite

    def admit(self, game: str, players: Iterable[str]) -> None:
        """Let players read a game without a code."""
        wanted = sorted(players)
        if wanted:
            send(self._client, "SADD", readers_key(game), *wanted)

    def admitted(self, game: str, player: str) -> bool:
        """Whether a player may read a game that does not show itself to all."""
        return bool(send(self._client, "SISMEMBER", readers_key(game), player))

    def of(self, game: str) -> tuple[Invite, ...]:
        """The invitations of a game that are still good, the oldest first."""
        held = text_fields(send(self._client, "HGETALL", invites_key(game)))
        found = [invite for invite in self._read(list(held.values())) if not self._over(invite)]
        return tuple(sorted(found, key=lambda invite: invite.id))

    def get(self, game: str, invite: str) -> Invite | None:
        """An invitation of a game by its id, also one that is not good any more."""
        digest = send(self._client, "HGET", invites_key(game), invite)
        found = self._read([as_text(digest)]) if digest else []
        return found[0] if found else None

    def withdraw(self, game: str, invite: str) -> None:
        """Let nobody else use an invitation; whoever came by it stays."""
        digest = send(self._client, "HGET", invites_key(game), invite)
        if digest:
            key = invite_key(as_text(digest))
            gone = ("PEXPIREAT", key, self._now() + _KEPT_MS)
            send_all(self._client, (("HSET", key, "withdrawn", "1"), gone), atomic=True)

    def _over(self, invite: Invite) -> bool:
        return invite.withdrawn or invite.expires <= self._now() or invite.used >= invite.uses

    def _read(self, digests: list[str]) -> list[Invite]:
        calls: list[tuple[Word, ...]] = []
        for digest in digests:
            calls += [("HGETALL", invite_key(digest)), ("HLEN", guests_key(digest))]
        replies = send_all(self._client, calls) if calls else []
        found = [_invite(text_fields(reply), used) for reply, used in zip(replies[0::2], replies[1::2], strict=True)]
        return [invite for invite in found if invite is not None]


def invite_key(digest: str) -> str:
    """The hash of an invitation, by the SHA-256 of its code."""
    return f"invite:{{{digest}}}"


def guests_key(digest: str) -> str:
    """The hash of who came by an invitation: player -> ms."""
    return f"invite:{{{digest}}}:guests"


def invites_key(game: str) -> str:
    """The hash of a game's invitations: id -> SHA-256 of the code."""
    return f"invites:{game}"


def readers_key(game: str) -> str:
    """The set of players who may read a game although they never had a seat in it."""
    return f"readers:{game}"


def digest_of(code: str) -> str:
    """The SHA-256 of a code."""
    return sha256(code.encode()).hexdigest()


def _invite(fields: dict[str, str], used: int) -> Invite | None:
    if "id" not in fields or not GAME_ID.fullmatch(fields["game"]):
        return None
    return Invite(
        fields["id"],
        fields["game"],
        fields["by"],
        int(fields["seat"]) if fields["seat"] else None,
        int(fields["created"]),
        int(fields["expires"]),
        int(fields["uses"]),
        used,
        "withdrawn" in fields,
    )
