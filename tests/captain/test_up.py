"""`captain up` as its own process, over an API and workers that do next to nothing."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from captain.settings import NAMES
from captain.store import running_url
from tests.waiting import gone, until

API = """
import os, socket
import flask, redis

def end_waits(app):
    pass

def create_app(redis_url, queue_redis_url, keys, *, allow_unsafe_store=False, metrics=None, edge=None):
    app, store = flask.Flask("fake"), redis.Redis.from_url(redis_url)

    @app.get("/healthz")
    def health():
        return {"count": store.incr("count"), "socket": socket.socket.__module__, "parent": os.getppid()}

    return app
"""
RUN = """
import signal, sys

def run(redis_url, queue_redis_url, *keys, allow_unsafe=False):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    while True:
        signal.pause()
"""


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """A folder with the throwaway packages `api` and `workers`, found before the real ones."""
    for path, text in {
        "api/__init__.py": API,
        "api/metrics.py": "Readers = lambda *who: None",
        "workers/__init__.py": "",
        "workers/runner.py": RUN,
        "workers/sweeper.py": RUN,
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def environment(code: Path, **settings: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in NAMES}
    root = str(Path(__file__).parents[2])
    return {**kept, "PYTHONPATH": f"{code}{os.pathsep}{root}", "DATA": str(code / "data"), **settings}


@contextmanager
def captain(code: Path, **settings: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start `captain up` on a free port; yield the process and the address it announces."""
    with (
        (code / "errors").open("w") as errors,
        subprocess.Popen(
            [sys.executable, "-m", "captain", "up"],
            cwd=code,
            env=environment(code, PORT="0", WEB_WORKERS="1", WORKERS="1", **settings),
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
    ):
        try:
            assert process.stdout
            address = next(line.split()[-1] for line in process.stdout if " is up: " in line)
            yield process, address
        finally:
            process.kill()


def health(address: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{address}/healthz", timeout=20) as answer:
        found: dict[str, Any] = json.load(answer)
        return found


def descendants(pid: int) -> set[int]:
    listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    pairs = [(int(child), int(parent)) for child, parent in (line.split() for line in listed.splitlines())]
    found, size = {pid}, 0
    while size != len(found):
        size = len(found)
        found |= {child for child, parent in pairs if parent in found}
    return found - {pid}


@pytest.mark.slow
def test_it_serves_survives_deaths_and_stops_cleanly(code: Path) -> None:
    with captain(code) as (process, address):
        first = health(address)
        assert first["socket"] == "gevent._socket3"
        assert running_url(code / "data")

        os.kill(int((code / "data" / "lock").read_text().split()[1]), signal.SIGKILL)
        second = until(lambda: _try_health(address))
        assert second["count"] > first["count"], "the store is back with its data"

        arbiter = second["parent"]
        web_worker = descendants(arbiter)
        os.kill(arbiter, signal.SIGKILL)
        until(lambda: all(gone(pid) for pid in web_worker))
        assert health(address)["parent"] != arbiter, "the request waited for the new one"

        family = descendants(process.pid)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert process.stdout
        assert f"curl -s -X POST {address}/v1/players" in process.stdout.read()
    assert all(gone(pid) for pid in family)
    assert running_url(code / "data") is None
    said = [json.loads(line) for line in (code / "errors").read_text().splitlines() if '"supervisor"' in line]
    assert [line["event"] for line in said] == [
        f"{name} ended (SIGKILL); starting it again in 0.2 s." for name in ("store", "web")
    ]


@pytest.mark.slow
def test_everything_ends_with_a_killed_supervisor_and_the_data_is_there_again(code: Path) -> None:
    with captain(code) as (process, address):
        family = descendants(process.pid)
        assert len(family) == 6, "store, queue, worker, sweeper, arbiter, its worker"
        before = health(address)
        process.kill()
        until(lambda: all(gone(pid) for pid in family))
    with captain(code) as (process, address):
        assert health(address)["count"] > before["count"]
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    assert (code / "errors").read_text() == ""


def _try_health(address: str) -> dict[str, Any]:
    try:
        return health(address)
    except OSError:
        return {}


def test_a_port_in_use_is_one_clear_line(code: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [sys.executable, "-m", "captain", "up"],
            env=environment(code, PORT=port),
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.startswith(f"captain: Port {port} on 127.0.0.1 is in use.")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", ["web", "work", "sweep"])
def test_a_process_without_a_store_says_what_it_needs(code: Path, command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "captain", command],
        env=environment(code),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("captain: No store: give REDIS_URL, or start `captain up`")
