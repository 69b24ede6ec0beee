"""Logs that were tampered with, and what a verifier must say of each."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from domain import canonical
from domain.bluff_king.cards import deck
from domain.entropy import entropy, provable, shuffled
from domain.observers import at_seat
from tests.vectors import keys
from tests.vectors.committed import committed
from tests.vectors.games import Played, hexes
from tests.vectors.served import Line, copy_of, hashes_of, header_of, lines_of, remade, served, text_of

Json = Any
Change = Callable[[list[Line]], Any]
"""Something done to fully opened lines."""

UNSIGNED: Any = None


def case(what: str, text: str, check: str, v: int | None, receipts: Json = ()) -> Json:
    return {
        "name": what,
        "text": text,
        "receipts": list(receipts),
        "expect": {"verdict": "unsound", "check": check, "v": v},
    }


class Source:
    """A played game as lines, ready to be tampered with."""

    def __init__(self, played: Played, lines: Sequence[Line] = ()) -> None:
        self.id, self.seed = played.id, played.seed
        self.lines = list(lines) or lines_of(played.id, played.seed, played.events)
        self.batches = played.batches
        self.text = served(self.id, self.lines)

    def find(self, kind: str, nth: int = 0) -> int:
        """The version of the nth event of this type."""
        return [line["record"]["v"] for line in self.lines if line["record"]["type"] == kind][nth]

    def changed(self, change: Change) -> str:
        """The log with something changed and nothing mended but the head at both ends, unsigned."""
        lines = copy_of(self.lines)
        change(lines)
        return served(self.id, lines, signer=UNSIGNED)

    def forged(self, change: Change, seed: str = "", signer: str | None = None) -> str:
        """The log with something changed and everything after it made anew, as the server itself could."""
        lines = copy_of(self.lines)
        change(lines)
        return served(self.id, remade(self.id, lines, seed or self.seed), signer=signer)

    def receipts(self, versions: Sequence[int], signer: str = keys.KEY) -> Json:
        hashes = hashes_of(self.lines)
        return [
            keys.signed_head(self.id, v, hashes[v - 1], self.lines[v - 1]["record"]["at"], signer) for v in versions
        ]


def texts(source: Source) -> Iterator[Json]:
    """Broken as texts."""
    lines = source.text.split("\n")
    cut = "".join(line + "\n" for line in lines[:-2])
    yield case("the trailer is missing", cut, "cut_short", None)
    yield case("the last line does not end", source.text[:-1], "cut_short", None)
    yield case("a line is cut", source.text.replace(lines[4] + "\n", lines[4][:50] + "\n"), "unreadable", None)
    yield case("white space in a record", source.text.replace('"v":4}', '"v": 4}', 1), "not_canonical", 4)
    header = lines[0].replace(":", ": ", 1)
    yield case("white space in the header", source.text.replace(lines[0], header), "not_canonical", None)
    record = canonical.dumps(source.lines[2]["record"]).decode()
    unsorted = '{"v":3,' + record[1:].replace(',"v":3}', "}")
    yield case("the keys of a record are not sorted", source.text.replace(record, unsorted), "not_canonical", 3)
    at = f'"at":{source.lines[2]["record"]["at"]}'
    yield case("a fraction", source.text.replace(record, record.replace(at, at + ".0")), "not_canonical", 3)
    swapped = '{"open":{},"record":' + record + "}"
    yield case("open before record", source.text.replace(lines[3], swapped), "not_canonical", 3)
    less = record.replace('"seals":{},', "")
    yield case("a member of a record is missing", source.text.replace(record, less), "unreadable", 3)


def chains(source: Source) -> Iterator[Json]:
    """Broken as a chain."""

    def data(v: int, **change: Any) -> Change:
        return lambda lines: lines[v - 1]["record"]["data"].update(change)

    count, claim = len(source.lines), source.find("cards_claimed")
    yield case("another rank in a claim", source.changed(data(claim, rank="K?")), "chain", claim + 1)
    yield case("the first prev", source.changed(lambda x: x[0]["record"].update(prev="0" * 64)), "chain", 1)
    yield case("a record is dropped", source.changed(lambda x: x.pop(5)), "version", 6)
    yield case("a record twice", source.changed(lambda x: x.insert(5, x[4])), "version", 6)
    yield case("two records change places", source.changed(lambda x: x.insert(5, x.pop(6))), "version", 6)

    def renumbered(lines: list[Line]) -> None:
        lines.pop(5)
        for v, line in enumerate(lines, 1):
            line["record"]["v"] = v

    yield case("a record is dropped and the rest counted anew", source.changed(renumbered), "chain", 6)
    yield case("a batch without its end", source.changed(lambda x: x.pop()), "batch", count - 1)
    start = source.find("game_started")
    yield case("left", source.changed(lambda x: x[start]["record"].update(left=0)), "batch", start + 1)
    yield case("a time within a batch", source.changed(lambda x: x[start]["record"].update(at=1)), "batch", start + 1)
    whole = header_of(source.id, source.lines, {"all": True})
    trailer = {"complete": True, "count": count, "head": whole["head"]}
    other = hexes("another head")
    for what, header, end in (
        ("the head in the header", whole | {"head": other}, trailer),
        ("the head in the trailer", whole, trailer | {"head": other}),
        ("the count in the trailer", whole, trailer | {"count": count + 1}),
        ("the version in the header", whole | {"version": count - 1}, trailer),
        ("an incomplete trailer", whole, trailer | {"complete": False}),
    ):
        yield case(what, text_of(header, source.lines, end), "head", None)
    yield case("another game", text_of(whole | {"game": "H"}, source.lines, trailer), "chain", 1)
    for name, value in (("status", "playing"), ("ruleset", "captain_flip"), ("rules_version", 2), ("format", 2)):
        yield case(f"the {name} in the header", text_of(whole | {name: value}, source.lines, trailer), "header", None)


def seals(source: Source) -> Iterator[Json]:
    """Broken seals and openings."""
    dealt, claim = source.find("hand_dealt"), source.find("cards_claimed")
    judged = source.find("challenged")

    def secret(v: int, field: str, **change: Any) -> Change:
        return lambda lines: lines[v - 1]["open"][field].update(change)

    yield case("another value", source.changed(secret(claim, "cards", value=["AS"])), "seal", claim)
    cards = source.lines[dealt - 1]["open"]["cards"]["value"]
    yield case("another order of a value", source.changed(secret(dealt, "cards", value=cards[::-1])), "seal", dealt)
    yield case("another salt", source.changed(secret(claim, "cards", salt="0" * 32)), "seal", claim)
    yield case("a seal is not opened", source.changed(lambda x: x[dealt - 1].update(open={})), "seal", dealt)
    extra = {"salt": "0" * 32, "value": 1}
    yield case(
        "something opened that was not sealed", source.changed(lambda x: x[1]["open"].update(cards=extra)), "seal", 2
    )
    redacted = served(source.id, source.lines, at_seat(0), UNSIGNED)
    hands = [line["record"] for line in source.lines if line["record"]["type"] == "hand_dealt"]
    theirs = redacted.replace('"observer":{"seat":0}', '"observer":{"seat":1}')
    first = min(record["v"] for record in hands if record["seat"] < 2)
    yield case("seat 0 passed off as seat 1", theirs, "seal", first)

    def opening(change: Json) -> str:
        """A changed opening in a chain that was made anew."""
        lines = remade(source.id, source.lines, source.seed)
        lines[judged - 1]["record"]["opens"][0].update(change)
        return served(source.id, _rechained(source, lines), signer=UNSIGNED)

    yield case("another value opened", opening({"value": ["AS"]}), "open", judged)
    yield case("a version opened that is not sealed", opening({"v": 2}), "open", judged)
    yield case("a later version opened", opening({"v": judged + 1}), "open", judged)
    yield case("a field opened that is not sealed", opening({"field": "card"}), "open", judged)


def _rechained(source: Source, lines: list[Line]) -> list[Line]:
    """Only the names of the records before mended: salts, digests and openings stay what they are."""
    for line, before in zip(lines[1:], lines, strict=False):
        line["record"]["prev"] = hashes_of([before])[0]
    return lines


def commitments(source: Source) -> Iterator[Json]:
    """Seeds that were not committed to, in a chain that was made anew."""
    revealed = source.find("client_seed_revealed")
    own = source.find("client_seed_committed", 3)
    first = source.lines[source.find("client_seed_committed", 2) - 1]["record"]["data"]["commitment"]

    def data(v: int, **change: Any) -> Change:
        return lambda lines: lines[v - 1]["record"]["data"].update(change)

    another = source.forged(data(revealed, client_seed=hexes("another")))
    yield case("a seed revealed that was not committed to", another, "commitment", revealed)
    yield case(
        "a seed revealed whose commitment was replaced",
        source.forged(data(own, commitment=first)),
        "commitment",
        revealed,
    )

    def nobody(lines: list[Line]) -> None:
        lines[revealed - 1]["record"]["seat"] = 2

    yield case("a seed revealed by a seat without a commitment", source.forged(nobody), "commitment", revealed)


def salts(source: Source) -> Iterator[Json]:
    """A server that chose salts and seeds as it liked, and made everything else fit."""
    dealt = source.find("hand_dealt")
    end = len(source.lines)

    def other(v: int, field: str, derived: str) -> str:
        return "ab" * 16 if v == dealt else derived

    lines = remade(source.id, source.lines, source.seed, other)
    yield case("a salt that does not follow from the seed", served(source.id, lines, signer=UNSIGNED), "salt", dealt)
    unopened = source.forged(lambda x: x[-1]["record"].update(opens=[]))
    yield case("the seed is not opened at the end", unopened, "seed", end)

    def early(lines: list[Line]) -> None:
        lines[dealt - 1]["record"]["opens"].append({"v": 1, "field": "server_seed"})

    yield case("the seed is opened early", source.forged(early), "seed", dealt)


def _value(v: int, field: str, change: Callable[[Any], Any]) -> Change:
    def apply(lines: list[Line]) -> None:
        secret = lines[v - 1]["open"][field]
        secret["value"] = change(secret["value"])

    return apply


def _both(*changes: Change) -> Change:
    def apply(lines: list[Line]) -> None:
        for change in changes:
            change(lines)

    return apply


def _swap_hands(one: int, other: int) -> Change:
    def apply(lines: list[Line]) -> None:
        first, second = lines[one - 1]["open"]["cards"], lines[other - 1]["open"]["cards"]
        first["value"], second["value"] = second["value"], first["value"]

    return apply


def client_seeds(lines: Sequence[Line]) -> list[str | None]:
    """The seats' seeds at the start of an open game."""
    seeds: list[str | None] = [None] * lines[0]["record"]["data"]["seats"]
    for record in [line["record"] for line in lines]:
        if record["type"] in ("seat_taken", "client_seed_given"):
            seeds[record["seat"]] = record["data"]["client_seed"]
        elif record["type"] == "seat_left":
            seeds[record["seat"]] = None
    return seeds


def _seed_that_moves_the_lead(source: Source, server_seed: str = "", given: int = 0) -> str:
    """Another server seed, or client seed of the record `given`, with which another seat would have the first lead."""
    lead = source.lines[source.find("lead_drawn") - 1]["record"]["seat"]
    seeds = client_seeds(source.lines)
    for number in range(100):
        seed = hexes(f"forged {number}")
        if given:
            seeds[source.lines[given - 1]["record"]["seat"]] = seed
        drawn = provable(entropy(server_seed or seed, source.id, seeds))("lead")
        if drawn.randrange(len(seeds)) != lead:
            return seed
    raise AssertionError("no such seed")


def draws(king: Source, orders: Source, bluff: Source, flip: Source) -> Iterator[Json]:
    """Deals and draws that the server chose, with salts, digests and hashes that fit."""
    dealt = king.find("hand_dealt")
    yield case("bluff_king: two hands change places", king.forged(_swap_hands(dealt, dealt + 2)), "draw", dealt)
    lead = king.find("lead_drawn")
    seats = king.lines[0]["record"]["data"]["seats"]

    def another_lead(lines: list[Line]) -> None:
        record = lines[lead - 1]["record"]
        record["seat"] = (record["seat"] + 1) % seats

    yield case("bluff_king: another first lead", king.forged(another_lead), "draw", lead)

    given = king.find("client_seed_given", 1)

    def client_seed(lines: list[Line]) -> None:
        lines[given - 1]["record"]["data"]["client_seed"] = _seed_that_moves_the_lead(king, king.seed, given)

    yield case("bluff_king: another client seed", king.forged(client_seed), "draw", lead)
    other = _seed_that_moves_the_lead(king)

    def server_seed(lines: list[Line]) -> None:
        for secret in (lines[0]["open"]["server_seed"], lines[-1]["record"]["opens"][0]):
            secret["value"] = other

    yield case("bluff_king: another server seed", king.forged(server_seed, other), "draw", lead)
    third = orders.find("hand_dealt", 9)
    yield case("captains_orders: the deal of round 3", orders.forged(_swap_hands(third, third + 1)), "draw", third)
    second = orders.find("round_started", 1)

    def dealer(lines: list[Line]) -> None:
        lines[second - 1]["record"]["data"]["dealer"] = 0 if lines[second - 1]["record"]["data"]["dealer"] else 1

    yield case("captains_orders: the second dealer", orders.forged(dealer), "draw", second)
    renewed = bluff.find("draw_pile_renewed")
    turned = _value(renewed, "order", lambda order: order[::-1])
    yield case("captain_bluff: the order of a renewed pile", bluff.forged(turned), "draw", renewed)
    drawn = bluff.find("card_drawn")
    yield case(
        "captain_bluff: a card that was not on top",
        bluff.forged(_value(drawn, "card", lambda _: "HKG-1?")),
        "draw",
        drawn,
    )
    bag = flip.find("bag_shuffled")
    over = _value(bag, "order", lambda order: ["/".join(reversed(order[0].split("/"))), *order[1:]])
    yield case("captain_flip: the first tile turned over", flip.forged(over), "draw", bag)
    tile = flip.find("tile_drawn", 1)

    def face(lines: list[Line]) -> None:
        data, secret = lines[tile - 1]["record"]["data"], lines[tile - 1]["open"]["back"]
        data["face"], secret["value"] = secret["value"], data["face"]

    yield case("captain_flip: the other face of a drawn tile", flip.forged(face), "draw", tile)


def signed(source: Source) -> Iterator[Json]:
    """What only a signature tells: a log forged whole by somebody who chose all seeds."""
    text = source.text
    head = keys.signed_head(source.id, len(source.lines), hashes_of(source.lines)[-1], source.lines[-1]["record"]["at"])
    lines = text.split("\n")
    for what, change in (
        ("a signature of another version", {"version": 3}),
        ("a signature of another time", {"at": 1}),
        ("a signature of another game", {"game": "H"}),
        ("a signature of another head", {"hash": hexes("h")}),
    ):
        trailer = canonical.loads(lines[-2].encode()) | {"signed": head | change}
        yield case(what, text.replace(lines[-2], canonical.dumps(trailer).decode()), "signature", None)
    bad = keys.signed_head("H", 1, hexes("h"), 1)["signature"]
    trailer = canonical.loads(lines[-2].encode()) | {"signed": head | {"signature": bad}}
    yield case(
        "a signature of something else", text.replace(lines[-2], canonical.dumps(trailer).decode()), "signature", None
    )
    early = source.batches[2]
    forged = invented(source)
    yield case("a log forged whole, against a receipt", forged, "receipt", early, source.receipts([early]))
    other = source.forged(lambda x: x[-1]["record"]["data"].update(winners=[]), signer=keys.KEY)
    count = len(source.lines)
    yield case(
        "a signed log with another end, against a receipt", other, "receipt", count, source.receipts([early, count])
    )
    late = keys.signed_head(source.id, count + 5, hexes("lost"), 1_790_000_000_000)
    yield case("a receipt of what the log does not have", text, "receipt", count + 5, [late])
    stranger = source.receipts([early], keys.STRANGER)
    yield case("a receipt signed by nobody known", text, "receipt", early, stranger)


def invented(source: Source) -> str:
    """The lobby and the deal as they would be with another server seed, and the game over at once: it all fits."""
    seed = hexes("a forger's server seed")
    lines = copy_of(source.lines)
    started = source.find("game_started")
    lines[0]["open"]["server_seed"]["value"] = seed
    created = lines[0]["record"]["data"]
    seats = created["seats"]
    kept = [*lines[: started + 1 + seats], lines[-1]]
    chance = provable(entropy(seed, source.id, client_seeds(lines)))
    first = chance("lead").randrange(seats)
    cards = shuffled(chance("deal"), deck(created["options"]["decks"]))
    kept[started]["record"]["seat"] = first
    for step, line in enumerate(kept[started + 1 : started + 1 + seats]):
        hand = sorted(cards[step::seats])
        line["record"]["seat"] = (first + step) % seats
        line["record"]["seals"]["cards"]["to"] = [(first + step) % seats]
        line["record"]["data"]["count"] = len(hand)
        line["open"]["cards"]["value"] = hand
    kept[-2]["record"]["left"] = 0
    kept[-1]["record"]["left"] = 0
    return served(source.id, remade(source.id, kept, seed), signer=UNSIGNED)


def everything(games: dict[str, Played]) -> list[Json]:
    king, orders = Source(games["bluff_king"]), Source(games["captains_orders"])
    anne = Source(games["bluff_king"], committed(king.id, king.seed, king.lines))
    bluff, flip = Source(games["captain_bluff"]), Source(games["captain_flip"])
    return [
        *texts(king),
        *chains(king),
        *seals(king),
        *salts(king),
        *commitments(anne),
        *draws(king, orders, bluff, flip),
        *signed(king),
    ]
