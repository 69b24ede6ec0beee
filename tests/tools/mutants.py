"""Served logs that were changed at random: as texts, and by a forger who makes all hashes fit again."""

import json
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from tools import verify_log as own

Json = Any

# --- texts -----------------------------------------------------------------------------------------------------------


def texts(log: bytes, rng: Random) -> Iterator[bytes]:
    """Without end: the log with some bytes, or whole lines, changed."""
    while True:
        change = rng.choice(TEXT_CHANGES)
        yield change(log, rng)


def _replaced(log: bytes, rng: Random, by: Callable[[int], bytes]) -> bytes:
    at = rng.randrange(len(log))
    return log[:at] + by(log[at]) + log[at + 1 :]


def _a_bit(log: bytes, rng: Random) -> bytes:
    return _replaced(log, rng, lambda byte: bytes([byte ^ 1 << rng.randrange(8)]))


def _a_byte(log: bytes, rng: Random) -> bytes:
    return _replaced(log, rng, lambda _: bytes([rng.choice(b'0123456789abcdef{}[]",:-. \n\\truefalsn')]))


def _no_byte(log: bytes, rng: Random) -> bytes:
    return _replaced(log, rng, lambda _: b"")


def _more_bytes(log: bytes, rng: Random) -> bytes:
    return _replaced(log, rng, lambda byte: bytes([byte, rng.choice(b'0a" {}[],\n')]))


def _a_digit(log: bytes, rng: Random) -> bytes:
    at = rng.choice([place for place, byte in enumerate(log) if byte in b"0123456789"])
    return log[:at] + rng.choice("0123456789").encode() + log[at + 1 :]


def _cut(log: bytes, rng: Random) -> bytes:
    return log[: rng.randrange(len(log))]


def _lines(log: bytes, rng: Random) -> bytes:
    lines = log.splitlines(keepends=True)
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(3):
        case 0:
            lines.pop(one)
        case 1:
            lines.insert(one, lines[other])
        case _:
            lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


TEXT_CHANGES = [_a_bit, _a_byte, _no_byte, _more_bytes, _a_digit, _a_digit, _cut, _lines]


# --- forgeries -------------------------------------------------------------------------------------------------------

SEED = "server_seed"


def forgeries(log: bytes, rng: Random) -> Iterator[bytes]:
    """Without end: a fully opened log with some value changed and, mostly, everything after it made to fit again."""
    while True:
        header, *lines, trailer = [json.loads(line) for line in log.splitlines()]
        try:
            for _ in range(rng.choice((1, 1, 1, 2))):
                if rng.randrange(6):
                    _change(rng.choice((header, trailer, *rng.choices(lines, k=12))), rng)
                else:
                    _change_what_is_opened(lines, rng)
            yield _served(header, _made_to_fit(header, lines, rng.choice(WAYS), rng), trailer, rng)
        except (KeyError, TypeError, AttributeError, IndexError, ValueError):
            continue  # changed so much that no forger could go on


CHAIN, SALTS, NOTHING = "chain", "chain and salts", "nothing"
WAYS = (CHAIN, SALTS, SALTS, SALTS, NOTHING)


def _change(line: Json, rng: Random) -> None:
    """One value somewhere in a line is another. The most of a record is hashes, which tell little: they stay."""
    part = line.get("record", line) if rng.randrange(8) else line
    key = rng.choice(_keys(part))
    while isinstance(part[key], dict | list) and _keys(part[key]) and rng.randrange(5):
        part, key = part[key], rng.choice(_keys(part[key]))
    part[key] = _another(part[key], rng)
    if rng.randrange(12) == 0 and isinstance(part, dict):
        part[rng.choice(("client_seed", "card", "cards", "seeds", "belt"))] = part.pop(key)


def _change_what_is_opened(lines: list[Json], rng: Random) -> None:
    """The seed, a vote, or what a challenge brought to light: less of it, or more."""
    record = rng.choice([line["record"] for line in lines if line["record"]["opens"]] or [lines[-1]["record"]])
    record["opens"] = _another(record["opens"], rng)


def _keys(part: Json) -> list[Any]:
    if isinstance(part, list):
        return list(range(len(part)))
    return [key for key in part if key not in ("prev", "digest", "salt", "signed")]


TYPES = (
    *("cards_claimed", "card_drawn", "tile_drawn", "hand_dealt", "round_started", "draw_pile_renewed", "belt_closed"),
    *("client_seed_given", "client_seed_committed", "client_seed_revealed", "seat_left", "game_started", "game_ended"),
    *("bags_placed", "bags_recovered", "belt_taken", "airport_played", "game_faulted", "vote_cast"),
)
WORDS = (
    *TYPES,
    "",
    "R1",
    "AS",
    "JOKER",
    "SFO-1",
    "REVERSE",
    "NOTICE_BOARD",
    "DELAYED_FLIGHT",
    "committed",
    "é",
    "🂡",
    "ab" * 32,
)


def _another(value: Json, rng: Random) -> Json:
    if isinstance(value, bool) or value is None or rng.randrange(15) == 0:
        return rng.choice((None, True, False, 0, 1, "x", [], {}, 2**53, 1.5))
    if isinstance(value, int):
        return rng.choice((value + 1, value - 1, 0, 1, -1, 2, 99, 10**9))
    if isinstance(value, str):
        return rng.choice((rng.choice(WORDS), value[:-1], value + "0", value.upper()))
    if isinstance(value, list):
        turned = list(reversed(value))
        return rng.choice((turned, value[:-1], value[1:], value + value[:1], [*value, rng.choice(WORDS)], []))
    changed = dict(value)
    if changed and rng.randrange(2):
        changed.pop(rng.choice(sorted(changed)))
    else:
        changed[rng.choice(WORDS)] = rng.choice((0, None, "x", {"salt": "", "value": 0}, {"digest": "", "to": [0]}))
    return changed


def _made_to_fit(header: Json, lines: list[Json], way: str, rng: Random) -> list[Json]:
    if way == NOTHING:
        return lines
    prev, shown = own.genesis(header["game"]), {}
    mend_openings = rng.randrange(4) > 0
    for v, line in enumerate(lines, 1):
        record = line["record"]
        record["prev"] = prev
        for name, secret in line["open"].items() if way == SALTS else ():
            seed = bytes.fromhex(lines[0]["open"][SEED]["value"])
            secret["salt"] = own.salt_of(seed, prev, v, name)
            record["seals"][name]["digest"] = own.digest_of(header["game"], v, name, secret["salt"], secret["value"])
            shown[v, name] = secret
        for entry in record["opens"] if way == SALTS else ():
            entry.update(shown.get((entry["v"], entry["field"]), {}) if mend_openings else {})
        prev = own.sha256(own.canonical(record))
    return lines


def _served(header: Json, lines: list[Json], trailer: Json, rng: Random) -> bytes:
    if rng.randrange(20):
        head = own.sha256(own.canonical(lines[-1]["record"]))
        header |= {"head": head, "version": len(lines), "status": _status([line["record"]["type"] for line in lines])}
        trailer |= {"head": head, "count": len(lines)}
    if rng.randrange(20):
        trailer.pop("signed", None)
    body = [_written({"record": line["record"], "open": line["open"]}, sort=False) for line in lines]
    return b"".join([_written(header), *body, _written(trailer)])


def _status(types: list[Json]) -> str:
    started = "game_started" in types
    over = {"game_ended": "finished" if started else "aborted", "game_faulted": "faulted"}
    return over.get(types[-1], "playing" if started else "lobby")


def _written(value: Json, *, sort: bool = True) -> bytes:
    """Canonical where there is a canonical form; else as near to it as can be."""
    if not sort:
        return b'{"record":%b,"open":%b}\n' % (_written(value["record"])[:-1], _written(value["open"])[:-1])
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


# --- other readers ---------------------------------------------------------------------------------------------------


def redacted(log: bytes, seat: int | None) -> bytes:
    """A fully opened log as a seat, or a spectator, would be served it; unsigned."""
    header, *lines, trailer = [json.loads(line) for line in log.splitlines()]
    header["observer"] = {"spectator": True} if seat is None else {"seat": seat}
    for line in lines:
        seals = line["record"]["seals"]
        line["open"] = {name: secret for name, secret in line["open"].items() if seat in seals[name]["to"]}
    return _served(header, lines, trailer, Random(1))


def some(
    logs: Sequence[bytes], mutants: Callable[[bytes, Random], Iterator[bytes]], count: int, seed: int
) -> list[bytes]:
    """So many mutants of each log, all of them different from it and from each other."""
    found: dict[bytes, None] = {}
    for log in logs:
        source, before = mutants(log, Random(seed)), len(found)
        while len(found) < before + count:
            mutant = next(source)
            if mutant not in logs:
                found[mutant] = None
    return list(found)
