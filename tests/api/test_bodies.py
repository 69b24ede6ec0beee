"""Strict JSON: everything that is not, is refused with a code, on a path that would otherwise append."""

import gzip

import pytest

from api.bodies import MAX_BYTES, MAX_DEPTH, parse
from api.problems import Problem
from tests.api.client import Client, problem

BAD = {
    "cut short": (b'{"ruleset":', 400, "malformed_json"),
    "not JSON": (b"ruleset=bluff_king", 400, "malformed_json"),
    "single quotes": (b"{'ruleset':1}", 400, "malformed_json"),
    "something after it": (b"{} {}", 400, "malformed_json"),
    "trailing comma": (b'{"a":1,}', 400, "malformed_json"),
    "blank": (b"   ", 400, "malformed_json"),
    "byte order mark": (b"\xef\xbb\xbf{}", 400, "malformed_json"),
    "raw control character": (b'{"ruleset":"a\x00b"}', 400, "malformed_json"),
    "latin-1": (b'{"ruleset":"\xe9"}', 400, "not_utf8"),
    "overlong utf-8": (b'{"ruleset":"\xc0\xaf"}', 400, "not_utf8"),
    "surrogate in utf-8": (b'{"ruleset":"\xed\xa0\x80"}', 400, "not_utf8"),
    "utf-16": ('{"ruleset":"x"}'.encode("utf-16"), 400, "not_utf8"),
    "key twice": (b'{"ruleset":"a","ruleset":"bluff_king"}', 400, "duplicate_key"),
    "key twice, deep": (b'{"ruleset":"a","clock":{"vote_ms":1,"vote_ms":2}}', 400, "duplicate_key"),
    "lone surrogate as key twice": (b'{"\\ud800":1,"\\ud800":2}', 400, "duplicate_key"),
    "lone surrogate": (b'{"ruleset":"\\ud83d"}', 400, "bad_string"),
    "lone surrogate as key": (b'{"\\udc00":1}', 400, "bad_string"),
    "NaN": (b'{"seats":NaN}', 400, "bad_number"),
    "Infinity": (b'{"seats":-Infinity}', 400, "bad_number"),
    "beyond 53 bits": (b'{"seats":9007199254740993}', 400, "bad_number"),
    "a thousand digits": (b'{"seats":' + b"9" * 5000 + b"}", 400, "bad_number"),
    "beyond a double": (b'{"seats":1e999}', 400, "bad_number"),
    "nested": (b'{"options":' + b"[" * 40 + b"]" * 40 + b"}", 400, "too_nested"),
    "absurdly nested": (b"[" * 60_000, 400, "too_nested"),
    "absurdly nested objects": (b'{"a":' * 10_000 + b"1" + b"}" * 10_000, 400, "too_nested"),
    "too large": (b'{"ruleset":"' + b"x" * MAX_BYTES + b'"}', 413, "body_too_large"),
    "a list": (b"[]", 422, "validation_failed"),
    "a string": (b'"bluff_king"', 422, "validation_failed"),
    "null": (b"null", 422, "validation_failed"),
    "a number": (b"1", 422, "validation_failed"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_body_is_refused_with_a_code_and_creates_nothing(ann: Client, size, name: str):
    body, status, code = BAD[name]
    before = size()
    for _ in range(2):
        problem(ann.post("/v1/games", data=body, content_type="application/json"), status, code)
    assert size() == before


@pytest.mark.parametrize("name", BAD)
def test_a_bad_body_of_a_move_is_refused_with_a_code_and_appends_nothing(ann: Client, table: str, version, name: str):
    body, status, code = BAD[name]
    before = version(table)
    for _ in range(2):
        answer = ann.post(f"/v1/games/{table}/moves", data=body, content_type="application/json")
        problem(answer, status, code)
    assert version(table) == before


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]
)
def test_a_body_that_is_not_said_to_be_json_is_refused(ann: Client, kind: str):
    answer = ann.post("/v1/games", data=b'{"ruleset":"bluff_king"}', content_type=kind)
    problem(answer, 415, "unsupported_media_type")


@pytest.mark.parametrize("coding", ["gzip", "br", "identity, gzip", "x"])
def test_a_body_that_is_packed_is_refused(ann: Client, size, coding: str):
    before = size()
    for body in (gzip.compress(b'{"ruleset":"bluff_king"}'), b'{"ruleset":"bluff_king"}'):
        kind = {"content_type": "application/json", "headers": {"Content-Encoding": coding}}
        wrong = problem(ann.post("/v1/games", data=body, **kind), 415, "unsupported_media_type")
        assert "Content-Encoding" in wrong["detail"]
    assert size() == before


def test_json_may_be_said_with_a_charset_or_a_suffix(anybody: Client):
    for kind in ("application/json; charset=utf-8", "application/vnd.x+json", "Application/JSON"):
        assert anybody.post("/v1/players", data=b'{"name":"Ann"}', content_type=kind).status_code == 201


def test_a_body_may_be_said_not_to_be_packed(anybody: Client):
    for coding in ("identity", "Identity", ""):
        kind = {"content_type": "application/json", "headers": {"Content-Encoding": coding}}
        assert anybody.post("/v1/players", data=b'{"name":"Ann"}', **kind).status_code == 201


def test_a_body_as_large_as_allowed_is_read(anybody: Client):
    body = b'{"name":"Ann"}'.ljust(MAX_BYTES)
    assert anybody.post("/v1/players", data=body, content_type="application/json").status_code == 201
    problem(anybody.post("/v1/players", data=body + b" ", content_type="application/json"), 413, "body_too_large")


def test_a_body_without_a_length_is_bounded_too(anybody: Client):
    answer = anybody.post(
        "/v1/players",
        input_stream=__import__("io").BytesIO(b" " * (MAX_BYTES + 10)),
        content_type="application/json",
        environ_overrides={"wsgi.input_terminated": True},
        headers={"Transfer-Encoding": "chunked"},
    )
    problem(answer, 413, "body_too_large")


def test_nesting_is_counted_exactly():
    parse(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH)
    with pytest.raises(Problem, match="too_nested"):
        parse(b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1))


def test_what_json_can_say_is_read():
    assert parse(b'{"a":[1,-2,true,null,"\\ud83d\\ude00","\xc3\xa9",1.5,9007199254740991]}') == {
        "a": [1, -2, True, None, "\U0001f600", "\u00e9", 1.5, 2**53 - 1]
    }


def test_a_duplicate_key_is_named(ann: Client):
    answer = ann.post("/v1/games", data=b'{"seats":2,"seats":3}', content_type="application/json")
    assert problem(answer, 400, "duplicate_key")["key"] == "seats"


def test_a_byte_order_mark_is_named(ann: Client):
    answer = ann.post("/v1/games", data=b"\xef\xbb\xbf{}", content_type="application/json")
    assert "byte order mark" in problem(answer, 400, "malformed_json")["detail"]
