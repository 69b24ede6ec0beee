"""The document is what the code says, valid, and no stricter and no laxer than the server."""

import re
from pathlib import Path

import jsonschema_rs
import orjson
import pytest
import yaml
from openapi_spec_validator import validate

from api import spec
from api.application import make
from api.failures import entries
from api.operations import operations as told_of
from api.problems import MEDIA_TYPE
from api.rulebook import Rulebook
from domain.registry import REGISTRY
from eventstore.tokens import SCOPES

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def document():
    return make(None, REGISTRY).extensions["openapi"]


@pytest.fixture(scope="module")
def rulebook():
    return Rulebook(REGISTRY)


def component(document, name: str):
    return jsonschema_rs.validator_for({"$ref": f"#/components/schemas/{name}", "components": document["components"]})


def operations(document):
    for path, method, told in told_of(document):
        yield f"{method.upper()} {path}", told


def test_the_document_is_valid_openapi(document):
    validate(document)
    assert document["openapi"] == "3.1.0"


def test_the_file_is_what_the_code_would_write():
    assert spec.main(["--check"]) == 0, "openapi.yaml is stale: run `make spec`"


def test_a_stale_file_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(spec, "FILE", tmp_path / "openapi.yaml")
    assert spec.main(["--check"]) == 1
    assert "stale" in capsys.readouterr().err
    assert spec.main([]) == 0
    assert spec.main(["--check"]) == 0
    assert yaml.safe_load(spec.FILE.read_text("utf-8"))["openapi"] == "3.1.0"


def test_every_operation_says_who_may_ask_what_comes_and_what_can_go_wrong(document):
    ids = set()
    for name, operation in operations(document):
        assert operation["summary"], name
        assert operation["description"], name
        assert len(operation["tags"]) == 1, name
        assert "security" in operation, name
        assert any(status.startswith("2") for status in operation["responses"]), name
        assert {"500", "503"} <= operation["responses"].keys(), name
        if "requestBody" in operation:
            assert {"400", "413", "415", "422"} <= operation["responses"].keys(), name
        for scheme in filter(None, operation["security"]):
            (scope,) = scheme["bearer"]
            assert scope in SCOPES, name
            assert {"401", "403"} <= operation["responses"].keys(), name
        if "{game}" in name:
            assert "404" in operation["responses"], name
        for status, response in operation["responses"].items():
            if status >= "400":
                assert list(response["content"]) == [MEDIA_TYPE], f"{name} {status}"
                assert "`" in response["description"]
        ids.add(operation["operationId"])
    assert len(ids) == len(list(operations(document)))


QUERIES = {
    "list_player_games": {"status", "ruleset", "after", "limit"},
    "list_games": {"status", "ruleset", "after", "limit", "seat"},
    "get_game": {"as"},
    "list_events": {"as", "after", "limit"},
    "stream_game": {"after", "ticket"},
    "get_replay": {"as", "at"},
    "get_log": {"as"},
    "export_games": {"ruleset", "after", "limit"},
    "get_leaderboard": {"kind", "after", "limit"},
}


def test_every_parameter_of_a_query_stands_beside_those_of_the_headers(document):
    told = {
        operation["operationId"]: {one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"}
        for _, operation in operations(document)
    }
    assert {name: found for name, found in told.items() if found} == QUERIES
    headers = {one["name"] for one in document["paths"]["/v1/games/{game}/replay"]["get"]["parameters"]}
    assert "If-None-Match" in headers


def test_every_code_that_a_ruleset_refuses_a_move_with_is_listed(document):
    told = document["paths"]["/v1/games/{game}/moves"]["post"]["x-problems"]
    raised = {
        code
        for path in (ROOT / "domain").glob("*/*.py")
        for code in re.findall(r'Refused\(\s*"([a-z_]+)"', path.read_text("utf-8"))
    }
    assert "seat_out_of_range" in raised
    # The last is no answer to a move: it is how an explanation of one is refused.
    assert raised - {"not_a_challenge"} <= set(told)


def test_every_documented_code_has_its_status(document):
    known = entries(REGISTRY)
    for name, operation in operations(document):
        for status, response in operation["responses"].items():
            for code in response["description"].split("`")[1::2]:
                assert str(known[code].status) == status, f"{name}: {code}"
                assert code in operation["x-problems"]


def test_every_move_has_an_example_that_document_and_server_accept(document, rulebook):
    """The classic trap: a union in the document that rejects every valid move."""
    moves = component(document, "Move")
    body = document["paths"]["/v1/games/{game}/moves"]["post"]["requestBody"]["content"]["application/json"]
    assert set(body["examples"]) == set(REGISTRY.moves)
    for kind, given in body["examples"].items():
        moves.validate(given["value"])
        answer = rulebook.moves.read(given["value"])
        assert type(answer.move) is REGISTRY.moves[kind]
        fitting = [other for other in REGISTRY.moves if component(document, f"move.{other}").is_valid(given["value"])]
        assert fitting == [kind]
    assert not moves.is_valid({"type": "castle", "decision": "1"})
    assert not moves.is_valid({})


def test_bodies_refuse_unknown_fields_also_in_the_document(document):
    for _, operation in operations(document):
        if "requestBody" in operation:
            validator = component(
                document, operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            )
            assert not validator.is_valid({"no such field": 1})
    for kind in REGISTRY.moves:
        assert document["components"]["schemas"][f"move.{kind}"]["additionalProperties"] is False


def test_every_ruleset_has_its_own_unions_options_and_events(document, rulebook):
    parts = document["components"]["schemas"]
    for chapter in rulebook:
        info = chapter.rules.info
        assert set(parts[f"{info.key}.Move"]["discriminator"]["mapping"]) == {move.type for move in info.moves}
        component(document, f"{info.key}.Options").validate(chapter.defaults)
        assert not component(document, f"{info.key}.Options").is_valid({"no such option": 1})
        names = {ref["$ref"].rpartition("/")[2] for ref in parts[f"{info.key}.Event"]["oneOf"]}
        assert {f"{info.key}.{event.type}" for event in info.events} < names
        assert "shared.game_ended" in names


def test_no_reference_hangs_in_the_air(document):
    parts = document["components"]

    def walk(node):
        if isinstance(node, dict):
            if "$ref" in node:
                _, _, kind, name = node["$ref"].split("/")
                assert name in parts[kind], node["$ref"]
            for key, value in node.items():
                # What an example holds is data: a schema in it, as in that of `get_ruleset`, is whole in itself.
                walk(value if key != "examples" else [{**one, "value": None} for one in value.values()])
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(document)


def test_every_component_is_used(document):
    used = set(re.findall(r"#/components/(?:schemas|examples|headers)/([\w.-]+)", orjson.dumps(document).decode()))
    for kind in ("schemas", "examples", "headers"):
        assert document["components"].get(kind, {}).keys() <= used


def test_every_tag_and_header_is_described(document):
    told = {tag["name"]: tag["description"] for tag in document["tags"]}
    for name, operation in operations(document):
        assert told[operation["tags"][0]], name
        for status, response in operation["responses"].items():
            for header, what in response.get("headers", {}).items():
                assert document["components"]["headers"][header]["description"], f"{name} {status} {header}"
                assert what == {"$ref": f"#/components/headers/{header}"}


def test_links_lead_to_operations_and_every_parameter_of_an_address_is_found_by_one(document):
    named = {operation["operationId"]: name for name, operation in operations(document)}
    found = set()
    for name, operation in operations(document):
        for response in operation["responses"].values():
            for link in response.get("links", {}).values():
                wanted = set(re.findall(r"\{(\w+)\}", named[link["operationId"]]))
                assert link["parameters"].keys() == wanted, name
                found |= wanted
    assert found == {parameter for name in named.values() for parameter in re.findall(r"\{(\w+)\}", name)}


def test_what_is_a_page_says_where_the_next_one_is(document):
    for name, operation in operations(document):
        (success, *_) = (one for status, one in operation["responses"].items() if status.startswith("2"))
        schema = success.get("content", {}).get("application/json", {}).get("schema", {}).get("$ref", "")
        asked = {parameter["name"] for parameter in operation.get("parameters", ())}
        if schema.endswith("Page") and {"after", "limit"} <= asked:
            assert "Link" in success["headers"], name


def test_what_only_one_of_two_fields_may_say_is_in_the_document(document):
    seed = "ab" * 32
    seat, change = component(document, "SeatRequest"), component(document, "SeatChange")
    for right in ({}, {"bot": "novice"}, {"client_seed": seed, "seat": 1}):
        seat.validate(right)
    assert not seat.is_valid({"bot": "novice", "client_seed": seed})
    change.validate({"controller": "player"})
    for wrong in ({}, {"controller": "player", "client_seed": seed}, {"controller": "bot"}, {"client_seed": "x"}):
        assert not change.is_valid(wrong)
