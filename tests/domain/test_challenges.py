"""Challenges of recorded games: what a spectator is told at once, what everybody is told at the end, and the proof."""

import hashlib
import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain import canonical
from domain.challenges import Challenge, Entry, challenge, challenges, proof
from domain.errors import Refused
from domain.events import redact_line
from domain.observers import EVERYTHING, SPECTATOR, Observer
from domain.registry import REGISTRY
from domain.signing import SignedHead
from tests.golden.test_golden import LOGS
from tests.keys import SIGNER

GAME = "a game"


def entries(path: Path, observer: Observer) -> list[Entry]:
    found = []
    for text in path.read_bytes().splitlines():
        line = canonical.loads(text)
        opened = redact_line(line["record"], line["open"], observer)["open"]
        found.append(Entry(canonical.dumps(line["record"]), line["record"], opened))
    return found


def of_golden(path: Path, observer: Observer) -> tuple[list[Entry], tuple[Challenge, ...]]:
    read = entries(path, observer)
    created = read[0].record["data"]
    key, version = created["ruleset"], created["rules_version"]
    return read, challenges(REGISTRY.at(key, version), REGISTRY.codec(key, version), read)


def test_the_golden_logs_have_challenges_in_every_game_that_knows_them() -> None:
    found = {path.stem.split("-")[0] for path in LOGS if of_golden(path, SPECTATOR)[1]}
    assert found == {rules.info.key for rules in REGISTRY if rules.info.challenge_events}


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_spectator_is_told_at_once_what_everybody_is_told_at_the_end(path: Path) -> None:
    read, told = of_golden(path, SPECTATOR)
    _, all_told = of_golden(path, EVERYTHING)
    rules, codec = REGISTRY.newest(path.stem.split("-")[0]), REGISTRY.codec(path.stem.split("-")[0], 1)
    for one, known in zip(told, all_told, strict=True):
        end = one.explanation.v + read[one.explanation.v - 1].record["left"]
        live = challenge(rules, codec, read[:end], one.explanation.v)
        assert live == one
        assert replace(one, explanation=replace(one.explanation, provenance=())) == replace(
            known, explanation=replace(known.explanation, provenance=())
        )


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_at_the_end_every_card_that_was_shown_has_come_from_somewhere(path: Path) -> None:
    for one in of_golden(path, EVERYTHING)[1]:
        told = one.explanation
        assert [came["card"] for came in told.provenance] == list(told.revealed)
        assert all(isinstance(came["v"], int) and came["v"] < told.v and came["by"] for came in told.provenance)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_whole_seal_that_was_opened_is_proven(path: Path) -> None:
    read, told = of_golden(path, SPECTATOR)
    for one in told:
        v = one.explanation.v
        made = json.loads(canonical.dumps(proof(GAME, read, v, SIGNER)))
        assert bool(made["openings"]) == one.sealed
        for place, begins in ((made["challenge"], v), *((opening, opening["v"]) for opening in made["openings"])):
            records = [json.loads(text) for text in place["records"]]
            assert records[0]["v"] == begins
            assert [record["left"] for record in records] == list(range(len(records) - 1, -1, -1))
            head = SignedHead(**place["signed"])
            assert (head.version, head.at) == (records[-1]["v"], records[-1]["at"])
            assert head.hash == hashlib.sha256(place["records"][-1].encode()).hexdigest()
            assert SIGNER.public.holds(head.signature, head.statement)
        for opening in made["openings"]:
            assert opening["field"] in json.loads(opening["records"][0])["seals"]


def test_another_event_is_no_challenge() -> None:
    path = next(path for path in LOGS if path.stem.startswith("bluff_king"))
    read, told = of_golden(path, SPECTATOR)
    rules, codec = REGISTRY.newest("bluff_king"), REGISTRY.codec("bluff_king", 1)
    for v in {0, -1, len(read) + 1, *range(1, len(read) + 1)} - {one.explanation.v for one in told}:
        with pytest.raises(Refused, match="not_a_challenge"):
            challenge(rules, codec, read, v)
