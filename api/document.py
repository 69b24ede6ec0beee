"""The OpenAPI document of an application, put together from what its operations, schemas and rulesets declare."""

import json
from inspect import cleandoc
from itertools import combinations
from typing import Any

import marshmallow
import yaml
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from apispec_oneofschema import MarshmallowPlugin
from flask import Flask
from flask_smorest import Api

from api import (
    account_schemas,
    auth,
    captured,
    failures,
    fair_play_schemas,
    links,
    meta,
    requests,
    routing,
    schemas,
    server_schemas,
    spec_texts,
    stream_schemas,
)
from api.examples import example
from api.fields import Either
from api.rulebook import Chapter, Rulebook

_REF = "#/components/schemas/"


def documented(app: Flask, rulebook: Rulebook) -> Api:
    """The spec builder of an application, with the components that follow from its rulesets."""
    app.config.update(API_TITLE=meta.NAME, API_VERSION="v1", OPENAPI_VERSION="3.1.0")
    options = {"info": spec_texts.INFO, "servers": spec_texts.SERVERS, "externalDocs": spec_texts.EXTERNAL}
    api = _Api(app, spec_kwargs={"marshmallow_plugin": MarshmallowPlugin(), **options})
    api.register_converter(routing.Whole, routing.parameter)
    converter: OpenAPIConverter = api.ma_plugin.converter
    converter.add_attribute_function(describe_either)
    api.spec.components.security_scheme("bearer", auth.SCHEME)
    _add_moves(api, rulebook)
    _add_events(api, rulebook)
    _add_tables(api, rulebook)
    for name, schema in stream_schemas.components().items():
        api.spec.components.schema(name, schema)
    return api


class _Api(Api):
    """smorest without its own error documents: problems are declared by each operation."""

    ERROR_SCHEMA = schemas.ProblemSchema
    DEFAULT_ERROR_RESPONSE_NAME = None

    def _register_error_handlers(self) -> None:
        """Leave errors to `api.errors`."""

    def _register_pagination_header(self) -> None:
        """Our pages have a `Link` header."""


def describe_either(self: OpenAPIConverter, field: marshmallow.fields.Field, **_: Any) -> dict[str, Any]:
    if not isinstance(field, Either):
        return {}
    return {"oneOf": [self.field2property(choice) for choice in field.choices]}


def _add_moves(api: Api, rulebook: Rulebook) -> None:
    """Each move once, a union for each ruleset, and the union of all for the request body."""
    for kind, schema in rulebook.variants.items():
        api.spec.components.schema(f"move.{kind}", schema=schema)
        # Not by the schema's Meta: apispec then forgets to say that unknown fields are refused.
        api.spec.components.schemas[f"move.{kind}"]["description"] = _sentence(rulebook.registry.moves[kind])
    for chapter in rulebook:
        key = chapter.rules.info.key
        api.spec.components.schema(f"{key}.Move", _union(f"move.{kind}" for kind in chapter.moves.type_schemas))
        api.spec.components.schema(f"{key}.Options", chapter.options_schema)
    api.spec.components.schema("Move", _union(f"move.{kind}" for kind in rulebook.variants))


def _sentence(cls: type[Any]) -> str:
    """The first sentence of a class's docstring."""
    return (cls.__doc__ or cls.__name__).strip().partition("\n")[0]


def _add_events(api: Api, rulebook: Rulebook) -> None:
    """Each event as `<ruleset>.<type>`, and a union for each ruleset with those that all games share."""
    api.spec.components.schema("EventFrame", schema=schemas.EventFrame)
    api.spec.components.schema("Seal", schema=schemas.Seal)
    for kind, schema in rulebook.shared.items():
        api.spec.components.schema(f"shared.{kind}", schema)
    unions = []
    for chapter in rulebook:
        key = chapter.rules.info.key
        for kind, schema in chapter.events.items():
            api.spec.components.schema(f"{key}.{kind}", schema)
        names = [*(f"shared.{kind}" for kind in rulebook.shared), *(f"{key}.{kind}" for kind in chapter.events)]
        api.spec.components.schema(f"{key}.Event", _union(names))
        unions.append({"$ref": f"{_REF}{key}.Event"})
    api.spec.components.schema("Event", {"anyOf": unions} if unions else {"$ref": f"{_REF}EventFrame"})


def _add_tables(api: Api, rulebook: Rulebook) -> None:
    """What a view's `table` is in each ruleset: `<ruleset>.Table` and what it is made of."""
    for chapter in rulebook:
        for name, schema in chapter.tables.items():
            api.spec.components.schema(name, schema)


def _union(names: Any) -> dict[str, Any]:
    """A plain `oneOf` with a discriminator; every variant requires its own constant `type`."""
    found = list(names)
    if not found:
        return {"type": "object"}
    return {
        "oneOf": [{"$ref": _REF + name} for name in found],
        "discriminator": {
            "propertyName": "type",
            "mapping": {name.partition(".")[2]: _REF + name for name in found},
        },
    }


def finished(api: Api, rulebook: Rulebook) -> dict[str, Any]:
    """The document as it is served, with what schemas alone cannot say."""
    made = api.spec.to_dict()
    parts = made["components"]["schemas"]
    for name, field in (("EventPage", "items"), ("Receipt", "events")):
        parts[name]["properties"][field]["items"] = {"$ref": f"{_REF}Event"}
    tables = [{"$ref": f"{_REF}{chapter.rules.info.key}.Table"} for chapter in rulebook]
    if tables:
        told = parts["View"]["properties"]["table"]["description"]
        parts["View"]["properties"]["table"] = {"anyOf": [*tables, {"type": "null"}], "description": told}
    moves = made["paths"]["/v1/games/{game}/moves"]["post"]["requestBody"]["content"]["application/json"]
    moves["examples"] = {kind: {"value": example(parts[f"move.{kind}"], parts)} for kind in rulebook.variants}
    options = [{"$ref": f"{_REF}{name}"} for name in sorted(parts) if name.endswith(".Options")]
    if options:
        parts["NewGame"]["properties"]["options"] |= {"anyOf": options}
    made["components"].pop("responses", None)  # smorest's own: ours stand in each operation
    made["x-rulesets"] = {chapter.rules.info.key: _ruleset(chapter) for chapter in rulebook}
    _narrow(parts, rulebook)
    _describe(parts)
    for part in parts.values():
        _say_defaults(part)
    examples = captured.load()
    failures.document(made, rulebook.registry, examples)
    captured.add(made, examples)
    links.add(made)
    return made


def _say_defaults(part: dict[str, Any]) -> None:
    """Tell defaults in words: what is not sent is the server's choice, and generated clients would send it."""
    for field in part.get("properties", {}).values():
        if "default" in field:
            value = json.dumps(field.pop("default"))
            field["description"] = " ".join(filter(None, (field.get("description"), f"Default: `{value}`.")))


def _ruleset(chapter: Chapter) -> dict[str, Any]:
    """Which components are those of a ruleset."""
    key = chapter.rules.info.key
    named = {part.lower(): {"$ref": f"{_REF}{key}.{part}"} for part in ("Options", "Move", "Event", "Table")}
    return {"title": chapter.rules.info.title, **named}


def _narrow(parts: dict[str, Any], rulebook: Rulebook) -> None:
    """What the checks of requests know and apispec cannot read off them."""
    parts["NewGame"]["properties"]["ruleset"]["enum"] = [chapter.rules.info.key for chapter in rulebook]
    pairs = [*combinations(("bot", "client_seed", "seed_commitment"), 2), ("bot", "invite")]
    parts["SeatRequest"]["not"] = {"anyOf": [{"required": list(pair)} for pair in pairs]}
    parts["SeatChange"] |= {"minProperties": 1, "maxProperties": 1}


def _describe(parts: dict[str, Any]) -> None:
    """Give each component the first sentence of its class."""
    for module in (schemas, account_schemas, server_schemas, fair_play_schemas, requests, stream_schemas):
        for name, cls in vars(module).items():
            part = parts.get(name.removesuffix("Schema"))
            if part is not None and isinstance(cls, type) and cls.__doc__:
                part.setdefault("description", cleandoc(cls.__doc__))


def yaml_of(document: dict[str, Any]) -> str:
    """The document as YAML, in the order in which it was made."""

    class Plain(yaml.SafeDumper):
        """A dumper without anchors."""

        def ignore_aliases(self, data: Any) -> bool:
            """Write every value out."""
            return True

    return yaml.dump(document, Dumper=Plain, sort_keys=False, allow_unicode=True, width=110)
