"""Every vector comes out of a second implementation, which is docs/fair-play.md as a program."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.vectors import independent as own
from tests.vectors.keys import verify
from tests.vectors.verifier import Verifier

ROOT = Path(__file__).parents[2]
VECTORS = json.loads((ROOT / "docs" / "fair-play-vectors.json").read_bytes())
PRIMITIVES = VECTORS["primitives"]
GOLDEN = sorted((ROOT / "tests" / "golden" / "logs").glob("*.ndjson"))

Json = Any


def cases(name: str) -> list[Json]:
    found: list[Json] = PRIMITIVES[name]
    assert found
    return found


def test_canonical_bytes() -> None:
    for case in cases("canonical"):
        made = bytes.fromhex(case["canonical_hex"])
        assert own.canonical(json.loads(case["json"])) == made
        assert own.is_canonical(made)


@pytest.mark.parametrize("case", PRIMITIVES["not_canonical"], ids=lambda case: case["text"])
def test_what_is_not_canonical(case: Json) -> None:
    assert not own.is_canonical(case["text"].encode())


def test_genesis() -> None:
    assert [own.genesis(case["game"]) for case in cases("genesis")] == [case["hash"] for case in cases("genesis")]


def test_salts() -> None:
    for case in cases("salt"):
        assert own.salt(case["server_seed"], case["prev"], case["v"], case["field"]) == case["salt"]


def test_digests() -> None:
    for case in cases("digest"):
        args = [case[name] for name in ("game", "v", "field", "salt", "value")]
        assert own.canonical(args).hex() == case["message_hex"]
        assert own.digest(*args) == case["digest"]


def test_opens() -> None:
    for case in cases("opens"):
        o = case["open"]
        made = own.digest(case["game"], o["v"], o["field"], o["salt"], o["value"])
        assert (made == case["seal"]["digest"]) == case["opens"], case["what"]
    assert {case["opens"] for case in cases("opens")} == {True, False}


def test_entropies() -> None:
    for case in cases("entropy"):
        assert own.entropy(case["server_seed"], case["game"], case["client_seeds"]).hex() == case["entropy"]


def test_words() -> None:
    for case in cases("words"):
        stream = own.words(bytes.fromhex(case["entropy"]), case["label"])
        assert [next(stream) for _ in case["words"]] == case["words"]


def counted(stream: Iterator[int], taken: list[int]) -> Iterator[int]:
    for word in stream:
        taken.append(word)
        yield word


def test_numbers_and_the_words_that_are_rejected() -> None:
    for case in cases("numbers"):
        taken: list[int] = []
        stream = counted(own.words(bytes.fromhex(case["entropy"]), case["label"]), taken)
        assert [own.number(stream, n) for n in case["below"]] == case["numbers"]
        assert len(taken) - len(case["below"]) == case["rejected"]
    assert any(case["rejected"] for case in cases("numbers"))


DECKS = {
    "bluff_king, 1 deck": own.bluff_king_deck(1),
    "bluff_king, 2 decks": own.bluff_king_deck(2),
    "captains_orders": own.orders_deck(),
    "captain_bluff, bags": own.bags(),
    "captain_bluff, airport": own.airport(),
    "captain_flip": own.tiles(),
}


def test_decks() -> None:
    assert PRIMITIVES["decks"] == DECKS


def test_shuffles() -> None:
    for case in cases("shuffle"):
        items = case["items"] if "items" in case else DECKS[case["deck"]]
        assert own.shuffled(bytes.fromhex(case["entropy"]), case["label"], items) == case["shuffled"]
    assert {case.get("deck") for case in cases("shuffle")} >= set(DECKS)


def hands(made: Json) -> Json:
    return [("hand_dealt", seat, len(cards), {"cards": cards}) for seat, cards in made]


@pytest.mark.parametrize("case", PRIMITIVES["deals"], ids=lambda case: f"{case['ruleset']} {case['seats']}")
def test_deals(case: Json) -> None:
    source, seats = bytes.fromhex(case["entropy"]), case["seats"]
    found = [(e["type"], e["seat"], e["data"].get("count"), e["sealed"]) for e in case["events"]]
    match case["ruleset"]:
        case "bluff_king":
            deal = own.bluff_king_deal(source, seats, case["options"]["decks"])
            assert found == [("lead_drawn", deal["first"], None, {}), *hands(deal["hands"])]
        case "captains_orders":
            dealer = case["events"][0]["data"]["dealer"]
            assert dealer == own.number(own.words(source, "dealer"), seats)
            assert found[1:] == hands(own.orders_deal(source, seats, 1, dealer)["hands"])
        case "captain_bluff":
            deal = own.captain_bluff_deal(source, seats)
            piles = ("piles_shuffled", None, None, {"order": deal["draw"] + deal["unused"]})
            assert found == [piles, ("first_seat_drawn", deal["first"], None, {}), *hands(deal["hands"])]
        case "captain_flip":
            deal = own.captain_flip_deal(source, seats)
            back = deal["order"][0].split("/")[1]
            flag, bag, drawn = ("flag_drawn", deal["flag"]), ("bag_shuffled", None), ("tile_drawn", deal["flag"])
            sealed: Json = ({}, {"order": deal["order"]}, {"back": back})
            assert found == [(*what, None, value) for what, value in zip((flag, bag, drawn), sealed, strict=True)]


def test_commitments() -> None:
    for case in cases("commitment"):
        assert own.commitment(case["game"], case["client_seed"]) == case["commitment"]


KEYS = {case["jwk"]["kid"]: case for case in PRIMITIVES["keys"]}
LISTED = {key["kid"]: key for key in VECTORS["known_keys"]}


def test_keys_and_thumbprints() -> None:
    for case in cases("keys"):
        assert own.thumbprint(case["jwk"]) == case["jwk"]["kid"]
        assert own.unb64(case["jwk"]["x"]).hex() == case["public_hex"]
        assert own.b64(bytes.fromhex(case["public_hex"])) == case["jwk"]["x"]


def says(signed: Json, *names: str) -> str:
    key = LISTED.get(signed["key"])
    if key is None:
        return "unknown key"
    message = own.canonical({name: signed[name] for name in names})
    return "valid" if verify(own.unb64(key["x"]), own.unb64(signed["signature"]), message) else "invalid"


def test_signed_heads() -> None:
    for case in cases("signed_head"):
        signed = case["signed"]
        assert own.canonical({name: signed[name] for name in own.HEAD}).hex() == case["message_hex"]
        assert says(signed, *own.HEAD) == case["says"]
    assert {case["says"] for case in cases("signed_head")} == {"valid", "invalid", "unknown key"}


def test_signed_reports() -> None:
    for case in cases("signed_report"):
        assert own.sha(own.canonical(case["report"])) == case["report_hash"] == case["signed"]["report"]
        assert says(case["signed"], *own.HEAD, "report") == "valid"


def test_conflicts() -> None:
    for case in cases("conflict"):
        one, other = case["heads"]
        valid = all(says(head, *own.HEAD) == "valid" for head in case["heads"])
        same = (one["game"], one["version"]) == (other["game"], other["version"])
        assert (valid and same and one["hash"] != other["hash"]) == case["conflict"]


@pytest.mark.parametrize("log", VECTORS["logs"] + VECTORS["broken_logs"], ids=lambda log: log["name"])
def test_logs(log: Json) -> None:
    verifier = Verifier(log["text"].encode(), VECTORS["known_keys"], verify)
    assert verifier.verify(log["receipts"]) == log["expect"]


def test_every_check_fails_somewhere() -> None:
    failed = {log["expect"]["check"] for log in VECTORS["broken_logs"]}
    assert failed == {
        "cut_short", "unreadable", "not_canonical", "version", "batch", "chain", "head", "header", "seal", "open",
        "commitment", "seed", "salt", "draw", "signature", "receipt",
    }  # fmt: skip


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_logs_are_sound(path: Path) -> None:
    """Games of all sizes: later rounds, renewed piles, every Airport card."""
    body = path.read_bytes()
    records = [json.loads(line)["record"] for line in body.splitlines()]
    created, head = records[0]["data"], own.sha(own.canonical(records[-1]))
    key, kind, number = path.stem.split("-v1-")[0], *path.stem.split("-")[-2:]
    game = {"bots": f"golden-{key}-{number}", "random": f"law-golden-{number}"}.get(kind, f"law-{kind}-{number}")
    facts = {"game": game, "ruleset": key, "rules_version": created["rules_version"], "version": len(records)}
    header = {"format": 1, "observer": {"all": True}, "status": "finished", "head": head, **facts}
    trailer = {"complete": True, "count": len(records), "head": head}
    text = own.canonical(header) + b"\n" + body + own.canonical(trailer) + b"\n"
    assert Verifier(text).verify()["verdict"] == "sound_unsigned"
