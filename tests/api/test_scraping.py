"""Figures: who may read them, what stands there, and that several processes add up."""

import re
from pathlib import Path

import httpx
import pytest
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families
from redis.exceptions import ConnectionError as RedisConnectionError

from api.application import make
from api.metrics import Readers
from tests.api.client import Client, filled, problem
from tests.keys import KEYS
from tests.waiting import until

TOKEN = "t" * 20


def figures(text: str) -> dict[tuple[str, frozenset], float]:
    """All samples: name and labels -> value; fails on what Prometheus could not read."""
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def read(client: Client) -> dict[tuple[str, frozenset], float]:
    answer = client.get("/metrics")
    assert answer.status_code == 200
    return figures(answer.text)


def rise(before, after, name: str, **labels: str) -> float:
    key = (name, frozenset(labels.items()))
    return after.get(key, 0.0) - before.get(key, 0.0)


# --- who may read ----------------------------------------------------------------------------------------------------


def app_with(opened, readers: Readers):
    return make(opened, opened.repository.registry, KEYS, readers=readers)


@pytest.mark.parametrize(
    ("peer", "headers", "status"),
    [
        ("127.0.0.1", {}, 200), ("127.9.9.9", {}, 200), ("::1", {}, 200), ("::ffff:127.0.0.1", {}, 200),
        ("192.0.2.7", {}, 404), ("::1234", {}, 404), ("::ffff:192.0.2.7", {}, 404), ("", {}, 404),
        ("127.0.0.1", {"X-Forwarded-For": "192.0.2.7"}, 404), ("127.0.0.1", {"Forwarded": "for=127.0.0.1"}, 404),
        ("127.0.0.1", {"X-Real-IP": "127.0.0.1"}, 404), ("127.0.0.1", {"Via": "1.1 proxy"}, 404),
    ],
)  # fmt: skip
def test_by_default_this_machine_may_read_and_nobody_through_a_proxy(app, peer, headers, status):
    answer = app.test_client().get("/metrics", headers=headers, environ_overrides={"REMOTE_ADDR": peer})
    assert answer.status_code == status
    if status == 404:
        assert answer.json["code"] == "not_found"


def test_off_is_off_and_all_is_all(opened):
    far = {"environ_overrides": {"REMOTE_ADDR": "192.0.2.7"}}
    assert app_with(opened, Readers("off")).test_client().get("/metrics").status_code == 404
    assert app_with(opened, Readers("all")).test_client().get("/metrics", **far).status_code == 200


def test_a_token_is_needed_from_everywhere_if_there_is_one(opened):
    client = Client(app_with(opened, Readers("token", TOKEN)))
    problem(client.get("/metrics"), 401, "token_missing")
    for wrong in ("Bearer wrong", "Bearer", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer é"):
        problem(client.get("/metrics", headers={"Authorization": wrong}), 401, "token_invalid")
    assert client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200


# --- what stands there -----------------------------------------------------------------------------------------------


def test_a_move_is_counted_with_its_request_append_and_round_trips(ann: Client, bob: Client, table: str):
    first = ann if ann.view(table)["decision"] else bob
    move = filled(first.view(table)["decision"]["moves"][0])
    before = read(ann)
    assert first.post(f"/v1/games/{table}/moves", move).status_code == 201
    first.post(f"/v1/games/{table}/moves", move)
    after = read(ann)
    route = {"route": "/v1/games/{game}/moves", "method": "POST"}
    assert rise(before, after, "captain_moves_total", ruleset="bluff_king", by="player") == 1
    assert rise(before, after, "captain_request_seconds_count", **route, status="201") == 1
    assert rise(before, after, "captain_append_seconds_count", reply="appended") == 1
    assert rise(before, after, "captain_store_round_trips_total") >= 3
    refusals = {key for key in after if key[0] == "captain_problems_total" and after[key] != before.get(key, 0)}
    assert len(refusals) == 1


def test_what_is_owed_is_asked_at_the_time(ann: Client, opened, monkeypatch):
    before = read(ann)
    ann.game(bots=["novice"], auto_start=True, clock={"bot_pace_ms": 60_000})
    after = read(ann)
    assert rise(before, after, "captain_owed") >= 1
    assert after["captain_store_up", frozenset()] == 1

    def away() -> None:
        raise RedisConnectionError("redis://:password@host")

    monkeypatch.setattr(opened, "overdue", away)
    gone = read(ann)
    assert gone["captain_store_up", frozenset()] == 0
    assert ("captain_owed", frozenset()) not in gone


def test_an_audit_is_counted(ann: Client, table: str):
    assert ann.delete(f"/v1/games/{table}/seats/me").status_code == 200
    before = read(ann)
    assert ann.get(f"/v1/games/{table}/audit").status_code == 200
    assert rise(before, read(ann), "captain_audits_total", verdict="sound") == 1


def test_no_figure_has_a_label_that_names_a_game_or_a_player(ann: Client, table: str):
    for _, labels in read(ann):
        for name, value in labels:
            assert not re.search(r"[0-9A-HJKMNP-TV-Z]{26}|p_|ct_", value), (name, value)


def test_the_documentation_lists_every_figure_with_its_labels(ann: Client):
    """Those of this process are in the registry; `captain_restarts` is the supervisor's."""
    import workers.metrics  # noqa: F401  # which this application does not load

    text = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")
    table = text.partition("| metric | by | is |\n|---|---|---|\n")[2].partition("\n\n")[0]
    documented: dict[str, set[str]] = {}
    for row in table.splitlines():
        names, labels, _ = row.strip("| ").split("|", 2)
        for name in re.findall(r"captain_\w+", names):
            documented[name.removesuffix("_total")] = set(re.findall(r"`(\w+)`", labels))
    ours = {metric.name: metric for metric in REGISTRY.collect() if metric.name.startswith("captain_")}
    asked = {name for name, _ in read(ann) if name.startswith(("captain_owed", "captain_store_up"))}
    assert documented.keys() == {*ours, *asked, "captain_restarts"}
    for name, metric in ours.items():
        for sample in metric.samples:
            assert sample.labels.keys() - {"le"} <= documented[name], name


# --- several processes -----------------------------------------------------------------------------------------------


def test_two_web_processes_add_up(web):
    """Whichever process is asked: requests of both are counted, and none twice."""

    def count() -> float:
        # A kept connection stays with one process; a new one goes to either.
        with httpx.Client(base_url=web.address) as client:
            labels = {"route": "/rules/{key}", "method": "GET", "status": "200"}
            key = ("captain_request_seconds_count", frozenset(labels.items()))
            return figures(client.get("/metrics").text).get(key, 0.0)

    before = count()
    for _ in range(40):
        assert httpx.get(f"{web.address}/rules/bluff_king").status_code == 200
    until(lambda: count() == before + 40, 5)
    assert {count() for _ in range(10)} == {before + 40}


def test_open_streams_go_up_and_down_and_their_ends_are_counted(ann: Client, bob: Client, table: str, web, listen):
    def told(name: str, **labels: str) -> float:
        found = figures(httpx.get(f"{web.address}/metrics").text)
        return found.get((name, frozenset(labels.items())), 0.0)

    ends = ("captain_stream_ends_total", {"reason": "game_over"})
    before, ended, events = told("captain_open_streams"), told(ends[0], **ends[1]), told("captain_stream_events_total")
    with listen(ann, table) as one, listen(bob, table) as two:
        for listener in (one, two):
            assert next(iter(listener)).event == "snapshot"
        assert told("captain_open_streams") == before + 2
        assert bob.delete(f"/v1/games/{table}/seats/me").status_code == 200
        for listener in (one, two):
            assert [frame.event for frame in listener][-1] == "game_over"
    until(lambda: told("captain_open_streams") == before)
    assert told(ends[0], **ends[1]) == ended + 2
    assert told("captain_stream_events_total") >= events + 2
