"""The server itself, its documentation, its health."""

import re

import orjson
import yaml

from tests.api.client import Client


def test_the_server_tells_versions_limits_time_and_durability(anybody: Client):
    told = anybody.get("/v1/server").json
    assert told["durability"] == "dev"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", told["time"])
    assert told["limits"]["long_poll_s"] > 0
    assert told["rulesets"]


def test_the_root_leads_programs_to_the_api_and_browsers_to_its_documentation(anybody: Client):
    told = anybody.get("/")
    assert told.headers["Vary"] == "Accept"
    assert told.json["version"]
    for link in told.json["links"].values():
        assert anybody.get(link).status_code == 200, link
    browser = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
    page = anybody.get("/", headers=browser)
    assert (page.status_code, page.headers["Location"], page.data) == (302, "/docs/", b"")
    for accept in ("*/*", "application/json", "application/json, text/html;q=0.5", "image/png"):
        assert anybody.get("/", headers={"Accept": accept}).json == told.json


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
