"""What a job does with the obligation that it was made for; the one function that RQ calls is `run`.

Every job is right if it runs zero, one or many times, also at once: it reads what is open now, and appends with the
obligation as command id. What fails stays owed.
"""

import logging
from collections.abc import Callable, Mapping
from functools import partial
from time import perf_counter

from redis.exceptions import RedisError
from structlog.contextvars import bind_contextvars, clear_contextvars

from domain.errors import Corrupt
from domain.signing import Keys
from eventstore.disputes import AUDIT
from eventstore.errors import StoreError
from eventstore.obligation import CLOCK, Obligation
from eventstore.owed import Claim
from eventstore.owes import BOT, EXPIRE, INDEX
from eventstore.store import Store
from eventstore.stored import StoreBusy, UnknownGame
from workers import audits, clock, expire, index, turns
from workers.budget import OverBudget, budget
from workers.failures import told
from workers.metrics import JOB_S

log = logging.getLogger(__name__)

BUDGET_S = 4.5
"""The most that one job may take, less than a lease: then another attempt begins anyway."""

Handler = Callable[[Store, Claim], None]

HANDLERS: Mapping[str, Handler] = {
    BOT: turns.answer,
    CLOCK: clock.time_out,
    EXPIRE: expire.expire,
    INDEX: index.index,
}
"""By kind of obligation; a report on a dispute (`audit`) needs the keys besides."""

_served: list[tuple[Store, Keys]] = []


def serve(store: Store, keys: Keys) -> None:
    """Name the store that the jobs of this process work on, and the keys that they sign with."""
    _served[:] = [(store, keys)]


def run(member: str, attempt: int, due: int, token: int) -> None:
    """Do what a claim asks for: `member` is the obligation's text, `due` and `token` are ms of the store's clock."""
    store, keys = _served[0]
    perform(store, Claim(Obligation.parse(member), attempt, due, token), keys)


def _handler(kind: str, keys: Keys | None) -> Handler | None:
    if kind == AUDIT and keys is not None:
        return partial(audits.answer, keys=keys)
    return HANDLERS.get(kind)


def perform(store: Store, claim: Claim, keys: Keys | None = None) -> None:
    """Do what a claim asks for; whatever goes wrong is logged, and the obligation left to its lease."""
    owed, began = claim.obligation, perf_counter()
    bind_contextvars(kind=owed.kind, game=owed.game, seat=owed.seat, attempt=claim.attempt)
    outcome = "failed"
    try:
        outcome = _outcome(store, claim, _handler(owed.kind, keys))
    finally:
        seconds = perf_counter() - began
        JOB_S.labels(owed.kind, outcome).observe(seconds)
        log.info("job", extra={"outcome": outcome, "ms": round(seconds * 1000, 1)})
        clear_contextvars()


def _outcome(store: Store, claim: Claim, handler: Handler | None) -> str:
    """Do it, and say how that ended; what is wrong is logged here."""
    member = claim.obligation.print()
    if handler is None:
        log.error("%s: this version knows no such work", member)
        return "unknown"
    try:
        with budget(BUDGET_S):
            handler(store, claim)
        return "done"
    except UnknownGame:
        store.owed.complete(claim)
        return "gone"
    except (RedisError, StoreError, StoreBusy) as error:
        log.warning("%s: the store did not take it (%s); it comes again", member, told(error))
        return "store"
    except OverBudget:
        log.error("%s: took longer than %s s; it comes again", member, BUDGET_S)
        return "over_budget"
    except Corrupt as error:
        log.error("%s: the game's log cannot be read (%s)", member, told(error))
        return "corrupt"
    except Exception as error:
        log.error("%s: failed, attempt %d (%s)", member, claim.attempt, told(error))
        return "failed"
