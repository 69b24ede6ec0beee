"""Keeps processes running: starts them in order, restarts what dies, stops all in reverse order."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 10.0  # seconds before a restart; doubled from one death to the next
_STEADY = 10.0  # seconds that a service must live for its earlier deaths to be forgotten
_START_DEATHS = 3  # a service that dies this often before all was ever ready is a mistake, not an accident
_IDLE, _EAGER = 1.0, 0.05  # seconds between two looks; a signal or the death of a child wakes at once


class Service(Protocol):
    """What is kept running: a child process or the embedded store."""

    name: str
    grace: float

    def launch(self) -> None: ...
    def poll(self) -> int | None: ...
    def settled(self) -> bool: ...
    def terminate(self) -> None: ...
    def kill(self) -> None: ...
    def last_words(self) -> str: ...


@dataclass(slots=True)
class _Watch:
    """One service and how it has fared."""

    service: Service
    started: float = 0.0
    deaths: int = 0
    restart_at: float | None = None


class Supervisor:
    """Runs stages of services; a stage starts when the one before has settled and stops before it."""

    def __init__(
        self,
        stages: Sequence[Sequence[Service]],
        *,
        ready: Callable[[], bool],
        announce: Callable[[], None],
        say: Callable[[str], None],
        restarted: Callable[[str], None] = lambda name: None,
    ) -> None:
        self._stages = [[_Watch(service) for service in stage] for stage in stages]
        self._started = 0  # stages
        self._ready, self._announce, self._say = ready, announce, say
        self._restarted = restarted
        self._announced = False
        self._failed = False
        self._asked: list[float] = []  # when we were asked to stop

    def run(self) -> int:
        """Run until a signal asks to stop (returns 0) or the start has failed (returns 1)."""
        with self._signals() as alarm:
            while not self._asked and not self._failed:
                self._tend()
                self._wait(alarm, self._pause())
            self._stop(alarm)
        return 1 if self._failed else 0

    def _tend(self) -> None:
        for watch in self._running():
            self._look_after(watch)
        if self._started < len(self._stages):
            if all(watch.service.settled() for watch in self._running()):
                for watch in self._stages[self._started]:
                    self._start(watch)
                self._started += 1
        elif not self._announced and self._ready():
            self._announced = True
            self._announce()

    def _running(self) -> Iterator[_Watch]:
        for stage in self._stages[: self._started]:
            yield from stage

    def _start(self, watch: _Watch) -> None:
        watch.restart_at = None
        watch.started = time.monotonic()
        watch.service.launch()

    def _look_after(self, watch: _Watch) -> None:
        now = time.monotonic()
        if watch.restart_at is not None:
            if now >= watch.restart_at:
                self._restarted(watch.service.name)
                self._start(watch)
            return
        code = watch.service.poll()
        if code is None:
            return
        watch.deaths = 1 if now - watch.started > _STEADY else watch.deaths + 1
        if not self._announced and watch.deaths >= _START_DEATHS:
            self._failed = True
            self._say(f"{watch.service.name} does not start ({_how(code)}).\n{watch.service.last_words()}".rstrip())
            return
        pause = min(_FIRST_PAUSE * 2.0 ** (watch.deaths - 1), _LONGEST_PAUSE)
        watch.restart_at = now + pause
        self._say(f"{watch.service.name} ended ({_how(code)}); starting it again in {pause:.1f} s.")

    def _pause(self) -> float:
        """Return how long nothing needs attention, unless a child dies."""
        if not self._announced:
            return _EAGER
        now = time.monotonic()
        due = [watch.restart_at - now for watch in self._running() if watch.restart_at is not None]
        return max(0.0, min([_IDLE, *due]))

    def _stop(self, alarm: int) -> None:
        for stage in reversed(self._stages[: self._started]):
            services = [watch.service for watch in stage if watch.restart_at is None]
            for service in services:
                service.terminate()
            self._await_end(services, alarm)

    def _await_end(self, services: Iterable[Service], alarm: int) -> None:
        asked = time.monotonic()
        left = list(services)
        while left := [service for service in left if service.poll() is None]:
            for service in left:
                if time.monotonic() - asked > service.grace or self._hurried():
                    service.kill()
            self._wait(alarm, _EAGER)

    def _hurried(self) -> bool:
        """Say whether somebody pressed Ctrl-C again, and not just one keystroke that arrived twice."""
        return len(self._asked) > 1 and self._asked[-1] - self._asked[0] > 1.0

    @contextmanager
    def _signals(self) -> Iterator[int]:
        """Note the signals that ask to stop, and yield a descriptor that any signal makes readable."""
        alarm, bell = os.pipe()
        os.set_blocking(alarm, False)
        os.set_blocking(bell, False)
        before = {number: signal.getsignal(number) for number in (*_STOP_SIGNALS, signal.SIGCHLD)}
        for number in _STOP_SIGNALS:
            if number != signal.SIGHUP or before[number] is not signal.SIG_IGN:  # `nohup` means it
                signal.signal(number, lambda *_: self._asked.append(time.monotonic()))
        signal.signal(signal.SIGCHLD, lambda *_: None)
        bell_before = signal.set_wakeup_fd(bell, warn_on_full_buffer=False)
        try:
            yield alarm
        finally:
            signal.set_wakeup_fd(bell_before)
            for number, handler in before.items():
                signal.signal(number, handler)
            os.close(alarm)
            os.close(bell)

    def _wait(self, alarm: int, seconds: float) -> None:
        if select.select([alarm], [], [], seconds)[0]:
            os.read(alarm, 4096)


def _how(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
