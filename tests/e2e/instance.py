"""The real thing: `captain up` as its own process, in a folder and on a port of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from captain import child
from captain.settings import NAMES
from captain.store import running_url
from eventstore.store import Store
from tests.e2e.client import Client
from tests.waiting import gone, until

ROOT = str(Path(__file__).parents[2])
COMMAND = (sys.executable, "-m", "captain", "up")


class Instance:
    """One running system: store, two web processes, workers, sweeper. `kill` and `start` again keep its data."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        self.address = ""
        self._settings = settings
        self._process: subprocess.Popen[str] | None = None

    @property
    def pid(self) -> int:
        """The supervisor."""
        assert self._process
        return self._process.pid

    def start(self) -> Instance:
        """Start everything; returns when it says that it is up."""
        kept = {name: value for name, value in os.environ.items() if name not in NAMES}
        # Tests and benchmarks are faster than people; those that are about the limits say so.
        settings = {"PORT": "0", "DATA": "data", "RATE_LIMITS": "off", **self._settings, "PYTHONPATH": ROOT}
        with (self.folder / "said").open("a") as said:
            # By the launcher: a test run that is killed takes its systems with it.
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", child.__file__, str(os.getpid()), str(int(signal.SIGKILL)), *COMMAND],
                cwd=self.folder,
                env={**kept, **settings},
                stdout=subprocess.PIPE,
                stderr=said,
                text=True,
            )
        assert self._process.stdout
        found = next((line.split()[-1] for line in self._process.stdout if " is up: " in line), "")
        assert found, self.said()
        self.address = found
        return self

    def said(self) -> str:
        """All that it wrote to stderr."""
        return (self.folder / "said").read_text()

    def records(self) -> list[dict[str, Any]]:
        """What its processes logged, line by line."""
        return [json.loads(line) for line in self.said().splitlines()]

    def stop(self) -> int:
        """End it as Ctrl-C does; its exit code."""
        assert self._process
        with self._process:
            self._process.send_signal(signal.SIGINT)
            return self._process.wait(30)

    def kill(self) -> None:
        """Kill the supervisor; returns when all that it started has ended with it."""
        assert self._process
        family = self.family()
        with self._process:
            self._process.kill()
        until(lambda: all(gone(pid) for pid in family))

    def clean_up(self) -> None:
        """Leave nothing behind, whatever a test did."""
        if self._process and self._process.poll() is None:
            self.kill()

    def family(self) -> dict[int, str]:
        """All processes below the supervisor: pid -> command line."""
        listed = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
        rows = [(int(pid), int(parent), args) for pid, parent, args in (row.split(None, 2) for row in _rows(listed))]
        found: dict[int, str] = {}
        above = {self.pid}
        while above:
            below = {pid: args for pid, parent, args in rows if parent in above and pid not in found}
            found |= below
            above = set(below)
        return found

    def pids(self, part: str) -> list[int]:
        """The processes of one part: `work`, `sweep`, `web`; of `web` the arbiter is the first."""
        return [pid for pid, args in self.family().items() if f"captain {part}" in args]

    def store_pid(self, folder: str = "data") -> int:
        """The process of the store, or of the queue in `data/queue`."""
        return int((self.folder / folder / "lock").read_text().split()[1])

    def client(self, name: str | None = None) -> Client:
        """A connection to it: of a new player, or without a name an anonymous one."""
        made = Client(self.address)
        return made if name is None else made.register(name)

    @contextmanager
    def store(self) -> Iterator[Store]:
        """What stands in its store, read behind the API's back."""
        url = running_url(self.folder / "data")
        assert url
        store = Store(url)
        try:
            yield store
        finally:
            store.close()


def _rows(listed: str) -> list[str]:
    return [row for row in listed.splitlines() if len(row.split(None, 2)) == 3]


@contextmanager
def running(folder: Path, **settings: str) -> Iterator[Instance]:
    """A system of one's own, gone at the end."""
    instance = Instance(folder, **settings)
    try:
        yield instance.start()
    finally:
        instance.clean_up()
