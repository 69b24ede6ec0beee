"""What every operation does alike, whatever it is for: each code that follows from its declaration is provoked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from api import app_for, frames
from api.application import make
from api.edge import Edge
from api.examples import example
from api.policies import POLICIES
from api.state import of
from domain.commands import Fault
from domain.registry import REGISTRY
from eventstore.errors import StoreUnavailable
from eventstore.store import Store
from eventstore.tokens import SCOPES
from tests import recording
from tests.api.client import Client, problem
from tests.document import Operation, ours
from tests.keys import KEYS

OPERATIONS = ours().operations
NEED_NO_STORE = ("list_rulesets", "get_ruleset", "get_health")
EVERYWHERE = ("0" * 26, "x")
Send = Callable[..., Any]


class Broken:
    """A store that cannot do anything."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def __getattr__(self, _: str) -> Any:
        raise self._error


def body_of(operation: Operation) -> Any:
    """The least body that the document allows."""
    told = operation.told.get("requestBody")
    if told is None:
        return None
    schema = told["content"]["application/json"]["schema"]
    if schema["$ref"].endswith("/Move"):
        schema = ours().whole["x-rulesets"]["bluff_king"]["move"]
    return example(schema, ours().whole["components"]["schemas"])


def address(operation: Operation, **given: str) -> str:
    """The address of an operation; what a parameter is not given for is something that is nowhere."""
    values = {"key": "bluff_king", "ruleset": "bluff_king", "v": "1", "player": "0" * 26, **given}
    return re.sub(r"\{(\w+)\}", lambda m: values.get(m[1], "x"), operation.path)


RAW = {
    "malformed_json": b'{"ruleset":',
    "not_utf8": b'{"name":"\xff"}',
    "duplicate_key": b'{"name":"Ann","name":"Bob"}',
    "too_nested": b"[" * 20 + b"]" * 20,
    "bad_number": b'{"seats":9007199254740993}',
    "bad_string": b'{"name":"\\ud800"}',
    "body_too_large": b'{"name":"' + b"A" * 66_000 + b'"}',
}


@pytest.mark.parametrize("operation", [o for o in OPERATIONS if "requestBody" in o.told], ids=lambda o: o.id)
def test_bodies_that_cannot_be_read_are_refused(ann: Client, table: str, operation: Operation, version):
    path, before = address(operation, game=table), version(table)
    for code, data in RAW.items():
        answer = ann.send(operation.method, path, data=data, content_type="application/json")
        problem(answer, ours().codes[code]["status"], code)
    problem(ann.send(operation.method, path, data=b"{}", content_type="text/plain"), 415, "unsupported_media_type")
    wrong = problem(ann.send(operation.method, path, json={"no such field": 1}), 422, "validation_failed")
    assert wrong["errors"]
    assert version(table) == before


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda o: o.id)
def test_unknown_parameters_are_refused(ann: Client, table: str, operation: Operation):
    answer = ann.send(operation.method, address(operation, game=table) + "?no_such=1", json=body_of(operation))
    assert problem(answer, 422, "validation_failed")["errors"][0]["parameter"] == "no_such"


def protected(operation: Operation) -> bool:
    return any("bearer" in scheme for scheme in operation.told["security"])


@pytest.mark.parametrize("operation", [*filter(protected, OPERATIONS)], ids=lambda o: o.id)
def test_tokens_are_looked_at(anybody: Client, table: str, operation: Operation):
    path, body = address(operation, game=table), body_of(operation)
    for header in ("Bearer ct_no-such-token-nowhere", "Basic Og==", "Bearer"):
        answer = anybody.send(operation.method, path, json=body, headers={"Authorization": header})
        problem(answer, 401, "token_invalid")
        assert "WWW-Authenticate" in answer.headers
    if {} not in operation.told["security"]:
        problem(anybody.send(operation.method, path, json=body), 401, "token_missing")


@pytest.mark.parametrize("operation", [*filter(protected, OPERATIONS)], ids=lambda o: o.id)
def test_a_token_for_other_things_is_refused(ann: Client, table: str, operation: Operation):
    (scope,) = next(scheme["bearer"] for scheme in operation.told["security"] if scheme)
    others = [other for other in SCOPES if other != scope]
    made = ann.post("/v1/me/tokens", {"scopes": others}).json["token"]
    answer = Client(ann.app, made).send(operation.method, address(operation, game=table), json=body_of(operation))
    assert problem(answer, 403, "scope_missing")["scope"] == scope


@pytest.fixture(scope="module")
def strict(opened: Store) -> Flask:
    """An application that allows nothing more to anybody."""
    return app_for(opened, KEYS, Edge({name: one._replace(amount=0) for name, one in POLICIES.items()}))


@pytest.mark.parametrize(
    "operation", [o for o in OPERATIONS if "rate_limited" in o.told["x-problems"]], ids=lambda o: o.id
)
def test_what_is_too_often_is_refused(strict: Flask, ann: Client, table: str, operation: Operation, version):
    before = version(table)
    client = Client(strict, ann.token)
    answer = client.send(operation.method, address(operation, game=table), json=body_of(operation))
    assert problem(answer, 429, "rate_limited")["limit"] == 0
    assert int(answer.headers["Retry-After"]) > 0
    assert version(table) == before


def has(operation: Operation, header: str) -> bool:
    return any(parameter["name"] == header for parameter in operation.told.get("parameters", ()))


@pytest.mark.parametrize("operation", [o for o in OPERATIONS if has(o, "Idempotency-Key")], ids=lambda o: o.id)
def test_keys_that_name_nothing_are_refused(ann: Client, table: str, operation: Operation, version):
    before = version(table)
    for key in ("", "two words", "x" * 256):
        answer = ann.send(
            operation.method, address(operation, game=table), json=body_of(operation), headers={"Idempotency-Key": key}
        )
        problem(answer, 400, "bad_idempotency_key")
    assert version(table) == before


@pytest.mark.parametrize("operation", [o for o in OPERATIONS if has(o, "If-Match")], ids=lambda o: o.id)
def test_what_looked_at_another_game_is_stale(ann: Client, table: str, operation: Operation, version):
    before = version(table)
    held = {"If-Match": '"1-00000000"'}
    answer = ann.send(operation.method, address(operation, game=table), json=body_of(operation), headers=held)
    problem(answer, 412, "stale")
    assert version(table) == before


@pytest.mark.parametrize(
    "operation", [o for o in OPERATIONS if "not_found" in o.told["x-problems"]], ids=lambda o: o.id
)
def test_what_is_no_number_is_nowhere(ann: Client, table: str, operation: Operation):
    path = re.sub(r"\{(?!game)\w+\}", "abc", operation.path).format(game=table)
    problem(ann.send(operation.method, path, json=body_of(operation)), 404, "not_found")


@pytest.mark.parametrize("operation", [o for o in OPERATIONS if "{game}" in o.path], ids=lambda o: o.id)
def test_a_game_that_is_not_there_is_unknown(ann: Client, operation: Operation):
    for game in EVERYWHERE:
        answer = ann.send(operation.method, address(operation, game=game), json=body_of(operation))
        problem(answer, 404, "unknown_game")


@pytest.fixture(scope="module")
def without_store() -> Flask:
    """An application whose store is away."""
    app = make(None, REGISTRY, KEYS)
    object.__setattr__(of(app), "store", Broken(StoreUnavailable("redis://:password@host")))
    return app


@pytest.fixture(scope="module")
def faulty() -> Flask:
    """An application that has a fault everywhere."""

    def broken(**_: Any) -> Any:
        raise ValueError("secret KH")

    app = make(None, REGISTRY, KEYS)
    app.view_functions = dict.fromkeys(app.view_functions, broken)
    return app


@pytest.mark.parametrize("operation", [o for o in OPERATIONS if o.id != "get_readiness"], ids=lambda o: o.id)
def test_a_store_that_is_away_is_told(without_store: Flask, operation: Operation):
    client = Client(without_store, "ct_some-token-of-somebody")
    answer = client.send(operation.method, address(operation, game="0" * 26), json=body_of(operation))
    if operation.id not in NEED_NO_STORE:
        problem(answer, 503, "store_unavailable")
        assert int(answer.headers["Retry-After"]) > 0
        assert "password" not in answer.text
    else:
        assert answer.status_code == 200


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda o: o.id)
def test_a_fault_of_ours_is_told_without_its_text(faulty: Flask, operation: Operation, caplog):
    answer = Client(faulty).send(operation.method, address(operation, game="0" * 26), json=body_of(operation))
    problem(answer, 500, "internal_error")
    assert "secret" not in answer.text
    assert "ValueError" in caplog.text


PLAYED = [o for o in OPERATIONS if "game_faulted" in o.told["x-problems"]]


@pytest.mark.parametrize("operation", PLAYED, ids=lambda o: o.id)
def test_a_game_with_a_fault_is_not_played_on(ann: Client, table: str, opened: Store, operation: Operation, version):
    opened.repository.execute(table, Fault("ValueError"), key="fault")
    before = version(table)
    answer = ann.send(operation.method, address(operation, game=table), json=body_of(operation))
    problem(answer, 409, "game_faulted")
    assert version(table) == before


@pytest.mark.parametrize("operation", PLAYED, ids=lambda o: o.id)
def test_a_game_that_is_over_is_not_played_on(ann: Client, bob: Client, table: str, operation: Operation, version):
    assert bob.delete(f"/v1/games/{table}/seats/me").status_code == 200
    before = version(table)
    answer = ann.send(operation.method, address(operation, game=table), json=body_of(operation))
    problem(answer, 409, "game_over")
    assert version(table) == before


def test_a_heartbeat_is_a_frame_of_the_document():
    """Of ten seconds of silence; made by what makes all frames."""
    lines = frames.frame("heartbeat", {}, "2026-01-01T12:00:00.000Z").decode().splitlines()
    fields = dict(line.split(": ", 1) for line in lines if line)
    frame = {**fields, "data": json.loads(fields["data"])}
    ours().validator("#/components/schemas/StreamFrame").validate(frame)
    recording.note_frame(frame)
