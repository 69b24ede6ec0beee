"""Every rule of the audit, each on a log in which one thing is wrong: found there, and the log good until then."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from msgspec.structs import replace

from domain import canonical
from domain.audit import audit
from domain.audit.verdict import MOST_FINDINGS
from domain.commands import Expire, Sit
from domain.lifecycle import LOBBY_MS
from domain.observers import EVERYTHING, SPECTATOR, Observer, at_seat
from domain.signing import Signer
from tests.domain.audit.logs import Made, finished, first, forged, judged, lobby, only, started
from tests.keys import SIGNER
from tests.mutations.draft import Draft, Entry

CLAIM = 10
"""The version of the first move of `game()`: a claim, in a batch of its own."""

STRANGER = Signer(bytes(range(50, 82)))


def game() -> Made:
    """Three players; P0 leads a card; then bots play it on."""
    table = started()
    assert table.game.version == CLAIM - 1
    table.plays()
    return table.to_the_end()


@pytest.fixture
def draft() -> Draft:
    made = Draft(game().served())
    assert made.entries[CLAIM - 1].record["type"] == "cards_claimed"
    return made


def entry(draft: Draft, v: int) -> Entry:
    return draft.entries[v - 1]


def last_of(draft: Draft, kind: str) -> Entry:
    return next(e for e in reversed(draft.entries) if e.record["type"] == kind)


def ends_before(draft: Draft, v: int) -> int:
    """The last batch end before a version."""
    return max([0, *(e.record["v"] for e in draft.entries if e.record["left"] == 0 and e.record["v"] < v)])


def line(draft: Draft, v: int, change: Callable[[bytes], bytes]) -> list[bytes]:
    """The log with the line of a version changed."""
    lines = draft.lines()
    lines[v] = change(lines[v])
    return lines


# --- bytes and shape -----------------------------------------------------------------------------------------------


def test_json(draft: Draft) -> None:
    for change in (lambda b: b[:-20] + b"\n", lambda b: b.replace(b'"left":0', b'"left":NaN')):
        lines = line(draft, CLAIM, change)
        finding = first(lines)
        assert (finding.version, finding.rule, finding.field) == (CLAIM, "json", "line")
        assert judged(lines).good == CLAIM - 1


def test_canonical(draft: Draft) -> None:
    for old, new in ((b'"seat":', b'"seat": '), (b'"type"', b'"\\u0074ype"'), (b'"sv":1', b'"sv":1,"sv":1')):
        finding = first(line(draft, CLAIM, lambda b, old=old, new=new: b.replace(old, new)))
        assert (finding.version, finding.rule, finding.field) == (CLAIM, "canonical", "line")


def test_canonical_of_header_and_trailer(draft: Draft) -> None:
    lines = draft.lines()
    lines[0] = lines[0].replace(b":", b": ", 1)
    lines[-1] = lines[-1].replace(b"\n", b" \n")
    assert [(f.version, f.rule, f.field) for f in judged(lines).findings[:2]] == [
        (None, "canonical", "header"),
        (None, "canonical", "trailer"),
    ]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda r: r.update(extra=1), "line"),
        (lambda r: r.pop("opens"), "line"),
        (lambda r: r.update(by="server"), "line"),
        (lambda r: r.update(seat="0"), "line"),
        (lambda r: r.update(v=True), "line"),
        (lambda r: r["seals"]["cards"].update(extra=1), "line"),
        (lambda r: r.update(seat=3), "seat"),
        (lambda r: r.update(seat=-1), "seat"),
    ],
)
def test_record(draft: Draft, change: Callable[[Any], Any], field: str) -> None:
    change(entry(draft, CLAIM).record)
    finding = first(draft.lines())
    assert (finding.version, finding.rule, finding.field) == (CLAIM, "record", field)
    if field == "seat":
        assert finding.expected == "0 to 2"


def test_record_of_another_shape(draft: Draft) -> None:
    finding = first(line(draft, CLAIM, lambda b: b.replace(b',"open":', b',"opened":')))
    assert (finding.version, finding.rule, finding.expected) == (CLAIM, "record", ["record", "open"])


def test_no_record_at_all(draft: Draft) -> None:
    lines = draft.lines()
    finding = first([lines[0], lines[-1]])
    assert (finding.version, finding.rule, finding.expected) == (None, "record", "at least one record")


# --- order and time ------------------------------------------------------------------------------------------------


def test_version(draft: Draft) -> None:
    entry(draft, CLAIM).record["v"] = CLAIM + 5
    verdict = judged(draft.lines())
    finding = verdict.findings[0]
    assert (finding.version, finding.rule, finding.field) == (CLAIM, "version", "v")
    assert (finding.expected, finding.found, verdict.good) == (CLAIM, CLAIM + 5, CLAIM - 1)


def test_chain(draft: Draft) -> None:
    # The record itself is as sound as before; the next one tells that it was another.
    hashes = game().recorder.hashes
    data = entry(draft, CLAIM).record["data"]
    data["rank"] = "2" if data["rank"] != "2" else "3"
    chained = next(f for f in judged(draft.lines()).findings if f.rule == "chain")
    assert (chained.version, chained.field, chained.found) == (CLAIM + 1, "prev", hashes[CLAIM])
    assert judged(draft.lines()).good < CLAIM


def test_chain_to_another_game(draft: Draft) -> None:
    draft.header["game"] = "H"
    finding = first(draft.lines())
    assert (finding.version, finding.rule, finding.field) == (1, "chain", "prev")
    assert judged(draft.lines()).good == 0


def test_batch(draft: Draft) -> None:
    started_at = next(e.record["v"] for e in draft.entries if e.record["type"] == "game_started")
    entry(draft, started_at + 1).record["left"] += 1
    verdict = judged(draft.lines())
    finding = verdict.findings[0]
    left = entry(draft, started_at).record["left"]
    assert (finding.version, finding.rule, finding.field) == (started_at + 1, "batch", "left")
    assert (finding.expected, finding.found, verdict.good) == (left - 1, left, started_at - 1)


@pytest.mark.parametrize("left", [-1, 64, 10**9])
def test_batch_of_a_size_that_there_is_not(draft: Draft, left: int) -> None:
    entry(draft, CLAIM).record["left"] = left
    finding = first(draft.lines())
    assert (finding.version, finding.rule, finding.expected, finding.found) == (CLAIM, "batch", "0 to 63", left)


def test_batch_that_does_not_end(draft: Draft) -> None:
    del draft.entries[-1]
    number = draft.entries[-1].record["v"]
    finding = next(f for f in judged(draft.lines()).findings if f.rule == "batch")
    assert (finding.version, finding.field, finding.expected, finding.found) == (number, "left", 0, 1)
    assert judged(draft.lines()).good == ends_before(draft, number)


def test_time(draft: Draft) -> None:
    before = entry(draft, CLAIM - 1).record["at"]
    entry(draft, CLAIM).record["at"] = before - 1
    lines = forged(draft)
    finding = first(lines)
    assert (finding.version, finding.rule, finding.field) == (CLAIM, "time", "at")
    assert (finding.expected, finding.found, judged(lines).good) == (f"{before} or later", before - 1, CLAIM - 1)


def test_time_within_a_batch(draft: Draft) -> None:
    ended = draft.entries[-1].record
    ended["at"] += 1
    lines = forged(draft)
    finding = first(lines)
    assert (finding.version, finding.rule, finding.field) == (ended["v"], "time", "at")
    assert (finding.expected, finding.found) == (ended["at"] - 1, ended["at"])
    assert judged(lines).good == ends_before(draft, ended["v"])


# --- seals ---------------------------------------------------------------------------------------------------------


def test_seal(draft: Draft) -> None:
    claim = entry(draft, CLAIM)
    right = claim.record["seals"]["cards"]["digest"]
    claim.kept["cards", "digest"] = "0" * 64
    lines = forged(draft)
    finding = first(lines)
    assert (finding.version, finding.rule, finding.field) == (CLAIM, "seal", "cards")
    assert (finding.expected, finding.found, judged(lines).good) == ("0" * 64, right, CLAIM - 1)


@pytest.mark.parametrize(
    ("change", "field", "expected"),
    [
        (lambda seal: seal.update(to=[3]), "cards.to", "seats 0 to 2, each once"),
        (lambda seal: seal.update(to=[1, 1]), "cards.to", "seats 0 to 2, each once"),
        (lambda seal: seal.update(digest="F" * 64), "cards.digest", "64 hex digits"),
    ],
)
def test_seal_that_is_none(draft: Draft, change: Callable[[Any], Any], field: str, expected: str) -> None:
    claim = entry(draft, CLAIM)
    change(claim.record["seals"]["cards"])
    claim.kept["cards", "digest"] = claim.record["seals"]["cards"]["digest"]
    finding = first(forged(draft))
    assert (finding.version, finding.rule, finding.field, finding.expected) == (CLAIM, "seal", field, expected)


@pytest.mark.parametrize("seed", ["", "5e" * 31, "5E" * 32, "x" * 64])
def test_seal_of_a_server_seed_that_is_none(draft: Draft, seed: str) -> None:
    draft.entries[0].open["server_seed"]["value"] = seed
    found = [(f.version, f.rule, f.field, f.expected) for f in judged(draft.lines()).findings]
    assert (1, "seal", "server_seed", "64 hex digits") in found
    assert judged(draft.lines()).good == 0


def test_salt(draft: Draft) -> None:
    claim = entry(draft, CLAIM)
    right = claim.open["cards"]["salt"]
    claim.kept["cards", "salt"] = "0" * 32
    lines = forged(draft)
    finding = first(lines)
    assert (finding.version, finding.rule, finding.field) == (CLAIM, "salt", "cards")
    assert (finding.expected, finding.found, judged(lines).good) == (right, "0" * 32, CLAIM - 1)


def test_salt_that_waited_for_the_seed(draft: Draft) -> None:
    # Its owner could not derive it while the game went on; once it is over, it can.
    claim = entry(draft, CLAIM)
    owner = at_seat(claim.record["seat"])
    claim.kept["cards", "salt"] = "0" * 32
    assert judged(forged(draft, owner, upto=CLAIM)).verdict == "sound"
    finding = only(forged(draft, owner))
    assert (finding.version, finding.rule, finding.field, finding.found) == (CLAIM, "salt", "cards", "0" * 32)
    assert judged(forged(draft, owner)).good == CLAIM - 1


def test_open_that_is_closed(draft: Draft) -> None:
    entry(draft, CLAIM).open.clear()
    finding = first(draft.lines())
    assert (finding.version, finding.rule, finding.field) == (CLAIM, "open", "cards")
    assert (finding.expected, finding.found) == ("open", "closed")


def test_open_that_should_be_closed() -> None:
    lines = game().served(SPECTATOR)
    lines[CLAIM] = game().served()[CLAIM]
    finding = only(lines)
    assert (finding.version, finding.rule, finding.field) == (CLAIM, "open", "cards")
    assert (finding.expected, finding.found) == ("closed", "open")


def test_open_of_what_is_not_sealed(draft: Draft) -> None:
    entry(draft, CLAIM).open["rank"] = {"salt": "0" * 32, "value": "2"}
    finding = first(draft.lines())
    assert (finding.version, finding.rule, finding.field) == (CLAIM, "open", "rank")


@pytest.mark.parametrize("v", [2, CLAIM + 10**6, 0, -1])
def test_open_of_an_earlier_seal_that_there_is_not(draft: Draft, v: int) -> None:
    ended = draft.entries[-1].record
    ended["opens"][0]["v"] = v
    finding = first(draft.lines())
    assert (finding.version, finding.rule, finding.field) == (ended["v"], "open", "server_seed")
    assert (finding.expected, finding.found) == ("an earlier sealed field", f"version {v}")


def test_open_of_another_value_than_was_sealed(draft: Draft) -> None:
    challenged = last_of(draft, "challenged").record
    challenged["opens"][0]["value"] = ["2C"]
    finding = first(draft.lines())
    assert (finding.version, finding.rule, finding.field) == (challenged["v"], "seal", "cards")


# --- the game ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda r: r.update(type="card_eaten"), "card_eaten"),
        (lambda r: r.update(sv=2), "cards_claimed"),
        (lambda r: r["data"].update(count="one"), "cards_claimed"),
        (lambda r: r["data"].update(extra=1), "data"),
        (lambda r: r.update(seals={}), "cards_claimed"),
        (lambda r: r.update(seat=None), "cards_claimed"),
    ],
)
def test_event(draft: Draft, change: Callable[[Any], Any], field: str) -> None:
    claim = entry(draft, CLAIM)
    change(claim.record)
    claim.open = claim.open if claim.record["seals"] else {}
    lines = forged(draft)
    finding = only(lines)
    assert (finding.version, finding.rule, finding.field) == (CLAIM, "event", field)
    assert judged(lines).good == CLAIM - 1


def test_event_that_begins_no_game(draft: Draft) -> None:
    draft.entries[0].record["type"] = "seat_taken"
    finding = first(draft.lines())
    assert (finding.version, finding.rule, finding.expected) == (1, "event", "game_created")


def test_event_that_creates_the_game_again(draft: Draft) -> None:
    # Whoever reads with closed seals cannot run it again, and would take it for a new lobby.
    again = Entry(deepcopy(draft.entries[0].record), deepcopy(draft.entries[0].open), -1)
    draft.entries.insert(CLAIM - 1, again)
    again.record |= {"at": draft.entries[CLAIM - 2].record["at"]}
    for lines in (forged(draft), forged(draft, SPECTATOR)):
        finding = first(lines)
        assert (finding.version, finding.rule, finding.found) == (CLAIM, "event", "game_created")


def test_rules_make_something_else_of_a_move(draft: Draft) -> None:
    ended = draft.entries[-1].record
    right = list(ended["data"]["winners"])
    ended["data"]["winners"] = [seat for seat in range(3) if seat not in right][:1]
    lines = forged(draft)
    finding = only(lines)
    assert (finding.version, finding.rule, finding.field) == (ended["v"], "rules", "data.winners")
    assert (finding.expected, finding.found) == (right, ended["data"]["winners"])
    assert judged(lines).good == ends_before(draft, ended["v"])


def test_rules_make_more_of_a_move(draft: Draft) -> None:
    del draft.entries[-1]
    number = draft.entries[-1].record["v"]
    finding = first(forged(draft))
    assert (finding.rule, finding.field) == ("rules", "batch")
    assert [*finding.found, "game_ended"] == finding.expected
    assert judged(forged(draft)).good == ends_before(draft, number)


def test_rules_deal_other_cards(draft: Draft) -> None:
    dealt = [e for e in draft.entries if e.record["type"] == "hand_dealt"]
    one, two = (e.open["cards"]["value"] for e in dealt[:2])
    one[0], two[0] = two[0], one[0]
    for cards in (one, two):
        cards.sort()
    finding = only(forged(draft))
    assert (finding.version, finding.rule) == (dealt[0].record["v"], "rules")
    assert finding.field == "open.cards.value"


@pytest.mark.parametrize("observer", [EVERYTHING, SPECTATOR, at_seat(0)], ids=lambda who: who.tag)
@pytest.mark.parametrize("seats", [1, 9, 10**9])
def test_rules_have_no_such_table(draft: Draft, seats: int, observer: Observer) -> None:
    draft.entries[0].record["data"]["seats"] = seats
    found = [(f.version, f.rule, f.field, f.expected, f.found) for f in judged(forged(draft, observer)).findings]
    assert (1, "rules", "data.seats", "2 to 8", seats) in found


@pytest.mark.parametrize("observer", [EVERYTHING, SPECTATOR, at_seat(0)], ids=lambda who: who.tag)
@pytest.mark.parametrize("seats", [0, -3])
def test_nobody_sits_at_a_table_without_seats(draft: Draft, seats: int, observer: Observer) -> None:
    draft.entries[0].record["data"]["seats"] = seats
    finding = first(forged(draft, observer))
    assert (finding.version, finding.rule, finding.field) == (2, "record", "seat")


def test_rules_end_every_game_some_day(draft: Draft, monkeypatch: pytest.MonkeyPatch) -> None:
    info = game().rules.info
    monkeypatch.setattr(type(game().rules), "info", replace(info, most_events=CLAIM))
    finding = only(draft.lines())
    assert (finding.version, finding.rule, finding.expected) == (CLAIM + 1, "rules", f"at most {CLAIM} events")


def test_refused(draft: Draft) -> None:
    claim = entry(draft, CLAIM)
    dealt = [c for e in draft.entries if e.record["type"] == "hand_dealt" for c in e.open["cards"]["value"]]
    mine = next(
        e.open["cards"]["value"]
        for e in draft.entries
        if e.record["type"] == "hand_dealt" and e.record["seat"] == claim.record["seat"]
    )
    claim.open["cards"]["value"] = [next(card for card in dealt if card not in mine)]
    lines = forged(draft)
    finding = only(lines)
    assert (finding.version, finding.rule, finding.field) == (CLAIM, "refused", "cards_claimed")
    assert judged(lines).good == CLAIM - 1


@pytest.mark.parametrize(
    ("change", "field", "expected"),
    [
        (lambda r: r.update(by="bot"), "by", "player"),
        (lambda r: r.update(seat=(r["seat"] + 1) % 3), "seat", "a seat that is asked"),
    ],
)
def test_refused_to_everybodys_knowledge(draft: Draft, change: Callable[[Any], Any], field: str, expected: str) -> None:
    change(entry(draft, CLAIM).record)
    for lines in (forged(draft), forged(draft, SPECTATOR)):
        finding = only(lines)
        assert (finding.version, finding.rule, finding.field, finding.expected) == (CLAIM, "refused", field, expected)


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
