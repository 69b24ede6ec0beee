"""The sliding window of one process: exact, bounded, without a thread."""

from __future__ import annotations

import threading

from api import counters
from api.counters import Counters
from api.policies import Policy

TEN = Policy("moves", 10, 10)


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def allowed(made: Counters, clock: Clock, *, seconds: float, step: float, who: str = "ann") -> list[float]:
    """When requests every `step` seconds were let through."""
    found = []
    end = clock.now + seconds
    while clock.now < end:
        if made.hit(TEN, who).allowed:
            found.append(clock.now)
        clock.now += step
    return found


def test_a_full_amount_may_come_at_once_and_no_more():
    made = Counters(clock=Clock())
    counts = [made.hit(TEN, "ann") for _ in range(12)]
    assert [one.allowed for one in counts] == [True] * 10 + [False] * 2
    assert [one.remaining for one in counts] == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0]
    assert made.hit(TEN, "bob").allowed
    assert made.hit(TEN._replace(name="reads"), "ann").allowed


def test_a_burst_at_the_edge_of_a_window_is_no_twice_as_much():
    clock = Clock()
    clock.now += 9.9
    made = Counters(clock=clock)
    assert [made.hit(TEN, "ann").allowed for _ in range(10)] == [True] * 10
    clock.now += 0.2
    assert [made.hit(TEN, "ann").allowed for _ in range(10)].count(True) <= 1


def test_however_one_asks_no_window_lets_through_much_more():
    for step in (0.01, 0.3, 0.7):
        clock = Clock()
        times = allowed(Counters(clock=clock), clock, seconds=60, step=step)
        assert len(times) >= 60 * min(1, 1 / step) * 0.9
        most = max(sum(1 for t in times if begin <= t < begin + 10) for begin in times)
        assert most <= 11, "an estimate: the window before is taken as even"


def test_one_who_keeps_to_the_rate_is_never_refused():
    clock = Clock()
    assert len(allowed(Counters(clock=clock), clock, seconds=210, step=1.05)) == 200


def test_what_is_long_ago_does_not_count():
    clock = Clock()
    made = Counters(clock=clock)
    while made.hit(TEN, "ann").allowed:
        pass
    clock.now += 20
    assert made.hit(TEN, "ann") == (True, 9, made.hit(TEN, "bob").reset_s) or made.hit(TEN, "ann").remaining == 8


def test_a_flood_of_callers_fills_no_memory_and_refuses_nobody(monkeypatch):
    monkeypatch.setattr(counters, "MOST_KEYS", 100)
    clock = Clock()
    made = Counters(clock=clock)
    for number in range(1000):
        clock.now += 0.01
        assert made.hit(TEN, f"address:{number}").allowed
    assert len(made._own.storage._windows) <= 100


def test_threads_count_together():
    made = Counters(clock=Clock())
    policy = TEN._replace(amount=1000)
    found: list[bool] = []

    def ask() -> None:
        found.extend([made.hit(policy, "ann").allowed for _ in range(500)])

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found.count(True) == 1000


def test_it_starts_no_thread():
    before = threading.active_count()
    Counters().hit(TEN, "ann")
    assert threading.active_count() == before
