"""Clients generated from `openapi.yaml`: sound types, and with them alone they play a game of each ruleset."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from domain.registry import REGISTRY
from tests.api.clients.tools import LOCK, SPEC, node, run

PLAYER = Path(__file__).with_name("player.py")
MOST = "1500"
KEYS = [rules.info.key for rules in REGISTRY]


def played(said: str, key: str) -> None:
    """The game came to its end, by moves of its own."""
    told: dict[str, Any] = json.loads(said.splitlines()[-1])
    assert told["status"] == "finished", told
    assert told["moves"] > 4
    assert {event.type for event in REGISTRY.newest(key).info.events} & set(told["events"])


@pytest.fixture(scope="session")
def checked_python(python_client: Path) -> Path:
    # In the client's own folder: mypy must not take our settings.
    paths = {"MYPYPATH": str(python_client), "PYTHONPATH": str(python_client)}
    run(sys.executable, "-m", "mypy", "--strict", "--config-file=", PLAYER, cwd=python_client, **paths)
    return python_client


@pytest.fixture(scope="session")
def checked_typescript(npm: Path) -> Path:
    node(npm, "openapi-typescript", str(SPEC), "--output", "types.ts")
    node(npm, "tsc", "--project", ".")
    return npm


@pytest.mark.long
@pytest.mark.parametrize("key", KEYS)
def test_a_generated_python_client_plays(checked_python: Path, web: Any, key: str):
    said = run(sys.executable, PLAYER, web.address, key, MOST, PYTHONPATH=str(checked_python))
    played(said, key)


@pytest.mark.long
@pytest.mark.parametrize("key", KEYS)
def test_a_generated_typescript_client_plays(checked_typescript: Path, web: Any, key: str):
    played(node(checked_typescript, "player.ts", web.address, key, MOST), key)


def test_the_lock_names_no_registry():
    text = LOCK.read_text("utf-8")
    assert '"resolved"' not in text
    assert '"integrity"' in text
