"""The operations of an OpenAPI document."""

from collections.abc import Iterator
from typing import Any, NamedTuple

Json = dict[str, Any]
METHODS = ("get", "put", "post", "delete", "patch")


class Operation(NamedTuple):
    """One operation: its address, its method in small letters, and what the document tells of it."""

    path: str
    method: str
    told: Json


def operations(document: Json) -> Iterator[Operation]:
    """All operations of a document, in its order."""
    for path, item in document["paths"].items():
        for method, told in item.items():
            if method in METHODS:
                yield Operation(path, method, told)
