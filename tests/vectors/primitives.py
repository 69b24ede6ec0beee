"""Vectors of every primitive, made by the domain's own code."""

import base64
import json
from collections.abc import Iterator, Sequence
from typing import Any

from domain import canonical, sealing
from domain.bluff_king.cards import deck
from domain.captain_bluff.cards import AIRPORT, BAGS
from domain.captain_flip.tiles import TILES
from domain.captains_orders.cards import DECK
from domain.entropy import Stream, entropy, provable, shuffled
from domain.events import Event, data_of, seals_of
from domain.registry import REGISTRY
from domain.ruleset import Moment, Table
from tests.vectors import keys
from tests.vectors.games import hexes

Json = Any

DECKS: dict[str, Sequence[str]] = {
    "bluff_king, 1 deck": deck(1),
    "bluff_king, 2 decks": deck(2),
    "captains_orders": DECK,
    "captain_bluff, bags": BAGS,
    "captain_bluff, airport": AIRPORT,
    "captain_flip": TILES,
}

GAMES = ("G", "01JABCDEFGHJKMNPQRSTVWXYZ0", "", 'a game "with" quotes', "große Fahrt ⚓")
SEED, OTHER = hexes("a server seed"), "00" * 32
PREV = sealing.genesis("G")


def canonical_cases() -> Json:
    """Values as JSON text that is not canonical, and their canonical bytes in hex."""
    texts = [
        "null", " true ", "false", "0", "-0", "-1", "1790000000000", "9007199254740991", "-9007199254740991", '""',
        "[]", "{}", "[ ]", "[[],[[]],{}]", "[null, null]", '{"b":1,"a":2}', '{"b":{"d":1,"c":[{"z":1,"y":2}]},"a":[]}',
        '{"a_b":1,"a":2,"aB":3,"A":4,"10":5,"9":6,"":7,"~":8,"_":9}', '"AROUND_THE_WORLD"', '"10H"', '"a/b"',
        r'"a\/b"', r'"\u0041"', r'"\"\\"', r'"\b\f\n\r\t"', r'"\u0000\u0001\u001f\u007f"', r'"\u001B"', r'"\u00e9"',
        '"é"', r'"e\u0301"',
        '"日本"', r'"\u2028\u2029"', r'"\ud83c\udca1"', '"🂡"', r'"\ufeff"', r'"<script>&\u0027"',
        '["salt", "ab", 7, "cards"]', '["G", 1, "server_seed", "00", null]', '[1, "1", true, "true", null, "null"]',
        '{"seat": null, "seals": {}, "opens": []}',
    ]  # fmt: skip
    return [{"json": text, "canonical_hex": canonical.dumps(json.loads(text)).hex()} for text in texts]


def not_canonical() -> Json:
    """Texts that a reader must refuse as canonical JSON, and why."""
    return [
        {"text": text, "why": why}
        for text, why in (
            ('{"a": 1}', "white space"),
            ("[1 ]", "white space"),
            ("1\n", "white space"),
            ('{"b":1,"a":2}', "keys not sorted"),
            ('{"a":1,"a":1}', "a key twice"),
            (r'"\u0041"', "an escape that is not needed"),
            (r'"\u00e9"', "an escape that is not needed"),
            (r'"\/"', "an escape that is not needed"),
            (r'"\u001B"', "an escape in capitals"),
            (r'"\u000a"', "an escape that has a short form"),
            (r'"\ud800"', "half a surrogate pair"),
            ("1.0", "a fraction"),
            ("1e3", "an exponent"),
            ("-0", "a zero with a sign"),
            ("01", "not JSON"),
            ("9007199254740992", "an integer beyond 53 bits"),
            ("-9007199254740992", "an integer beyond 53 bits"),
            ('{"é":1}', "a key that is not ASCII"),
            ("NaN", "not JSON"),
            ("[1,]", "not JSON"),
            ("", "not JSON"),
        )
    ]


def salts_and_digests() -> Iterator[tuple[str, Json]]:
    places = [
        (SEED, PREV, 1, "server_seed"),
        (SEED, PREV, 2, "server_seed"),
        (SEED, sealing.genesis("H"), 1, "server_seed"),
        (OTHER, PREV, 7, "cards"),
        ("ff" * 32, "0" * 64, 9007199254740991, "card_out"),
        (SEED, PREV, 12, "vote"),
    ]
    yield (
        "salt",
        [
            {"server_seed": seed, "prev": prev, "v": v, "field": field, "salt": sealing.salt(seed, prev, v, field)}
            for seed, prev, v, field in places
        ],
    )
    salted = sealing.salt(SEED, PREV, 7, "cards")
    values: list[Json] = [
        SEED, "R7", "pass", "challenge", "cook/gunner", [], ["JOKER"], ["10H", "2C", "AS", "JOKER", "JOKER"],
        ["2C", "10H", "AS", "JOKER", "JOKER"], None, "é", 0, {"card": "AROUND_THE_WORLD", "number": 6},
    ]  # fmt: skip
    yield (
        "digest",
        [
            {
                "game": game,
                "v": v,
                "field": field,
                "salt": salted,
                "value": value,
                "message_hex": canonical.dumps([game, v, field, salted, value]).hex(),
                "digest": sealing.digest(game, v, field, salted, value),
            }
            for value in values
            for game, v, field in (("G", 7, "cards"), ("große Fahrt ⚓", 1234567, "card"))
        ],
    )


def opens() -> Json:
    """A sealed field, what is said to open it, and whether it does."""
    value = ["10H", "2C", "AS"]
    salted = sealing.salt(SEED, PREV, 7, "cards")
    seal = {"to": [2], "digest": sealing.digest("G", 7, "cards", salted, value)}
    good = {"v": 7, "field": "cards", "salt": salted, "value": value}
    changes: list[tuple[str, Json]] = [
        ("as it was sealed", {}),
        ("another value", {"value": ["10H", "2C", "KS"]}),
        ("another order", {"value": ["2C", "10H", "AS"]}),
        ("a card less", {"value": ["10H", "2C"]}),
        ("another salt", {"salt": "0" * 32}),
        ("the salt in capitals", {"salt": salted.upper()}),
        ("another version", {"v": 8}),
        ("another field", {"field": "card"}),
    ]
    made = []
    for what, change in changes:
        o = good | change
        opened = sealing.digest("G", o["v"], o["field"], o["salt"], o["value"]) == seal["digest"]
        made.append({"what": what, "game": "G", "seal": seal, "open": o, "opens": opened})
    return made


def chances() -> Iterator[tuple[str, Json]]:
    seeds: list[list[str | None]] = [
        [None, None], [hexes("a"), None], [None, hexes("a")], [hexes("a"), hexes("b")], [], ["", None],
        ["é", "⚓", None], [hexes("a"), None, hexes("c"), None, hexes("e"), None, None, hexes("h")],
    ]  # fmt: skip
    yield (
        "entropy",
        [
            {"server_seed": seed, "game": game, "client_seeds": given, "entropy": entropy(seed, game, given).hex()}
            for seed, game in ((SEED, "G"), (OTHER, "große Fahrt ⚓"))
            for given in seeds
        ],
    )
    source = entropy(SEED, "G", [None, hexes("a")])
    labels = ("lead", "deal", "deal 1", "deal 12", "renewal:1", "sides", "", "é")
    words = []
    for label in labels:
        stream = Stream(source, label)
        words.append({"entropy": source.hex(), "label": label, "words": [stream.randrange(2**32) for _ in range(20)]})
    yield "words", words
    yield "numbers", [_numbers(source, label, bounds) for label, bounds in _BOUNDS]
    yield "shuffle", list(_shuffles(source))


_BOUNDS: tuple[tuple[str, list[int]], ...] = (
    ("first", [5]),
    ("dealer", [8]),
    ("one", [1, 1, 2**32]),
    ("powers", [2, 4, 256, 65536, 2**31, 2**32]),
    ("sides", [2] * 40),
    ("dice", [6] * 30),
    ("half of all words are rejected", [2**31 + 1] * 20),
    ("a quarter is rejected", [3 * 2**30] * 20),
    ("a third is rejected", [2**32 // 3 * 2 + 1] * 12),
    ("mixed", [3, 2**31 + 1, 7, 2**32 - 1, 54, 108, 1, 72]),
)


class _Counting(Stream):
    """A stream that counts its words."""

    taken = 0

    def _word(self) -> int:
        self.taken += 1
        return super()._word()


def _numbers(source: bytes, label: str, bounds: list[int]) -> Json:
    stream = _Counting(source, label)
    numbers = [stream.randrange(n) for n in bounds]
    return {
        "entropy": source.hex(),
        "label": label,
        "below": bounds,
        "numbers": numbers,
        "rejected": stream.taken - len(bounds),
    }


def _shuffles(source: bytes) -> Iterator[Json]:
    for label, items in (
        ("empty", []),
        ("one", ["A"]),
        ("two", ["A", "B"]),
        ("equal", ["A", "A", "B"]),
        ("numbers", list(range(20))),
    ):
        yield {
            "entropy": source.hex(),
            "label": label,
            "items": items,
            "shuffled": list(shuffled(Stream(source, label), items)),
        }
    for name, cards in DECKS.items():
        yield {
            "entropy": source.hex(),
            "label": "deal",
            "deck": name,
            "shuffled": list(shuffled(Stream(source, "deal"), cards)),
        }


_TABLES: tuple[tuple[str, Json, tuple[int, ...]], ...] = (
    ("bluff_king", {"decks": 1}, (2, 3, 4)),
    ("bluff_king", {"decks": 2}, (3, 5, 8)),
    ("captains_orders", {}, (4, 5, 6, 7, 8)),
    ("captain_bluff", {}, (2, 3, 4, 5)),
    ("captain_flip", {}, (2, 5)),
)


def deals() -> Json:
    """The setup of every game: type, seat, data and sealed values of the events after `game_started`."""
    made = []
    for key, options, counts in _TABLES:
        rules = REGISTRY.newest(key)
        for seats in counts:
            source = entropy(SEED, f"{key} {seats}", [None] * seats)
            chosen = rules.options(seats, rules.info.options(**options))
            events = rules.setup(Table(seats, chosen), Moment(1, provable(source)))
            made.append(
                {
                    "ruleset": key,
                    "seats": seats,
                    "options": options,
                    "entropy": source.hex(),
                    "events": [_plain(e) for e in events],
                }
            )
    return made


def _plain(event: Event) -> Json:
    sealed = {name: seal.value for name, seal in seals_of(event).items()}
    return canonical.loads(
        canonical.dumps({"type": event.type, "seat": event.seat, "data": data_of(event), "sealed": sealed})
    )


def signatures() -> Iterator[tuple[str, Json]]:
    yield (
        "keys",
        [
            {"secret_hex": keys.SECRETS[name].hex(), "public_hex": keys.public(name).hex(), "jwk": keys.jwk(name)}
            for name in keys.SECRETS
        ],
    )
    heads = [
        keys.signed_head("G", 1, PREV, 0, keys.KEY),
        keys.signed_head("G", 7, hexes("a head"), 1_790_000_000_000, keys.KEY),
        keys.signed_head("G", 7, hexes("a head"), 1_790_000_000_000, keys.OLD_KEY),
        keys.signed_head("große Fahrt ⚓", 9007199254740991, hexes("another head"), 9007199254740991, keys.KEY),
    ]
    made = [_head(signed, "valid") for signed in heads]
    good = heads[1]
    raw = base64.urlsafe_b64decode(good["signature"] + "==")
    flipped = keys.b64(bytes([raw[0] ^ 1]) + raw[1:])
    for what, change in (
        ("another hash", {"hash": hexes("forged")}),
        ("another version", {"version": 8}),
        ("another time", {"at": good["at"] + 1}),
        ("another game", {"game": "H"}),
        ("a bit of the signature", {"signature": flipped}),
        ("the signature of another key", {"signature": heads[2]["signature"]}),
        ("the name of another key", {"key": heads[2]["key"]}),
    ):
        made.append({"what": what, **_head(good | change, "invalid")})
    made.append(
        {
            "what": "a key that is not listed",
            **_head(keys.signed_head("G", 7, hexes("a head"), 5, keys.STRANGER), "unknown key"),
        }
    )
    yield "signed_head", made
    yield (
        "signed_report",
        [_report(report) for report in ({}, {"upheld": True, "v": 31, "reasons": ["é"]}, {"b": None, "a": [1]})],
    )
    yield "conflict", _conflicts()


def _head(signed: Json, says: str) -> Json:
    message = canonical.dumps({name: signed[name] for name in keys.HEAD})
    return {"signed": signed, "message_hex": message.hex(), "says": says}


def _report(report: Json) -> Json:
    """A signed report: the text of what is signed is that of a head with the report's hash in it."""
    body = {"at": 1_790_000_000_000, "game": "G", "hash": hexes("a head"), "version": 7}
    hashed = sealing.hash_of(canonical.dumps(report))
    message = canonical.dumps({**body, "report": hashed})
    return {
        "report": report,
        "report_hash": hashed,
        "message_hex": message.hex(),
        "signed": {
            **body,
            "report": hashed,
            "key": keys.jwk(keys.KEY)["kid"],
            "signature": keys.sign(keys.KEY, message),
        },
    }


def _conflicts() -> Json:
    """Two signed heads, and whether together they prove that two histories were shown."""
    one = keys.signed_head("G", 7, hexes("a head"), 1_790_000_000_000)
    return [
        {"heads": [one, keys.signed_head("G", 7, hexes("another"), 1_790_000_000_001)], "conflict": True},
        {"heads": [one, keys.signed_head("G", 7, hexes("another"), 1_790_000_000_000, keys.OLD_KEY)], "conflict": True},
        {"heads": [one, keys.signed_head("G", 7, hexes("a head"), 1_790_000_000_000, keys.OLD_KEY)], "conflict": False},
        {"heads": [one, keys.signed_head("G", 8, hexes("another"), 1_790_000_000_000)], "conflict": False},
        {"heads": [one, keys.signed_head("H", 7, hexes("another"), 1_790_000_000_000)], "conflict": False},
        {"heads": [one, one | {"hash": hexes("forged")}], "conflict": False},
    ]


def everything() -> Json:
    made: Json = {
        "canonical": canonical_cases(),
        "not_canonical": not_canonical(),
        "genesis": [{"game": game, "hash": sealing.genesis(game)} for game in GAMES],
        **dict(salts_and_digests()),
        "opens": opens(),
        **dict(chances()),
        "decks": {name: list(cards) for name, cards in DECKS.items()},
        "deals": deals(),
        "commitment": [
            {
                "game": game,
                "client_seed": seed,
                "commitment": sealing.hash_of(canonical.dumps([game, "client_seed", seed])),
            }
            for game in GAMES
            for seed in (hexes("a"), "", "é")
        ],
        **dict(signatures()),
    }
    return made
