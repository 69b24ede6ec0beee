"""Counting requests: in this process, or for all processes in a Redis that may be lost.

Both by the sliding window of the library `limits`: the count of the window before fades while the present one fills,
so a full amount may come at once, and no burst of twice as much at a window's edge.
"""

import logging
import math
import time
from collections.abc import Callable
from threading import Lock
from typing import Any, Final, NamedTuple

from limits import RateLimitItemPerSecond
from limits.storage import RedisStorage, SlidingWindowCounterSupport, Storage
from limits.strategies import SlidingWindowCounterRateLimiter
from redis.exceptions import RedisError

from api.policies import Policy
from eventstore import connect

MOST_KEYS: Final = 50_000
"""How many callers one process keeps counts of; a flood of addresses must not fill its memory."""

ASIDE_S: Final = 2.0
"""How long a store that did not answer is left alone."""

log = logging.getLogger(__name__)


class Count(NamedTuple):
    """What became of one request: is it within the policy, how many more are, and in how many seconds is another."""

    allowed: bool
    remaining: int
    reset_s: float


class _Window:
    """The count of one caller: of the present window (by number) and the one before."""

    __slots__ = ("before", "count", "expiry", "number")

    def __init__(self, number: int, expiry: int) -> None:
        self.number, self.expiry = number, expiry
        self.count = self.before = 0


class ProcessStorage(Storage, SlidingWindowCounterSupport):
    """Counts in this process. The library's own starts a thread for expiry that walks all keys, many times a second."""

    STORAGE_SCHEME = None

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        super().__init__()
        self._clock = clock
        self._lock = Lock()
        self._windows: dict[str, _Window] = {}

    @property
    def base_exceptions(self) -> type[Exception]:
        """Nothing can go wrong here."""
        return ValueError

    def acquire_sliding_window_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Count a request, if it is within the limit."""
        with self._lock:
            window = self._window(key, expiry)
            before, rest, count, _ = self._seen(window)
            if math.floor(before * rest / expiry) + count + amount > limit:
                return False
            window.count += amount
            return True

    def get_sliding_window(self, key: str, expiry: int) -> tuple[int, float, int, float]:
        """The counts of the window before and the present one, each with the seconds for which it still counts."""
        with self._lock:
            return self._seen(self._window(key, expiry))

    def _seen(self, window: _Window) -> tuple[int, float, int, float]:
        rest = (window.number + 1) * window.expiry - self._clock()
        return window.before, rest if window.before else 0.0, window.count, rest + window.expiry

    def _window(self, key: str, expiry: int) -> _Window:
        number = int(self._clock() // expiry)
        window = self._windows.get(key)
        if window is None:
            if len(self._windows) >= MOST_KEYS:
                self._forget()
            window = self._windows[key] = _Window(number, expiry)
        elif number != window.number:
            window.before = window.count if number == window.number + 1 else 0
            window.number, window.count = number, 0
        return window

    def _forget(self) -> None:
        """Drop what does not count any more; if that is not enough everything: no one is refused for want of room."""
        now = self._clock()
        self._windows = {k: w for k, w in self._windows.items() if (w.number + 2) * w.expiry > now}
        if len(self._windows) >= MOST_KEYS:
            self._windows.clear()

    def clear_sliding_window(self, key: str, expiry: int) -> None:
        """Forget the counts of a key."""
        self.clear(key)

    def clear(self, key: str) -> None:
        """Forget the counts of a key."""
        self._windows.pop(key, None)

    def reset(self) -> int:
        """Forget all counts; how many there were."""
        found = len(self._windows)
        self._windows.clear()
        return found

    def check(self) -> bool:
        """It is always there."""
        return True

    # Of the library's other strategy, which is not used here.

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Count without a limit."""
        with self._lock:
            window = self._window(key, expiry)
            window.count += amount
            return window.count

    def get(self, key: str) -> int:
        """The count of the present window."""
        window = self._windows.get(key)
        return window.count if window else 0

    def get_expiry(self, key: str) -> float:
        """When the present window ends, in seconds since 1970."""
        window = self._windows.get(key)
        return float((window.number + 1) * window.expiry) if window else self._clock()


class Counters:
    """Counts by policy and caller; what a Redis that is away should count is counted in this process meanwhile."""

    def __init__(self, shared_url: str | None = None, *, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._own = SlidingWindowCounterRateLimiter(ProcessStorage(clock))
        self._shared = SlidingWindowCounterRateLimiter(_redis(shared_url)) if shared_url else None
        self._aside_until = 0.0
        self._items: dict[Policy, RateLimitItemPerSecond] = {}

    def hit(self, policy: Policy, who: str) -> Count:
        """Count one request of a caller, if it is within the policy. Never fails, whatever the store does."""
        item = self._items.get(policy)
        if item is None:
            item = self._items[policy] = RateLimitItemPerSecond(policy.amount, policy.seconds, "limits")
        if policy.shared and self._shared and self._clock() >= self._aside_until:
            try:
                return self._count(self._shared, item, policy, who)
            except RedisError as error:
                # Its text may hold an address with a password.
                log.warning("rate limits: the counter store is away (%s)", type(error).__name__)
                self._aside_until = self._clock() + ASIDE_S
        return self._count(self._own, item, policy, who)

    def _count(self, limiter: SlidingWindowCounterRateLimiter, item: Any, policy: Policy, who: str) -> Count:
        allowed = limiter.hit(item, policy.name, who)
        stats = limiter.get_window_stats(item, policy.name, who)
        # The library takes the time anew; what it tells is in its own clock.
        return Count(allowed, stats.remaining if allowed else 0, max(0.0, stats.reset_time - time.time()))


def _redis(url: str) -> RedisStorage:
    return RedisStorage(url.replace("unix://", "redis+unix://", 1), connect.tallying(url).connection_pool, "rate")
