"""Tokens: what a player proves itself with, what each of them may do, and until when.

Of a token only the SHA-256 is stored; its id is of its own making and says nothing about it. A revoked one is kept as
such, so that the repeat of the request that made it cannot bring it back.
"""

import secrets
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Literal, get_args

from redis import Redis
from redis.exceptions import RedisError
from ulid import ULID

from eventstore.players import RESERVED_S, Fresh, Player
from eventstore.wire import Word, as_text, send, send_all, text_fields

Scope = Literal["account", "create", "play", "read"]
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)

TOKEN_PREFIX: Final = "ct_"  # noqa: S105  # public, like the word Bearer
TOKEN_BYTES: Final = 24
"""192 bits: a token is 35 characters."""

TOKEN_CACHE_S: Final = 10.0
"""How long a process trusts a token it has checked: a revoked one may still work for this long elsewhere."""

USED_MS: Final = 10 * 60_000
"""How exactly it is known when a token was used last: a write for each use would cost more than the use."""

MOST_TOKENS: Final = 50
"""How many tokens a player may have at once."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token as its player may see it; times in ms since 1970."""

    id: str
    label: str
    scopes: tuple[str, ...]
    created: int
    expires: int | None = None
    used: int | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """Who sent a request, and which token was shown; `digest` is how the store knows it."""

    player: Player
    token: Token
    digest: str


def fresh_token() -> str:
    """The text of a new token."""
    return TOKEN_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)


class Tokens:
    """The tokens of one store. `player` finds an account, `now` is in ms since 1970, `clock` in s of any origin."""

    def __init__(
        self,
        client: Redis,
        player: Callable[[str], Player | None],
        now: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._player = player
        self._now = now
        self._passes: Fresh[str, Pass] = Fresh(TOKEN_CACHE_S, clock)

    def first(self, player: Player) -> str:
        """The first token of a new account: it may do everything, and does not expire."""
        text = fresh_token()
        self.give(player.id, text, Token(str(ULID()), "first", SCOPES, player.created))
        return text

    def give(self, player: str, text: str, token: Token) -> None:
        """Make `text` a token of a player; doing so again changes nothing, also after it was revoked."""
        digest = _digest(text)
        fields: list[Word] = ["player", player, "id", token.id, "label", token.label]
        fields += ["scopes", " ".join(token.scopes), "created", token.created]
        written: list[tuple[Word, ...]] = [("HSET", token_key(digest), *fields)]
        if token.expires is not None:
            written = [("HSET", token_key(digest), *fields, "expires", token.expires)]
            written.append(("PEXPIREAT", token_key(digest), token.expires))
        # First where its player finds it: one that works and cannot be revoked must not be.
        send(self._client, "HSET", tokens_key(player), token.id, digest)
        send_all(self._client, written, atomic=True)

    def check(self, text: str) -> Pass | None:
        """Who shows this token, or None if it names nobody: unknown, expired and revoked ones are all the same."""
        return self.still(_digest(text))

    def still(self, digest: str) -> Pass | None:
        """Who shows the token of this digest, as by `check`: for what goes on after the request that showed it."""
        known = self._passes.get(digest)
        if known is None:
            mark = self._passes.mark()
            known = self._read_pass(digest)
            if known is not None:
                self._passes.put(digest, known, mark)
        if known is None or _over(known.token, self._now()):
            return None
        return known

    def of(self, player: str) -> tuple[Token, ...]:
        """The tokens of a player that work, the oldest first."""
        held, uses = self._held(player)
        replies = send_all(self._client, [("HGETALL", token_key(digest)) for digest in held.values()]) if held else []
        found = [_token(text_fields(reply), uses) for reply in replies]
        now = self._now()
        return tuple(sorted([t for t in found if t is not None and not _over(t, now)], key=lambda t: t.id))

    def revoke(self, player: str, token: str) -> bool:
        """Let a token work no more: at once here, elsewhere within the time of the cache. False if there is none.

        To revoke it again is right too, for as long as the request that made it may be repeated.
        """
        digest = send(self._client, "HGET", tokens_key(player), token)
        if digest is None:
            return False
        key = token_key(as_text(digest))
        kept = ("EXPIRE", key, RESERVED_S + 24 * 60 * 60)
        send_all(self._client, (("HSET", key, "revoked", self._now()), kept), atomic=True)
        self._passes.drop(as_text(digest))
        return True

    def tidy(self, player: str) -> None:
        """Forget the ids of a player's tokens that are gone."""
        held, _ = self._held(player)
        there = send_all(self._client, [("EXISTS", token_key(digest)) for digest in held.values()]) if held else []
        gone = [number for number, exists in zip(held, there, strict=True) if not exists]
        if gone:
            send(self._client, "HDEL", tokens_key(player), *gone, *map(_used, gone))

    def _held(self, player: str) -> tuple[dict[str, str], dict[str, int]]:
        """By id: the digests of a player's tokens, and when they were used last."""
        fields = text_fields(send(self._client, "HGETALL", tokens_key(player)))
        digests = {name: value for name, value in fields.items() if not name.startswith(_USED)}
        return digests, {name[len(_USED) :]: int(at) for name, at in fields.items() if name.startswith(_USED)}

    def _read_pass(self, digest: str) -> Pass | None:
        fields = text_fields(send(self._client, "HGETALL", token_key(digest)))
        token = _token(fields, {})
        player = self._player(fields["player"]) if token is not None else None
        if token is None or player is None:
            return None
        self._note_use(player.id, token.id)
        return Pass(player, token, digest)

    def _note_use(self, player: str, token: str) -> None:
        # It is told roughly, and a request does not fail for it.
        with suppress(RedisError):
            now = self._now()
            last = send(self._client, "HGET", tokens_key(player), _used(token))
            if last is None or now - int(last) >= USED_MS:
                send(self._client, "HSET", tokens_key(player), _used(token), now)


def token_key(digest: str) -> str:
    """The hash of a token, named by its SHA-256: player, id, label, scopes, created, expires, revoked."""
    return f"token:{digest}"


def tokens_key(player: str) -> str:
    """The hash of a player's tokens: id -> SHA-256, and `used <id>` -> ms."""
    return f"tokens:{player}"


def scopes_in_order(wanted: Iterable[str]) -> tuple[str, ...]:
    """Scopes without repeats, always in the same order."""
    held = set(wanted)
    return tuple([scope for scope in SCOPES if scope in held])


_USED: Final = "used "


def _used(token: str) -> str:
    return _USED + token


def _over(token: Token, now: int) -> bool:
    return token.expires is not None and token.expires <= now


def _token(fields: dict[str, str], uses: dict[str, int]) -> Token | None:
    if "id" not in fields or "revoked" in fields:
        return None
    expires = fields.get("expires")
    return Token(
        fields["id"],
        fields["label"],
        tuple(fields["scopes"].split()),
        int(fields["created"]),
        None if expires is None else int(expires),
        uses.get(fields["id"]),
    )


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
