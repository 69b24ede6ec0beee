"""A state machine: fakeredis and a real server answer alike, so that tests on fakeredis mean something."""

from dataclasses import asdict, replace
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from eventstore.keys import shard_keys, shard_of
from eventstore.obligation import Due
from eventstore.owed import Claim
from eventstore.scripts import scripts
from tests.eventstore.conftest import fake_client
from tests.eventstore.server import Server
from tests.eventstore.world import GAME, World, command, owes, record

TIMES = {"now", "at", "use", "token"}
SHARD = shard_of(GAME)
OBLIGATIONS = (owes("bot"), owes("bot", 2), owes("clock"), owes("index", None))
FAR_MS = 60_000
LEASE_MS = 3_600_000

obligations = st.lists(st.sampled_from(OBLIGATIONS), max_size=3, unique=True).map(tuple)


def without_times(value: Any) -> Any:
    fields = {k: v for k, v in asdict(value).items() if k not in TIMES}
    return type(value).__name__, fields


class BothAnswerAlike(RuleBasedStateMachine):
    server: Server

    @initialize()
    def begin(self) -> None:
        real = self.server.client()
        real.flushall()
        self.worlds = World(real, scripts()), World(fake_client(), scripts().without_shebang())
        self.names = 0
        self.claims: list[tuple[Claim, Claim]] = []

    def teardown(self) -> None:
        for world in getattr(self, "worlds", ()):
            world.client.close()
            world.client.connection_pool.disconnect()

    @rule(
        again=st.integers(0, 12),
        content=st.sampled_from([b"", b"", b"", b"other"]),
        off=st.sampled_from([0, 0, 0, -1, -2, 1]),
        right_head=st.sampled_from([True, True, True, False]),
        at_off=st.sampled_from([0, 0, 0, -FAR_MS, FAR_MS]),
        not_before=st.sampled_from([None, None, -FAR_MS, FAR_MS]),
        not_after=st.sampled_from([None, None, -FAR_MS, FAR_MS]),
        count=st.integers(1, 3),
        owed=obligations,
        owed_in=st.sampled_from([-FAR_MS, FAR_MS]),
        fulfilled=obligations,
        close=st.integers(0, 19).map(lambda n: n == 0),
    )
    def append(
        self,
        again,
        content,
        off,
        right_head,
        at_off,
        not_before,
        not_after,
        count,
        owed,
        owed_in,
        fulfilled,
        close,
    ):
        """Command ids 1 to 12 come again and again; 0 is a new one."""
        self.names += 1
        name = f"again {again}" if again else f"new {self.names}"
        answers = []
        for world in self.worlds:
            now = world.log.time()
            batch = world.batch(
                name,
                *[record(f"{self.names} {n}") for n in range(count)],
                command=command(name, content),
                owed=tuple(Due(o, now + owed_in) for o in owed),
                fulfilled=fulfilled,
                not_before=None if not_before is None else now + not_before,
                not_after=None if not_after is None else now + not_after,
                close=close,
            )
            batch = replace(
                batch,
                expected_version=max(0, batch.expected_version + off),
                expected_head=batch.expected_head if right_head else "wrong",
                at=batch.at + at_off,
            )
            answers.append(without_times(world.log.append(batch)))
        assert answers[0] == answers[1]

    @rule(limit=st.integers(0, 3))
    def claim(self, limit: int) -> None:
        real, fake = (world.owed.claim((SHARD,), limit, LEASE_MS) for world in self.worlds)
        assert [(c.obligation, c.attempt) for c in real.claims] == [(c.obligation, c.attempt) for c in fake.claims]
        assert len(real.gaps) == len(fake.gaps)
        self.claims += zip(real.claims, fake.claims, strict=True)

    @rule(obligation=st.sampled_from(OBLIGATIONS))
    def claim_one(self, obligation) -> None:
        real, fake = (world.owed.claim_one(obligation, LEASE_MS) for world in self.worlds)
        assert (real and real.attempt) == (fake and fake.attempt)
        if real and fake:
            self.claims.append((real, fake))

    @rule(which=st.integers(0, 5))
    def complete(self, which: int) -> None:
        if which < len(self.claims):
            done = [w.owed.complete(c) for w, c in zip(self.worlds, self.claims[-1 - which], strict=True)]
            assert done[0] == done[1]

    @rule()
    def all_leases_end(self) -> None:
        for world in self.worlds:
            due = shard_keys(SHARD).due
            for n, member in enumerate(sorted(world.client.zrange(due, 0, -1))):
                world.client.zadd(due, {member: n}, xx=True)

    @rule(ms=st.sampled_from([-FAR_MS, 3000, FAR_MS]))
    def nobody_sweeps(self, ms: int) -> None:
        for world in self.worlds:
            if world.client.exists(shard_keys(SHARD).alive):
                world.sleep_through(ms)

    @rule()
    def clear_gaps(self) -> None:
        for world in self.worlds:
            for gap in world.owed.beat((SHARD,)):
                world.owed.clear_gap(gap)

    @rule(ms=st.sampled_from([-FAR_MS, FAR_MS]))
    def the_clock_steps(self, ms: int) -> None:
        for world in self.worlds:
            if world.log.head(GAME).version:
                world.step_clock(ms)

    @rule()
    def the_scripts_are_forgotten(self) -> None:
        for world in self.worlds:
            world.client.execute_command("SCRIPT FLUSH")

    @invariant()
    def the_stores_hold_the_same(self) -> None:
        if not hasattr(self, "worlds"):
            return
        real, fake = (self._held(world) for world in self.worlds)
        assert real == fake

    @staticmethod
    def _held(world: World) -> dict[str, Any]:
        held = world.everything()
        head, records = world.log.load(GAME)
        assert head.version == len(records)
        return {
            "records": records,
            "head": (head.version, head.head, head.closed),
            "commands": held["commands"],
            "owed": {d.obligation for d in world.owed.list_due(SHARD)},
            "attempts": {m: v.split()[0] for m, v in held["tries"].items()},
            "open": set(held["open"]),
            "rung": [fields for _, fields in held["bell"]],
        }


def agree(server: Server, examples: int, steps: int) -> None:
    BothAnswerAlike.server = server
    run_state_machine_as_test(
        BothAnswerAlike,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            database=None,
        ),
    )


def test_fakeredis_and_the_server_answer_alike(server: Server) -> None:
    agree(server, 15, 20)


@pytest.mark.long
def test_fakeredis_and_the_server_answer_alike_at_length(server: Server) -> None:
    agree(server, 400, 50)
