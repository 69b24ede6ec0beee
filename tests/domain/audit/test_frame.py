"""What is around the records: header, trailer, signatures, receipts; and how much is told."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain import canonical
from domain.audit import audit
from domain.audit.verdict import MOST_FINDINGS
from domain.commands import Expire, Sit
from domain.lifecycle import LOBBY_MS
from domain.observers import SPECTATOR, at_seat
from domain.signing import Signer
from tests.domain.audit.logs import CLAIM, finished, first, forged, game, judged, lobby, only, started
from tests.keys import SIGNER
from tests.mutations.draft import Draft

STRANGER = Signer(bytes(range(50, 82)))


# --- header and trailer --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("head", "0" * 64),
        ("version", 5),
        ("version", True),
        ("ruleset", "captain_bluff"),
        ("rules_version", 2),
        ("status", "playing"),
        ("observer", {"seat": 1, "spectator": True}),
        ("observer", {"all": 1}),
        ("observer", None),
    ],
)
def test_header(draft: Draft, name: str, value: Any) -> None:
    told = draft.header[name]
    draft.header[name] = value
    finding = next(f for f in judged(draft.lines()).findings if f.rule == "header")
    assert (finding.version, finding.field, finding.found) == (None, name, value)
    if name != "observer":
        assert finding.expected == told


def test_header_members(draft: Draft) -> None:
    del draft.header["status"]
    draft.header["more"] = 1
    finding = first(draft.lines())
    assert (finding.rule, finding.field) == ("header", "members")
    assert "status" in finding.expected
    assert "more" in finding.found


def test_header_of_a_game_that_is_not_over() -> None:
    # The server opens everything once a game is over: a log that was cut down to a batch end is not one of its logs.
    for table in (lobby(), started().plays()):
        finding = only(table.served())
        assert (finding.version, finding.rule, finding.field) == (None, "header", "observer")
        assert finding.expected == "not all: the game is not over"


def test_header_of_a_seat_that_there_is_not() -> None:
    for seat in (3, 10**9):
        finding = only(started().served(at_seat(seat)))
        assert (finding.rule, finding.field, finding.expected) == ("header", "observer", "seats 0 to 2")


@pytest.mark.parametrize(
    ("name", "value"), [("complete", False), ("complete", 1), ("count", 1), ("count", True), ("head", None)]
)
def test_trailer(draft: Draft, name: str, value: Any) -> None:
    assert draft.trailer is not None
    told = draft.trailer[name]
    draft.trailer[name] = value
    finding = only(draft.lines())
    assert (finding.version, finding.rule, finding.field) == (None, "trailer", name)
    assert (finding.expected, finding.found) == (told, value)
    assert judged(draft.lines()).good == len(draft.entries)


def test_trailer_members(draft: Draft) -> None:
    assert draft.trailer is not None
    draft.trailer["more"] = 1
    assert (only(draft.lines()).rule, only(draft.lines()).field) == ("trailer", "members")


def test_trailer_that_is_missing(draft: Draft) -> None:
    finding = only(draft.lines()[:-1])
    assert (finding.version, finding.rule, finding.found) == (None, "trailer", "the log is cut short")
    assert judged(draft.lines()[:-1]).good == len(draft.entries)


def test_trailer_is_the_end(draft: Draft) -> None:
    finding = first([*draft.lines(), draft.lines()[1]])
    assert (finding.rule, finding.expected) == ("trailer", "nothing after the trailer")


# --- signatures ----------------------------------------------------------------------------------------------------


def test_signature_is_missing(draft: Draft) -> None:
    assert draft.trailer is not None
    del draft.trailer["signed"]
    finding = only(draft.lines())
    assert (finding.version, finding.rule, finding.field, finding.found) == (None, "signature", "signed", "none")
    assert audit(draft.lines()).verdict == "sound_unsigned"


@pytest.mark.parametrize(
    ("name", "value"),
    [("at", 1), ("game", "H"), ("hash", "0" * 64), ("version", 1), ("version", "1"), ("extra", 1), ("key", None)],
)
def test_signature_of_something_else(draft: Draft, name: str, value: Any) -> None:
    assert draft.trailer is not None
    draft.trailer["signed"][name] = value
    for settings in ({}, {"keys": []}):
        finding = only(draft.lines(), **settings)
        assert (finding.version, finding.rule, finding.field) == (None, "signature", "signed")
        assert finding.found[name] == value


def test_signature_by_a_stranger(draft: Draft) -> None:
    draft.rehash(STRANGER)
    finding = only(draft.lines())
    assert (finding.rule, finding.field, finding.found) == ("signature", "key", STRANGER.public.kid)
    assert finding.expected == f"one of ['{SIGNER.public.kid}']"
    assert audit(draft.lines()).verdict == "sound_unsigned"


@pytest.mark.parametrize("signature", ["", "!", "AA", "A" * 86, "Ä"])
def test_signature_that_does_not_hold(draft: Draft, signature: str) -> None:
    assert draft.trailer is not None
    draft.trailer["signed"]["signature"] = signature
    finding = only(draft.lines())
    assert (finding.rule, finding.field, finding.expected) == ("signature", "key", "a signature that holds")


def test_signature_by_a_stranger_in_the_name_of_the_server(draft: Draft) -> None:
    draft.rehash(STRANGER)
    assert draft.trailer is not None
    draft.trailer["signed"]["key"] = SIGNER.public.kid
    assert only(draft.lines()).expected == "a signature that holds"


# --- receipts ------------------------------------------------------------------------------------------------------


def test_receipt_of_another_history(draft: Draft) -> None:
    # The whole log is sound and signed by the server itself: only the player's receipt tells.
    hashes = game().recorder.hashes
    receipt = SIGNER.head("G", CLAIM, "0" * 64, 1)
    for settings in ({}, {"keys": []}):
        finding = only(draft.lines(), receipts=[receipt], **settings)
        assert (finding.version, finding.rule, finding.field) == (CLAIM, "receipt", "hash")
        assert (finding.expected, finding.found) == ("0" * 64, hashes[CLAIM])
        assert judged(draft.lines(), receipts=[receipt], **settings).good == CLAIM - 1


@pytest.mark.parametrize(
    ("game_id", "version", "field"),
    [("H", 3, "game"), ("G", 10**6, "version"), ("G", 0, "version"), ("G", -1, "version")],
)
def test_receipt_of_something_else(draft: Draft, game_id: str, version: int, field: str) -> None:
    finding = only(draft.lines(), receipts=[SIGNER.head(game_id, version, "0" * 64, 1)])
    assert (finding.version, finding.rule, finding.field) == (version, "receipt", field)


def test_receipt_by_a_stranger(draft: Draft) -> None:
    finding = only(draft.lines(), receipts=[STRANGER.head("G", 1, game().recorder.hashes[1], 1)])
    assert (finding.version, finding.rule, finding.field) == (1, "receipt", "signature")
    held = SIGNER.head("G", 1, game().recorder.hashes[1], 1)
    assert only(draft.lines(), receipts=[replace(held, at=2)]).field == "signature"


# --- all of them ---------------------------------------------------------------------------------------------------


def test_findings_beyond_the_most_are_counted(draft: Draft) -> None:
    for one in draft.entries[5:]:
        one.record["prev"] = "0" * 64
    verdict = judged(draft.lines())
    assert len(verdict.findings) == MOST_FINDINGS
    assert verdict.more > 0
    assert canonical.loads(canonical.dumps(verdict.as_json()))["more"] == verdict.more


def test_what_is_told_of_a_value_is_short(draft: Draft) -> None:
    assert draft.trailer is not None
    draft.trailer["count"] = "9" * 100_000
    assert len(canonical.dumps(judged(draft.lines()).as_json())) < 5000


def test_a_lobby_does_not_expire_early() -> None:
    table = lobby().when(Sit("P1")).later(LOBBY_MS).when(Expire())
    draft = Draft(table.served())
    draft.entries[-1].record["at"] = draft.entries[0].record["at"] + LOBBY_MS - 1
    for lines in (forged(draft), forged(draft, SPECTATOR)):
        finding = only(lines)
        assert (finding.version, finding.rule, finding.field) == (table.game.version, "clock", "at")
    assert finished().game.status == "finished"
