"""Holds answers against the OpenAPI document, whoever sent the request: the tests of the API and those of the whole."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import jsonschema_rs
import orjson

from api.codes import fits
from api.operations import operations

Json = dict[str, Any]
PROBLEM = "#/components/schemas/Problem"
STANDARD = {"type", "title", "status", "code", "detail"}

ALWAYS = {"ETag", "Server-Time", "Location"}
"""Headers that an answer has if it is documented to."""

PLUMBING = {"content-type", "content-length", "cache-control", "vary", "date", "server", "connection", "allow",
            "transfer-encoding", "x-accel-buffering", "access-control-allow-origin", "access-control-expose-headers",
            "content-security-policy", "x-content-type-options"}  # fmt: skip
"""Headers of HTTP itself: they say nothing of an operation."""


class Operation:
    """One operation of the document, and the pattern of its address."""

    def __init__(self, method: str, path: str, told: Json) -> None:
        self.method, self.path, self.told = method, path, told
        self.id: str = told["operationId"]
        pattern = re.sub(r"\\\{\w+\\\}", "([^/]+)", re.escape(path))
        self.pattern = re.compile(pattern)


class Document:
    """The document of an application."""

    def __init__(self, document: Json) -> None:
        self.whole = document
        self.codes: Json = document["components"]["schemas"]["Problem"]["x-codes"]
        self.operations = [Operation(method.upper(), path, told) for path, method, told in operations(document)]
        self._validators: dict[str, Any] = {}

    def operation(self, method: str, path: str) -> Operation | None:
        """The operation of a request; fixed addresses go before those with parameters."""
        address = path.partition("?")[0]
        found = [one for one in self.operations if one.method == method and one.pattern.fullmatch(address)]
        return min(found, key=lambda one: one.path.count("{"), default=None)

    def validator(self, schema: str | Json) -> Any:
        """The validator of a schema, or of the component that a reference names."""
        wanted = {"$ref": schema} if isinstance(schema, str) else schema
        key = orjson.dumps(wanted).decode()
        if key not in self._validators:
            whole = {**wanted, "components": self.whole["components"]}
            self._validators[key] = jsonschema_rs.validator_for(whole, validate_formats=True)
        return self._validators[key]

    def check(self, method: str, path: str, status: int, headers: Mapping[str, str], body: bytes) -> Operation | None:
        """Hold an answer against what is said of its operation and status; the operation, if it is one."""
        operation = self.operation(method, path)
        media = headers.get("Content-Type", "").partition(";")[0]
        if method == "HEAD":
            assert not body
            return None
        if operation is None:
            if status >= 400:
                self.problem(method, path, status, media, body)
            return None
        name = f"{method} {path}"
        said = operation.told["responses"].get(str(status))
        assert said is not None, f"{name}: {status} is not documented: {body[:300]!r}"
        told = {header.lower() for header in said.get("headers", {})} | PLUMBING
        unknown = {header.lower() for header, _ in headers.items()} - told
        assert not unknown, f"{name}: {status} has headers that are not documented: {unknown}"
        for header in ALWAYS & said.get("headers", {}).keys():
            assert headers.get(header), f"{name}: {status} has no {header}"
        policy = headers.get("RateLimit-Policy", "").partition(";")[0].strip('"')
        # Who shows no good token is counted as one who reads.
        counted = {"", *operation.told.get("x-rate-limits", ()), *(["reads"] if status == 401 else [])}
        assert policy in counted, f"{name}: counted by {policy}"
        if "content" not in said:
            assert not body
            assert not media, f"{name}: {status} has no body, and says that it is {media}"
            return operation
        assert media in said["content"], f"{name}: {media}"
        if status >= 400:
            code = self.problem(method, path, status, media, body)
            assert code in operation.told["x-problems"], f"{name}: {code} is not documented"
        elif media == "application/x-ndjson":
            for line in body.splitlines():
                self.validator(said["content"][media]["schema"]).validate(orjson.loads(line))
        elif media == "application/json":
            told = orjson.loads(body)
            self.validator(said["content"][media]["schema"]).validate(told)
            self.table(told)
        return operation

    def table(self, told: Any) -> None:
        """Hold the table of a view against its own ruleset's: by the schema of a view it may be that of any."""
        if isinstance(told, dict) and "ruleset" in told and told.get("table") is not None:
            self.validator(f"#/components/schemas/{told['ruleset']}.Table").validate(told["table"])

    def problem(self, method: str, path: str, status: int, media: str, body: bytes) -> str:
        """Hold a problem document against its schema and the facts of its code; the code."""
        assert media == "application/problem+json", f"{method} {path}: {status} {media} {body[:200]!r}"
        told = orjson.loads(body)
        self.validator(PROBLEM).validate(told)
        entry = self.codes.get(told["code"])
        if entry is not None:
            for fact in told.keys() - STANDARD:
                kind = entry["facts"].get(fact)
                assert kind is not None, f"{told['code']}: the fact {fact} is not documented"
                assert fits(kind, told[fact]), f"{told['code']}: {fact} is no {kind}: {told[fact]!r}"
        return str(told["code"])


@cache
def ours() -> Document:
    """The document of the rulesets that this server plays."""
    from api.application import make
    from domain.registry import REGISTRY

    return Document(make(None, REGISTRY).extensions["openapi"])
