"""Jobs on RQ: hints that may be lost, repeated or late; what is true stands in the log store.

Plain enqueueing only, JSON only, a fresh job id for each attempt. Everything written here expires by itself.
"""

from collections.abc import Iterable
from typing import Any, Final
from uuid import uuid4

from redis import Redis
from rq import Queue
from rq.serializers import JSONSerializer

from eventstore.disputes import AUDIT
from eventstore.obligation import CLOCK
from eventstore.owed import LEASE_MS, Claim
from workers.metrics import queued

CLOCKS: Final = "clocks"
TURNS: Final = "turns"
AUDITS: Final = "audits"
QUEUES: Final = (CLOCKS, TURNS, AUDITS)
"""In the order in which workers take them: a clock waits behind no bot, and neither behind an audit."""
_BY_KIND: Final = {CLOCK: CLOCKS, AUDIT: AUDITS}

RUN: Final = "workers.jobs.run"
CAPACITY: Final = 256
"""The most jobs that wait; beyond that what is due stays where it is, unclaimed, and no attempt is used up."""
STUCK_MS: Final = LEASE_MS - 1000
"""A job that waited so long says that nobody works: claiming more would only use up attempts."""
JOB_TTL_S: Final = 60


class JobQueue:
    """The queues on the queue Redis. Errors are those of redis-py."""

    def __init__(self, client: Redis) -> None:
        self._client = client
        self._queues = {name: Queue(name, connection=client, serializer=JSONSerializer) for name in QUEUES}

    def room(self, now: int) -> int:
        """Say how many more jobs make sense at `now` (the log store's clock, ms)."""
        with self._client.pipeline(transaction=False) as pipe:
            for queue in self._queues.values():
                pipe.llen(queue.key)
                pipe.lindex(queue.key, 0)
            replies = pipe.execute()
        queued(dict(zip(self._queues, replies[0::2], strict=True)))
        # Audits may wait for the others; that they do says nothing about who works.
        oldest = {name: first for name, first in zip(self._queues, replies[1::2], strict=True) if first is not None}
        if any(now - _born(first) > STUCK_MS for name, first in oldest.items() if name != AUDITS):
            return 0
        return max(0, CAPACITY - sum(replies[0::2]))

    def put(self, claims: Iterable[Claim], now: int) -> None:
        """Enqueue one job for each claim, all in one round trip."""
        jobs: dict[str, list[Any]] = {name: [] for name in QUEUES}
        for claim in claims:
            name = _BY_KIND.get(claim.obligation.kind, TURNS)
            jobs[name].append(_job(claim, now))
        with self._client.pipeline(transaction=False) as pipe:
            for name, data in jobs.items():
                if data:
                    self._queues[name].enqueue_many(data, pipeline=pipe)
            pipe.execute()


def _job(claim: Claim, now: int) -> Any:
    member = claim.obligation.print()
    return Queue.prepare_data(
        RUN,
        args=(member, claim.attempt, claim.due, claim.token),
        job_id=f"{now}-{uuid4().hex}",
        description=member,
        timeout=-1,
        result_ttl=0,
        failure_ttl=JOB_TTL_S,
        ttl=JOB_TTL_S,
    )


def _born(job_id: bytes) -> int:
    """The store's time in ms at which a job was made; its id begins with that."""
    born, _, _ = job_id.partition(b"-")
    return int(born) if born.isdigit() else 0
