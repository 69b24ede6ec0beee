"""Request ids on every answer, and the one line and the figures of each exchange."""

import logging
import re

import pytest
from prometheus_client import REGISTRY

from api import traffic
from tests.api.client import Client

ULID = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")


def lines(caplog) -> list[logging.LogRecord]:
    return [record for record in caplog.records if record.name == "api.traffic"]


@pytest.fixture(autouse=True)
def _all_is_heard(caplog):
    caplog.set_level(logging.DEBUG)


@pytest.mark.parametrize("given", ["abc", "A-Z_0.9~:/+=@", "x" * 128])
def test_an_id_of_the_client_is_kept(anybody: Client, given: str):
    assert anybody.get("/healthz", headers={"X-Request-Id": given}).headers["X-Request-Id"] == given


@pytest.mark.parametrize("given", ["", "x" * 129, "a b", 'a"b', "a\tb", "a;b", "<b>", "é"])
def test_an_id_that_is_none_is_replaced(anybody: Client, given: str):
    assert ULID.fullmatch(anybody.get("/healthz", headers={"X-Request-Id": given}).headers["X-Request-Id"])


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"), ("GET", "/nowhere"), ("PATCH", "/v1/games"), ("POST", "/v1/games"), ("GET", "/docs"),
        ("HEAD", "/healthz"), ("OPTIONS", "/v1/games"), ("GET", "/openapi.json"), ("GET", "/metrics"),
    ],
)  # fmt: skip
def test_every_answer_names_its_request(anybody: Client, method: str, path: str):
    first, second = anybody.send(method, path), anybody.send(method, path)
    assert ULID.fullmatch(first.headers["X-Request-Id"])
    assert first.headers["X-Request-Id"] != second.headers["X-Request-Id"]


def test_a_stream_and_a_304_name_theirs(ann: Client, table: str, listen):
    tag = ann.get(f"/v1/games/{table}").headers["ETag"]
    again = ann.get(f"/v1/games/{table}", headers={"If-None-Match": tag, "X-Request-Id": "mine"})
    assert (again.status_code, again.headers["X-Request-Id"]) == (304, "mine")
    assert ULID.fullmatch(listen(ann, table).response.headers["X-Request-Id"])


def test_a_mistake_of_ours_names_the_request_in_its_body(ann: Client, opened, monkeypatch, caplog):
    def broken(*_: object, **__: object) -> None:
        raise ValueError("KH")

    monkeypatch.setattr(opened.lists, "page", broken)
    answer = ann.get("/v1/games", headers={"X-Request-Id": "mine"})
    assert (answer.json["code"], answer.json["request"]) == ("internal_error", "mine")
    (line,) = lines(caplog)
    assert (line.status, line.code, line.route) == (500, "internal_error", "/v1/games")


def test_a_line_tells_route_status_game_player_size_and_no_address(ann: Client, table: str, caplog):
    caplog.clear()
    answer = ann.get(f"/v1/games/{table}/events?after=1&limit=2")
    (line,) = lines(caplog)
    told = (line.method, line.route, line.status, line.game, line.player, line.bytes)
    assert told == ("GET", "/v1/games/{game}/events", 200, table, ann.player["id"], len(answer.data))
    assert line.ms > 0
    assert "after" not in str(vars(line))
    caplog.clear()
    made = ann.post("/v1/games", {"ruleset": "bluff_king"})
    assert lines(caplog)[0].game == made.json["game"]


def test_a_refusal_is_told_by_its_code(ann: Client, table: str, caplog):
    caplog.clear()
    ann.post(f"/v1/games/{table}/moves", {"type": "pass", "decision": "999"})
    assert lines(caplog)[0].code in ("decision_closed", "not_asked", "illegal_move")


def test_what_machines_ask_for_is_told_at_debug_only(anybody: Client, caplog):
    anybody.get("/healthz")
    assert [line.levelno for line in lines(caplog)] == [logging.DEBUG]


def test_nothing_that_a_client_makes_up_is_told(anybody: Client, caplog):
    for method, path in (
        ("GET", "/secret-1"),
        ("GET", "/v1/games/secret-2"),
        ("SECRET", "/v1/games"),
        ("GET", "/v1/games?secret=4"),
        ("GET", "/v1/games/01ARZ3NDEKTSV4RRFFQ69G5FAV/stream?ticket=secret-5"),
        ("POST", "/v1/players"),
    ):
        anybody.app.test_client().open(path, method=method, json={"name": "secret-6", "secret": 7}, buffered=True)
    assert len(lines(caplog)) == 6
    for record in caplog.records:
        assert "secret" not in str({**vars(record), "event": record.getMessage()}).lower()


def test_the_labels_of_figures_are_bounded(anybody: Client):
    def series() -> set[tuple[str, str, str]]:
        found = set()
        for metric in REGISTRY.collect():
            if metric.name == "captain_request_seconds":
                found |= {(s.labels["route"], s.labels["method"], s.labels["status"]) for s in metric.samples}
        return found

    def ask(n: int) -> None:
        anybody.app.test_client().open(f"/no/{n}", method=f"M{n}", buffered=True)
        anybody.app.test_client().open(f"/v1/games/{n}/stream?ticket={n}", buffered=True)
        anybody.app.test_client().open(f"/problems/no{n}", buffered=True)

    ask(0)
    before = series()
    for n in range(1, 30):
        ask(n)
    assert series() == before
    assert {(traffic.NO_ROUTE, traffic.OTHER, "404"), ("/problems/{code}", "GET", "404")} <= before
