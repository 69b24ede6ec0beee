"""The challenges of a game: what was claimed and shown, and the proof of it.

A claim whose cards were shown by opening a whole seal is proven on the spot: the sealed record stands before the
challenge in a chain that the server signed, and the opening fits its digest. Where a challenge shows plain values
instead, the proof is the audit, once the game is over.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from domain import canonical
from domain.errors import Refused
from domain.events import Codec, Event, Opened, Record
from domain.ruleset import Explanation, Ruleset
from domain.sealing import hash_of
from domain.signing import Signer
from domain.values import Value


class Entry(Value, frozen=True):
    """A record of a game as it is read for a challenge: its bytes, the value of them, and what is open beside."""

    data: bytes
    record: Record
    open: Opened

    @property
    def v(self) -> int:
        """Its version."""
        found: int = self.record["v"]
        return found


class Challenge(Value, frozen=True):
    """A challenge that was made: the ruleset's explanation, when it was, and whether a whole seal proves it."""

    explanation: Explanation
    at: int
    sealed: bool


def challenges(rules: Ruleset, codec: Codec, entries: Sequence[Entry]) -> tuple[Challenge, ...]:
    """All challenges of a game, the oldest first, as far as `entries`, the whole log so far, tell."""
    events = _events(codec, entries)
    wanted = [event for event in events if event.type in rules.info.challenge_events]
    return tuple([_challenge(rules, events, event) for event in wanted])


def challenge(rules: Ruleset, codec: Codec, entries: Sequence[Entry], v: int) -> Challenge:
    """The challenge that the event of version `v` resolved; `Refused` if it resolved none."""
    found = next((entry for entry in entries if entry.v == v), None)
    if found is None or found.record["type"] not in rules.info.challenge_events:
        raise Refused("not_a_challenge", v=v)
    events = _events(codec, entries)
    return _challenge(rules, events, events[v - 1])


def _events(codec: Codec, entries: Iterable[Entry]) -> tuple[Event, ...]:
    return tuple([codec.event(entry.record, entry.open) for entry in entries])


def _challenge(rules: Ruleset, events: tuple[Event, ...], event: Event) -> Challenge:
    return Challenge(rules.explain(events, event.v), event.at, bool(event.opens))


def proof(game: str, entries: Sequence[Entry], v: int, signer: Signer) -> dict[str, Any]:
    """What proves the challenge of version `v` to a stranger, as JSON values.

    `challenge` and each of `openings` have `records`, the texts of the records from the one concerned to the end of its
    batch, each bound to the one before by its `prev`, and `signed`, the signed head that the last of them is. Of an
    opening the first record is the sealed one: its digest for `field` is that of `value` with `salt`.
    """
    chain = _Chain(game, entries, signer)
    openings = [
        {"v": o["v"], "field": o["field"], "value": o["value"], "salt": o["salt"], **chain.placed(o["v"])}
        for o in entries[v - 1].record["opens"]
    ]
    return {"challenge": chain.placed(v), "openings": openings}


class _Chain:
    def __init__(self, game: str, entries: Sequence[Entry], signer: Signer) -> None:
        self._game = game
        self._entries = entries
        self._signer = signer

    def placed(self, v: int) -> dict[str, Any]:
        """A record's place in the chain."""
        end = v + self._entries[v - 1].record["left"]
        last = self._entries[end - 1]
        head = self._signer.head(self._game, end, hash_of(last.data), last.record["at"])
        records = [entry.data.decode() for entry in self._entries[v - 1 : end]]
        return {"records": records, "signed": canonical.loads(canonical.dumps(head))}
