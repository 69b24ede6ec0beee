"""The server itself, its documentation, its health."""

import re

import orjson
import yaml

from eventstore.errors import StoreUnavailable
from tests.api.client import Client, problem


def test_the_server_tells_versions_limits_time_and_durability(anybody: Client):
    told = anybody.get("/v1/server").json
    assert told["durability"] == "dev"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", told["time"])
    assert told["limits"]["long_poll_s"] > 0
    assert told["rulesets"]


def test_health_asks_nothing_and_readiness_asks_the_store(anybody: Client, opened, monkeypatch):
    assert anybody.get("/healthz").json == {"status": "ok"}
    assert anybody.get("/readyz").json["status"] == "ok"

    def away() -> None:
        raise StoreUnavailable("gone")

    monkeypatch.setattr(opened, "ping", away)
    assert anybody.get("/healthz").status_code == 200
    answer = anybody.get("/readyz")
    problem(answer, 503, "store_unavailable")
    assert "Retry-After" in answer.headers


def test_the_docs_page_needs_nothing_from_elsewhere(anybody: Client):
    page = anybody.get("/docs/").text
    wanted = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert wanted
    for address in wanted:
        assert "://" not in address
        assert anybody.get("/docs/" + address.removeprefix("/docs/").removeprefix("./")).status_code == 200
    assert anybody.get("/docs").status_code == 308


def test_the_spec_is_served_as_json_and_as_yaml(anybody: Client):
    as_json = anybody.get("/openapi.json")
    as_yaml = anybody.get("/openapi.yaml")
    assert as_json.mimetype == "application/json"
    assert as_yaml.mimetype == "application/yaml"
    assert orjson.loads(as_json.data) == yaml.safe_load(as_yaml.data)
    assert orjson.loads(as_json.data)["openapi"].startswith("3.1")
