"""What a verifier that knows nothing of the server calls unsound, the server's own auditor must call unsound as well.

Not the other way round: the auditor plays the game again, and finds more.
"""

import io
import json
import re
from collections import Counter
from typing import Any

import msgspec
import pytest

from domain.audit import Unreadable, audit
from domain.registry import REGISTRY
from domain.signing import SignedHead, public_of
from tests.tools import mutants
from tests.tools.test_verify_log import BAD, KEYS, SOUND, log
from tests.vectors import keys as secret
from tests.vectors.read import KNOWN_KEYS, VECTORS
from tools import verify_log

Json = Any

PUBLIC = [public_of(jwk) for jwk in KNOWN_KEYS]
COMMITTED = "bluff_king with committed seeds, one of them withheld"
OPEN = [log(name)["text"].encode() for name in ("bluff_king", "captains_orders", "resigned", "faulted", COMMITTED)]


def audited(text: bytes, receipts: Json = (), *, trusting: bool = False) -> str:
    """The auditor's verdict; with the known keys, unless it is `trusting`."""
    heads = [msgspec.convert(receipt, SignedHead) for receipt in receipts]
    try:
        return audit(re.findall(rb"[^\n]*\n|[^\n]+", text), keys=() if trusting else PUBLIC, receipts=heads).verdict
    except Unreadable:
        return "unreadable"


def verified(text: bytes, receipts: Json = (), *, trusting: bool = False) -> Json:
    return verify_log.verify(io.BytesIO(text), () if trusting else KEYS, receipts)


def test_the_verifier_knows_every_game() -> None:
    seats = {rules.info.key: rules.info.seats for rules in REGISTRY}
    assert {key: (known[0], known[-1]) for key, known in verify_log.SEATS.items()} == seats
    assert verify_log.DEALS.keys() == seats.keys()


@pytest.mark.parametrize("case", VECTORS["broken_logs"], ids=lambda case: case["name"])
def test_broken_logs(case: Json) -> None:
    assert audited(case["text"].encode(), case["receipts"]) in ("unsound", "unreadable")


def test_bad_inputs() -> None:
    for name, (text, _) in BAD.items():
        assert audited(text, trusting=True) in ("unsound", "unreadable"), name


def compare(logs: list[bytes]) -> Counter[tuple[str, str]]:
    said: Counter[tuple[str, str]] = Counter()
    for text in logs:
        found = verified(text, trusting=True)
        pair = found["verdict"], audited(text, trusting=True)
        assert pair[0] != "unsound" or pair[1] in ("unsound", "unreadable"), (text, found["failure"])
        said[pair] += 1
    return said


def test_changed_texts() -> None:
    said = compare(mutants.some([SOUND, OPEN[2]], mutants.texts, 80, seed=4))
    assert said["unsound", "unsound"] > 100


def test_forgeries() -> None:
    said = compare(mutants.some(OPEN, mutants.forgeries, 30, seed=5))
    assert said["unsound", "unsound"] > 100
    assert said["sound_unsigned", "unsound"] > 15  # a move that the rules do not allow, and all hashes fit


def test_a_seed_that_is_not_opened_in_a_log_that_is_not_open() -> None:
    for seat in (None, 1):
        text = mutants.redacted(SOUND, seat)
        assert audited(text, trusting=True) == "sound_unsigned"
        closed = unopened(text)
        assert verified(closed)["failure"]["check"] == "seed"
        assert audited(closed, trusting=True) == "unsound"


def unopened(text: bytes) -> bytes:
    """The last record opens nothing, and the head fits."""
    header, *lines, trailer = [json.loads(line) for line in text.splitlines()]
    lines[-1]["record"]["opens"] = []
    head = verify_log.sha256(verify_log.canonical(lines[-1]["record"]))
    for part in (header, trailer):
        part["head"] = head
    ends = [verify_log.canonical(part) + b"\n" for part in (header, trailer)]
    last = verify_log.canonical(lines[-1]["record"])
    return b"".join([ends[0], *text.splitlines(keepends=True)[1:-2], b'{"record":%b,"open":{}}\n' % last, ends[1]])


def test_a_receipt_of_another_time() -> None:
    (kept, *_) = log("bluff_king with a receipt of every batch")["receipts"]
    told = [kept[name] for name in ("game", "version", "hash")]
    assert audited(SOUND, [secret.signed_head(*told, kept["at"])]) == "sound"
    later = [secret.signed_head(*told, kept["at"] + 1)]
    assert verified(SOUND, later)["failure"]["check"] == "receipt"
    assert audited(SOUND, later) == "unsound"


@pytest.mark.parametrize("signed", [b"null", b"{}", b'"key"'])
def test_a_trailer_that_is_signed_by_nothing(signed: bytes) -> None:
    text = re.sub(rb'"signed":\{.*?\}', b'"signed":' + signed, SOUND)
    assert verified(text)["verdict"] == audited(text, trusting=True) == "unsound"


@pytest.mark.parametrize("name", [b'"version":', b'"count":'])
def test_a_number_beyond_53_bits(name: bytes) -> None:
    """In the header, and in the trailer."""
    text = re.sub(name + rb"\d+", name + b"9007199254740992", SOUND, count=1)
    assert text != SOUND
    assert verified(text)["failure"]["check"] == "not_canonical"
    assert audited(text) == "unsound"
