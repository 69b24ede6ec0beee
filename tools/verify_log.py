#!/usr/bin/env python3
"""Check the log of a game:  python verify_log.py FILE|- [--key KEY] [--receipt FILE] [--json]

One file, Python 3.11 or newer, nothing to install. It was written from docs/fair-play.md and shares no line with the
server: `§` names a section of that document, and the checks have its names and its order (§9). It does not know the
rules of the games. Signatures are checked if the package `cryptography` can be imported.

  FILE            a served log, as from GET /v1/games/{id}/log; - is standard input
  --key KEY       a public key of the operator: the `x` of its JWK, or a file with a JWK, a list of them, or the
                  answer of GET /v1/server. May be given several times
  --receipt FILE  signed heads that you kept: a receipt of a POST, its `signed`, a list or lines of them. Several times

Exit status: 0 sound (or sound, but signed by no key that you gave), 1 unsound, 2 the input cannot be read.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import hmac
import importlib.util
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, ClassVar, NamedTuple

MAX_INTEGER = 2**53 - 1
MAX_DEPTH = 100  # arrays and objects inside each other, §9
MAX_LINE = 4 * 2**20  # bytes of a line with its end, §9


class Unsound(Exception):
    """A check failed: its name, the version (or None), and what was found."""

    def __init__(self, check: str, v: int | None, why: str) -> None:
        super().__init__(why)
        self.check, self.v, self.why = check, v, why


# --- §5.1 canonical JSON

WRITER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical(value: Any) -> bytes:
    """The one text of a value. ValueError: it has none."""
    refuse_uncanonical(value)
    return WRITER.encode(value).encode()  # half a surrogate pair cannot be encoded: UnicodeEncodeError, a ValueError


def refuse_uncanonical(value: Any) -> None:
    if isinstance(value, dict):
        for key, member in value.items():
            if not key.isascii():
                raise ValueError("a key that is not ASCII")
            if not isinstance(member, str):
                refuse_uncanonical(member)
    elif isinstance(value, list):
        for item in value:
            if not isinstance(item, str):
                refuse_uncanonical(item)
    elif isinstance(value, float) or (isinstance(value, int) and abs(value) > MAX_INTEGER):
        raise ValueError("a number that is not an integer of 53 bits")


def parse(text: bytes) -> Any:
    """Read a JSON text. ValueError: it is not JSON, or nested too deeply."""
    try:
        value = READER.decode(text.decode())
        deep = text.count(b"[") + text.count(b"{") > MAX_DEPTH and depth(value) > MAX_DEPTH
    except RecursionError:
        deep = True
    if deep:
        raise ValueError("nested too deeply")
    return value


def integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= len(str(-MAX_INTEGER)) else float(digits)  # it has no canonical form anyway


def no_number(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


READER = json.JSONDecoder(parse_int=integer, parse_constant=no_number)


def depth(value: Any) -> int:
    inner: Iterable[Any] = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return isinstance(value, dict | list) + max(map(depth, inner), default=0)


def is_canonical(text: bytes, value: Any) -> bool:
    return has_canonical_form(value) and canonical(value) == text


def has_canonical_form(value: Any) -> bool:
    try:
        canonical(value)
    except ValueError:
        return False
    return True


def same(one: Any, other: Any) -> bool:
    """Equal as JSON: in Python alone 1 == True == 1.0."""
    return canonical(one) == canonical(other)


# --- §5.4 to §5.8 hashes, seals, signatures


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def genesis(game: str) -> str:
    return sha256(game.encode())


def salt_of(seed: bytes, prev: str, v: int, name: str) -> str:
    return hmac.digest(seed, canonical(["salt", prev, v, name]), "sha256").hex()[:32]


def digest_of(game: str, v: int, name: str, salt: str, value: Any) -> str:
    return sha256(canonical([game, v, name, salt, value]))


def commitment_of(game: str, client_seed: Any) -> str:
    return sha256(canonical([game, "client_seed", client_seed]))


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unbase64url(text: str) -> bytes | None:
    """The bytes of a text that is written as `base64url` writes them, else None."""
    if not re.fullmatch("[A-Za-z0-9_-]*", text):
        return None
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return None
    return data if base64url(data) == text else None


def kid_of(x: bytes) -> str:
    """§5.7: the name of a key is computed from it, never believed."""
    jwk = {"crv": "Ed25519", "kty": "OKP", "x": base64url(x)}
    return base64url(hashlib.sha256(canonical(jwk)).digest())


def signed_message(signed: dict[str, Any]) -> bytes:
    """§5.7: what is signed is all the rest, of a head and of a report."""
    return canonical({name: signed[name] for name in signed if name not in ("key", "signature")})


def signatures_can_be_checked() -> bool:
    return importlib.util.find_spec("cryptography") is not None


def signature_fits(signed: dict[str, Any], x: bytes) -> bool:
    """Whether the signature is of this key. Call it only if signatures can be checked."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    signature = unbase64url(signed["signature"])
    if signature is None or len(signature) != 64:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(x).verify(signature, signed_message(signed))
    except (InvalidSignature, ValueError):
        return False
    return True


def conflict(one: dict[str, Any], other: dict[str, Any], keys: dict[str, bytes]) -> bool:
    """§3: whether two signed heads prove that two histories were shown."""
    signed = all(head["key"] in keys and signature_fits(head, keys[head["key"]]) for head in (one, other))
    return (
        signed and [one["game"], one["version"]] == [other["game"], other["version"]] and one["hash"] != other["hash"]
    )


# --- §6 chance


def entropy_of(seed: bytes, game: str, client_seeds: list[Any]) -> bytes:
    return hmac.digest(seed, canonical([game, client_seeds]), "sha256")


def words(entropy: bytes, label: str) -> Iterator[int]:
    block = 0
    while True:
        octets = hmac.digest(entropy, canonical(["draw", label, block]), "sha256")
        yield from (int.from_bytes(octets[place : place + 4], "big") for place in range(0, 32, 4))
        block += 1


def below(draw: Iterator[int], n: int) -> int:
    limit = 2**32 - 2**32 % n
    return next(word for word in draw if word < limit) % n


def shuffled(draw: Iterator[int], items: list[Any]) -> list[Any]:
    items = list(items)
    for last in range(len(items) - 1, 0, -1):
        other = below(draw, last + 1)
        items[last], items[other] = items[other], items[last]
    return items


# --- §8 the deals


class Due(NamedTuple):
    """A record that must be there: its type, seat and data, and the values of its seals."""

    type: str
    seat: int | None
    data: dict[str, Any]
    sealed: dict[str, Any]


RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
FRENCH = [rank + suit for suit in "SHDC" for rank in RANKS] + ["JOKER", "JOKER"]
ORDERS = [f"R{rank}" for rank in range(1, 11) for _ in range(rank)]
BAGS = [f"{airport}-{number}" for airport in ("HKG", "HNL", "SFO") for number in range(1, 18)]
AIRPORT = ["AROUND_THE_WORLD"] * 4 + ["REVERSE"] * 4 + ["NOTICE_BOARD"] * 3 + ["DELAYED_FLIGHT"] * 3
CREW = ["cartographer", "monkey", "parrot", "navigator", "gunner", "cook", "lookout", "carpenter", "swabby"]
TILES = [f"{front}/{back}" for front in CREW for back in CREW if back != front]
SEATS = {
    "bluff_king": range(2, 9),
    "captains_orders": range(4, 9),
    "captain_bluff": range(2, 6),
    "captain_flip": range(2, 6),
}
BAGS_EACH = {2: (12, 3), 3: (10, 2), 4: (9, 2), 5: (8, 2)}  # seats: bags and Airport cards for each


def deal_bluff_king(entropy: bytes, seats: int, options: dict[str, Any]) -> list[Due]:
    first = below(words(entropy, "lead"), seats)
    cards = shuffled(words(entropy, "deal"), FRENCH * options["decks"])
    hands = [sorted(cards[k::seats]) for k in range(seats)]
    return [Due("lead_drawn", first, {}, {})] + [
        Due("hand_dealt", (first + k) % seats, {"count": len(hand)}, {"cards": hand}) for k, hand in enumerate(hands)
    ]


def deal_captains_orders(entropy: bytes, seats: int, options: dict[str, Any], round_: int = 1) -> list[Due]:
    dealer = (below(words(entropy, "dealer"), seats) + round_ - 1) % seats
    cards = shuffled(words(entropy, f"deal {round_}"), ORDERS)
    hands = [sorted(cards[k : 6 * seats : seats]) for k in range(seats)]
    return [Due("round_started", None, {"round": round_, "dealer": dealer}, {})] + [
        Due("hand_dealt", (dealer + 1 + k) % seats, {"round": round_, "count": 6}, {"cards": hand})
        for k, hand in enumerate(hands)
    ]


def deal_captain_bluff(entropy: bytes, seats: int, options: dict[str, Any]) -> list[Due]:
    first = below(words(entropy, "first"), seats)
    bags, airport = shuffled(words(entropy, "bags"), BAGS), shuffled(words(entropy, "airport"), AIRPORT)
    b, a = (seats * each for each in BAGS_EACH[seats])
    piles = {"draw": len(bags) - b, "unused": len(airport) - a}
    hands = [sorted(bags[k:b:seats] + airport[k:a:seats]) for k in range(seats)]
    return [
        Due("piles_shuffled", None, piles, {"order": bags[b:] + airport[a:]}),
        Due("first_seat_drawn", first, {}, {}),
    ] + [Due("hand_dealt", (first + k) % seats, {"count": len(hand)}, {"cards": hand}) for k, hand in enumerate(hands)]


def deal_captain_flip(entropy: bytes, seats: int, options: dict[str, Any]) -> list[Due]:
    flag = below(words(entropy, "flag"), seats)
    sides = words(entropy, "sides")
    order = []
    for tile in shuffled(words(entropy, "bag"), TILES):
        face, back = tile.split("/")
        order.append(f"{back}/{face}" if below(sides, 2) else tile)
    return [
        Due("flag_drawn", flag, {}, {}),
        Due("bag_shuffled", None, {}, {"order": order}),
        tile_due(flag, order[0]),
    ]


def tile_due(seat: int | None, tile: str) -> Due:
    face, back = tile.split("/")
    return Due("tile_drawn", seat, {"face": face}, {"back": back})


DEALS: dict[str, Callable[[bytes, int, dict[str, Any]], list[Due]]] = {
    "bluff_king": deal_bluff_king,
    "captains_orders": deal_captains_orders,
    "captain_bluff": deal_captain_bluff,
    "captain_flip": deal_captain_flip,
}


def can_deal(ruleset: str, seats: Any, options: Any) -> bool:
    """Whether §8 has a deal for this game."""
    if ruleset not in DEALS or not fits(seats, NUMBER) or not fits(options, OBJECT):
        return False
    if ruleset == "bluff_king" and not (fits(options.get("decks"), NUMBER) and options["decks"] in (1, 2)):
        return False
    return seats in SEATS[ruleset]


# --- §5.2, §5.3 the shapes

ANYTHING = object()
EACH = "each"  # the members of an object with any names
NUMBER, TEXT, OBJECT = int, str, dict
SEAL = {"digest": TEXT, "to": [NUMBER]}
OPENING = {"field": TEXT, "salt": TEXT, "v": NUMBER, "value": ANYTHING}
OPEN = {EACH: {"salt": TEXT, "value": ANYTHING}}
HEAD = {"at": NUMBER, "game": TEXT, "hash": TEXT, "key": TEXT, "signature": TEXT, "version": NUMBER}
RECORD = {
    **dict.fromkeys(("v", "sv", "left", "at"), NUMBER),
    **dict.fromkeys(("type", "by", "prev"), TEXT),
    "seat": (NUMBER, None),
    "data": OBJECT,
    "seals": {EACH: SEAL},
    "opens": [OPENING],
}
HEADER = {
    **dict.fromkeys(("format", "rules_version", "version"), NUMBER),
    **dict.fromkeys(("game", "head", "ruleset", "status"), TEXT),
    "observer": ({"all": True}, {"spectator": True}, {"seat": NUMBER}),
}
UNSIGNED = {"complete": ANYTHING, "count": NUMBER, "head": TEXT}
TRAILER = (UNSIGNED, {**UNSIGNED, "signed": HEAD})


def fits(value: Any, shape: Any) -> bool:
    """Whether a value has a shape: a type, a list of a shape, an object with just these members, or one of several."""
    if isinstance(shape, type):
        return type(value) is shape  # so that a Python True is no integer
    if isinstance(shape, tuple):
        return any(fits(value, one) for one in shape)
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(item, shape[0]) for item in value)
    if isinstance(shape, dict) and EACH in shape:
        return isinstance(value, dict) and all(fits(member, shape[EACH]) for member in value.values())
    if isinstance(shape, dict):
        return isinstance(value, dict) and value.keys() == shape.keys() and all(fits(value[k], shape[k]) for k in shape)
    return shape is ANYTHING or value is shape


# --- §9 phase 1: lines


class Line(NamedTuple):
    """Line `v` after the header, with the hash of its record."""

    v: int
    record: dict[str, Any]
    open: dict[str, Any]
    hash: str


COUNTED = ("records", "seals", "opened", "opens", "salts", "draws")


@dataclass
class Log:
    """What is known of the log so far."""

    header: dict[str, Any] = field(default_factory=dict)
    trailer: dict[str, Any] = field(default_factory=dict)
    first: Line | None = None
    last: Line | None = None
    head: str = ""
    started: int | None = None  # the version of the first game_started
    seals: dict[int, tuple[str, dict[str, Any]]] = field(default_factory=dict)  # v: its prev, its seals
    salts: dict[tuple[int, str], str] = field(default_factory=dict)  # v, field: of every seal that was opened
    origins: dict[int, Any] = field(default_factory=dict)  # v: the value of its seal `origin`, if it was opened
    commitments: dict[int | None, Any] = field(default_factory=dict)  # of each seat
    client_seeds: dict[int | None, Any] = field(default_factory=dict)  # of each seat
    kept: dict[int, dict[str, Any]] = field(default_factory=dict)  # the records that phase 6 looks at
    seed: bytes | None = None
    entropy: bytes | None = None
    signature: str = "none"
    known_keys: dict[str, bytes] = field(default_factory=dict)  # by kid
    receipts: list[dict[str, Any]] = field(default_factory=list)
    receipted: dict[int, Line | None] = field(default_factory=dict)  # the lines that have a receipt
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTED, 0))

    @property
    def game(self) -> str:
        return str(self.header["game"])

    @property
    def created(self) -> dict[str, Any]:
        return self.first.record["data"] if self.first else {}


class Lines:
    """Phase 1 has steps: the failure of the lowest step counts, and of two in one step the first."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.step = 99
        self.failure: Unsound | None = None

    def fail(self, step: int, check: str, v: int | None, why: str) -> None:
        if step < self.step:
            self.step, self.failure = step, Unsound(check, v, why)

    def read(self, file: BinaryIO) -> Iterator[Line]:
        """The records, as long as nothing failed. A line waits for the next one, since the last is another."""
        before, place = b"", 0
        for place, text in enumerate(lines_of(file), start=1):
            if place == 2:
                self.take_header(before)
            elif place > 2:
                yield from self.take_record(before, place - 2)
            before = text
        if place == 1:
            self.take_header(before)
        self.take_trailer(before)

    def value(self, text: bytes, name: str) -> Any:
        if not text.endswith(b"\n"):
            self.fail(1, "cut_short", None, "the text does not end with the end of a line")
        try:
            return parse(text[:-1])
        except ValueError as error:
            self.fail(2, "unreadable", None, f"{name} is not JSON ({error})")
        return None

    def take_header(self, text: bytes) -> None:
        self.log.header = self.value(text, "the first line")
        if not is_canonical(text[:-1], self.log.header):
            self.fail(4, "not_canonical", None, "the first line is not canonical JSON")
        if not fits(self.log.header, HEADER):
            self.fail(5, "unreadable", None, "the first line is no header")

    def take_trailer(self, text: bytes) -> None:
        self.log.trailer = self.value(text, "the last line")
        if not isinstance(self.log.trailer, dict) or "complete" not in self.log.trailer:
            self.fail(3, "cut_short", None, "the last line is no trailer")
        if not is_canonical(text[:-1], self.log.trailer):
            self.fail(4, "not_canonical", None, "the last line is not canonical JSON")
        if not fits(self.log.trailer, TRAILER):
            self.fail(5, "unreadable", None, "the last line is no trailer")

    def take_record(self, text: bytes, v: int) -> Iterator[Line]:
        value = self.value(text, f"line {v + 1}")
        if self.failure is not None:
            return
        if not fits(value, {"record": ANYTHING, "open": ANYTHING}):
            return self.fail(6, "unreadable", v, "the line has not exactly `record` and `open`")
        try:
            record, shown = canonical(value["record"]), canonical(value["open"])
        except ValueError as error:
            return self.fail(6, "not_canonical", v, str(error))
        if text != b'{"record":%b,"open":%b}\n' % (record, shown):
            self.fail(6, "not_canonical", v, "the line is not canonical JSON")
        elif not fits(value["record"], RECORD) or not fits(value["open"], OPEN):
            self.fail(6, "unreadable", v, "the record has not exactly its eleven members, or one is not of its type")
        else:
            yield Line(v, value["record"], value["open"], sha256(record))  # §5.4: these bytes stand in the line


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """The lines with their ends. One that is too long is not held in memory: an empty one, no JSON, stands for it."""
    while text := file.readline(MAX_LINE):
        if len(text) == MAX_LINE and not text.endswith(b"\n"):
            while text and not text.endswith(b"\n"):
                text = file.readline(MAX_LINE)
            text = text[-1:] or b" "
        yield text


# --- §9 phase 2: order


def see_order(log: Log, line: Line) -> None:
    record, v = line.record, line.v
    before = log.last.record if log.last else None
    log.first, log.last = log.first or line, line
    log.counts["records"] = v
    if record["v"] != v:
        raise Unsound("version", v, f"record {v} says that it is version {record['v']}")
    if record["left"] < 0:
        raise Unsound("batch", v, "`left` is negative")
    if before and before["left"] > 0 and record["left"] != before["left"] - 1:
        raise Unsound("batch", v, "`left` does not count down")
    if before and before["left"] > 0 and record["at"] != before["at"]:
        raise Unsound("batch", v, "another time than that of its batch")


def end_order(log: Log) -> None:
    if log.last is None:
        raise Unsound("batch", 0, "there is no record")
    if log.last.record["left"] > 0:
        raise Unsound("batch", log.last.v, "the last batch is not whole")


# --- §9 phase 3: chain


def see_chain(log: Log, line: Line) -> None:
    expected = genesis(log.game) if line.v == 1 else log.head
    log.head = line.hash
    if line.record["prev"] != expected:
        raise Unsound("chain", line.v, "`prev` is not the hash of what comes before")
    if line.record["type"] == "game_started" and log.started is None:
        log.started = line.v


def end_chain(log: Log) -> None:
    header, trailer, count = log.header, log.trailer, log.counts["records"]
    if (header["head"], header["version"]) != (log.head, count):
        raise Unsound("head", None, "the header names another head or version")
    if (trailer["head"], trailer["count"]) != (log.head, count) or trailer["complete"] is not True:
        raise Unsound("head", None, "the trailer names another head or count, or is not complete")
    if log.first is None or log.first.record["type"] != "game_created" or header["format"] != 1:
        raise Unsound("header", None, "the first record is no game_created, or the format is not 1")
    facts = {"status": status(log), **{name: log.created.get(name) for name in ("ruleset", "rules_version")}}
    for name, value in facts.items():
        if not same(header[name], value):
            raise Unsound("header", None, f"the header has another {name} than the records")


def status(log: Log) -> str:
    """§5.2"""
    last = log.last.record["type"] if log.last else ""
    if last == "game_ended":
        return "aborted" if log.started is None else "finished"
    if last == "game_faulted":
        return "faulted"
    return "lobby" if log.started is None else "playing"


# --- §9 phase 4: seals


def see_seals(log: Log, line: Line) -> None:
    see_open(log, line)
    see_opens(log, line)
    see_commitment(log, line)


def see_open(log: Log, line: Line) -> None:
    seals, observer = line.record["seals"], log.header["observer"]
    if seals:
        log.seals[line.v] = (line.record["prev"], seals)
    if line.open.keys() != {name for name, seal in seals.items() if may_open(observer, seal)}:
        raise Unsound("seal", line.v, "other seals are open than this observer may open")
    for name, shown in line.open.items():
        see_shown(log, "seal", line.v, line.v, name, shown)
    log.counts["seals"] += len(seals)
    log.counts["opened"] += len(line.open)


def may_open(observer: dict[str, Any], seal: dict[str, Any]) -> bool:
    return "all" in observer or observer.get("seat") in seal["to"]


def see_opens(log: Log, line: Line) -> None:
    for entry in line.record["opens"]:
        w, name = entry["v"], entry["field"]
        if not 0 < w < line.v or w not in log.seals or name not in log.seals[w][1]:
            raise Unsound("open", line.v, "it opens what was not sealed before")
        see_shown(log, "open", line.v, w, name, entry)
    log.counts["opens"] += len(line.record["opens"])


def see_shown(log: Log, check: str, v: int, w: int, name: str, shown: dict[str, Any]) -> None:
    """§5.6: does what record v shows fit the seal of record w?"""
    digest = digest_of(log.game, w, name, shown["salt"], shown["value"])
    if digest != log.seals[w][1][name]["digest"]:
        raise Unsound(check, v, f"what is shown of {json.dumps(name)} in record {w} is not what was sealed")
    log.salts[w, name] = shown["salt"]
    if name == "origin":
        log.origins[w] = shown["value"]


def see_commitment(log: Log, line: Line) -> None:
    """§5.8"""
    type_, seat, data = line.record["type"], line.record["seat"], line.record["data"]
    if type_ == "client_seed_committed":
        log.commitments[seat] = data.get("commitment")
    elif type_ in ("seat_taken", "seat_left"):
        log.commitments.pop(seat, None)
    elif type_ == "client_seed_revealed":
        commitment = commitment_of(log.game, data.get("client_seed"))
        if log.commitments.get(seat) != commitment:
            raise Unsound("commitment", line.v, "the seed that is revealed is not the one of the commitment")


# --- §9 phase 5: seed


def see_seed(log: Log, line: Line) -> None:
    opened = [entry for entry in line.record["opens"] if entry["v"] == 1 and entry["field"] == "server_seed"]
    if len(opened) != (line.record["type"] == "game_ended"):
        raise Unsound("seed", line.v, "game_ended must open the server's seed, once, and no other record may")
    shown = [line.open["server_seed"]] if line.v == 1 and "server_seed" in line.open else []
    for entry in opened + shown:
        if not fits(entry["value"], TEXT) or not re.fullmatch("[0-9a-f]{64}", entry["value"]):
            raise Unsound("seed", line.v, "the server's seed is not 64 hex digits")
        log.seed = bytes.fromhex(entry["value"])


def end_seed(log: Log) -> None:
    if log.seed is None:
        return
    for (v, name), salt in sorted(log.salts.items()):
        if salt != salt_of(log.seed, log.seals[v][0], v, name):
            raise Unsound("salt", v, f"the salt of {json.dumps(name)} does not follow from the server's seed")
        log.counts["salts"] += 1


# --- §9 phase 6: draws


def see_draws(log: Log, line: Line) -> None:
    if log.started is None or line.v <= log.started:
        see_client_seed(log, line.record)
    elif line.record["type"] in DRAWN or line.record["type"] in Belts.STEPS:
        log.kept[line.v] = line.record


DRAWN = {
    *("lead_drawn", "hand_dealt", "round_started", "piles_shuffled", "first_seat_drawn", "card_drawn"),
    *("draw_pile_renewed", "flag_drawn", "bag_shuffled", "tile_drawn"),
}


def see_client_seed(log: Log, record: dict[str, Any]) -> None:
    """§5.8: the seeds of the seats, as they are when the game starts."""
    committed = log.created.get("seeds") == "committed"
    if record["type"] in (["client_seed_revealed"] if committed else ["seat_taken", "client_seed_given"]):
        log.client_seeds[record["seat"]] = record["data"].get("client_seed")
    elif record["type"] in ("seat_taken", "seat_left"):
        log.client_seeds.pop(record["seat"], None)


def end_draws(log: Log) -> None:
    if log.seed is None or log.started is None:
        return
    ruleset: str = log.header["ruleset"]
    seats: Any = log.created.get("seats")
    options: Any = log.created.get("options")
    if not can_deal(ruleset, seats, options):
        raise Unsound("draw", log.started + 1, "no deal is known for such a game")
    log.entropy = entropy_of(log.seed, log.game, [log.client_seeds.get(seat) for seat in range(seats)])
    deal = DEALS[ruleset](log.entropy, seats, options)
    must_follow(log, log.started, deal)
    dealt = log.started + len(deal)
    after = [(v, record) for v, record in log.kept.items() if v > dealt]
    if ruleset == "captains_orders":
        rounds_of_captains_orders(log, after, seats)
    elif ruleset == "captain_bluff":
        piles_of_captain_bluff(log, after, deal[0])
    elif ruleset == "captain_flip":
        tiles_of_captain_flip(log, after, deal[1].sealed["order"][1:])


def must_follow(log: Log, v: int, due: list[Due]) -> None:
    """Right after record v."""
    for place, record in enumerate(due, start=v + 1):
        must_be(log, place, record)


def must_be(log: Log, v: int, due: Due) -> None:
    record = log.kept.get(v)
    if record is None or record["type"] != due.type:
        raise Unsound("draw", v, f"here must be a {due.type}")
    if record["seat"] != due.seat or not same(record["data"], due.data):
        raise Unsound("draw", v, f"this {due.type} must have seat {json.dumps(due.seat)}, data {json.dumps(due.data)}")
    for name, value in due.sealed.items():
        digest = digest_of(log.game, v, name, salt_of(log.seed or b"", record["prev"], v, name), value)
        if name not in record["seals"] or record["seals"][name]["digest"] != digest:
            raise Unsound("draw", v, f"{json.dumps(name)} of this {due.type} must be {json.dumps(value)}")
    log.counts["draws"] += 1


Kept = list[tuple[int, dict[str, Any]]]  # versions and records after the deal


def rounds_of_captains_orders(log: Log, after: Kept, seats: int) -> None:
    starts = [v for v, record in after if record["type"] == "round_started"]
    for round_, v in enumerate(starts, start=2):
        must_follow(log, v - 1, deal_captains_orders(log.entropy or b"", seats, {}, round_))


def tiles_of_captain_flip(log: Log, after: Kept, tiles: list[str]) -> None:
    left = iter(tiles)
    for v, record in after:
        if record["type"] == "tile_drawn":
            tile = next(left, None)
            if tile is None:
                raise Unsound("draw", v, "no tile is left")
            must_be(log, v, tile_due(record["seat"], tile))


def piles_of_captain_bluff(log: Log, after: Kept, dealt: Due) -> None:
    # None: the pile is not known since a renewal that cannot be computed
    pile: list[str] | None = dealt.sealed["order"][: dealt.data["draw"]]
    belts, renewals = Belts(log.origins), 0
    for v, record in after:
        belts.land(v)
        if record["type"] == "card_drawn" and pile is not None:
            if not pile:
                raise Unsound("draw", v, "the draw pile is empty")
            must_be(log, v, Due("card_drawn", record["seat"], {}, {"card": pile.pop(0)}))
        elif record["type"] == "draw_pile_renewed":
            renewals += 1
            cards, belts.discards = belts.discards, []
            if None in cards:
                pile = None
                continue
            if pile:
                raise Unsound("draw", v, "the draw pile is not empty")
            pile = shuffled(words(log.entropy or b"", f"renewal:{renewals}"), sorted(cards))
            must_be(log, v, Due("draw_pile_renewed", None, {"count": len(cards)}, {"order": list(pile)}))
        elif record["type"] in belts.STEPS and not belts.STEPS[record["type"]](belts, v, record):
            raise Unsound("draw", v, "no discard pile can follow from this record")


class Belts:
    """§8: the rows of the six belts, and the discard pile. In this a card that is not known is None.

    A step is False if the record cannot be followed.
    """

    def __init__(self, origins: dict[int, Any]) -> None:
        self.origins = origins
        self.rows: dict[Any, list[str]] = {belt: [] for belt in range(6)}
        self.discards: list[Any] = []
        self.delayed: list[int] = []  # of each Delayed Flight in the air, the last version of its batch

    def row(self, record: dict[str, Any]) -> list[str] | None:
        belt = record["data"].get("belt")
        return self.rows.get(belt) if fits(belt, NUMBER) else None

    def land(self, v: int) -> None:
        self.discards += ["DELAYED_FLIGHT" for last in self.delayed if last < v]
        self.delayed = [last for last in self.delayed if last >= v]

    def clear(self, v: int, record: dict[str, Any]) -> bool:
        row = self.row(record)
        if row is not None:
            row.clear()
        return row is not None

    def close(self, v: int, record: dict[str, Any]) -> bool:
        row, origin = self.row(record), self.origins.get(v)
        if row is None or not fits(origin, (TEXT, None)):
            return False
        self.discards += [*row, origin]
        row.clear()
        return True

    def place(self, v: int, record: dict[str, Any]) -> bool:
        row, cards = self.row(record), record["data"].get("cards")
        if row is None or not isinstance(cards, list):
            return False
        laid: list[Any] = [card.get("card") if isinstance(card, dict) else card for card in cards]
        row += laid
        return fits(laid, [TEXT])

    def recover(self, v: int, record: dict[str, Any]) -> bool:
        row, cards = self.row(record), record["data"].get("cards")
        if row is None or not isinstance(cards, list) or len(cards) > len(row):
            return False
        del row[len(row) - len(cards) :]
        return True

    def play(self, v: int, record: dict[str, Any]) -> bool:
        row, card = self.row(record), record["data"].get("card")
        if card == "NOTICE_BOARD":
            self.discards.append(card)
        elif card == "DELAYED_FLIGHT":
            self.delayed.append(v + record["left"])
        elif card in ("AROUND_THE_WORLD", "REVERSE") and row is not None:
            row.append(card)
        else:
            return False
        return True

    STEPS: ClassVar[dict[str, Callable[[Belts, int, dict[str, Any]], bool]]] = {
        "origin_defined": clear,
        "bags_placed": place,
        "airport_played": play,
        "bags_recovered": recover,
        "belt_closed": close,
        "belt_taken": clear,
    }


# --- §9 phases 7 and 8: signature, receipts


def end_signature(log: Log) -> None:
    signed, last = log.trailer.get("signed"), log.last
    if signed is None or last is None:
        return
    if signed["key"] not in log.known_keys:
        log.signature = "unknown key"
        return
    said = [signed[name] for name in ("version", "hash", "at", "game")]
    if said != [last.v, last.hash, last.record["at"], log.game]:
        raise Unsound("signature", None, "the signed head is not that of the last record")
    if signatures_can_be_checked() and not signature_fits(signed, log.known_keys[signed["key"]]):
        raise Unsound("signature", None, "the signature is wrong")
    log.signature = "valid" if signatures_can_be_checked() else "not checked"


def see_receipts(log: Log, line: Line) -> None:
    if line.v in log.receipted:
        log.receipted[line.v] = line


def end_receipts(log: Log) -> None:
    for receipt in log.receipts:
        why = fault_of(receipt, log)
        if why:
            raise Unsound("receipt", receipt["version"], why)


def fault_of(receipt: dict[str, Any], log: Log) -> str | None:
    x, line = log.known_keys.get(receipt["key"]), log.receipted[receipt["version"]]
    if x is None:
        return "the receipt is signed by no known key"
    if signatures_can_be_checked() and not signature_fits(receipt, x):
        return "the signature of the receipt is wrong"
    if receipt["game"] != log.game:
        return "the receipt is of another game"
    if line is None:
        return "the log has no such version"
    if (receipt["hash"], receipt["at"]) != (line.hash, line.record["at"]):
        return "the receipt is of another record: its owner was told another history than this log"
    return None


# --- the verdict

See = Callable[[Log, Line], None]
End = Callable[[Log], None]
PHASES: list[tuple[str, See | None, End | None]] = [  # §9: what looks at each record, what looks at the whole
    ("order", see_order, end_order),
    ("chain", see_chain, end_chain),
    ("seals", see_seals, None),
    ("seed", see_seed, end_seed),
    ("draws", see_draws, end_draws),
    ("signature", None, end_signature),
    ("receipts", see_receipts, end_receipts),
]


def verify(file: BinaryIO, keys: Iterable[bytes] = (), receipts: Iterable[dict[str, Any]] = ()) -> dict[str, Any]:
    """Check a served log; `keys` are public keys of 32 bytes, `receipts` signed heads (§5.7).

    Every phase goes through the whole log before the next one counts. To read the log only once, all of them go along,
    and a phase stops where it, or one before it, failed.
    """
    log = Log(known_keys={kid_of(x): x for x in keys}, receipts=list(receipts))
    log.receipted = dict.fromkeys(receipt["version"] for receipt in log.receipts)
    lines, going = Lines(log), PHASES
    failed: tuple[str | None, Unsound | None] = (None, None)
    for line in lines.read(file):
        for place, (name, see, _) in enumerate(going):
            failure = failure_of(see, log, line)
            if failure:
                failed, going = (name, failure), going[:place]
                break
    if lines.failure:
        return result(log, "lines", lines.failure)
    for name, _, end in going:
        failure = failure_of(end, log)
        if failure:
            return result(log, name, failure)
    return result(log, *failed)


def failure_of(step: Callable[..., None] | None, *arguments: Any) -> Unsound | None:
    try:
        if step is not None:
            step(*arguments)
    except Unsound as failure:
        return failure
    return None


def result(log: Log, phase: str | None, failure: Unsound | None) -> dict[str, Any]:
    header = log.header if fits(log.header, HEADER) else {}
    signed = log.trailer.get("signed") if failure is None else None
    return {
        "verdict": "unsound" if failure else "sound" if log.signature == "valid" else "sound_unsigned",
        "failure": failure and {"phase": phase, "check": failure.check, "v": failure.v, "why": failure.why},
        **{name: header.get(name) for name in ("game", "ruleset", "status", "observer", "version", "head")},
        "entropy": log.entropy.hex() if log.entropy else None,
        "seed_open": log.seed is not None,
        "checked": log.counts,
        "signature": log.signature,
        "signed_by": signed and signed["key"],
        "receipts": len(log.receipts),
        "signatures_checked": signatures_can_be_checked(),
    }


def report(found: dict[str, Any]) -> Iterator[str]:
    """The result in words. Texts of the log are shown in ASCII, so that they cannot play tricks on a terminal."""
    counts, failure = found["checked"], found["failure"]
    unchecked = "" if found["signatures_checked"] else ", NOT CHECKED: the Python package `cryptography` is missing"
    no_seed = "the server's seed is not open, so there is nothing to check"
    said = {
        "lines": f"{counts['records']} records, a header and a trailer, in canonical JSON",
        "order": "versions without a gap, whole batches",
        "chain": f"each record names the hash of the one before, up to {found['head']}",
        "seals": f"{counts['seals']} seals; {counts['opened']} open to this reader, {counts['opens']} opened to all",
        "seed": f"{counts['salts']} salts follow from the server's seed" if found["seed_open"] else no_seed,
        "draws": f"{counts['draws']} records are what the seeds say" if found["seed_open"] else no_seed,
        "signature": "the log is not signed",
        "receipts": f"{found['receipts']} fit{unchecked if found['receipts'] else ''}",
    }
    if found["signed_by"]:
        said["signature"] = f"{found['signature']}, by {json.dumps(found['signed_by'])}{unchecked}"
    yield ", ".join(f"{name} {json.dumps(found[name])}" for name in ("game", "ruleset", "status", "observer"))
    for place, (name, text) in enumerate(said.items(), start=1):
        if failure and failure["phase"] == name:
            at = "" if failure["v"] is None else f" at version {failure['v']}"
            yield f"{place} {name:<10} FAILED {failure['check']}{at}: {failure['why']}"
            break
        yield f"{place} {name:<10} {text}"
    yield found["verdict"]


# --- the command line


class BadInput(Exception):
    """The input cannot be read: exit status 2."""


def load(path: str) -> list[Any]:
    """The JSON values in a file: one, or one in each line."""
    try:
        with open(path, "rb") as file:
            text = file.read()
        try:
            return [parse(text)]
        except ValueError:
            return [parse(line) for line in text.splitlines()]
    except (OSError, ValueError) as error:
        raise BadInput(f"cannot read {path!a}: {error}") from None


def read_keys(given: str) -> list[bytes]:
    x = unbase64url(given)
    found = [x] if x is not None and len(x) == 32 else keys_in(load(given))
    if not found:
        raise BadInput(f"there is no Ed25519 key in {given!a}")
    return found


def keys_in(value: Any) -> list[bytes]:
    if isinstance(value, list):
        return [x for item in value for x in keys_in(item)]
    if not isinstance(value, dict):
        return []
    if value.get("kty") == "OKP" and value.get("crv") == "Ed25519" and fits(value.get("x"), TEXT):
        x = unbase64url(value["x"])
        return [x] if x is not None and len(x) == 32 else []
    return keys_in(value.get("signing_keys", value.get("keys")))


def read_receipts(path: str) -> list[dict[str, Any]]:
    return heads_in(load(path), path)


def heads_in(value: Any, path: str) -> list[dict[str, Any]]:
    if isinstance(value, list):
        return [head for item in value for head in heads_in(item, path)]
    if isinstance(value, dict) and "signed" in value:
        value = value["signed"]
    if not fits(value, HEAD) or not has_canonical_form(value):
        raise BadInput(f"there is something in {path!a} that is no receipt")
    return [value]


def verify_path(path: str, keys: list[bytes], receipts: list[dict[str, Any]]) -> dict[str, Any]:
    try:
        with sys.stdin.buffer if path == "-" else open(path, "rb") as file:
            return verify(file, keys, receipts)
    except OSError as error:
        raise BadInput(f"cannot read {path!a}: {error}") from None


def main(arguments: list[str] | None = None) -> int:
    about = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    about.add_argument("file", metavar="FILE")
    about.add_argument("--key", action="append", default=[])
    about.add_argument("--receipt", action="append", default=[], metavar="FILE")
    about.add_argument("--json", action="store_true", help="the result as one JSON object")
    given = about.parse_args(arguments)
    try:
        keys = [x for key in given.key for x in read_keys(key)]
        receipts = [head for path in given.receipt for head in read_receipts(path)]
        found = verify_path(given.file, keys, receipts)
    except BadInput as error:
        print(error, file=sys.stderr)
        return 2
    print(json.dumps(found) if given.json else "\n".join(report(found)))
    return 1 if found["verdict"] == "unsound" else 0


if __name__ == "__main__":
    sys.exit(main())
