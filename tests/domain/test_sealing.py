"""The chain and the seals, checked by a second implementation that shares no code with the first."""

import hashlib
import hmac
import json
from typing import Any

import pytest

from domain import sealing
from domain.events import Event
from domain.laws.play import random_game
from domain.registry import Registry
from tests.domain.tables import SEED, START, lines, playing, sealed
from tests.probe import PROBE
from tests.probe.moves import Fetch


def plain(value: Any) -> bytes:
    """Canonical bytes, the slow way."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.fixture(scope="module")
def log() -> list[Event]:
    """A game with opened seals."""
    registry = Registry([PROBE])
    for number in range(50):
        events = [e for step in random_game(registry, "probe", f"seal-{number}") for e in step.decided.events]
        if any(event.type == "cargo_challenged" for event in events):
            return events
    raise AssertionError("no challenge in fifty games")


def test_every_record_names_the_hash_of_the_one_before(log: list[Event]) -> None:
    prev = sha(b"G")
    for one in sealed("G", log):
        assert json.loads(one.record)["prev"] == prev
        prev = sha(one.record)
        assert one.hash == prev


def test_a_record_is_canonical_and_complete(log: list[Event]) -> None:
    fields = {"v", "sv", "left", "at", "type", "seat", "by", "data", "seals", "opens", "prev"}
    for one, event in zip(sealed("G", log), log, strict=True):
        record = json.loads(one.record)
        assert one.record == plain(record)
        assert set(record) == fields
        assert "seat" not in record["data"]
        assert (one.v, one.type, one.sv) == (event.v, event.type, type(event).sv)


def test_salts_follow_from_the_seed_and_the_place(log: list[Event]) -> None:
    for record, secrets in lines("G", log):
        for field, secret in secrets.items():
            message = plain(["salt", record["prev"], record["v"], field])
            assert secret["salt"] == hmac.new(bytes.fromhex(SEED), message, "sha256").digest()[:16].hex()


def test_digests_stand_for_value_and_salt(log: list[Event]) -> None:
    for record, secrets in lines("G", log):
        assert set(record["seals"]) == set(secrets)
        for field, secret in secrets.items():
            message = plain(["G", record["v"], field, secret["salt"], secret["value"]])
            assert record["seals"][field]["digest"] == sha(message)


def test_what_is_opened_fits_the_seal_it_opens(log: list[Event]) -> None:
    records = {record["v"]: (record, secrets) for record, secrets in lines("G", log)}
    opened = [o for record, _ in records.values() for o in record["opens"]]
    assert {o["field"] for o in opened} == {"vote", "cards", "server_seed"}
    for o in opened:
        record, secrets = records[o["v"]]
        assert {"salt": o["salt"], "value": o["value"]} == secrets[o["field"]]
        assert record["seals"][o["field"]]["digest"] == sha(plain(["G", o["v"], o["field"], o["salt"], o["value"]]))


def test_only_the_end_of_a_game_opens_its_seed(log: list[Event]) -> None:
    assert [e.type for e in log if any(o.field == "server_seed" for o in e.opens)] == ["game_ended"]


def test_values_and_salts_stand_beside_the_record_and_not_in_it(log: list[Event]) -> None:
    for record, secrets in lines("G", log):
        body = plain(record | {"opens": []}).decode()
        assert not any(secret["salt"] in body for secret in secrets.values())
        assert all(set(seal) == {"to", "digest"} for seal in record["seals"].values())


def test_salts_are_never_used_twice(log: list[Event]) -> None:
    salts = [secret["salt"] for _, secrets in lines("G", log) for secret in secrets.values()]
    assert len(set(salts)) == len(salts)


def test_the_same_card_in_another_history_has_another_digest() -> None:
    one, two = playing(), playing()
    two.later(1)
    logs = [table.when().plays(table.acting, Fetch()).log for table in (one, two)]
    drawn = [next(r for r, _ in lines("G", log) if r["type"] == "card_drawn") for log in logs]
    assert [e for e in logs[0] if e.at == START][:3] == logs[1][:3]
    assert drawn[0]["seals"]["card"]["digest"] != drawn[1]["seals"]["card"]["digest"]


def test_a_changed_record_breaks_the_chain(log: list[Event]) -> None:
    records = [one.record for one in sealed("G", log)]
    forged = records[3].replace(b'"by":"player"', b'"by":"bot"', 1)
    assert forged == records[3] or sealing.hash_of(forged) != json.loads(records[4])["prev"]
    assert sealing.hash_of(records[3]) == json.loads(records[4])["prev"]


def test_a_batch_is_sealed_onto_the_chain_so_far(log: list[Event]) -> None:
    whole = sealed("G", log)
    hashes = [sealing.genesis("G"), *[one.hash for one in whole]]
    assert sealing.seal("G", SEED, log[5:9], hashes[:6]) == whole[5:9]


def test_a_multiset_is_sorted_before_it_is_sealed(log: list[Event]) -> None:
    for record, secrets in lines("G", log):
        if record["type"] in ("hand_dealt", "cargo_declared"):
            assert secrets["cards"]["value"] == sorted(secrets["cards"]["value"])
