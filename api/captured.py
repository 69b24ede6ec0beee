"""Examples of requests and answers, as the tests of the API have seen them: `make examples` writes the file."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from api.operations import operations

FILE = Path(__file__).with_name("examples.json")
Json = dict[str, Any]


class Examples(NamedTuple):
    """What was captured, by operation: request bodies by name, answers by status, problems by code.

    `shared` are the problem documents that are the same for most operations, by code.
    """

    requests: Mapping[str, Mapping[str, Any]] = {}
    answers: Mapping[str, Mapping[str, Any]] = {}
    problems: Mapping[str, Mapping[str, Json]] = {}
    shared: Mapping[str, Json] = {}

    def problem(self, operation: str, code: str) -> Json | None:
        """The example of a code, as the document holds it; None if none was captured."""
        value = self.problems.get(operation, {}).get(code)
        if value is None:
            return None
        return {"$ref": f"#/components/examples/{code}"} if value == self.shared[code] else {"value": value}


def load() -> Examples:
    """The examples of the file; none if it is not there yet."""
    held = orjson.loads(FILE.read_bytes()) if FILE.exists() else {}
    found = {code: [each[code] for each in held["problems"].values() if code in each] for code in _codes(held)}
    shared = {code: max(values, key=values.count) for code, values in found.items()}
    return Examples(held.get("requests", {}), held.get("answers", {}), held.get("problems", {}), shared)


def _codes(held: Json) -> list[str]:
    return sorted({code for each in held.get("problems", {}).values() for code in each})


def written(held: Json) -> str:
    """The text of the file."""
    return json.dumps(held, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def add(document: Json, examples: Examples) -> None:
    """Write the examples of bodies and answers into a document."""
    for _, _, operation in operations(document):
        name = operation["operationId"]
        bodies = examples.requests.get(name, {})
        if bodies and "requestBody" in operation:
            named = {which: {"value": value} for which, value in bodies.items()}
            content = operation["requestBody"]["content"]["application/json"]
            content["examples"] = {**content.get("examples", {}), **named}
        for status, value in examples.answers.get(name, {}).items():
            for content in operation["responses"].get(status, {}).get("content", {}).values():
                content["examples"] = {which: {"value": one} for which, one in value.items()}
