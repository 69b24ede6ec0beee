"""Examples made from schemas: right by construction, and a test holds them against validator and server alike."""

from collections.abc import Callable, Mapping
from typing import Any

JsonSchema = dict[str, Any]


def example(schema: JsonSchema, parts: JsonSchema) -> Any:
    """A small value that a schema allows; `parts` are the components that it may refer to."""
    if "$ref" in schema:
        return example(parts[schema["$ref"].rpartition("/")[2]], parts)
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return example(schema[several][0], parts)
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema["type"]
    return _KINDS[kind[0] if isinstance(kind, list) else kind](schema, parts)


def _object(schema: JsonSchema, parts: JsonSchema) -> dict[str, Any]:
    required = schema.get("required") or list(schema.get("properties", {}))[: schema.get("minProperties", 0)]
    return {name: example(schema["properties"][name], parts) for name in required}


def _array(schema: JsonSchema, parts: JsonSchema) -> list[Any]:
    return [example(schema["items"], parts)] * max(1, schema.get("minItems", 1))


def _integer(schema: JsonSchema, parts: JsonSchema) -> int:
    return min(max(schema.get("minimum", 1), 1), schema.get("maximum", 1))


def _string(schema: JsonSchema, parts: JsonSchema) -> str:
    return "7" * max(1, schema.get("minLength", 1))


_KINDS: Mapping[str, Callable[[JsonSchema, JsonSchema], Any]] = {
    "object": _object,
    "array": _array,
    "integer": _integer,
    "string": _string,
    "boolean": lambda _, __: True,
}
