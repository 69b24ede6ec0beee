"""A verifier of served logs, phase by phase as docs/fair-play.md tells it; it shares no code with the domain.

Signatures are the one thing that the standard library cannot check: who can is handed in.
"""

import json
from collections.abc import Callable, Sequence

from tests.vectors.independent import (
    HEAD,
    Json,
    bluff_king_deal,
    canonical,
    captain_bluff_deal,
    captain_flip_deal,
    commitment,
    digest,
    entropy,
    genesis,
    is_canonical,
    number,
    orders_deal,
    salt,
    sha,
    shuffled,
    unb64,
    words,
)

VerifySignature = Callable[[bytes, bytes, bytes], bool]
"""`(public key, signature, message) -> bool`."""

RECORD = {"v", "sv", "left", "at", "type", "seat", "by", "data", "seals", "opens", "prev"}


class Failure(Exception):
    """The first check that fails, and the version where it does; None if it is about no single record."""

    def __init__(self, check: str, v: int | None = None) -> None:
        super().__init__(check, v)
        self.check, self.v = check, v


class Verifier:
    """One served log, checked phase by phase; `verify` answers with the verdict."""

    def __init__(self, text: bytes, keys: Json = (), check: VerifySignature | None = None) -> None:
        self.text, self.keys, self.check = text, {key["kid"]: key for key in keys}, check
        self.records: list[Json] = []
        self.opened: list[Json] = []
        self.hashes: list[str] = []
        self.commitments: dict[int, str] = {}
        self.seed: str | None = None
        self.entropy: str | None = None
        self.counts = {"records": 0, "seals": 0, "opened": 0, "opens": 0, "salts": 0, "draws": 0}
        self.signed = False

    def verify(self, receipts: Json = ()) -> Json:
        try:
            for phase in (self.lines, self.order, self.chain, self.seals, self.salts, self.draws, self.signature):
                phase()
            self.receipts(receipts)
        except Failure as failure:
            return {"verdict": "unsound", "check": failure.check, "v": failure.v}
        verdict = "sound" if self.signed else "sound_unsigned"
        return {"verdict": verdict, "head": self.hashes[-1], "entropy": self.entropy, "counts": self.counts}

    # 1
    def lines(self) -> None:
        if not self.text.endswith(b"\n"):
            raise Failure("cut_short")
        lines = self.text[:-1].split(b"\n")
        try:
            values = [json.loads(line) for line in lines]
        except ValueError:
            raise Failure("unreadable") from None
        if not isinstance(values[-1], dict) or "complete" not in values[-1]:
            raise Failure("cut_short")
        self.header, self.trailer = values[0], values[-1]
        for line in (lines[0], lines[-1]):
            if not is_canonical(line):
                raise Failure("not_canonical")
        for v, (line, value) in enumerate(zip(lines[1:-1], values[1:-1], strict=True), 1):
            self._line(v, line, value)
        self.counts["records"] = len(self.records)

    def _line(self, v: int, line: bytes, value: Json) -> None:
        if not isinstance(value, dict) or set(value) != {"record", "open"}:
            raise Failure("unreadable", v)
        try:
            record, opened = canonical(value["record"]), canonical(value["open"])
        except ValueError:
            raise Failure("not_canonical", v) from None
        if line != b'{"record":' + record + b',"open":' + opened + b"}":
            raise Failure("not_canonical", v)
        if set(value["record"]) != RECORD:
            raise Failure("unreadable", v)
        self.records.append(value["record"])
        self.opened.append(value["open"])
        self.hashes.append(sha(record))

    # 2
    def order(self) -> None:
        left, at = 0, None
        for v, record in enumerate(self.records, 1):
            if record["v"] != v:
                raise Failure("version", v)
            if (left and record["left"] != left - 1) or (left and record["at"] != at) or record["left"] < 0:
                raise Failure("batch", v)
            left, at = record["left"], record["at"]
        if left or not self.records:
            raise Failure("batch", len(self.records))

    # 3
    def chain(self) -> None:
        self.game = self.header["game"]
        before = genesis(self.game)
        for record, own in zip(self.records, self.hashes, strict=True):
            if record["prev"] != before:
                raise Failure("chain", record["v"])
            before = own
        count = len(self.records)
        if (self.header["head"], self.header["version"]) != (before, count):
            raise Failure("head")
        if (self.trailer["head"], self.trailer["count"], self.trailer["complete"]) != (before, count, True):
            raise Failure("head")
        created = self.records[0]
        facts = [self.header[name] for name in ("format", "ruleset", "rules_version", "status")]
        data = created["data"]
        if created["type"] != "game_created" or facts != [
            1,
            data["ruleset"],
            data["rules_version"],
            self._status(),
        ]:
            raise Failure("header")

    def _status(self) -> str:
        types = [record["type"] for record in self.records]
        started = "game_started" in types
        if types[-1] == "game_ended":
            return "finished" if started else "aborted"
        return "faulted" if types[-1] == "game_faulted" else "playing" if started else "lobby"

    # 4
    def seals(self) -> None:
        observer = self.header["observer"]
        for record, opened in zip(self.records, self.opened, strict=True):
            v, seals = record["v"], record["seals"]
            mine = {f for f, s in seals.items() if "all" in observer or observer.get("seat") in s["to"]}
            if set(opened) != mine:
                raise Failure("seal", v)
            for field, secret in opened.items():
                if digest(self.game, v, field, secret["salt"], secret["value"]) != seals[field]["digest"]:
                    raise Failure("seal", v)
            self.counts["seals"] += len(seals)
            self.counts["opened"] += len(opened)
            self.counts["opens"] += len(record["opens"])
            for o in record["opens"]:
                self._open(v, o)

            self._revealed(record)

    def _revealed(self, record: Json) -> None:
        """A revealed seed is the one that its seat has committed to."""
        seat, data = record["seat"], record["data"]
        if record["type"] in ("seat_taken", "seat_left"):
            self.commitments.pop(seat, None)
        elif record["type"] == "client_seed_committed":
            self.commitments[seat] = data["commitment"]
        elif record["type"] == "client_seed_revealed" and (
            commitment(self.game, data["client_seed"]) != self.commitments.get(seat)
        ):
            raise Failure("commitment", record["v"])

    def _open(self, v: int, o: Json) -> None:
        if not 0 < o["v"] < v:
            raise Failure("open", v)
        seal = self.records[o["v"] - 1]["seals"].get(o["field"])
        if seal is None or digest(self.game, o["v"], o["field"], o["salt"], o["value"]) != seal["digest"]:
            raise Failure("open", v)

    # 5
    def salts(self) -> None:
        known: dict[tuple[int, str], str] = {}
        self.seed = self.opened[0].get("server_seed", {}).get("value")
        for record, opened in zip(self.records, self.opened, strict=True):
            v = record["v"]
            known |= {(v, field): secret["salt"] for field, secret in opened.items()}
            known |= {(o["v"], o["field"]): o["salt"] for o in record["opens"]}
            seeds = [o["value"] for o in record["opens"] if (o["v"], o["field"]) == (1, "server_seed")]
            if len(seeds) != (record["type"] == "game_ended"):
                raise Failure("seed", v)
            self.seed = seeds[0] if seeds else self.seed
        if self.seed is None:
            return
        for v, field in sorted(known):
            if salt(self.seed, self.records[v - 1]["prev"], v, field) != known[v, field]:
                raise Failure("salt", v)
            self.counts["salts"] += 1

    # 6
    def draws(self) -> None:
        types = [record["type"] for record in self.records]
        if self.seed is None or "game_started" not in types:
            return
        start = types.index("game_started")
        source = entropy(self.seed, self.game, self.client_seeds())
        self.entropy = source.hex()
        data = self.records[0]["data"]
        deal = getattr(self, f"_{data['ruleset']}")
        deal(source, data["seats"], data["options"], start + 2)

    def client_seeds(self) -> list[str | None]:
        data = self.records[0]["data"]
        seeds: list[str | None] = [None] * data["seats"]
        committed = data.get("seeds", "open") == "committed"
        for record in self.records:
            seat, kind, body = record["seat"], record["type"], record["data"]
            if committed:
                if kind == "client_seed_revealed":
                    seeds[seat] = body["client_seed"]
            elif kind in ("seat_taken", "client_seed_given"):
                seeds[seat] = body["client_seed"]
            elif kind == "seat_left":
                seeds[seat] = None
        return seeds

    def _public(self, v: int, kind: str, seat: int | None, **data: Json) -> None:
        """Record `v` is of this type, about this seat, and says this."""
        record = self.records[v - 1] if v <= len(self.records) else None
        if record is None or record["type"] != kind or record["seat"] != seat:
            raise Failure("draw", v)
        if any(record["data"][name] != value for name, value in data.items()):
            raise Failure("draw", v)

    def _sealed(self, v: int, field: str, value: Json) -> None:
        """The sealed field of record `v` holds `value`: by its digest, so that it need not be opened."""
        record = self.records[v - 1]
        salted = salt(self.seed or "", record["prev"], v, field)
        if record["seals"][field]["digest"] != digest(self.game, v, field, salted, value):
            raise Failure("draw", v)
        self.counts["draws"] += 1

    def _dealt(self, v: int, hands: Json, **data: Json) -> None:
        for seat, cards in hands:
            self._public(v, "hand_dealt", seat, count=len(cards), **data)
            self._sealed(v, "cards", cards)
            v += 1

    def _bluff_king(self, source: bytes, seats: int, options: Json, v: int) -> None:
        deal = bluff_king_deal(source, seats, options["decks"])
        self._public(v, "lead_drawn", deal["first"])
        self.counts["draws"] += 1
        self._dealt(v + 1, deal["hands"])

    def _captains_orders(self, source: bytes, seats: int, options: Json, v: int) -> None:
        dealer, round_ = number(words(source, "dealer"), seats), 1
        self._public(v, "round_started", None, round=1, dealer=dealer)
        for record in self.records:
            if record["type"] != "round_started":
                continue
            self._public(record["v"], "round_started", None, round=round_, dealer=dealer)
            self.counts["draws"] += 1
            self._dealt(record["v"] + 1, orders_deal(source, seats, round_, dealer)["hands"], round=round_)
            dealer, round_ = (dealer + 1) % seats, round_ + 1

    def _captain_bluff(self, source: bytes, seats: int, options: Json, v: int) -> None:
        deal = captain_bluff_deal(source, seats)
        self._public(v, "piles_shuffled", None, draw=len(deal["draw"]), unused=len(deal["unused"]))
        self._sealed(v, "order", deal["draw"] + deal["unused"])
        self._public(v + 1, "first_seat_drawn", deal["first"])
        self.counts["draws"] += 1
        self._dealt(v + 2, deal["hands"])
        Piles(self, source, deal["draw"]).follow(v + 2 + seats)

    def _captain_flip(self, source: bytes, seats: int, options: Json, v: int) -> None:
        deal = captain_flip_deal(source, seats)
        self._public(v, "flag_drawn", deal["flag"])
        self.counts["draws"] += 1
        self._public(v + 1, "bag_shuffled", None)
        self._sealed(v + 1, "order", deal["order"])
        self._public(v + 2, "tile_drawn", deal["flag"])
        bag = list(deal["order"])
        for record in self.records:
            if record["type"] == "tile_drawn":
                if not bag:
                    raise Failure("draw", record["v"])
                face, back = bag.pop(0).split("/")
                self._public(record["v"], "tile_drawn", record["seat"], face=face)
                self._sealed(record["v"], "back", back)

    # 7
    def signature(self) -> None:
        signed = self.trailer.get("signed")
        if signed is None or signed["key"] not in self.keys:
            return
        if [signed[name] for name in HEAD] != [
            self.records[-1]["at"],
            self.game,
            self.hashes[-1],
            len(self.records),
        ] or not self._signed(signed):
            raise Failure("signature")
        self.signed = True

    def _signed(self, signed: Json) -> bool:
        if self.check is None:
            raise ValueError("no way to check a signature")
        key = unb64(self.keys[signed["key"]]["x"])
        return self.check(key, unb64(signed["signature"]), canonical({name: signed[name] for name in HEAD}))

    # 8
    def receipts(self, receipts: Json) -> None:
        for signed in receipts:
            v = signed["version"]
            if signed["key"] not in self.keys or not self._signed(signed):
                raise Failure("receipt", v)
            if signed["game"] != self.game or not 0 < v <= len(self.records):
                raise Failure("receipt", v)
            if (signed["hash"], signed["at"]) != (self.hashes[v - 1], self.records[v - 1]["at"]):
                raise Failure("receipt", v)


class Piles:
    """Captain Bluff: the draw pile and the discards, followed from event to event. None is a card not known here."""

    def __init__(self, verifier: Verifier, source: bytes, draw: Sequence[str]) -> None:
        self.verifier, self.source = verifier, source
        self.draw: list[str] | None = list(draw)
        self.discards: list[str | None] = []
        self.rows: list[list[str]] = [[] for _ in range(6)]
        self.origins: list[str | None] = [None] * 6
        self.renewals = 0

    def follow(self, v: int) -> None:
        delayed = False
        for record, opened in zip(self.verifier.records[v - 1 :], self.verifier.opened[v - 1 :], strict=True):
            values = {field: secret["value"] for field, secret in opened.items()}
            delayed |= record["type"] == "airport_played" and record["data"]["card"] == "DELAYED_FLIGHT"
            step = getattr(self, f"_{record['type']}", None)
            if step is not None:
                step(record, record["data"], values)
            if delayed and not record["left"]:
                self.discards.append("DELAYED_FLIGHT")
                delayed = False

    def _origin_defined(self, record: Json, data: Json, values: Json) -> None:
        self.origins[data["belt"]], self.rows[data["belt"]] = values.get("card"), []

    def _origin_changed(self, record: Json, data: Json, values: Json) -> None:
        self.origins[data["belt"]] = values.get("card_in")

    def _bags_placed(self, record: Json, data: Json, values: Json) -> None:
        self.rows[data["belt"]] += [card if isinstance(card, str) else card["card"] for card in data["cards"]]

    def _airport_played(self, record: Json, data: Json, values: Json) -> None:
        if data["card"] in ("AROUND_THE_WORLD", "REVERSE"):
            self.rows[data["belt"]].append(data["card"])
        elif data["card"] == "NOTICE_BOARD":
            self.discards.append("NOTICE_BOARD")

    def _bags_recovered(self, record: Json, data: Json, values: Json) -> None:
        row = self.rows[data["belt"]]
        del row[len(row) - len(data["cards"]) :]

    def _belt_closed(self, record: Json, data: Json, values: Json) -> None:
        self.discards += [*self.rows[data["belt"]], values.get("origin")]
        self._belt_taken(record, data, values)

    def _belt_taken(self, record: Json, data: Json, values: Json) -> None:
        self.origins[data["belt"]], self.rows[data["belt"]] = None, []

    def _draw_pile_renewed(self, record: Json, data: Json, values: Json) -> None:
        self.renewals += 1
        if data["count"] != len(self.discards) or self.draw:
            raise Failure("draw", record["v"])
        self.draw = None
        known = [card for card in self.discards if card is not None]
        if len(known) == len(self.discards):
            self.draw = shuffled(self.source, f"renewal:{self.renewals}", sorted(known))
            self.verifier._sealed(record["v"], "order", self.draw)
        self.discards = []

    def _card_drawn(self, record: Json, data: Json, values: Json) -> None:
        if self.draw is None:
            return
        if not self.draw:
            raise Failure("draw", record["v"])
        self.verifier._sealed(record["v"], "card", self.draw.pop(0))
