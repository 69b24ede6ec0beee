"""Obligations: claimed with a lease, kept until fulfilled, held back while downtime is to be credited."""

import multiprocessing
import threading
from itertools import pairwise
from multiprocessing.queues import Queue

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventstore.keys import GAME_ID, shard_keys, shard_of
from eventstore.obligation import Due, Obligation
from eventstore.owed import Claim, Gap, Owed
from eventstore.scripts import scripts
from tests.eventstore.server import Server, until
from tests.eventstore.world import GAME, World, owes
from tests.eventstore.writers import sweep_until_empty

SHARD = shard_of(GAME)


def test_what_is_due_is_handed_out_once_within_its_lease(world: World) -> None:
    world.owe(owes("bot"), 5)
    sweep = world.owed.claim()
    (claim,) = sweep.claims
    assert claim == Claim(owes("bot"), 1, 5, claim.token)
    assert abs(claim.token - 5000 - world.log.time()) < 1000
    assert abs(sweep.now - world.log.time()) < 1000
    assert world.owed.claim().claims == ()
    assert world.owed.claim_one(owes("bot")) is None


def test_after_its_lease_it_comes_again_with_its_first_due_time(world: World) -> None:
    world.owe(owes("bot"), 5)
    for attempt in (1, 2, 3):
        (claim,) = until(lambda: world.owed.claim(lease_ms=1).claims)
        assert (claim.attempt, claim.due) == (attempt, 5)


def test_what_is_not_due_is_not_handed_out(world: World) -> None:
    world.owe(owes("bot"), world.log.time() + 60_000)
    assert world.owed.claim().claims == ()
    assert world.owed.claim_one(owes("bot")) is None


def test_a_limit_takes_the_oldest_of_each_shard(world: World) -> None:
    for seat in range(5):
        world.owe(owes("bot", seat), 10 - seat)
    claims = world.owed.claim((SHARD,), limit=2).claims
    assert [c.obligation.seat for c in claims] == [4, 3]
    assert [c.obligation.seat for c in world.owed.claim((SHARD,), limit=9).claims] == [2, 1, 0]


def test_one_wanted_obligation_is_claimed_and_no_other(world: World) -> None:
    for seat in (1, 2):
        world.owe(owes("bot", seat), 5)
    claim = world.owed.claim_one(owes("bot", 2))
    assert claim is not None
    assert (claim.obligation, claim.attempt, claim.due) == (owes("bot", 2), 1, 5)
    assert [c.obligation.seat for c in world.owed.claim().claims] == [1]


def test_completing_needs_the_lease(world: World) -> None:
    world.owe(owes("index", None), 5)
    (stale,) = world.owed.claim(lease_ms=1).claims
    (claim,) = until(lambda: world.owed.claim().claims)
    assert not world.owed.complete(stale)
    assert world.owed.list_due(SHARD) == (Due(owes("index", None), 5),)
    assert world.owed.complete(claim)
    assert not world.owed.complete(claim)
    assert world.owed.list_due(SHARD) == ()
    assert world.everything()["tries"] == {}


def test_what_is_given_back_comes_again_at_once_with_its_attempts(world: World) -> None:
    world.owe(owes("bot"), 5)
    (stale,) = world.owed.claim(lease_ms=1).claims
    (claim,) = until(lambda: world.owed.claim().claims)
    assert not world.owed.release(stale)
    assert world.owed.release(claim)
    (again,) = until(lambda: world.owed.claim().claims)
    assert (again.attempt, again.due) == (3, 5)


def test_what_is_postponed_comes_as_if_it_were_new(world: World) -> None:
    world.owe(owes("audit"), 5)
    (stale,) = world.owed.claim(lease_ms=1).claims
    (claim,) = until(lambda: world.owed.claim().claims)
    late = world.log.time() + 60_000
    assert not world.owed.postpone(stale, late)
    assert world.owed.postpone(claim, late)
    assert world.owed.list_due(SHARD) == (Due(owes("audit"), late),)
    assert world.owed.claim().claims == ()
    world.client.zadd(shard_keys(SHARD).due, {owes("audit").print(): 7})
    (again,) = world.owed.claim().claims
    assert (again.attempt, again.due) == (1, 7)
    assert world.owed.complete(again)
    assert not world.owed.postpone(again, late)
    assert world.owed.list_due(SHARD) == ()


def test_listing_names_each_games_own_due_times_leased_or_not(world: World) -> None:
    other = next(g for g in (f"G{i}" for i in range(999)) if shard_of(g) == SHARD)
    world.owe(owes("bot"), 5)
    world.owe(owes("expire", None, "", other), 6)
    world.owed.claim(limit=1)
    assert world.owed.list_due(SHARD, GAME) == (Due(owes("bot"), 5),)
    assert set(world.owed.list_due(SHARD)) == {Due(owes("bot"), 5), Due(owes("expire", None, "", other), 6)}


def test_overdue_counts_what_waits_and_what_is_late(world: World) -> None:
    empty = world.owed.overdue()
    assert (empty.waiting, empty.due, empty.oldest_ms) == (0, 0, 0)
    now = world.log.time()
    world.owe(owes("bot"), now - 5000)
    world.owe(owes("bot", 2), now + 60_000)
    overdue = world.owed.overdue()
    assert (overdue.waiting, overdue.due) == (2, 1)
    assert 5000 <= overdue.oldest_ms < 15_000
    world.owed.claim()
    assert world.owed.overdue().due == 0


def test_a_first_sweep_finds_no_gap(world: World) -> None:
    assert world.owed.claim().gaps == ()


def test_a_short_pause_is_no_gap(world: World) -> None:
    world.owed.claim()
    world.sleep_through(4000)
    assert world.owed.claim().gaps == ()


def test_after_a_gap_no_clock_work_is_handed_out_until_it_is_cleared(world: World) -> None:
    world.owed.claim()
    for seat in range(5):
        world.owe(owes("clock", seat), seat)
    world.owe(owes("bot"), 9)
    world.sleep_through(60_000)
    assert world.owed.claim_one(owes("clock", 1)) is None  # not even before a sweep has noticed it
    first = world.owed.claim((SHARD,), limit=2)
    assert [c.obligation.kind for c in first.claims] == ["bot"]
    (gap,) = first.gaps
    assert gap == Gap(SHARD, gap.since, gap.ms)
    assert 60_000 <= gap.ms < 61_000
    assert abs(gap.since + gap.ms - first.now) < 1000
    again = world.owed.claim()
    assert (again.claims, again.gaps) == ((), (gap,))
    assert world.owed.claim_one(owes("clock", 1)) is None
    world.owed.clear_gap(gap)
    after = world.owed.claim()
    assert len(after.claims) == 5
    assert after.gaps == ()


def test_what_is_held_back_does_not_crowd_out_other_work(world: World) -> None:
    world.owed.claim()
    for seat in range(20):
        world.owe(owes("clock" if seat % 4 else "bot", seat), 20 - seat)
    world.sleep_through(60_000)
    claims = world.owed.claim((SHARD,), limit=3).claims
    assert [c.obligation.seat for c in claims] == [16, 12, 8]
    assert [c.obligation.seat for c in world.owed.claim((SHARD,), limit=3).claims] == [4, 0]


def test_a_second_gap_while_the_first_is_pending_is_kept_beside_it(world: World) -> None:
    world.owed.claim()
    world.sleep_through(60_000)
    (first,) = world.owed.claim().gaps
    world.sleep_through(30_000)
    gaps = world.owed.claim().gaps
    assert len(gaps) == 2
    assert first in gaps
    world.owed.clear_gap(first)
    assert len(world.owed.claim().gaps) == 1


def test_a_clock_that_stepped_back_makes_no_gap_and_hides_none(world: World) -> None:
    world.owed.claim()
    world.sleep_through(-3_600_000)
    assert world.owed.claim().gaps == ()
    mark = int(world.client.hget(shard_keys(SHARD).alive, "at"))
    assert abs(mark - world.log.time()) < 2000


def test_a_sweep_marks_at_most_once_a_second(world: World) -> None:
    world.owed.claim()
    world.sleep_through(500)
    mark = world.client.hget(shard_keys(SHARD).alive, "at")
    world.owed.claim()
    world.owed.claim_one(owes("bot"))
    assert world.client.hget(shard_keys(SHARD).alive, "at") == mark
    world.sleep_through(1500)
    mark = world.client.hget(shard_keys(SHARD).alive, "at")
    world.owed.claim_one(owes("bot"))
    assert world.client.hget(shard_keys(SHARD).alive, "at") == mark
    world.owed.beat()
    assert world.client.hget(shard_keys(SHARD).alive, "at") != mark


def test_a_beat_takes_nothing(world: World) -> None:
    world.owe(owes("bot"), 5)
    assert world.owed.beat() == ()
    assert len(world.owed.claim().claims) == 1


def test_open_games_are_those_not_closed(world: World) -> None:
    world.append("one")
    assert list(world.owed.open_games(SHARD)) == [GAME]
    world.append("two", close=True)
    assert list(world.owed.open_games(SHARD)) == []


def test_a_claim_over_all_shards_survives_a_script_flush(owed: Owed, client) -> None:
    owed.claim()
    client.script_flush()
    assert len(owed.claim((1, 2, 3)).gaps) == 0


@given(
    st.builds(
        Obligation,
        st.from_regex(GAME_ID, fullmatch=True),
        st.from_regex(r"[a-z][a-z_]*", fullmatch=True),
        st.none() | st.integers(0, 99),
        st.text(),
    )
)
def test_an_obligation_is_read_back_from_its_text(obligation: Obligation) -> None:
    assert Obligation.parse(obligation.print()) == obligation


@pytest.mark.parametrize(
    "text", ["", "bot", "bot:1:G", "bot:x:G:1", "Bot:1:G:1", "bot:01:G:1", "bot:-1:G:1", "bot::a b:1"]
)
def test_what_is_not_the_text_of_an_obligation_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="obligation"):
        Obligation.parse(text)


@pytest.mark.parametrize("change", [{"kind": "a:b"}, {"kind": ""}, {"game": "a:b"}, {"game": ""}, {"seat": -1}])
def test_an_obligation_that_could_not_be_read_back_cannot_be_made(change) -> None:
    with pytest.raises(ValueError, match=r"obligation|seat"):
        Obligation(**({"game": "G", "kind": "bot", "seat": 1, "decision": ""} | change))


def test_several_sweepers_never_hold_the_same_obligation_at_once(server: Server, client) -> None:
    """Each of 60 obligations is claimed, its lease runs out, it is claimed again and completed."""
    world = World(client, scripts())
    for n in range(60):
        world.owe(owes("bot", 1, str(n), game=f"G{n % 7}"), n)
    context = multiprocessing.get_context("spawn")
    out: Queue[list[tuple[str, int, int, int]]] = context.Queue()
    sweepers = [context.Process(target=sweep_until_empty, args=(server.url, 150, out)) for _ in range(2)]
    for sweeper in sweepers:
        sweeper.start()
    claims = [claim for _ in sweepers for claim in out.get(timeout=30)]
    for sweeper in sweepers:
        sweeper.join(10)
    by_member: dict[str, list[tuple[int, int, int]]] = {}
    for member, *rest in claims:
        by_member.setdefault(member, []).append((rest[0], rest[1], rest[2]))
    assert len(by_member) == 60
    for leases in by_member.values():
        leases.sort()
        assert [attempt for attempt, _, _ in leases] == list(range(1, len(leases) + 1))
        assert all(end <= start for (_, _, end), (_, start, _) in pairwise(leases))


def test_a_ring_and_a_sweep_at_once_hand_out_once(world: World) -> None:
    """The path that appended claims at once while sweepers run."""
    for n in range(30):
        obligation = owes("bot", 1, str(n))
        world.owe(obligation, 5)
        got: list[Claim] = []
        threads = [
            threading.Thread(target=lambda o=obligation, g=got: g.extend(filter(None, [world.owed.claim_one(o)]))),
            threading.Thread(target=lambda g=got: g.extend(world.owed.claim((SHARD,)).claims)),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [c.obligation for c in got] == [obligation]
