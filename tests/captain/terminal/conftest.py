"""One running system for the tests that need one, and the command as a player starts it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.instance import ROOT, Instance, running

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def captain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    """A system that nobody harms."""
    with running(tmp_path_factory.mktemp("terminal"), WORKERS="1", WEB_WORKERS="1") as instance:
        yield instance
        assert instance.stop() == 0


@pytest.fixture
def env(tmp_path: Path, request: pytest.FixtureRequest) -> dict[str, str]:
    """The surroundings of a player at its own computer."""
    made = {**os.environ, "PYTHONPATH": ROOT, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    if "captain" in request.fixturenames:
        made["CAPTAIN_SERVER"] = request.getfixturevalue("captain").address
    return made


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "captain", *arguments]


@pytest.fixture
def run(env: dict[str, str]) -> Run:
    """`run("play", ..., typed="...")`: run the command to its end."""

    def start(*arguments: str, typed: str = "", **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command(*arguments),
            input=typed, env={**env, **more}, capture_output=True, text=True, timeout=240, check=False,
        )  # fmt: skip

    return start
