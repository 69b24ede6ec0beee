"""What the API says of the rulesets: derived from their classes once, when an application is made."""

from collections.abc import Iterator
from dataclasses import dataclass
from inspect import cleandoc
from typing import Any

import marshmallow
import msgspec

from api import unions
from api.tables import table_schemas
from domain.events import Event, layout
from domain.lifecycle import SHARED
from domain.moves import Move
from domain.registry import Registry
from domain.ruleset import Ruleset

JsonSchema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_COMPONENT = "#/components/schemas/"


@dataclass(frozen=True, slots=True)
class Chapter:
    """One ruleset: its own moves as a union, its options, the JSON Schemas of both, of its events and its table.

    `tables` are the components of its views by name, the table itself first.
    """

    rules: Ruleset
    moves: unions.Moves
    options: marshmallow.Schema
    options_schema: JsonSchema
    defaults: dict[str, Any]
    events: dict[str, JsonSchema]
    tables: dict[str, JsonSchema]


class Rulebook:
    """All rulesets of a registry, the newest version of each."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self.variants = unions.variants(registry.moves.values())
        self.moves = unions.Moves(self.variants)
        self.shared = {event.type: event_schema(event) for event in SHARED}
        self._chapters = {rules.info.key: self._chapter(rules) for rules in registry}

    def _chapter(self, rules: Ruleset) -> Chapter:
        info = rules.info
        return Chapter(
            rules,
            unions.Moves({move.type: self.variants[move.type] for move in info.moves}),
            unions.schema_of(info.options, f"{info.key}.Options")(),
            {**json_schema(info.options), "additionalProperties": False},
            msgspec.to_builtins(info.options()),
            {event.type: event_schema(event) for event in info.events},
            table_schemas(info),
        )

    def __iter__(self) -> Iterator[Chapter]:
        return iter(self._chapters.values())

    def chapter(self, key: str) -> Chapter:
        """The chapter of a ruleset; `Refused` if there is none."""
        self.registry.newest(key)
        return self._chapters[key]


def json_schema(kind: Any) -> JsonSchema:
    """The JSON Schema (2020-12) of a type, whole in itself."""
    made = msgspec.json.schema(kind)
    parts = made.pop("$defs", {})
    return _inlined(made, parts)


def sent_schema(move: type[Move]) -> JsonSchema:
    """The JSON Schema of a move as it is sent: with its `type`, and the `decision` that it answers."""
    made = json_schema(move)
    own = {
        "type": {"const": move.type, "type": "string"},
        "decision": {"type": "string", "description": "The id of the decision or offer that this move answers."},
    }
    return {
        **made,
        "properties": {**own, **made.get("properties", {})},
        "required": [*own, *made.get("required", ())],
        "additionalProperties": False,
    }


def whole(schema: JsonSchema, parts: dict[str, JsonSchema]) -> JsonSchema:
    """A schema with those components beside it that it refers to, so that it needs no other document."""
    needed: dict[str, JsonSchema] = {}

    def local(node: Any) -> Any:
        if isinstance(node, list):
            return [local(item) for item in node]
        if not isinstance(node, dict):
            return node
        reference = node.get("$ref")
        if isinstance(reference, str) and reference.startswith(_COMPONENT):
            name = reference.removeprefix(_COMPONENT)
            if name not in needed:
                needed[name] = {}
                needed[name] = local(parts[name])
            return {**node, "$ref": f"#/$defs/{name}"}
        return {key: local(value) for key, value in node.items()}

    made = {"$schema": DIALECT, **local(schema)}
    return {**made, "$defs": needed} if needed else made


def _inlined(node: Any, parts: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_inlined(item, parts) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        target = parts[node["$ref"].rpartition("/")[2]]
        return _inlined({**target, **{k: v for k, v in node.items() if k != "$ref"}}, parts)
    return {key: _inlined(value, parts) for key, value in node.items()}


def event_schema(event: type[Event]) -> JsonSchema:
    """The JSON Schema of an event as it is served: public fields in `data`, what the reader may open in `opened`.

    Records of an older schema are served as they were written: what has a default can be missing in them.
    """
    names = layout(event)
    hints = {info.name: info for info in msgspec.structs.fields(event)}
    data = {name: json_schema(hints[name].type) for name in names.public}
    opened = {name: _opened(_sealed_type(hints[name].type)) for name in names.sealed}
    required = [name for name in data if event.sv == 1 or hints[name].required]
    seals = {name: {"$ref": "#/components/schemas/Seal"} for name in names.sealed}
    own = {
        "type": "object",
        "required": ["type", "data", "opened", "seals"],
        "properties": {
            "type": {"const": event.type, "type": "string"},
            "data": {"type": "object", "required": required, "properties": data},
            "opened": {"type": "object", "properties": opened},
            "seals": {"type": "object", "required": list(seals), "properties": seals},
        },
    }
    # Its own part stands in `allOf` too: generators take a lone reference there for the whole.
    frame = {"$ref": "#/components/schemas/EventFrame"}
    return {"description": cleandoc(event.__doc__ or event.type), "allOf": [frame, own]}


def _sealed_type(kind: Any) -> Any:
    """`X` of `Seal[X]`."""
    arguments = getattr(kind, "__args__", ())
    return arguments[0] if arguments else Any


def _opened(kind: Any) -> JsonSchema:
    return {
        "type": "object",
        "required": ["value", "salt"],
        "properties": {"value": json_schema(kind), "salt": {"type": "string"}},
    }
