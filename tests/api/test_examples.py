"""Every operation shows what it takes, what it gives and what can go wrong, by examples that were captured."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from marshmallow import Schema

from api import captured, requests
from api.rulebook import Rulebook
from domain.registry import REGISTRY
from tests.document import Operation, ours

JSON, PROBLEM = "application/json", "application/problem+json"
DOCUMENT = ours()
PARTS = DOCUMENT.whole["components"]

WITHOUT_EXAMPLE: dict[tuple[str, str], str] = {
    ("change_seat", "decision_closed"): "the time of two decisions must run out while one request is judged",
    ("create_rematch", "game_over"): "only of a game that nobody started in time",
    ("create_rematch", "reveal_open"): "only while the seats of the new game are closing",
    ("create_rematch", "options_out_of_range"): "only if the ruleset has changed since",
    ("create_rematch", "seats_out_of_range"): "as with its options",
    ("create_rematch", "unknown_ruleset"): "as with its options",
    ("get_readiness", "store_unavailable"): "it says not_ready, and why",
    ("list_rulesets", "store_unavailable"): "it needs no store today; a client must be ready for it all the same",
    ("get_ruleset", "store_unavailable"): "as with list_rulesets",
    ("get_health", "store_unavailable"): "as with list_rulesets",
}
"""What no test can bring about, and why: operation (or `*`) and code."""

BODIES = {name: cls for name, cls in vars(requests).items() if isinstance(cls, type) and issubclass(cls, Schema)}


def examples(content: Any) -> dict[str, Any]:
    """The examples of a media type, references followed."""
    found = content.get("examples", {})
    return {
        name: (PARTS["examples"][one["$ref"].rpartition("/")[2]] if "$ref" in one else one)["value"]
        for name, one in found.items()
    }


def one_of(schema: Any) -> Iterator[list[Any]]:
    """The branches of each union on the way to a schema's root."""
    while "$ref" in schema:
        schema = PARTS["schemas"][schema["$ref"].rpartition("/")[2]]
    if "oneOf" in schema:
        yield schema["oneOf"]


def check(schema: Any, value: Any) -> None:
    DOCUMENT.validator(schema).validate(value)
    for branches in one_of(schema):
        assert sum(DOCUMENT.validator(branch).is_valid(value) for branch in branches) == 1


def each(operations: list[Operation] = DOCUMENT.operations) -> Any:
    return pytest.mark.parametrize("operation", operations, ids=lambda operation: operation.id)


@each()
def test_every_code_has_an_example_with_its_status(operation: Operation):
    shown = {}
    for status, response in operation.told["responses"].items():
        for content in response.get("content", {}).values():
            if status >= "400":
                for code, told in examples(content).items():
                    check(content["schema"], told)
                    assert (told["code"], str(told["status"]), told["type"]) == (code, status, f"/problems/{code}")
                    assert f"`{code}`" in response["description"]
                    shown[code] = told
    excused = {code for where, code in WITHOUT_EXAMPLE if where in ("*", operation.id)}
    assert set(operation.told["x-problems"]) - shown.keys() == excused & set(operation.told["x-problems"])


@each()
def test_every_success_has_an_example_of_its_schema(operation: Operation):
    for status, response in operation.told["responses"].items():
        for content in response.get("content", {}).values():
            if status < "400":
                shown = examples(content)
                assert shown, f"{operation.id} {status}"
                for value in shown.values():
                    check(content["schema"], value)


@each([operation for operation in DOCUMENT.operations if "requestBody" in operation.told])
def test_every_field_of_a_request_has_an_example_that_document_and_parser_take(operation: Operation):
    content = operation.told["requestBody"]["content"][JSON]
    shown = examples(content)
    assert shown
    for value in shown.values():
        check(content["schema"], value)
        read(content["schema"], value)
    fields = PARTS["schemas"][content["schema"]["$ref"].rpartition("/")[2]].get("properties", {})
    assert fields.keys() == {name for value in shown.values() for name in value} & fields.keys()


def read(schema: Any, value: Any) -> None:
    """Have our own parser read a body."""
    name = schema["$ref"].rpartition("/")[2]
    if name == "Move":
        Rulebook(REGISTRY).moves.read(value)
    else:
        BODIES[name]().load(value)


def test_every_move_has_an_example():
    play = next(operation for operation in DOCUMENT.operations if operation.id == "play_move")
    assert examples(play.told["requestBody"]["content"][JSON]).keys() == REGISTRY.moves.keys()


def test_every_kind_of_frame_has_an_example():
    stream = next(operation for operation in DOCUMENT.operations if operation.id == "stream_game")
    content = stream.told["responses"]["200"]["content"]["text/event-stream"]
    kinds = {frame["properties"]["event"]["const"] for frame in next(one_of(content["schema"]))}
    assert examples(content).keys() == kinds


def test_what_an_example_would_have_to_show_is_seen():
    """The checks above fail on an example of another schema, and on one that two branches take."""
    with pytest.raises(ValueError, match="required"):
        check({"$ref": "#/components/schemas/Receipt"}, {"game": "x"})
    both = {"oneOf": [{"type": "object"}, {"type": "object", "required": ["a"]}]}
    with pytest.raises(ValueError, match="oneOf"):
        check(both, {"a": 1})


def test_examples_are_of_operations_that_there_are():
    """What is in the file for an operation that is gone is dead weight: `make examples`."""
    held = captured.load()
    ids = {operation.id for operation in DOCUMENT.operations}
    assert held.problems.keys() | held.answers.keys() | held.requests.keys() <= ids
