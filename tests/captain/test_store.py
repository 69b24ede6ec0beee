from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

from captain import lock
from captain.lock import FolderInUse, FolderLock
from captain.store import EmbeddedStore, StoreError, find_server, running_url
from tests.waiting import gone, until

OWNER = """
import sys, time
from captain.store import EmbeddedStore
store = EmbeddedStore(sys.argv[1])
store.start()
print(store.pid, store.url, flush=True)
time.sleep(600)
"""


@contextmanager
def client(url: str) -> Iterator[redis.Redis]:
    connection = redis.Redis.from_url(url, decode_responses=True)
    try:
        yield connection
    finally:
        connection.close()


def config(url: str, *names: str) -> dict[str, str]:
    with client(url) as connection:
        return {name: str(connection.config_get(name)[name]) for name in names}


def test_data_survives_a_restart(tmp_path: Path) -> None:
    with EmbeddedStore(tmp_path) as store, client(store.url) as connection:
        connection.set("kept", "yes")
    with EmbeddedStore(tmp_path) as store, client(store.url) as connection:
        assert connection.get("kept") == "yes"


def test_the_server_is_set_up_to_lose_nothing(tmp_path: Path) -> None:
    with EmbeddedStore(tmp_path) as store:
        assert config(store.url, "appendonly", "appendfsync", "maxmemory-policy", "save", "bind") == {
            "appendonly": "yes",
            "appendfsync": "always",
            "maxmemory-policy": "noeviction",
            "save": "",
            "bind": "127.0.0.1",
        }


def test_durability_can_be_chosen(tmp_path: Path, store: EmbeddedStore) -> None:
    assert config(store.url, "appendonly") == {"appendonly": "no"}
    with EmbeddedStore(tmp_path, appendfsync="everysec") as second:
        assert config(second.url, "appendonly", "appendfsync") == {
            "appendonly": "yes",
            "appendfsync": "everysec",
        }


def test_only_its_owner_can_reach_it(tmp_path: Path) -> None:
    with EmbeddedStore(tmp_path) as store:
        assert running_url(tmp_path) == store.url
        room = tmp_path / "store"
        assert stat.S_IMODE(room.stat().st_mode) == 0o700
        assert {stat.S_IMODE((room / name).stat().st_mode) for name in ("url", "server.conf")} == {0o600}
        password = store.url.partition("//:")[2].partition("@")[0]
        assert password.encode() not in Path(f"/proc/{store.pid}/cmdline").read_bytes()
        with (
            client(f"redis://127.0.0.1:{store.port}") as stranger,
            pytest.raises(redis.AuthenticationError),
        ):
            stranger.ping()
    assert running_url(tmp_path) is None


def test_a_second_instance_on_the_folder_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "_PATIENCE_LIVE", 0.0)
    with EmbeddedStore(tmp_path), pytest.raises(FolderInUse) as error:
        EmbeddedStore(tmp_path).start()
    assert f"in use by another instance (process {os.getpid()})" in str(error.value)
    assert "DATA=" in str(error.value)


def test_a_server_that_was_killed_comes_back_on_the_same_port_with_its_data(tmp_path: Path) -> None:
    with EmbeddedStore(tmp_path) as store:
        with client(store.url) as connection:
            connection.set("kept", "yes")
        store.kill()
        until(lambda: store.poll() is not None)
        store.launch()
        until(store.settled)
        with client(store.url) as connection:
            assert connection.get("kept") == "yes"


def test_a_parent_killed_with_sigkill_leaves_no_orphan_and_no_lock(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", OWNER, str(tmp_path)], stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout
        pid, url = owner.stdout.readline().split()
        with client(url) as connection:
            connection.set("kept", "yes")
        owner.kill()
    with EmbeddedStore(tmp_path) as store, client(store.url) as connection:
        assert gone(int(pid))
        assert connection.get("kept") == "yes"


def test_an_orphan_that_does_not_exit_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "_PATIENCE_DEAD", 0.1)
    dead = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    held = FolderLock(tmp_path)
    held.acquire()
    with subprocess.Popen(["sleep", "600"], pass_fds=(held.fd,)) as orphan:
        os.pwrite(held.fd, f"{int(dead.stdout)} {orphan.pid}\n".encode(), 0)
        held.release()
        with pytest.raises(FolderInUse) as error:
            EmbeddedStore(tmp_path).start()
        assert f"still held by the store of an instance that was killed (process {orphan.pid})" in str(error.value)
        orphan.send_signal(signal.SIGKILL)
    with EmbeddedStore(tmp_path) as store:
        assert store.settled()


def test_a_server_that_cannot_start_says_why_and_frees_the_folder(tmp_path: Path) -> None:
    with EmbeddedStore(tmp_path):
        pass
    manifest = tmp_path / "store" / "appendonlydir" / "appendonly.aof.manifest"
    good = manifest.read_bytes()
    manifest.write_text("nonsense\n")
    with pytest.raises(StoreError, match="AOF manifest"):
        EmbeddedStore(tmp_path).start()
    manifest.write_bytes(good)
    with EmbeddedStore(tmp_path) as store:
        assert store.settled()


def test_without_any_server_program_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(StoreError, match="REDIS_URL is not given"):
        find_server()
