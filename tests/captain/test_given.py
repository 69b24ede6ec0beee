"""A store that the user gives is looked at before anything starts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from captain.given import examine
from captain.settings import NAMES, read_settings
from captain.store import EmbeddedStore, StoreError

NOBODY = "redis://:secret@127.0.0.1:1/0"


def given(monkeypatch: pytest.MonkeyPatch, **settings: str) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    examine(read_settings(), patience=0.1)


def test_a_store_that_keeps_nothing_is_refused_unless_that_is_wanted(
    store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(StoreError, match=r"REDIS_URL: the store has appendonly 'no'.* ALLOW_UNSAFE_STORE=1"):
        given(monkeypatch, REDIS_URL=store.url)
    given(monkeypatch, REDIS_URL=store.url, ALLOW_UNSAFE_STORE="1")


def test_a_safe_store_is_taken_and_the_queue_need_not_be_safe(
    store: EmbeddedStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with EmbeddedStore(tmp_path) as safe:
        given(monkeypatch, REDIS_URL=safe.url, QUEUE_REDIS_URL=store.url)
        with pytest.raises(StoreError, match="QUEUE_REDIS_URL: no answer"):
            given(monkeypatch, REDIS_URL=safe.url, QUEUE_REDIS_URL=NOBODY)


def test_a_store_that_is_not_there_is_named_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(StoreError, match=r"no answer from redis://127\.0\.0\.1:1/0: ") as error:
        given(monkeypatch, REDIS_URL=NOBODY)
    assert "secret" not in str(error.value)


def test_an_unsafe_store_is_one_clear_line(store: EmbeddedStore, tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if name not in NAMES}
    root = str(Path(__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-m", "captain", "up"],
        cwd=tmp_path,
        env={**kept, "PYTHONPATH": root, "PORT": "0", "REDIS_URL": store.url},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("captain: REDIS_URL: the store has appendonly 'no'")
    assert len(done.stderr.splitlines()) == 1
