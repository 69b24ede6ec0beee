"""Lists of games, derived from the logs: written after an append by an owed job, and rebuilt from the logs at will.

A game stands in the lists of its scopes: `public` if it is, and each of its players, also the former ones; if it is
public, in those of each player that others may see. In each
scope it is in four lists: all, by status, by ruleset, by both. Every list is one sorted set by creation time, which
never changes, so that a page boundary stays where it is. Every command has one key: a cluster may spread the lists.
"""

from dataclasses import dataclass
from typing import Any, Final

from redis import Redis

from domain.game import Game
from eventstore.cursors import BadCursor, beyond, cursor_of, place_of
from eventstore.keys import GAME_ID, list_key, listing_key
from eventstore.wire import Word, pairs, send, send_all

LIVE: Final = ("lobby", "playing")
PUBLIC: Final = "public"
MOST: Final = 200
"""The most ids of one page."""

_VERSION = b"v"


@dataclass(frozen=True, slots=True)
class Page:
    """Game ids, the newest game first, and the cursor of what follows; None at the end."""

    ids: tuple[str, ...]
    next: str | None = None


class Lists:
    """The lists of one store. Errors are those of redis-py."""

    def __init__(self, writing: Redis, reading: Redis | None = None) -> None:
        self._writer = writing
        self._reader = reading or writing

    def index(self, game: Game) -> bool:
        """Put a game where it belongs as of its version; False if a newer version came first or in between.

        After False the caller indexes the newer one. Then the lists are right in the end, however many do this at
        once and wherever one of them dies, as long as the dead one's work is done again.
        """
        scopes = _scopes(game)
        known, version = self._note(game, scopes)
        if version > game.version:
            return False
        commands: list[tuple[Word, ...]] = []
        places = {list_key(scope, s, r) for scope in scopes for s in ("", game.status) for r in ("", game.ruleset)}
        for tag in known["scope"] | scopes:
            for status in ("", *sorted(known["status"])):
                for ruleset in ("", game.ruleset):
                    key = list_key(tag, status, ruleset)
                    commands.append(("ZADD", key, game.created, game.id) if key in places else ("ZREM", key, game.id))
        send_all(self._writer, commands)
        score = send(self._writer, "ZSCORE", listing_key(game.id), _VERSION)
        return score is not None and int(float(score)) <= game.version

    def _note(self, game: Game, scopes: set[str]) -> tuple[dict[str, set[str]], int]:
        """Note where the game will be; give all scopes and statuses it ever had, and its newest version.

        What is noted is never removed: a writer that was slow, or died, may have left the game in any of these.
        """
        key = listing_key(game.id)
        notes: list[Word] = [0, f"status {game.status}"]
        for scope in sorted(scopes):
            notes += (0, f"scope {scope}")
        # GT: only a newer version counts.
        calls = (
            ("ZADD", key, "GT", game.version, _VERSION),
            ("ZADD", key, *notes),
            ("ZRANGE", key, 0, -1),
            ("ZSCORE", key, _VERSION),
        )
        *_, members, version = send_all(self._writer, calls)
        known: dict[str, set[str]] = {"status": set(), "scope": set()}
        for member in members:
            kind, found, name = member.decode().partition(" ")
            if found:
                known[kind].add(name)
        return known, int(float(version))

    def page(
        self,
        *,
        status: str | None = None,
        ruleset: str | None = None,
        player: str | None = None,
        shown: bool = False,
        after: str | None = None,
        limit: int = 50,
    ) -> Page:
        """Give a page of the public games, or of a player's own, the newest first; `after` is an earlier `next`.

        Of a player's own games `shown` gives those that are public.         Raises BadCursor.
        """
        scope = PUBLIC if not player else _shown_scope(player) if shown else _scope(player)
        key = list_key(scope, status or "", ruleset or "")
        limit = max(1, min(limit, MOST))
        entries = self._older(key, _place(after) if after else None, limit + 1)
        ids = tuple([game for game, _ in entries[:limit]])
        last, created = entries[limit - 1] if len(entries) > limit else ("", 0)
        return Page(ids, cursor_of(created, last) if last else None)

    def live(self, player: str) -> tuple[str, ...]:
        """Give all games of a player that are not over, the newest first."""
        calls = [("ZRANGE", list_key(_scope(player), status), 0, -1, "WITHSCORES") for status in LIVE]
        found = {game: created for reply in send_all(self._reader, calls) for game, created in _scored(reply)}
        return tuple(sorted(found, key=lambda game: (found[game], game), reverse=True))

    def _older(self, key: str, place: tuple[str, int] | None, wanted: int) -> list[tuple[str, int]]:
        """The entries of a list after `place`: by creation time, then by id, both falling."""
        newest: Word = place[1] if place else "+inf"

        def read(offset: int, count: int) -> list[tuple[str, int]]:
            words = ("ZREVRANGEBYSCORE", key, newest, "-inf", "WITHSCORES", "LIMIT", offset, count)
            return _scored(send(self._reader, *words))

        return beyond(read, lambda e: place is None or (e[1], e[0]) < (place[1], place[0]), wanted)


def _scopes(game: Game) -> set[str]:
    players = game.people | ({game.host} if game.host else set())
    own = {_scope(player) for player in players}
    if game.visibility != "public":
        return own
    return own | {_shown_scope(player) for player in players} | {PUBLIC}


def _scope(player: str) -> str:
    return f"p:{player}"


def _shown_scope(player: str) -> str:
    return f"public:{player}"


def _scored(reply: Any) -> list[tuple[str, int]]:
    return [(member.decode(), int(float(score))) for member, score in pairs(reply)]


def _place(cursor: str) -> tuple[str, int]:
    try:
        created, game = place_of(cursor)
        if not GAME_ID.fullmatch(game):
            raise ValueError("no game id")
        return game, int(created)
    except ValueError as error:
        raise BadCursor("not a cursor of a list") from error
