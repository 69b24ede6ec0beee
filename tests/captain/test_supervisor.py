"""The supervisor over small shell loops that write down when they start and when they are asked to stop."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.waiting import gone, until

SCRIPT = """
import sys
from captain.program import Program
from captain.supervisor import Supervisor

LOOP = "trap 'echo {0} >> stopped; exit 0' TERM; echo $$ >> {0}.pids; while :; do sleep 0.02; done"
DEAF = "trap '' TERM; echo $$ >> {0}.pids; while :; do sleep 0.02; done"
FAIL = "echo $$ >> {0}.pids; exit 7"
kinds = dict(zip("worker sweeper web".split(), sys.argv[1:]))

def program(name, kind):
    return Program(name, ["sh", "-c", globals()[kind].format(name)], grace=0.3 if kind == "DEAF" else 10.0)

stages = [[program("worker1", kinds["worker"]), program("worker2", kinds["worker"])],
          [program("sweeper", kinds["sweeper"])], [program("web", kinds["web"])]]
def ready():
    import os
    # A shell that was only just started has no trap yet.
    return "FAIL" not in kinds.values() and all(os.path.exists(s.name + ".pids") for stage in stages for s in stage)
sys.exit(Supervisor(stages, ready=ready, announce=lambda: print("ready", flush=True),
                    say=lambda text: print(text, file=sys.stderr, flush=True)).run())
"""
NAMES = ("worker1", "worker2", "sweeper", "web")


@contextmanager
def supervisor(folder: Path, *kinds: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", SCRIPT, *(kinds or ("LOOP", "LOOP", "LOOP"))]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def ready(process: subprocess.Popen[str]) -> None:
    assert process.stdout
    assert process.stdout.readline() == "ready\n"


def pids(folder: Path, name: str) -> list[int]:
    path = folder / f"{name}.pids"
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def all_gone(folder: Path) -> bool:
    return all(gone(pid) for name in NAMES for pid in pids(folder, name))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_all_in_order(tmp_path: Path, number: signal.Signals) -> None:
    with supervisor(tmp_path) as process:
        ready(process)
        process.send_signal(number)
        _, errors = process.communicate(timeout=20)
        assert (process.returncode, errors) == (0, "")
    assert all_gone(tmp_path)
    stopped = (tmp_path / "stopped").read_text().split()
    assert stopped[:2] == ["web", "sweeper"]
    assert set(stopped[2:]) == {"worker1", "worker2"}


def test_a_child_that_dies_is_started_again(tmp_path: Path) -> None:
    with supervisor(tmp_path) as process:
        ready(process)
        for deaths in (1, 2):
            os.kill(pids(tmp_path, "sweeper")[-1], signal.SIGKILL)
            until(lambda deaths=deaths: len(pids(tmp_path, "sweeper")) == deaths + 1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert errors.splitlines() == [
        "sweeper ended (SIGKILL); starting it again in 0.2 s.",
        "sweeper ended (SIGKILL); starting it again in 0.4 s.",
    ]
    assert len(pids(tmp_path, "web")) == 1
    assert all_gone(tmp_path)


def test_a_child_that_does_not_stop_is_killed(tmp_path: Path) -> None:
    with supervisor(tmp_path, "LOOP", "DEAF", "LOOP") as process:
        ready(process)
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
    assert all_gone(tmp_path)
    assert (tmp_path / "stopped").read_text().split()[0] == "web"


def test_sigkill_of_the_supervisor_ends_all_children(tmp_path: Path) -> None:
    with supervisor(tmp_path, "LOOP", "DEAF", "LOOP") as process:
        ready(process)
        process.kill()
        process.wait(20)
        until(lambda: all_gone(tmp_path))


def test_a_start_that_fails_is_given_up(tmp_path: Path) -> None:
    with supervisor(tmp_path, "LOOP", "LOOP", "FAIL") as process:
        _, errors = process.communicate(timeout=20)
        assert process.returncode == 1
    assert errors.splitlines()[-1] == "web does not start (exit code 7)."
    assert len(pids(tmp_path, "web")) == 3
    assert all_gone(tmp_path)
