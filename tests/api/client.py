"""A client for the tests: holds every answer against the OpenAPI document, and fails on one it does not allow."""

import random
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import jsonschema_rs
import orjson
from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.test import TestResponse

from api.problems import CODES
from api.traffic import template

PROBLEM = {"$ref": "#/components/schemas/Problem"}


@dataclass
class Client:
    """Sends requests to an application, with a token or without."""

    app: Flask
    token: str | None = None
    player: dict[str, Any] = field(default_factory=dict)

    def send(self, method: str, path: str, *, json: Any = None, headers: dict[str, str] | None = None, **kwargs: Any):
        """Send one request; the answer has been checked against the document."""
        sent = dict(headers or {})
        if self.token is not None:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        if json is not None:
            kwargs["json"] = json
        answer = self.app.test_client().open(path, method=method, headers=sent, buffered=True, **kwargs)
        check(self.app, method, path, answer)
        return answer

    def get(self, path: str, **kwargs: Any) -> TestResponse:
        return self.send("GET", path, **kwargs)

    def post(self, path: str, json: Any = None, **kwargs: Any) -> TestResponse:
        return self.send("POST", path, json=json, **kwargs)

    def put(self, path: str, json: Any = None, **kwargs: Any) -> TestResponse:
        return self.send("PUT", path, json=json, **kwargs)

    def delete(self, path: str, **kwargs: Any) -> TestResponse:
        return self.send("DELETE", path, **kwargs)

    def join(self, name: str = "Ann") -> "Client":
        """Another client of the same application, with an account of its own."""
        made = self.post("/v1/players", {"name": name})
        assert made.status_code == 201, made.text
        return Client(self.app, made.json["token"], made.json["player"])

    def game(self, **wanted: Any) -> str:
        """Create a game; its id."""
        made = self.post("/v1/games", {"ruleset": "bluff_king", **wanted})
        assert made.status_code == 201, made.text
        return made.json["game"]

    def view(self, game: str) -> dict[str, Any]:
        """The game as this client sees it."""
        seen = self.get(f"/v1/games/{game}")
        assert seen.status_code == 200, seen.text
        return seen.json

    def act(self, game: str) -> TestResponse:
        """Play the first legal move of what this client must answer."""
        decision = self.view(game)["decision"]
        return self.post(f"/v1/games/{game}/moves", filled(decision["moves"][0]))


def filled(form: dict[str, Any], rng: random.Random | None = None) -> dict[str, Any]:
    """One move of a form: a random one, or the first."""
    fields = {name: _value(given, rng or First()) for name, given in form["fields"].items()}
    return {"type": form["type"], "decision": form["decision"], **fields}


class First(random.Random):
    """Always the first and the least."""

    def choice(self, seq: Any) -> Any:
        return seq[0]

    def randint(self, a: int, b: int) -> int:
        return a

    def sample(self, population: Any, k: int, **_: Any) -> Any:
        return population[:k]


def _value(given: dict[str, Any], rng: random.Random) -> Any:
    match given["kind"]:
        case "one_of":
            return rng.choice(given["values"])
        case "range":
            return rng.randint(given["min"], given["max"])
        case "multiset":
            return rng.sample(given["from"], rng.randint(given["min"], given["max"]))
        case "run":
            up, down = given["up"], given["down"]
            fits = [
                held["card"]
                for held in given["held"]
                if (up is not None and held["number"] >= up) or (down is not None and held["number"] <= down)
            ]
            return [rng.choice(fits)]
    raise AssertionError(given["kind"])


def problem(answer: TestResponse, status: int, code: str) -> dict[str, Any]:
    """Assert that an answer is this problem; its document."""
    assert (answer.status_code, answer.json and answer.json.get("code")) == (status, code), answer.text
    assert answer.mimetype == "application/problem+json"
    assert answer.json["type"] == f"/problems/{code}"
    assert answer.json["status"] == status
    return answer.json


def check(app: Flask, method: str, path: str, answer: TestResponse) -> None:
    """Hold an answer against what the document says of its operation and status."""
    document = app.extensions["openapi"]
    operation = _operation(app, document, method, path)
    if method == "HEAD":
        assert not answer.data
        return
    if operation is None:
        if answer.status_code >= 400:
            _valid(app, PROBLEM, answer)
        return
    said = operation["responses"].get(str(answer.status_code))
    assert said is not None, f"{method} {path}: {answer.status_code} is not documented: {answer.text[:300]}"
    if "content" not in said:
        assert not answer.data
        return
    assert answer.mimetype in said["content"], f"{method} {path}: {answer.mimetype}"
    if answer.mimetype == "application/x-ndjson":
        for line in answer.data.splitlines():
            validator(id(app), said["content"][answer.mimetype]["schema"]["$ref"], app).validate(orjson.loads(line))
        return
    _valid(app, said["content"][answer.mimetype]["schema"], answer)
    if answer.status_code >= 400:
        code = answer.json["code"]
        assert f"`{code}`" in said["description"] or code not in CODES, f"{method} {path}: {code} is not documented"


def _operation(app: Flask, document: dict[str, Any], method: str, path: str) -> dict[str, Any] | None:
    try:
        rule, _ = app.url_map.bind("localhost").match(path.partition("?")[0], method=method, return_rule=True)
    except HTTPException:
        return None
    return document["paths"].get(template(rule.rule), {}).get(method.lower())


def _valid(app: Flask, schema: dict[str, Any], answer: TestResponse) -> None:
    reference = schema["$ref"]
    if answer.json is None:
        raise AssertionError(f"not JSON: {answer.text[:200]}")
    validator(id(app), reference, app).validate(answer.json)


@cache
def validator(_: int, reference: str, app: Flask) -> Any:
    """The validator of one component of an application's document."""
    return jsonschema_rs.validator_for(
        {"$ref": reference, "components": app.extensions["openapi"]["components"]},
        validate_formats=True,
    )
