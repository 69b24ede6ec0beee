"""Every rule of the audit about records and moves: one thing is wrong, found there, and the log good until then."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from msgspec.structs import replace

from domain.observers import EVERYTHING, SPECTATOR, Observer, at_seat
from tests.domain.audit.logs import (
    CLAIM,
    ends_before,
    entry,
    first,
    forged,
    game,
    judged,
    last_of,
    line,
    only,
)
from tests.mutations.draft import Draft, Entry

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
