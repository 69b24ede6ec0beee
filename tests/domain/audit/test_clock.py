"""Time: no timeout a millisecond early, no move a millisecond late, no credit for time in which clocks fired."""

import pytest

from domain.audit.play import GAP_MS
from domain.commands import Create, Credit, PlayDefault, Start, Timeout
from domain.observers import EVERYTHING, SPECTATOR, Observer, at_seat
from tests.domain.audit.logs import SEED, Made, forged, judged, only, started
from tests.mutations.draft import Draft

WHO = [EVERYTHING, SPECTATOR, at_seat(0), at_seat(1)]
TABLES = ["moves", "votes"]


def table(kind: str) -> Made:
    """A game that waits for a move, or for the answers of a vote window."""
    if kind == "moves":
        return started(2).plays()
    made = started(4, options={"adding": "after_no_challenge"}).plays()
    assert made.asked.decision.vote
    return made


def with_a_bot() -> Made:
    """A game in which it is a bot's turn."""
    made = Made().when(Create("bluff_king", {}, 3, "P0", SEED, 0, ("novice", "standard")), Start("P0")).later(1000)
    while made.game.seats[made.asked.decision.seat].controller != "bot":
        made.plays()
    return made


def shifted(made: Made, v: int, ms: int) -> Draft:
    """The game played on to its end, all from version `v` on `ms` later, which only the clock can tell."""
    made.later(1000).to_the_end()
    draft = Draft(made.served())
    for entry in draft.entries[v - 1 :]:
        entry.record["at"] += ms
    return draft


@pytest.mark.parametrize("observer", WHO, ids=lambda who: who.tag)
@pytest.mark.parametrize("kind", TABLES)
def test_a_timeout_is_not_early(kind: str, observer: Observer) -> None:
    made = table(kind)
    v, deadline = made.game.version + 1, made.deadline
    made.until(deadline).when(Timeout())
    draft = shifted(made, v, -1)
    lines = forged(draft, observer)
    finding = only(lines)
    assert (finding.version, finding.rule, finding.field) == (v, "clock", "at")
    assert (finding.expected, finding.found) == (f"{deadline} or later", deadline - 1)
    assert judged(lines).good == v - 1
    for entry in draft.entries[v - 1 :]:
        entry.record["at"] += 1
    assert judged(forged(draft, observer)).verdict == "sound"


@pytest.mark.parametrize("observer", WHO, ids=lambda who: who.tag)
@pytest.mark.parametrize("kind", TABLES)
def test_a_move_is_not_late(kind: str, observer: Observer) -> None:
    made = table(kind)
    v, deadline = made.game.version + 1, made.deadline
    made.until(deadline).plays()
    others = [a for a in made.game.asked if made.now >= made.game.enforced(a)]
    if others:
        made.when(Timeout())
    draft = shifted(made, v, 1)
    lines = forged(draft, observer)
    finding = only(lines)
    assert (finding.version, finding.rule, finding.field) == (v, "clock", "at")
    assert (finding.expected, finding.found) == (f"at most {deadline}", deadline + 1)
    assert judged(lines).good == v - 1


@pytest.mark.parametrize("observer", WHO[1:], ids=lambda who: who.tag)
def test_the_clock_of_a_running_game_is_checked_too(observer: Observer) -> None:
    made = table("moves")
    v, deadline = made.game.version + 1, made.deadline
    draft = Draft(made.until(deadline).when(Timeout()).served())
    for entry in draft.entries[v - 1 :]:
        entry.record["at"] -= 1
    finding = only(forged(draft, observer, upto=made.game.version))
    assert (finding.version, finding.rule, finding.found) == (v, "clock", deadline - 1)


@pytest.mark.parametrize("observer", WHO, ids=lambda who: who.tag)
def test_a_timeout_is_of_whose_time_is_up(observer: Observer) -> None:
    made = table("moves")
    seat, v = made.asked.decision.seat, made.game.version + 1
    made.until(made.deadline).when(Timeout())
    draft = shifted(made, v, 0)
    for entry in draft.batch(draft.entries[v - 1].batch):
        entry.record["seat"] = 1 - seat if entry.record["seat"] == seat else entry.record["seat"]
    finding = only(forged(draft, observer))
    assert (finding.version, finding.rule, finding.field) == (v, "refused", "seat")


@pytest.mark.parametrize("observer", WHO, ids=lambda who: who.tag)
def test_the_sweeper_plays_for_bots_only(observer: Observer) -> None:
    made = with_a_bot()
    asked = made.asked
    v = made.game.version + 1
    made.when(PlayDefault(asked.decision.seat, asked.id))
    draft = shifted(made, v, 0)
    assert judged(forged(draft, observer)).verdict == "sound"
    for entry in draft.entries:
        if entry.record["type"] == "seat_taken" and entry.record["seat"] == asked.decision.seat:
            entry.record["data"] |= {"bot": None, "player": "P9"}
            entry.record["by"] = "player"
    assert judged(forged(draft, observer)).verdict == "unsound"


@pytest.mark.parametrize("observer", WHO, ids=lambda who: who.tag)
@pytest.mark.parametrize(("ms", "sound"), [(GAP_MS, False), (GAP_MS + 1, True), (0, False), (-60_000, False)])
def test_credit_is_for_more_than_a_moment(ms: int, sound: bool, observer: Observer) -> None:
    made = table("moves").later(10_000)
    v = made.game.version + 1
    draft = shifted(made.when(Credit(GAP_MS + 1)), v, 0)
    draft.entries[v - 1].record["data"]["ms"] = ms
    lines = forged(draft, observer)
    if sound:
        assert judged(lines).verdict == "sound"
    else:
        finding = only(lines)
        assert (finding.version, finding.rule, finding.field) == (v, "credit", "data.ms")
        assert (finding.expected, finding.found) == (f"more than {GAP_MS}", ms)
        assert judged(lines).good == v - 1


@pytest.mark.parametrize("observer", WHO, ids=lambda who: who.tag)
def test_credit_is_not_for_time_in_which_a_clock_fired(observer: Observer) -> None:
    made = table("moves")
    fired = made.deadline
    made.until(fired).when(Timeout()).later(20_000)
    v = made.game.version + 1
    draft = shifted(made.when(Credit(25_000)), v, 0)
    assert judged(forged(draft, observer)).verdict == "sound"
    draft.entries[v - 1].record["data"]["ms"] = 25_001
    finding = only(forged(draft, observer))
    assert (finding.version, finding.rule, finding.field) == (v, "credit", "data.ms")
    assert finding.expected == f"at most 25000, since a clock fired at {fired}"


@pytest.mark.parametrize("observer", WHO, ids=lambda who: who.tag)
def test_a_credited_deadline_is_later_by_the_credit(observer: Observer) -> None:
    made = table("moves").later(30_000).when(Credit(20_000))
    v, deadline = made.game.version + 1, made.deadline
    draft = shifted(made.until(deadline).when(Timeout()), v, -1)
    assert only(forged(draft, observer)).expected == f"{deadline} or later"
