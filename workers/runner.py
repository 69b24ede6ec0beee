"""A worker process: takes jobs off RQ for ever, whatever happens to the stores."""

import logging
import signal
import sys
from time import monotonic, sleep
from types import FrameType
from typing import Any, Final

from redis.exceptions import RedisError
from rq import Queue, SimpleWorker
from rq.exceptions import DequeueTimeout
from rq.job import Job
from rq.serializers import JSONSerializer

from domain.signing import Keys
from eventstore import connect
from eventstore.errors import UnsafeStore
from eventstore.store import Store
from workers import jobs
from workers.failures import told
from workers.queue import QUEUES

log = logging.getLogger(__name__)

BLOCK_S: Final = 1  # how long one look into the queues waits, and so how long a stop may take
HEARTBEAT_S: Final = 5.0
DONE_KEPT: Final = 50  # jobs that are deleted together
PAUSES_S: Final = (0.05, 0.1, 0.2, 0.5, 1.0)  # between two tries to reach a store; the last one for ever


class Worker(SimpleWorker):
    """RQ's worker without what is of no use here: its records of running jobs, its timers, retries and results.

    Obligations do all that, and survive what RQ's do not. What is left of a job is: taken, done, deleted; so nothing
    in Redis outlives a worker that is killed, and a job costs two round trips instead of fifteen: where every write
    waits for the disk, that is what a bot's answer takes.
    """

    should_run_maintenance_tasks = False
    connection_timeout = BLOCK_S + 5
    _beaten = 0.0

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._done: list[str] = []

    def stop(self, number: int, frame: FrameType | None) -> None:
        """End after the current job."""
        self._stop_requested = True

    def bootstrap(self, *_: Any, **__: Any) -> None:
        """Leave logging alone, and take no commands from Redis."""
        self.beat()

    def teardown(self) -> None:
        """Say goodbye if the queue is there to hear it."""
        try:
            self._tidy(0)
            self.register_death()
        except RedisError:
            log.debug("the queue is away")

    def _install_signal_handlers(self) -> None:
        """The process has its own."""

    def check_for_suspension(self, burst: bool) -> None:
        """Workers are stopped, not suspended."""

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        """RQ asks for this at every step; now and then is enough."""

    def set_state(self, state: str, pipeline: Any = None) -> None:
        """Keep the state in the process."""
        self._state = state

    def beat(self) -> None:
        """Say that this worker lives, also to a queue Redis that was wiped."""
        if monotonic() - self._beaten < HEARTBEAT_S:
            return
        if self._beaten and self.connection.exists(self.key):
            self.connection.expire(self.key, self.worker_ttl)
        else:
            self.connection.delete(self.key)
            self.register_birth()
        self._beaten = monotonic()

    def dequeue_job_and_maintain_ttl(
        self, timeout: int | None, max_idle_time: int | None = None
    ) -> tuple[Job, Queue] | None:
        """Wait for a job until told to stop; a queue that is away is tried again for ever."""
        failures = 0
        while not self._stop_requested:
            try:
                self.beat()
                self._tidy(DONE_KEPT)
                taken: tuple[Job, Queue] | None = self.queue_class.dequeue_any(
                    self._ordered_queues, BLOCK_S, self.connection, self.job_class, JSONSerializer
                )
                return taken
            except DequeueTimeout:
                failures = 0
                self._tidy_idle()
            except RedisError as error:
                if not failures:
                    log.warning("lost the queue, trying again: %s", told(error))
                sleep(PAUSES_S[min(failures, len(PAUSES_S) - 1)])
                failures += 1
            except Exception as error:
                log.error("a job that cannot be read was dropped: %s", told(error))
        return None

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Do a job in this process; it answers for its own errors."""
        try:
            job.perform()
        except Exception as error:
            log.error("job %s: %s", job.description, told(error))
        self._done.append(job.key)

    def _tidy_idle(self) -> None:
        try:
            self._tidy(0)
        except RedisError:
            log.debug("the queue is away; jobs expire there by themselves")

    def _tidy(self, kept: int) -> None:
        """Delete the jobs that are done, if they are more than `kept`; else they wait, or expire."""
        if len(self._done) > kept:
            done, self._done = self._done, []
            self.connection.delete(*done)


def run(redis_url: str, queue_redis_url: str, keys: Keys, *, allow_unsafe: bool = False) -> None:
    """Work until SIGTERM or SIGINT, which let the current job end."""
    stopping = Stopping()
    store = open_store(redis_url, allow_unsafe, stopping)
    if store is None:
        return
    jobs.serve(store, keys)
    queue = connect.blocking(queue_redis_url, BLOCK_S * 1000)
    while not stopping.asked:
        try:
            worker = Worker(QUEUES, connection=queue, serializer=JSONSerializer, worker_ttl=60)
            stopping.then(worker.stop)
            worker.work()
        except RedisError as error:
            log.warning("cannot reach the queue, trying again: %s", told(error))
            sleep(PAUSES_S[-1])
    queue.connection_pool.disconnect()
    store.close()


class Stopping:
    """Whether this process was asked to stop."""

    def __init__(self) -> None:
        self.asked = False
        self._then: Any = None
        signal.signal(signal.SIGTERM, self._stop)
        signal.signal(signal.SIGINT, self._stop)

    def then(self, stop: Any) -> None:
        """Call `stop` as a signal handler too, at once if it is too late to wait for the signal."""
        self._then = stop
        if self.asked:
            stop(signal.SIGTERM, None)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
        if self._then is not None:
            self._then(number, frame)


def open_store(redis_url: str, allow_unsafe: bool, stopping: Stopping) -> Store | None:
    """Open the store, as soon as it is there; None if asked to stop before."""
    failures = 0
    while not stopping.asked:
        try:
            return Store(redis_url, allow_unsafe=allow_unsafe)
        except UnsafeStore as unsafe:
            sys.exit(f"captain: {unsafe}")
        except RedisError as error:
            if not failures:
                log.warning("cannot reach the store, trying again: %s", told(error))
            sleep(PAUSES_S[min(failures, len(PAUSES_S) - 1)])
            failures += 1
    return None
