"""What must happen next: obligations, handed out with a lease until the append that fulfils them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from redis import Redis
from redis.exceptions import NoScriptError

from eventstore.keys import SHARDS, game_keys, shard_keys, shard_of
from eventstore.obligation import Due, Obligation
from eventstore.scripts import Scripts, scripts
from eventstore.wire import Word, milliseconds, pairs, send, send_all

LEASE_MS: Final = 5000
ALL_SHARDS: Final = tuple(range(SHARDS))


@dataclass(frozen=True, slots=True)
class Claim:
    """An obligation handed out: the how-many-th time (from 1), and since when it is due in ms.

    `token` is the end of its lease in ms, and proves to `complete` that it was not handed out again since.
    """

    obligation: Obligation
    attempt: int
    due: int
    token: int


@dataclass(frozen=True, slots=True)
class Gap:
    """A time in which nobody swept a shard, from `since` for `ms` ms: to be credited to its open games."""

    shard: int
    since: int
    ms: int


@dataclass(frozen=True, slots=True)
class Sweep:
    """What a claim brought; `now` is the latest of the shards' times in ms.

    `coming` has, for each shard where something will, the time (ms) at which something falls due next.
    """

    now: int
    claims: tuple[Claim, ...]
    gaps: tuple[Gap, ...]
    coming: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Repair:
    """What was `missing` and what was there although `moot`; None of it is known if the game went on (`moved`)."""

    missing: tuple[Obligation, ...] = ()
    moot: tuple[Obligation, ...] = ()
    moved: bool = False


@dataclass(frozen=True, slots=True)
class Overdue:
    """How many obligations there are, how many due and not leased, and by how many ms the oldest is."""

    waiting: int
    due: int
    oldest_ms: int


class Owed:
    """All shards' obligations in one store; any number of processes may claim, none leads.

    `client` is one of `connect.appending`: if the reply to a claim is lost, what it handed out comes again
    after its lease. Errors are those of redis-py, as a sweep is simply tried again.
    """

    def __init__(self, client: Redis, *, lua: Scripts | None = None) -> None:
        self._client = client
        self._lua = lua or scripts()

    def claim(self, shards: Iterable[int] = ALL_SHARDS, limit: int = 100, lease_ms: int = LEASE_MS) -> Sweep:
        """Take what is due, at most `limit` a shard, for `lease_ms`, and mark the shards as alive.

        A gap of more than 5 s since a shard's last mark is kept and reported until `clear_gap`. As long,
        the shard hands out no obligation of kind `clock`, and an append there is never late, and always
        early if it has a `not_before`.
        """
        wanted = tuple(shards)
        script = self._lua.claim
        calls = [script.call(_claim_keys(shard), (limit, lease_ms, "")) for shard in wanted]
        replies = send_all(self._client, calls, errors=True)
        unknown = [i for i, reply in enumerate(replies) if isinstance(reply, NoScriptError)]
        if unknown:
            script.load(self._client)
            again = send_all(self._client, [calls[i] for i in unknown], errors=True)
            for i, reply in zip(unknown, again, strict=True):
                replies[i] = reply
        for reply in replies:
            if isinstance(reply, Exception):
                raise reply
        return _sweep(wanted, replies)

    def beat(self, shards: Iterable[int] = ALL_SHARDS) -> tuple[Gap, ...]:
        """Mark shards as alive without taking anything, where a process serves moves but does not sweep."""
        return self.claim(shards, limit=0).gaps

    def claim_one(self, obligation: Obligation, lease_ms: int = LEASE_MS) -> Claim | None:
        """Take exactly this obligation; None if it is gone, not due, leased, or held back by a gap."""
        args: tuple[Word, ...] = (1, lease_ms, obligation.print())
        shard = obligation.shard
        claims = _sweep((shard,), [self._lua.claim.run(self._client, _claim_keys(shard), args)]).claims
        return claims[0] if claims else None

    def complete(self, claim: Claim) -> bool:
        """Remove an obligation of a kind that is fulfilled without an append; False if the lease was lost."""
        keys = shard_keys(claim.obligation.shard)
        args: tuple[Word, ...] = (claim.obligation.print(), claim.token)
        return bool(self._lua.complete.run(self._client, (keys.due, keys.tries), args))

    def release(self, claim: Claim) -> bool:
        """Give an obligation back to be handed out again at once; False if the lease was lost."""
        return self._release(claim, "")

    def postpone(self, claim: Claim, at: int) -> bool:
        """Let an obligation fall due at a later time (ms), as if it were new; False if the lease was lost."""
        return self._release(claim, at)

    def _release(self, claim: Claim, at: Word) -> bool:
        keys = shard_keys(claim.obligation.shard)
        args: tuple[Word, ...] = (claim.obligation.print(), claim.token, at)
        return bool(self._lua.release.run(self._client, (keys.due, keys.tries), args))

    def repair(self, game: str, version: int, owed: Iterable[Due], moot: Iterable[Obligation]) -> Repair:
        """Add what is missing of `owed` and remove what is `moot`, both as of a game's version."""
        wanted = tuple(owed)
        args: list[Word] = [version, len(wanted)]
        for due in wanted:
            args += (due.obligation.print(), due.at)
        args += (obligation.print() for obligation in moot)
        keys = shard_keys(shard_of(game))
        key_names = (game_keys(game).meta, keys.due, keys.tries)
        now_at, added, removed = self._lua.repair.run(self._client, key_names, tuple(args))
        return Repair(_obligations(added), _obligations(removed), now_at != version)

    def clear_gap(self, gap: Gap) -> None:
        """Say that every open game of the shard is credited for this gap."""
        send(self._client, "HDEL", shard_keys(gap.shard).alive, gap.since)

    def open_games(self, shard: int) -> Iterator[str]:
        """Go through a shard's games that are not closed; one opened or closed meanwhile may be missed."""
        for game in self._client.sscan_iter(shard_keys(shard).open, count=500):
            yield game.decode()

    def list_due(self, shard: int, game: str | None = None) -> tuple[Due, ...]:
        """List a shard's obligations, or one game's, with the time each fell or falls due, leased or not."""
        keys = shard_keys(shard)
        both = (("ZRANGE", keys.due, 0, -1, "WITHSCORES"), ("HGETALL", keys.tries))
        scores, tries = send_all(self._client, both, atomic=True)
        first = {member: int(value.split(b" ")[1]) for member, value in pairs(tries)}
        dues = (
            Due(Obligation.parse(member.decode()), first.get(member, int(float(score))))
            for member, score in pairs(scores)
        )
        return tuple(due for due in dues if game is None or due.obligation.game == game)

    def oldest(self, kind: str) -> int | None:
        """Since when (ms) the oldest obligation of a kind that falls due at once has waited; None if there is none.

        Leased or not, in two round trips; those of later times are not looked at.
        """
        soon = milliseconds(send(self._client, "TIME")) + LEASE_MS + 1
        dues = [shard_keys(shard).due for shard in ALL_SHARDS]
        calls = [("ZRANGEBYSCORE", due, "-inf", soon, "WITHSCORES") for due in dues]
        found = {}
        for shard, reply in zip(ALL_SHARDS, send_all(self._client, calls), strict=True):
            for member, score in pairs(reply):
                if member.startswith(f"{kind}:".encode()):
                    found[shard, member] = int(float(score))
        # Of one that is leased the score is the lease's end.
        first = [("HGET", shard_keys(shard).tries, member) for shard, member in found]
        tries = send_all(self._client, first) if first else []
        since = [int(t.split(b" ")[1]) if t else at for t, at in zip(tries, found.values(), strict=True)]
        return min(since, default=None)

    def overdue(self) -> Overdue:
        """Count what waits in all shards, in two round trips."""
        now = milliseconds(send(self._client, "TIME"))
        calls: list[tuple[Word, ...]] = []
        for shard in ALL_SHARDS:
            due = shard_keys(shard).due
            calls += [("ZCARD", due), ("ZCOUNT", due, "-inf", now)]
            calls.append(("ZRANGE", due, 0, 0, "WITHSCORES"))
        replies = send_all(self._client, calls)
        oldest = [int(float(found[0][1])) for found in map(pairs, replies[2::3]) if found]
        late = max((now - score for score in oldest), default=0)
        return Overdue(sum(replies[0::3]), sum(replies[1::3]), max(0, late))


def _claim_keys(shard: int) -> tuple[str, ...]:
    keys = shard_keys(shard)
    return (keys.due, keys.tries, keys.alive)


def _sweep(shards: tuple[int, ...], replies: list[Any]) -> Sweep:
    now, claims, gaps, coming = 0, list[Claim](), list[Gap](), list[tuple[int, int]]()
    for shard, (time, raw_gaps, raw_claims, following) in zip(shards, replies, strict=True):
        now = max(now, time)
        if following >= 0:
            coming.append((shard, following))
        gaps += (Gap(shard, int(since), int(ms)) for since, ms in pairs(raw_gaps))
        for i in range(0, len(raw_claims), 4):
            member, attempt, due, token = raw_claims[i : i + 4]
            claims.append(Claim(Obligation.parse(member.decode()), int(attempt), int(due), int(token)))
    return Sweep(now, tuple(claims), tuple(gaps), tuple(coming))


def _obligations(members: list[bytes]) -> tuple[Obligation, ...]:
    return tuple([Obligation.parse(member.decode()) for member in members])
