"""A client for the tests: holds every answer against the OpenAPI document, and fails on one it does not allow."""

import random
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from tests import recording
from tests.document import Document


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
        check(self.app, method, path, answer, json)
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


def check(app: Flask, method: str, path: str, answer: TestResponse, sent: Any = None) -> None:
    """Hold an answer against what the document says of its operation and status."""
    operation = document(id(app), app).check(method, path, answer.status_code, answer.headers, answer.data)
    if operation is not None:
        recording.note(operation, sent, answer.status_code, answer.mimetype, answer.data)


@cache
def document(_: int, app: Flask) -> Document:
    """The document of an application."""
    return Document(app.extensions["openapi"])


def validator(_: int, reference: str, app: Flask) -> Any:
    """The validator of one component of an application's document."""
    return document(id(app), app).validator(reference)
