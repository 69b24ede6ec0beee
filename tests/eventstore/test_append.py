"""The contract of an append: every reply, in the order of the checks, on a real server and on fakeredis."""

import re
from pathlib import Path

import pytest
from redis.exceptions import ResponseError

from eventstore import log
from eventstore.keys import shard_keys, shard_of
from eventstore.log import BATCH_CAP, UNSEEN, append_args, append_keys
from eventstore.obligation import Due
from eventstore.replies import (
    Ahead,
    Appended,
    Clock,
    Closed,
    Dup,
    Early,
    Fork,
    Head,
    Late,
    NewRecord,
    Reused,
    Stale,
    StoredRecord,
)
from eventstore.scripts import scripts
from tests.eventstore.world import GAME, World, command, hash_of, owes, record

SHARD = shard_keys(shard_of(GAME))


def test_an_append_is_read_back_byte_for_byte(world: World) -> None:
    bytes_of_all_kinds = bytes(range(256))
    first = NewRecord("game_created", 1, b'{"v":1,"empty":[]}', bytes_of_all_kinds)
    second = NewRecord("seat_taken", 12, bytes_of_all_kinds, b"")
    batch = world.batch("one", first, second)
    reply = world.log.append(batch)
    assert isinstance(reply, Appended)
    assert reply.version == 2
    assert abs(reply.now - batch.at) < 1000
    stored = (
        StoredRecord(1, "game_created", 1, b'{"v":1,"empty":[]}', bytes_of_all_kinds),
        StoredRecord(2, "seat_taken", 12, bytes_of_all_kinds, b""),
    )
    assert world.log.read(GAME) == stored
    assert world.log.read(GAME, after=1) == stored[1:]
    assert world.log.read(GAME, limit=1) == stored[:1]
    assert world.log.head(GAME) == Head(2, batch.head, batch.at, closed=False)
    assert world.log.load(GAME, 1) == (world.log.head(GAME), stored[1:])


def test_a_game_that_is_not_there_is_empty(world: World) -> None:
    assert world.log.load(GAME) == (Head(0, "", 0, closed=False), ())


def test_what_is_written_beside_the_records(world: World) -> None:
    world.append("one")
    world.append("two", record(), record(), record(), owed=(Due(owes("bot"), 5), Due(owes("clock"), 17)))
    after = world.everything()
    assert [entry for entry, _ in after["stream"]] == [b"1-0", b"2-0", b"3-0", b"4-0"]
    assert after["stream"][0][1] == [b"t", b"thing_happened", b"n", b"1", b"r", b"one", b"s", b""]
    assert sorted(after["commands"].values()) == [
        command("one").fingerprint + b"1-1",
        command("two").fingerprint + b"2-4",
    ]
    assert dict(map(tuple, after["due"])) == {b"bot:1:01GAME:7": 5, b"clock:1:01GAME:7": 17}
    assert set(after["open"]) == {GAME.encode()}
    assert [fields for _, fields in after["bell"]] == [
        [b"g", b"01GAME", b"v", b"1"],
        [b"g", b"01GAME", b"v", b"4"],
    ]


def test_a_repeated_command_gets_what_it_made_whatever_happened_since(world: World) -> None:
    batch = world.batch("one", record("a"), record("b"))
    world.log.append(batch)
    world.append("two")
    world.append("three", close=True)
    before = world.everything()
    reply = world.log.append(batch)
    assert isinstance(reply, Dup)
    assert (reply.first, reply.last) == (1, 2)
    assert [r.record for r in reply.records] == [b"a", b"b"]
    assert abs(reply.now - world.log.time()) < 1000
    assert world.everything() == before


def test_a_command_id_used_for_something_else_is_refused_first_of_all(world: World) -> None:
    world.append("one")
    world.append("two", close=True)
    before = world.everything()
    reply = world.append("x", command=command("one", b"other content"), expected_version=0)
    assert isinstance(reply, Reused)
    assert world.everything() == before


def test_only_successes_are_remembered(world: World) -> None:
    world.append("one")
    assert isinstance(world.append("two", expected_version=0), Stale)
    assert isinstance(world.append("two"), Appended)


def test_a_closed_game_takes_nothing_not_even_what_is_stale(world: World) -> None:
    world.append("one")
    batch = world.batch("two", close=True)
    world.log.append(batch)
    before = world.everything()
    for expected in (0, 2, 9):
        reply = world.append("three", expected_version=expected, expected_head="wrong", at=0)
        assert isinstance(reply, Closed)
        assert (reply.version, reply.head) == (2, batch.head)
    assert world.everything() == before
    assert before["open"] == set()
    assert world.log.head(GAME).closed


def test_a_game_closed_by_its_first_append_is_never_open(world: World) -> None:
    world.append("one", close=True)
    assert world.everything()["open"] == set()


def test_who_is_behind_gets_what_he_has_not_seen(world: World) -> None:
    for name in ("one", "two", "three"):
        world.append(name)
    head, before = world.log.head(GAME), world.everything()
    reply = world.append("four", expected_version=1, expected_head="wrong", at=0)
    assert isinstance(reply, Stale)
    assert (reply.version, reply.head, reply.at, reply.more) == (3, head.head, head.at, False)
    assert [(r.version, r.record) for r in reply.records] == [(2, b"two"), (3, b"three")]
    assert world.everything() == before


def test_what_a_stale_reply_brings_is_bounded(world: World) -> None:
    full = (record("x"),) * BATCH_CAP
    for name in ("one", "two"):
        world.append(name, *full)
    reply = world.append("x", expected_version=0)
    assert (len(reply.records), reply.more) == (UNSEEN, False)
    world.append("three")
    reply = world.append("x", expected_version=0)
    assert (len(reply.records), reply.more) == (UNSEEN, True)
    assert reply.records[-1].version == UNSEEN
    assert world.append("x", expected_version=1).more is False


def test_who_is_ahead_is_told(world: World) -> None:
    world.append("one")
    head, before = world.log.head(GAME).head, world.everything()
    reply = world.append("two", expected_version=2, expected_head="wrong", at=0)
    assert isinstance(reply, Ahead)
    assert (reply.version, reply.head) == (1, head)
    assert world.everything() == before


def test_the_same_version_of_another_history_is_a_fork(world: World) -> None:
    world.append("one")
    head, before = world.log.head(GAME).head, world.everything()
    reply = world.append("two", expected_head=hash_of("lost"), at=0)
    assert isinstance(reply, Fork)
    assert (reply.version, reply.head) == (1, head)
    assert world.everything() == before


def test_the_first_append_needs_no_head(world: World) -> None:
    assert isinstance(world.append("one", expected_head=hash_of("genesis")), Appended)


@pytest.mark.parametrize("off", [-5000, -1500, 1500, 5000])
def test_a_time_far_from_the_stores_is_refused_and_the_right_one_named(world: World, off: int) -> None:
    batch = world.batch("one", at=world.log.time() + off, not_after=0)
    before = world.everything()
    reply = world.log.append(batch)
    assert isinstance(reply, Clock)
    assert reply.use == reply.now
    assert abs(reply.now - world.log.time()) < 1000
    assert world.everything() == before
    assert isinstance(world.append("one", at=reply.use), Appended)


@pytest.mark.parametrize("off", [-500, 500])
def test_a_time_near_the_stores_is_taken(world: World, off: int) -> None:
    at = world.log.time() + off
    assert isinstance(world.append("one", at=at), Appended)
    assert world.log.head(GAME).at == at


def test_time_never_runs_backwards_in_a_log(world: World) -> None:
    world.append("one")
    last = world.step_clock(500)
    reply = world.append("two", at=last - 1)
    assert isinstance(reply, Clock)
    assert reply.use == last
    assert isinstance(world.append("two", at=last), Appended)
    world.step_clock(-900)
    reply = world.append("three", at=world.log.head(GAME).at)
    assert isinstance(reply, Appended)


def test_when_the_stores_clock_stepped_back_an_hour_the_last_records_time_is_used(world: World) -> None:
    world.append("one")
    last = world.step_clock(3_600_000)
    for wrong in (world.log.time(), last + 1, last - 1):
        reply = world.append("two", at=wrong)
        assert isinstance(reply, Clock)
        assert reply.use == last
    assert isinstance(world.append("two", at=last), Appended)
    assert world.log.head(GAME).at == last


def test_when_the_stores_clock_stepped_forward_the_last_records_time_is_too_old(world: World) -> None:
    world.append("one")
    last = world.step_clock(-3_600_000)
    reply = world.append("two", at=last)
    assert isinstance(reply, Clock)
    assert reply.use == reply.now


def test_a_timeout_is_early_until_both_its_time_and_the_stores_have_come(world: World) -> None:
    now = world.log.time()
    before = world.everything()
    early = world.append("x", at=now + 900, not_before=now + 800)
    assert isinstance(early, Early)
    assert early.gap is False
    assert isinstance(world.append("x", at=now - 500, not_before=now - 400), Early)
    assert world.everything() == before
    assert isinstance(world.append("x", at=now, not_before=now), Appended)


def test_a_move_is_late_by_its_own_time(world: World) -> None:
    now = world.log.time()
    before = world.everything()
    assert isinstance(world.append("x", at=now, not_after=now - 1), Late)
    assert world.everything() == before
    assert isinstance(world.append("x", at=now, not_after=now), Appended)
    at = world.log.time()
    assert isinstance(world.append("y", at=at, not_before=at, not_after=at), Appended)


def test_while_downtime_is_to_be_credited_nothing_is_late_and_no_timeout_comes(world: World) -> None:
    now = world.log.time()
    world.owed.beat()
    assert isinstance(world.append("x", not_after=now - 9000), Late)
    world.sleep_through(4000)
    assert isinstance(world.append("x", not_after=now - 9000), Late)
    world.sleep_through(60_000)
    assert isinstance(world.append("late, unnoticed", not_after=now - 9000), Appended)
    early = world.append("x", not_before=now - 9000)
    assert isinstance(early, Early)
    assert early.gap
    (gap,) = world.owed.beat()
    assert isinstance(world.append("late, noticed", not_after=now - 9000), Appended)
    assert isinstance(world.append("x", not_before=now - 9000), Early)
    world.owed.clear_gap(gap)
    assert isinstance(world.append("x", not_after=now - 9000), Late)
    assert isinstance(world.append("x", not_before=now - 9000), Appended)


def test_the_same_obligation_added_again_keeps_its_time_lease_and_attempts(world: World) -> None:
    world.owe(owes("bot"), 5)
    (claim,) = world.owed.claim().claims
    before = world.everything()
    world.append("again", owed=(Due(owes("bot"), 99),))
    after = world.everything()
    assert (after["due"], after["tries"]) == (before["due"], before["tries"])
    assert int(after["due"][0][1]) == claim.token


def test_a_fulfilled_obligation_goes_whatever_its_lease(world: World) -> None:
    world.append("one", owed=(Due(owes("bot"), 5), Due(owes("bot", seat=2), 6), Due(owes("bot", seat=3), 7)))
    world.owed.claim()
    world.append("two", fulfilled=(owes("bot"), owes("bot", seat=3), owes("bot", seat=9)))
    assert [d.obligation.seat for d in world.owed.list_due(shard_of(GAME))] == [2]
    assert set(world.everything()["tries"]) == {b"bot:2:01GAME:7"}


def test_an_obligation_fulfilled_and_owed_at_once_starts_anew(world: World) -> None:
    world.owe(owes("clock"), 5)
    world.owed.claim()
    world.append("credit", fulfilled=(owes("clock"),), owed=(Due(owes("clock"), 77),))
    assert world.owed.list_due(shard_of(GAME)) == (Due(owes("clock"), 77),)
    assert world.everything()["tries"] == {}
    (claim,) = world.owed.claim().claims
    assert (claim.attempt, claim.due) == (1, 77)


def test_the_doorbell_is_trimmed(world: World) -> None:
    for i in range(40):
        world.client.xadd(SHARD.bell, {"g": "x" * 60, "v": i})
    args = list(_raw(world, "one"))
    args[11] = "1"
    _run_raw(world, args)
    # Real servers trim whole nodes of 100 entries; fakeredis to the entry.
    assert world.client.xlen(SHARD.bell) <= 41
    for i in range(300):
        world.client.xadd(SHARD.bell, {"g": "x", "v": i})
    args = list(_raw(world, "two"))
    args[11] = "1"
    _run_raw(world, args)
    assert world.client.xlen(SHARD.bell) < 200


def test_a_batch_has_a_bounded_size(world: World) -> None:
    with pytest.raises(ValueError, match="1 to 64"):
        world.append("x", *(record(),) * (BATCH_CAP + 1))
    with pytest.raises(ValueError, match="1 to 64"):
        world.log.append(world.batch("x", records=()))
    with pytest.raises(ValueError, match="another game"):
        world.append("x", owed=(Due(owes("bot", game="other"), 1),))


def _raw(world: World, name: str) -> tuple[object, ...]:
    return append_args(world.batch(name, owed=(Due(owes("bot", decision=name), 5),), fulfilled=(owes("index"),)))


def _run_raw(world: World, args: list[object]) -> object:
    return world.log._append.run(world.client, append_keys(GAME), tuple(args))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda a: a[:-1], "number of arguments"),
        (lambda a: [*a, "more"], "number of arguments"),
        (lambda a: [*a[:12], 0, 1, 1, *a[19:]], "1 to 64 records"),
        (lambda a: [*a[:12], 65, 1, 1, *a[15:19] * 65, *a[19:]], "1 to 64 records"),
        (lambda a: [*a[:2], b"15 bytes long..", *a[3:]], "16 bytes"),
        (lambda a: [*a[:20], "soon", *a[21:]], "not in ms"),
        (lambda a: [*a[:20], "nan", *a[21:]], "not in ms"),
    ],
)
def test_arguments_that_would_break_a_write_are_refused_before_the_first(world: World, change, complaint) -> None:
    before = world.everything()
    with pytest.raises(ResponseError, match=complaint):
        _run_raw(world, change(list(_raw(world, "one"))))
    assert world.everything() == before
    assert _run_raw(world, list(_raw(world, "one")))[0] == b"OK"


def test_every_reply_of_the_script_is_in_its_list_and_is_parsed() -> None:
    source = scripts().append.source
    returned = set(re.findall(r"return \{'([A-Z]+)'", source))
    documented = set(re.findall(r"^--   ([A-Z]+) ", source, re.MULTILINE))
    parsed = set(re.findall(r'case \[b"([A-Z]+)"', Path(log.__file__).read_text()))
    assert returned == documented == parsed
    assert len(returned) == 10


def test_nothing_prints_what_is_in_a_record() -> None:
    assert "9H" not in repr(NewRecord("x", 1, b"9H", b"9H")) + repr(StoredRecord(1, "x", 1, b"9H", b"9H"))
