"""Links of the document: which operations go on from an answer, since it names what their addresses need."""

import re
from typing import Any

from api.operations import operations

Json = dict[str, Any]
_PARAMETER = re.compile(r"\{(\w+)\}")


def add(document: Json) -> None:
    """Link each operation that yields path parameters to all that need one of them and nothing unknown besides."""
    needed = {told["operationId"]: set(_PARAMETER.findall(path)) for path, _, told in operations(document)}
    for _, _, operation in operations(document):
        yielded = operation.pop("x-yields", {})
        own = needed[operation["operationId"]]
        links = {
            target: {"operationId": target, "parameters": _parameters(names, yielded)}
            for target, names in needed.items()
            if names & yielded.keys() and names <= own | yielded.keys() and target != operation["operationId"]
        }
        if links:
            _success(operation)["links"] = links


def _parameters(names: set[str], yielded: dict[str, str]) -> Json:
    return {
        name: f"$response.body#{yielded[name]}" if name in yielded else f"$request.path.{name}"
        for name in sorted(names)
    }


def _success(operation: Json) -> Json:
    made: Json = next(response for status, response in operation["responses"].items() if str(status).startswith("2"))
    return made
