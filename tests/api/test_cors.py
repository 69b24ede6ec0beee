"""Browsers: preflights of every route, and what a page may read of every answer."""

from __future__ import annotations

import pytest

from api import app_for
from api.edge import Edge
from api.policies import POLICIES
from tests.api.client import Client, problem
from tests.api.sse import Listener
from tests.keys import KEYS

ORIGIN = {"Origin": "https://play.example.org"}
SENT = {
    "authorization", "content-type", "idempotency-key", "if-match", "if-none-match", "prefer", "last-event-id",
    "x-request-id",
}  # fmt: skip
READ = {
    "etag", "location", "link", "retry-after", "ratelimit", "ratelimit-policy", "idempotency-replayed",
    "preference-applied", "server-time", "x-request-id", "www-authenticate",
}  # fmt: skip


def words(header: str) -> set[str]:
    return {word.strip().lower() for word in header.split(",")}


def addresses(app) -> dict[str, set[str]]:
    """An address of each route, with all its methods."""
    found: dict[str, set[str]] = {}
    values = {"game": "01JZZZZZZZZZZZZZZZZZZZZZZZ", "key": "x", "v": 1, "dispute": "x", "code": "x", "path": "x"}
    values |= {"ruleset": "x", "player": "x", "invite": "x", "token": "x", "name": "x"}
    adapter = app.url_map.bind("localhost")
    for rule in app.url_map.iter_rules():
        path = adapter.build(rule.endpoint, values={name: values[name] for name in rule.arguments})
        found.setdefault(path, set()).update(rule.methods)
    return found


def test_a_preflight_of_every_route_and_method_is_granted(app, anybody: Client):
    for path, methods in addresses(app).items():
        for method in methods:
            asked = {**ORIGIN, "Access-Control-Request-Method": method}
            asked["Access-Control-Request-Headers"] = "authorization,idempotency-key"
            answer = anybody.send("OPTIONS", path, headers=asked)
            assert (answer.status_code, answer.data) == (204, b""), path
            assert answer.headers["Access-Control-Allow-Origin"] == "*"
            assert words(answer.headers["Access-Control-Allow-Methods"]) == {m.lower() for m in methods}
            assert words(answer.headers["Access-Control-Allow-Headers"]) == SENT
            assert int(answer.headers["Access-Control-Max-Age"]) >= 600
            assert "Access-Control-Allow-Credentials" not in answer.headers


def test_plain_options_tells_the_methods_and_nothing_else(app, anybody: Client):
    for path, methods in addresses(app).items():
        answer = anybody.send("OPTIONS", path)
        assert (answer.status_code, answer.data) == (204, b"")
        assert set(answer.headers["Allow"].split(", ")) == methods
        assert "Content-Type" not in answer.headers
        assert "Access-Control-Allow-Methods" not in answer.headers
    problem(anybody.send("OPTIONS", "/v1/nothing"), 404, "not_found")


def test_every_answer_can_be_read(ann: Client, anybody: Client, table: str, web):
    answers = [
        ann.get(f"/v1/games/{table}", headers=ORIGIN),
        ann.get(f"/v1/games/{table}"),  # also without an origin: a cache may keep it
        ann.get("/v1/rulesets", headers={**ORIGIN, "If-None-Match": "*"}),
        ann.get("/v1/nothing", headers=ORIGIN),
        ann.send("PATCH", "/v1/games", headers=ORIGIN),
        anybody.get("/v1/me", headers=ORIGIN),
        ann.post("/v1/games", data=b"{", content_type="application/json", headers=ORIGIN),
        anybody.get("/openapi.json", headers=ORIGIN),
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 304, 404, 405, 401, 400, 200]
    with Listener(web.address, f"/v1/games/{table}/stream", ann.token) as stream:
        headers = [*(answer.headers for answer in answers), stream.response.headers]
    for one in headers:
        assert one["Access-Control-Allow-Origin"] == "*"
        assert words(one["Access-Control-Expose-Headers"]) >= READ
        assert "Origin" not in (one["Vary"] or "" if "Vary" in one else "")


def test_a_refusal_for_asking_too_often_can_be_read(opened):
    edge = Edge({"reads": POLICIES["reads"]._replace(amount=1)})
    client = Client(app_for(opened, KEYS, edge))
    client.get("/v1/server")
    refused = client.get("/v1/server", headers=ORIGIN)
    problem(refused, 429, "rate_limited")
    assert refused.headers["Access-Control-Allow-Origin"] == "*"


def test_a_fault_of_ours_can_be_read(ann: Client, opened, monkeypatch):
    monkeypatch.setattr(opened.lists, "page", lambda **_: 1 / 0)
    assert ann.get("/v1/games", headers=ORIGIN).headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("method", ["GET", "OPTIONS"])
def test_an_operator_can_say_which_pages_may(opened, method: str):
    client = Client(app_for(opened, KEYS, Edge(origins=frozenset(["https://play.example.org"]))))
    asked = {"Access-Control-Request-Method": "GET"} if method == "OPTIONS" else {}
    known = client.send(method, "/v1/server", headers={**ORIGIN, **asked})
    assert known.headers["Access-Control-Allow-Origin"] == "https://play.example.org"
    for origin in ("https://evil.example", "https://play.example.org.evil.example", "null", None):
        other = client.send(method, "/v1/server", headers={**asked, **({"Origin": origin} if origin else {})})
        assert "Access-Control-Allow-Origin" not in other.headers
        assert "Access-Control-Expose-Headers" not in other.headers
        assert "Origin" in other.vary
    assert "Origin" in known.vary


def test_no_page_at_all(opened):
    client = Client(app_for(opened, KEYS, Edge(origins=frozenset())))
    assert "Access-Control-Allow-Origin" not in client.get("/v1/server", headers=ORIGIN).headers
