"""The short form: every kind of forgery at every depth, of small logs of all games."""

from pathlib import Path
from random import Random

import pytest

from domain.audit import audit
from tests.keys import SIGNER
from tests.mutations.__main__ import reported, table
from tests.mutations.campaign import KEYS, Job, Tally, jobs, run
from tests.mutations.draft import Draft
from tests.mutations.forgeries import FORGERIES
from tests.mutations.kinds import CELLS, FORGER, RAW, mutated
from tests.mutations.sources import source

PARTS = 6
LONGEST = 150


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_every_kind_of_forgery_is_found_by_who_has_the_key(part: int) -> None:
    for number in range(part, len(CELLS), PARTS):
        kind, depth = CELLS[number]
        _, tally = run(Job(kind, depth, KEYS[number % len(KEYS)], 2, "a-0", logs=2, longest=LONGEST))
        assert tally.missed == []
        assert tally.flagged == tally.tried == 2
        if depth == RAW:
            # Bytes that were changed and not hashed anew are found by anybody.
            assert tally.found == tally.unsigned
        if kind in FORGERIES:
            assert tally.found == 0


@pytest.mark.parametrize("key", KEYS)
def test_a_log_sealed_and_chained_anew_without_a_change_is_the_same(key: str) -> None:
    one = source(key, "a-1", LONGEST)
    draft = Draft(one.lines)
    assert draft.lines() == one.lines
    draft.rehash(SIGNER)
    assert draft.lines() == one.lines


@pytest.mark.parametrize("kind", FORGERIES)
def test_a_perfect_forgery_is_found_by_its_signature_alone(kind: str) -> None:
    one = source("bluff_king", "a-1", LONGEST)
    lines = FORGERIES[kind](one, Random(1), FORGER)
    assert lines is not None
    assert lines != one.lines
    assert audit(lines).verdict == "sound_unsigned"
    assert [f.rule for f in audit(lines, keys=[SIGNER.public]).findings] == ["signature"]
    # Who has the forger's own key for the server's believes it, but for a receipt of the game that was played.
    assert audit(lines, keys=[FORGER.public]).verdict == "sound"
    receipt = FORGER.head(one.game.id, one.game.version, one.lines[0].decode().split('"head":"')[1][:64], one.game.at)
    assert [f.rule for f in audit(lines, keys=[FORGER.public], receipts=[receipt]).findings] == ["receipt"]


def test_equal_seeds_make_equal_mutations() -> None:
    one = source("bluff_king", "a-1", LONGEST)
    made = [mutated("played card", RAW, one, one, Random(3)) for _ in range(2)]
    assert made[0] == made[1]
    assert made[0] is not None


def test_the_jobs_are_as_many_mutations_as_were_asked_for() -> None:
    for count in (1, 119, 10_000):
        assert sum(job.count for job in jobs(count, "s")) == count
    assert {(job.kind, job.depth) for job in jobs(10_000, "s")} == set(CELLS)


def test_what_was_missed_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    found, missed = Tally(tried=2, flagged=2, unsigned=1, found=1), Tally(tried=1, missed=["G: rank: sound"])
    assert reported({("host", RAW): found}) == 0
    assert reported({("host", RAW): found, ("vote", RAW): missed}) == 1
    assert reported({}) == 1
    assert "vote, raw: G: rank: sound" in capsys.readouterr().out
    assert "| host | 2/2; 1/1 | – | – |" in table({("host", RAW): found})


def test_the_documented_table_has_every_kind() -> None:
    documented = (Path(__file__).parents[2] / "docs" / "audit.md").read_text(encoding="utf-8")
    for kind in {kind for kind, _ in CELLS}:
        assert f"\n| {kind} |" in documented
