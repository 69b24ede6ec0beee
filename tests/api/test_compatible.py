"""What was released stays: and the comparison that says so sees each way of breaking it."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml

from api import spec
from api.compatible import breaks, skeleton
from tests.document import ours

RELEASED = sorted((Path(__file__).resolve().parents[2] / "docs" / "released").glob("openapi-*.yaml"))
Json = dict[str, Any]
SCHEMAS = "components", "schemas"


@pytest.mark.parametrize("path", RELEASED, ids=lambda path: path.stem)
def test_what_was_released_is_kept(path: Path):
    assert breaks(yaml.safe_load(path.read_text("utf-8")), ours().whole) == []


@pytest.fixture(scope="module")
def last() -> Json:
    return skeleton(ours().whole)


def test_a_document_breaks_nothing_of_itself(last: Json):
    assert RELEASED
    assert breaks(last, last) == []


def test_what_excludes_a_new_field_takes_nothing_away(last: Json):
    planted = deepcopy(last)
    schema = at(*SCHEMAS, "SeatRequest")(planted)
    schema["properties"]["new"] = {"type": "string"}
    schema["not"]["anyOf"].append({"required": ["bot", "new"]})
    assert breaks(last, planted) == []
    schema["not"]["anyOf"].append({"required": ["bot", "seat"]})
    assert any("may not be" in one for one in breaks(last, planted))


def test_a_release_is_kept_as_a_skeleton(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(spec, "RELEASED", tmp_path)
    assert spec.main(["--release"]) == 0
    (kept,) = tmp_path.glob("openapi-*.*.yaml")
    assert breaks(yaml.safe_load(kept.read_text("utf-8")), ours().whole) == []


def test_a_skeleton_has_no_words_and_keeps_fields_that_are_called_like_words(last: Json):
    assert "description" not in last["paths"]["/v1/me"]["get"]
    assert "title" in last["components"]["schemas"]["Problem"]["properties"]


def at(*keys: Any) -> Callable[[Json], Any]:
    def find(document: Json) -> Any:
        for key in keys:
            document = document[key]
        return document

    return find


def operation(path: str, method: str) -> Callable[[Json], Any]:
    return at("paths", path, method)


SEATS, VIEW = operation("/v1/games/{game}/seats", "post"), at(*SCHEMAS, "View")
OWN = at(*SCHEMAS, "bluff_king.cards_claimed", "allOf", 1)
NEW_GAME, SUMMARY = at(*SCHEMAS, "NewGame"), at(*SCHEMAS, "GameSummary")


def branch_gone(document: Json) -> None:
    document["components"]["schemas"]["Move"]["oneOf"].pop()


BREAKS: dict[str, tuple[Callable[[Json], Any], str]] = {
    "a path": (lambda d: d["paths"].pop("/v1/me"), "GET /v1/me is gone"),
    "a method": (lambda d: d["paths"]["/v1/games/{game}/seats/me"].pop("delete"), "DELETE"),
    "an operationId": (lambda d: operation("/v1/me", "get")(d).update(operationId="me"), "operationId"),
    "a code": (lambda d: SEATS(d)["x-problems"].remove("seat_taken"), "seat_taken is gone"),
    "a status": (lambda d: SEATS(d)["responses"].pop("201"), "the status 201 is gone"),
    "a header": (lambda d: SEATS(d)["responses"]["201"]["headers"].clear(), "Idempotency-Replayed"),
    "a media type": (
        lambda d: operation("/v1/games/{game}/stream", "get")(d)["responses"]["200"]["content"].clear(),
        "gives no text/event-stream",
    ),
    "a token where none was needed": (
        lambda d: operation("/v1/games", "get")(d).update(security=[{"bearer": []}]), "a token is needed",
    ),
    "a parameter": (lambda d: operation("/v1/games", "get")(d).update(parameters=[]), "parameter limit is gone"),
    "a parameter that must be sent": (
        lambda d: operation("/v1/me", "get")(d).update(
            parameters=[{"in": "query", "name": "x", "required": True, "schema": {}}]
        ),
        "parameter x is required",
    ),
    "a body that must be sent": (lambda d: SEATS(d)["requestBody"].update(required=True), "the body is required"),
    "a body": (lambda d: SEATS(d).pop("requestBody"), "it takes no body"),
    "a field of a body": (lambda d: NEW_GAME(d)["properties"].pop("bots"), "body: bots is gone"),
    "a field that must be sent": (lambda d: NEW_GAME(d)["required"].append("bots"), "body: bots is required"),
    "a value that is taken": (
        lambda d: NEW_GAME(d)["properties"]["visibility"]["enum"].remove("private"), "'private' is gone",
    ),
    "a lower bound": (lambda d: NEW_GAME(d)["properties"]["seats"].update(maximum=4), "maximum is 4"),
    "a higher bound": (lambda d: NEW_GAME(d)["properties"]["seats"].update(minimum=2), "minimum is 2"),
    "a pattern": (lambda d: NEW_GAME(d)["properties"]["ruleset"].update(pattern="^x"), "pattern"),
    "a type that is taken": (lambda d: NEW_GAME(d)["properties"]["auto_start"].update(type="string"), "boolean"),
    "unknown fields that were taken": (lambda d: at(*SCHEMAS, "NewGame")(d).update(additionalProperties=False), ""),
    "a move": (branch_gone, "a branch is gone"),
    "a field of an answer": (lambda d: VIEW(d)["properties"].pop("table"), "table is gone"),
    "a field that was always there": (lambda d: SUMMARY(d)["required"].remove("asked"), "asked may be missing"),
    "a type that is read": (lambda d: SUMMARY(d)["properties"]["version"].update(type="string"), "it was integer"),
    "null where there was none": (
        lambda d: SUMMARY(d)["properties"]["version"].update(type=["integer", "null"]), "integer or null",
    ),
    "a value that is read": (lambda d: SUMMARY(d)["properties"]["status"]["enum"].remove("lobby"), "'lobby' is gone"),
    "a field of an event": (
        lambda d: OWN(d)["properties"]["data"]["properties"].pop("rank"),
        "rank is gone",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BREAKS)
def test_each_break_is_seen(last: Json, name: str):
    planted = deepcopy(last)
    before = deepcopy(last)
    if name == "unknown fields that were taken":
        NEW_GAME(before)["additionalProperties"] = True
    change, said = BREAKS[name]
    change(planted)
    found = breaks(before, planted)
    assert found
    assert any(said in one for one in found), found


ADDITIONS: dict[str, Callable[[Json], Any]] = {
    "an operation": lambda d: d["paths"].update({"/v2": {"get": operation("/v1/me", "get")(d)}}),
    "a code": lambda d: SEATS(d)["x-problems"].append("too_tired"),
    "a parameter": lambda d: operation("/v1/me", "get")(d).update(
        parameters=[{"in": "query", "name": "x", "schema": {}}]
    ),
    "a field of a body": lambda d: NEW_GAME(d)["properties"].update(x={"type": "string"}),
    "a field of an answer": lambda d: VIEW(d)["properties"].update(x={"type": "string"}),
    "a value that is taken": lambda d: NEW_GAME(d)["properties"]["visibility"]["enum"].append("secret"),
    "a value that is read": lambda d: SUMMARY(d)["properties"]["status"]["enum"].append("paused"),
    "a wider bound": lambda d: NEW_GAME(d)["properties"]["seats"].update(maximum=1000),
    "an event": lambda d: at(*SCHEMAS, "bluff_king.Event", "oneOf")(d).append(
        {"type": "object", "properties": {"type": {"const": "king_crowned"}}}
    ),
}


@pytest.mark.parametrize("name", ADDITIONS)
def test_additions_break_nothing(last: Json, name: str):
    planted = deepcopy(last)
    ADDITIONS[name](planted)
    assert breaks(last, planted) == []
