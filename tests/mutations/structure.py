"""Changes to bytes, to the order of records, and to the frame around them. Each says whether it could be made."""

from copy import deepcopy
from random import Random
from typing import Any

from domain import canonical
from tests.mutations.draft import Draft, Entry, Json

# --- bytes ---------------------------------------------------------------------------------------------------------


def flip_byte(line: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(line))
    return line[:at] + bytes([line[at] ^ (1 << rng.randrange(8))]) + line[at + 1 :]


def insert_byte(line: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(line) + 1)
    return line[:at] + bytes([rng.choice((rng.randrange(256), *line))]) + line[at:]


def delete_byte(line: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(line))
    return line[:at] + line[at + 1 :]


# --- records -------------------------------------------------------------------------------------------------------


def drop_record(draft: Draft, rng: Random, other: Draft) -> bool:
    entry = draft.entries.pop(_one(draft, rng))
    draft.note = _types(entry)
    return True


def repeat_record(draft: Draft, rng: Random, other: Draft) -> bool:
    at = _one(draft, rng)
    again = deepcopy(draft.entries[at])
    if rng.randrange(2):
        # A batch of its own: with the same number it would be one with the record that it repeats.
        again.batch = -1
    draft.entries.insert(rng.choice((at + 1, rng.randint(at + 1, len(draft.entries)))), again)
    draft.note = _types(again)
    return True


def swap_neighbours(draft: Draft, rng: Random, other: Draft) -> bool:
    at = rng.randrange(len(draft.entries) - 1)
    draft.entries[at : at + 2] = draft.entries[at : at + 2][::-1]
    draft.note = _types(*draft.entries[at : at + 2])
    return True


def move_record(draft: Draft, rng: Random, other: Draft) -> bool:
    entry = draft.entries.pop(_one(draft, rng))
    draft.entries.insert(rng.randrange(len(draft.entries) + 1), entry)
    draft.note = _types(entry)
    return True


def swap_contents(draft: Draft, rng: Random, other: Draft) -> bool:
    """Two records change places, each keeping its number, its time and what it is chained to."""
    one, two = rng.sample(draft.entries, 2)
    for name in ("type", "sv", "data", "seat", "by", "seals", "opens"):
        one.record[name], two.record[name] = two.record[name], one.record[name]
    one.open, two.open = two.open, one.open
    draft.note = _types(one, two)
    return True


def insert_foreign(draft: Draft, rng: Random, other: Draft) -> bool:
    _insert(draft, rng, deepcopy(rng.choice(other.entries)))
    return True


def insert_invented(draft: Draft, rng: Random, other: Draft) -> bool:
    kind, seat, by, data = rng.choice(_INVENTED)
    record: Json = {"v": 0, "sv": 1, "left": 0, "at": 0, "type": kind, "seat": seat, "by": by, "data": data}
    _insert(draft, rng, Entry(record | {"seals": {}, "opens": [], "prev": ""}, {}, 0))
    return True


_INVENTED: tuple[tuple[str, int | None, str, Json], ...] = (
    ("game_faulted", None, "rules", {"error": "KeyError"}),
    ("clock_credited", None, "rules", {"ms": 60_000}),
    ("client_seed_given", 0, "player", {"client_seed": "mine"}),
    ("controller_changed", 0, "player", {"controller": "bot", "reason": "resigned", "bot": "standard"}),
    ("controller_changed", 1, "player", {"controller": "player", "reason": "returned", "bot": None}),
    ("seat_left", 1, "player", {}),
    ("game_started", None, "player", {}),
    ("passed", 0, "player", {}),
    ("turn_ended", 1, "rules", {}),
    ("coins_taken", 0, "rules", {"count": 5, "why": "map"}),
    ("card_gained", 0, "rules", {"card": "AS"}),
)


def cut_end(draft: Draft, rng: Random, other: Draft) -> bool:
    draft.trailer = None
    cut = draft.entries[rng.randint(1, len(draft.entries)) :]
    del draft.entries[len(draft.entries) - len(cut) :]
    if cut and rng.randrange(2):
        line = cut[0].line()
        draft.tail = line[: rng.randrange(1, len(line))]
    return True


def cut_end_keep_trailer(draft: Draft, rng: Random, other: Draft) -> bool:
    at = rng.randrange(1, len(draft.entries))
    draft.note = f"after a batch end: {draft.entries[at].batch != draft.entries[at - 1].batch}"
    del draft.entries[at:]
    return True


# --- the frame -----------------------------------------------------------------------------------------------------


def header_field(draft: Draft, rng: Random, other: Draft) -> bool:
    name = rng.choice([*draft.header, "extra"])
    draft.note = name
    return _changed(draft.header, name, rng)


def trailer_field(draft: Draft, rng: Random, other: Draft) -> bool:
    trailer = draft.trailer or {}
    name = rng.choice([*trailer, "extra"])
    draft.note = name
    if name == "signed" and rng.randrange(4):
        return _changed(trailer["signed"], rng.choice([*trailer["signed"], "extra"]), rng)
    return _changed(trailer, name, rng)


def _changed(values: Json, name: str, rng: Random) -> bool:
    if name in values and not rng.randrange(4):
        del values[name]
    else:
        values[name] = other_value(values.get(name), rng)
    return True


def other_value(value: Any, rng: Random) -> Any:
    """A value of the same kind, and another."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1, 2, 10))
    if isinstance(value, str) and value:
        at = rng.randrange(len(value))
        letters = "0123456789abcdef" if set(value) <= set("0123456789abcdef") else "ABCxyz012_-"
        return value[:at] + rng.choice([letter for letter in letters if letter != value[at]]) + value[at + 1 :]
    return rng.choice([{"spectator": True}, {"seat": 0}, 1, "x", True, [1]])


def _one(draft: Draft, rng: Random) -> int:
    return rng.randrange(len(draft.entries))


def _insert(draft: Draft, rng: Random, entry: Entry) -> None:
    """Put a record in at the time of those around it: into their batch, or as a batch of its own."""
    at = rng.randrange(1, len(draft.entries) + 1)
    before = draft.entries[at - 1]
    entry.record |= {"at": before.record["at"], "v": at + 1, "prev": before.record["prev"]}
    entry.batch = rng.choice((before.batch, -1))
    draft.entries.insert(at, entry)
    draft.note = _types(entry)


def _types(*entries: Entry) -> str:
    return ", ".join(entry.record["type"] for entry in entries)


def parsed(draft: Draft, at: int, line: bytes) -> bool:
    """Put a changed line in the place of record `at`, if it can still be read as one."""
    try:
        value = canonical.loads(line)
        entry = Entry(value["record"], value["open"], draft.entries[at].batch)
        entry.record["left"], entry.record["data"], entry.record["opens"], entry.record["seals"].keys()
        readable = line != draft.entries[at].line() and isinstance(entry.open, dict)
    except (ValueError, KeyError, TypeError, AttributeError):
        return False
    draft.note = entry.record.get("type", "")
    draft.entries[at] = entry
    return readable
