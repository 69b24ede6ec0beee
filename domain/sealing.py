"""Seals and chain: how a batch of events becomes records that nobody can rewrite.

Every record names the hash of the one before it. A sealed value stands in the record as
`SHA-256(canonical([game, v, field, salt, value]))`; its salt follows from the game's server seed, so that an
audit can derive it again, and from `prev`, so that no two histories share one.
"""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from domain import canonical
from domain.events import Event, Record, data_of, seals_of
from domain.mac import mac_of
from domain.values import Value


def genesis(game: str) -> str:
    """The `prev` of a game's first record, 64 hex digits."""
    return hashlib.sha256(game.encode()).hexdigest()


def hash_of(record: bytes) -> str:
    """The hash of a record's bytes, 64 hex digits: the next record's `prev`."""
    return hashlib.sha256(record).hexdigest()


def salt(seed: str, prev: str, v: int, field: str) -> str:
    """The salt of a sealed field, 32 hex digits; `seed` is the server seed, 64 hex digits."""
    return mac_of(seed)(canonical.dumps(["salt", prev, v, field]))[:16].hex()


def digest(game: str, v: int, field: str, salted: str, value: Any) -> str:
    """The digest that stands for `value` in the record of version `v`, 64 hex digits."""
    return hashlib.sha256(canonical.dumps([game, v, field, salted, value])).hexdigest()


class SealedRecord(Value, frozen=True):
    """One record as it is stored: its bytes, beside them the values and salts of its seals, and its hash."""

    v: int
    type: str
    sv: int
    record: bytes
    secrets: bytes
    hash: str


def seal(game: str, seed: str, events: Sequence[Event], hashes: Sequence[str]) -> list[SealedRecord]:
    """The records of a batch. `hashes[v]` is the hash of record `v` so far, `hashes[0]` the genesis."""
    sealed: list[SealedRecord] = []

    def hash_at(v: int) -> str:
        return hashes[v] if v < len(hashes) else sealed[v - len(hashes)].hash

    for event in events:
        one = _seal_one(game, seed, event, hash_at)
        sealed.append(one)
    return sealed


def _seal_one(game: str, seed: str, event: Event, hash_at: Callable[[int], str]) -> SealedRecord:
    prev = hash_at(event.v - 1)
    seals, secrets = {}, {}
    for name, field in seals_of(event).items():
        salted = salt(seed, prev, event.v, name)
        seals[name] = {"to": field.to, "digest": digest(game, event.v, name, salted, field.value)}
        secrets[name] = {"salt": salted, "value": field.value}
    opens = [
        {"v": o.v, "field": o.field, "value": o.value, "salt": salt(seed, hash_at(o.v - 1), o.v, o.field)}
        for o in event.opens
    ]
    record: Record = {
        "v": event.v,
        "sv": event.sv,
        "left": event.left,
        "at": event.at,
        "type": event.type,
        "seat": event.seat,
        "by": event.by,
        "data": data_of(event),
        "seals": seals,
        "opens": opens,
        "prev": prev,
    }
    data = canonical.dumps(record)
    beside = canonical.dumps(secrets) if secrets else b""
    return SealedRecord(event.v, event.type, event.sv, data, beside, hash_of(data))
