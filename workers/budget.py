"""A limit of wall-clock time for code that is not ours to trust: a bot's search, a game's rules."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType


class OverBudget(BaseException):
    """The time is up. Not an `Exception`: a bot that catches everything must not swallow it."""


@contextmanager
def budget(seconds: float) -> Iterator[None]:
    """Raise OverBudget in here after so long; budgets may be nested. Without effect outside the main thread.

    It takes effect between two steps of Python code: one call into C that takes for ever is not stopped.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _over)
    started = monotonic()
    # An outer budget that ends sooner stays in force.
    outer = signal.getitimer(signal.ITIMER_REAL)[0]
    signal.setitimer(signal.ITIMER_REAL, min(seconds, outer) if outer else seconds)
    try:
        yield
    finally:
        left = outer - (monotonic() - started)
        signal.setitimer(signal.ITIMER_REAL, max(left, 0.001) if outer else 0)
        signal.signal(signal.SIGALRM, before)


def _over(number: int, frame: FrameType | None) -> None:
    raise OverBudget
