"""Problem documents on every path, and the page of each code."""

import re
from pathlib import Path

import pytest

from api import problems
from api.problems import CODES
from domain.errors import Refused
from domain.registry import REGISTRY
from eventstore.errors import StoreUnavailable
from tests.api.client import Client, problem

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("path", ["/v1", "/v2/games", "/v1/games/", "/v1//games", "/v1/games/x/y/z", "/favicon.ico"])
def test_an_unknown_address_is_a_problem(anybody: Client, path: str):
    problem(anybody.get(path), 404, "not_found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/v1/players", {"POST", "OPTIONS"}),
        ("PATCH", "/v1/games", {"GET", "HEAD", "POST", "OPTIONS"}),
        ("POST", "/healthz", {"GET", "HEAD", "OPTIONS"}),
        ("GET", "/v1/games/x/seats/me", {"PUT", "DELETE", "OPTIONS"}),
    ],
)
def test_a_wrong_method_is_a_problem_that_says_which_are_right(anybody: Client, method, path, allowed):
    answer = anybody.send(method, path)
    problem(answer, 405, "method_not_allowed")
    assert set(answer.headers["Allow"].split(", ")) == allowed


def test_a_fault_of_ours_is_a_problem_without_its_text(ann: Client, opened, monkeypatch, caplog):
    def broken(*_: object, **__: object) -> None:
        raise ValueError("secret KH")

    monkeypatch.setattr(opened.lists, "page", broken)
    answer = ann.get("/v1/games")
    problem(answer, 500, "internal_error")
    assert "secret" not in answer.text
    assert "ValueError" in caplog.text


def test_a_store_that_is_away_is_503_with_a_time_to_come_again(ann: Client, table: str, opened, monkeypatch):
    def away(*_: object, **__: object) -> None:
        raise StoreUnavailable("redis://:password@host")

    monkeypatch.setattr(opened.repository, "fold", away)
    for _ in range(2):
        answer = ann.get(f"/v1/games/{table}")
        problem(answer, 503, "store_unavailable")
        assert int(answer.headers["Retry-After"]) > 0
        assert "password" not in answer.text


@pytest.mark.parametrize("code", CODES)
def test_the_type_of_a_problem_is_a_page_about_it(anybody: Client, code: str):
    page = anybody.get(problems.document(code, {})["type"])
    assert page.status_code == 200
    assert page.mimetype == "text/html"
    assert f"<code>{code}</code>" in page.text


def test_a_code_of_a_ruleset_has_a_page_too(anybody: Client):
    assert anybody.get("/problems/unknown_rank").status_code == 200
    problem(anybody.get("/problems/No.Such"), 404, "not_found")
    problem(anybody.get("/problems/no_such"), 404, "not_found")
    assert anybody.get("/problems").text.count("<tr>") == len(CODES) + len(REGISTRY.refusals) + 1


def test_facts_are_members_and_never_hide_a_standard_one():
    made = problems.document("seat_taken", {"free": [1], "status": "lobby", "code": "x", "type": "y"})
    assert made["free"] == [1]
    assert (made["status"], made["code"], made["type"]) == (409, "seat_taken", "/problems/seat_taken")


def test_a_code_that_no_table_names_is_a_conflict():
    made = problems.document("unknown_rank", {"ranks": ["A"]})
    assert (made["status"], made["title"], made["ranks"]) == (409, "Unknown rank", ["A"])


def test_every_code_that_the_core_refuses_with_is_in_the_table():
    core = [*(ROOT / "domain").glob("*.py"), *(ROOT / "eventstore").glob("*.py")]
    raised = {code for path in core for code in re.findall(r'Refused\(\s*"([a-z_]+)"', path.read_text("utf-8"))}
    assert raised
    assert raised <= CODES.keys()
    assert {Refused(code).code for code in raised} == raised


@pytest.mark.parametrize("rules", [*REGISTRY], ids=lambda rules: rules.info.key)
def test_every_code_that_a_ruleset_refuses_with_is_explained(rules):
    told = rules.info.refusals
    text = "".join(path.read_text("utf-8") for path in (ROOT / "domain" / rules.info.key).glob("*.py"))
    raised = set(re.findall(r'Refused\(\s*"([a-z_]+)"', text)) | set(re.findall(r'if turned else "([a-z_]+)"', text))
    assert raised <= told.keys() | CODES.keys()
    assert told.keys() <= raised, "what is never raised needs no explanation"
    for code, refusal in told.items():
        assert code not in CODES
        assert refusal.title
        assert refusal.advice
        assert set(re.findall(r"`(\w+)`", refusal.advice)) <= refusal.facts.keys(), code


def test_every_code_that_the_api_raises_is_in_the_table():
    raised = {
        code
        for path in (ROOT / "api").glob("*.py")
        for code in re.findall(r'(?:Problem|response|invalid)\(\s*"([a-z_0-9]+)"', path.read_text("utf-8"))
    }
    assert raised <= CODES.keys()


def test_json_pointers_are_escaped():
    assert problems.pointer(["options", "a/b~c", 0]) == "/options/a~1b~0c/0"
