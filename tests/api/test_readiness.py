"""Readiness: what fails, what only warns, and that no check takes long."""

import time
from types import SimpleNamespace

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as RedisConnectionError

from api import app_for, end_waits
from api.application import make
from captain.store import EmbeddedStore
from eventstore import connect
from eventstore.doorbell import Doorbell
from eventstore.owed import Overdue
from eventstore.store import Store
from tests.api.client import Client, problem
from tests.keys import KEYS


@pytest.fixture
def ready(opened: Store, monkeypatch):
    """Clients of fresh applications over the session's store: a look is kept for a moment, and each looks itself."""

    # Nobody works here, and other tests leave much undone.
    monkeypatch.setattr(opened, "overdue", lambda: Overdue(0, 0, 0))

    def start(queue: Redis | None = None) -> Client:
        return Client(make(opened, opened.repository.registry, KEYS, queue=queue))

    return start


def refuse(*_: object) -> None:
    raise RedisConnectionError("redis://:password@host")


def test_all_is_well(ready, store: EmbeddedStore):
    told = ready(connect.probing(store.url)).get("/readyz").json
    assert (told["status"], told["durability"], told["degraded"]) == ("ok", "dev", [])
    assert {name: check["ok"] for name, check in told["checks"].items()} == dict.fromkeys(
        ("store", "doorbell", "queue", "obligations"), True
    )


def test_a_store_that_is_away_is_not_ready(ready, opened: Store, monkeypatch):
    monkeypatch.setattr(opened, "ping", refuse)
    client = ready()
    answer = client.get("/readyz")
    told = problem(answer, 503, "not_ready")
    assert told["failed"] == ["store"]
    assert int(answer.headers["Retry-After"]) > 0
    assert "password" not in answer.text
    assert client.get("/healthz").status_code == 200, "health asks nobody"


def test_a_reader_that_hears_nothing_is_not_ready(ready, opened: Store, monkeypatch):
    with monkeypatch.context() as silent:
        silent.setattr(Doorbell, "silence_s", 5.1)
        assert problem(ready().get("/readyz"), 503, "not_ready")["failed"] == ["doorbell"]
    assert ready().get("/readyz").status_code == 200


def test_a_reader_that_was_never_started_is_not_ready(store: EmbeddedStore):
    made = Store(store.url, allow_unsafe=True)
    try:
        told = problem(Client(app_for(made, KEYS)).get("/readyz"), 503, "not_ready")
        assert (told["failed"], told["checks"]["doorbell"]["silent_ms"]) == (["doorbell"], None)
    finally:
        made.close()


def test_a_queue_that_is_away_only_warns(ready):
    told = ready(connect.probing("redis://127.0.0.1:1/0")).get("/readyz")
    assert (told.status_code, told.json["status"], told.json["degraded"]) == (200, "degraded", ["queue"])


def test_work_that_nobody_does_only_warns(ready, opened: Store, monkeypatch):
    monkeypatch.setattr(opened, "overdue", lambda: Overdue(7, 3, 10_001))
    told = ready().get("/readyz")
    assert (told.status_code, told.json["degraded"]) == (200, ["obligations"])
    assert told.json["checks"]["obligations"]["oldest_overdue_ms"] == 10_001
    monkeypatch.setattr(opened, "overdue", lambda: Overdue(7, 3, 9_999))
    assert ready().get("/readyz").json["degraded"] == []


def test_who_is_to_stop_says_so_at_once(store: EmbeddedStore):
    made = Store(store.url, allow_unsafe=True)
    made.follow()
    app = app_for(made, KEYS)
    client = Client(app)
    try:
        assert client.get("/readyz").status_code == 200
        end_waits(app)
        told = problem(client.get("/readyz"), 503, "not_ready")
        assert "stopping" in told["failed"]
        assert told["durability"] == client.get("/v1/server").json["durability"]
        assert client.get("/healthz").status_code == 200
    finally:
        made.close()


def test_asking_often_asks_the_store_seldom(ready, opened: Store, monkeypatch):
    asked = SimpleNamespace(times=0)

    def ping() -> None:
        asked.times += 1

    monkeypatch.setattr(opened, "ping", ping)
    client = ready()
    for _ in range(20):
        client.get("/readyz")
    assert 1 <= asked.times <= 10


def test_a_store_that_hangs_is_given_up_soon(ready, opened: Store, monkeypatch, tmp_path):
    """A real one, stopped with SIGSTOP: it takes the connection and says nothing."""
    import os
    import signal

    with EmbeddedStore(tmp_path, durable=False) as hanging:
        probe = connect.probing(hanging.url)
        probe.ping()
        os.kill(hanging.pid, signal.SIGSTOP)
        try:
            monkeypatch.setattr(opened, "_prober", probe)
            began = time.monotonic()
            assert problem(ready().get("/readyz"), 503, "not_ready")["failed"] == ["store"]
            assert time.monotonic() - began < 4
        finally:
            os.kill(hanging.pid, signal.SIGCONT)
            probe.connection_pool.disconnect()
