"""Bad input to every route of the url map: a problem with the right code, never HTML, never a fault of ours, and
nothing is written.

What is sent is put together from tables: every route with every bad body, string, number, query, id, method, header.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest
from flask import Flask
from werkzeug.test import EnvironBuilder, TestResponse

from api import traffic
from api.problems import CODES, MEDIA_TYPE
from tests.api.client import Client
from tests.api.test_bodies import BAD

UNREADABLE = {code for _, _, code in BAD.values()}
NOWHERE = "01JZZZZZZZZZZZZZZZZZZZZZZZ"
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "PROPFIND", "FOO")

WITH_BODY = {"POST", "PUT", "PATCH"}

NESTED = b"[" * 100_000
BODIES = {
    **{name: body for name, (body, _, _) in BAD.items()},
    "nested beyond all": NESTED[: 60_000],
    "over the bound and nested": NESTED,
    "utf-16 without a mark": '{"name":"x"}'.encode("utf-16-le"),
    "utf-32": '{"name":"x"}'.encode("utf-32"),
    "gzip": b"\x1f\x8b\x08\x00\x00\x00\x00\x00",
    "null byte": b"\x00",
    "only a mark": b"\xef\xbb\xbf",
    "64 KiB of commas": b"," * 65_536,
}  # fmt: skip

STRINGS = {
    "null": r'"\u0000"',
    "null inside": r'"a\u0000b"',
    "control": r'"a\u001fb"',
    "line end": r'"ab\n"',
    "lone surrogate": r'"a\ud800"',
    "lone low surrogate": r'"\udc00a"',
    "override": r'"a\u202eb"',
    "not a character": r'"a\uffffb"',
    "empty": '""',
    "blank": r'"  \t "',
    "long": '"' + "x" * 60_000 + '"',
    "arabic digits": '"\u0661\u0662"',
    "a list": '["x"]',
    "an object": '{"a":1}',
    "null itself": "null",
    "true": "true",
    "a float": "1.5",
}
"""What goes where a string goes: as JSON text, so that it can be what no library would write."""

NUMBERS = {
    "beyond a double": "1e400",
    "four hundred digits": "1" + "0" * 400,
    "beyond 53 bits": "9007199254740992",
    "negative": "-1",
    "a float that is whole": "1.0",
    "an exponent": "1e0",
    "NaN": "NaN",
    "Infinity": "Infinity",
    "-Infinity": "-Infinity",
    "true": "true",
    "a string": '"1"',
    "arabic digits": '"\u0661"',
    "null": "null",
    "a list": "[1]",
    "plus": "+1",
    "hex": "0x1",
    "leading zero": "01",
}

MOVE = '"decision":"1","type":"lead","cards":["AS"],"rank":"A"'
FIELDS = (
    ("POST", "/v1/players", '{"name":%s}', {k: v for k, v in STRINGS.items() if k != "arabic digits"}),
    ("POST", "/v1/players", '{"name":"Eve",%s:1}', STRINGS),
    ("POST", "/v1/games", '{"ruleset":%s}', STRINGS),
    ("POST", "/v1/games", '{"ruleset":"bluff_king","options":%s}', {k: v for k, v in STRINGS.items() if v != "{}"}),
    ("POST", "/v1/games", '{"ruleset":"bluff_king","options":{%s:1}}', STRINGS),
    ("POST", "/v1/games", '{"ruleset":"bluff_king","options":{"adding":%s}}', STRINGS),
    (
        "POST",
        "/v1/games",
        '{"ruleset":"bluff_king","options":{"decks":%s}}',
        {k: v for k, v in NUMBERS.items() if v != "null"},
    ),
    ("POST", "/v1/games", '{"ruleset":"bluff_king","bots":[%s]}', STRINGS),
    ("POST", "/v1/games", '{"ruleset":"bluff_king","visibility":%s}', STRINGS),
    ("POST", "/v1/games", '{"ruleset":"bluff_king","seeds":%s}', STRINGS),
    ("POST", "/v1/games", '{"ruleset":"bluff_king","host_seat":%s}', STRINGS),
    ("POST", "/v1/games", '{"ruleset":"bluff_king","host_seat":%s}', NUMBERS),
    ("POST", "/v1/games", '{"ruleset":"bluff_king","seats":%s}', NUMBERS),
    ("POST", "/v1/games", '{"ruleset":"bluff_king","clock":%s}', {k: v for k, v in STRINGS.items() if v != "{}"}),
    ("POST", "/v1/games", '{"ruleset":"bluff_king","clock":{"decision_ms":%s}}', NUMBERS),
    ("POST", "/v1/games/{game}/seats", '{"bot":%s}', STRINGS),
    ("POST", "/v1/games/{game}/seats", '{"seat":%s}', NUMBERS),
    ("POST", "/v1/games/{game}/seats", '{"client_seed":%s}', STRINGS),
    ("POST", "/v1/games/{game}/seats", '{"seed_commitment":%s}', STRINGS),
    ("PUT", "/v1/games/{game}/seats/me", '{"controller":%s}', STRINGS),
    ("PUT", "/v1/games/{game}/seats/me", '{"client_seed":%s}', STRINGS),
    ("PUT", "/v1/games/{game}/seats/me", '{"seed_commitment":%s}', STRINGS),
    ("POST", "/v1/games/{game}/seats", '{"invite":%s}', STRINGS),
    ("POST", "/v1/games/{game}/rematch", "{%s:1}", STRINGS),
    ("POST", "/v1/games/{game}/invites", '{"seat":%s}', NUMBERS),
    ("POST", "/v1/games/{game}/invites", '{"uses":%s}', NUMBERS),
    ("POST", "/v1/games/{game}/invites", '{"expires_ms":%s}', NUMBERS),
    ("POST", "/v1/invites", '{"code":%s}', STRINGS),
    ("PATCH", "/v1/me", '{"name":%s}', {k: v for k, v in STRINGS.items() if k != "arabic digits"}),
    ("POST", "/v1/me/tokens", '{"scopes":[%s]}', STRINGS),
    ("POST", "/v1/me/tokens", '{"scopes":%s}', STRINGS),
    (
        "POST",
        "/v1/me/tokens",
        '{"scopes":["read"],"label":%s}',
        {k: v for k, v in STRINGS.items() if k != "arabic digits"},
    ),
    ("POST", "/v1/me/tokens", '{"scopes":["read"],"expires_ms":%s}', NUMBERS),
    ("POST", "/v1/players", '{"name":"Eve","kind":%s}', STRINGS),
    ("POST", "/v1/games/{game}/start", "{%s:1}", STRINGS),
    ("POST", "/v1/games/{game}/stream-tickets", "{%s:1}", STRINGS),
    ("POST", "/v1/games/{game}/disputes", '{"reason":%s}', {k: v for k, v in STRINGS.items() if k != "arabic digits"}),
    ("POST", "/v1/games/{game}/disputes", '{"reason":"x","challenge":%s}', NUMBERS),
    ("POST", "/v1/games/{game}/moves", "{" + MOVE.replace('"lead"', "%s") + "}", STRINGS),
    ("POST", "/v1/games/{game}/moves", "{" + MOVE.replace('"1"', "%s") + "}", STRINGS),
    ("POST", "/v1/games/{game}/moves", "{" + MOVE.replace('"AS"', "%s") + "}", STRINGS),
    ("POST", "/v1/games/{game}/moves", "{" + MOVE.replace('"A"}', "%s}") + ',"rank":%s}', STRINGS),
    ("POST", "/v1/games/{game}/moves", "{" + MOVE + ",%s:1}", STRINGS),
)
"""Every place of a body where a string or a number goes."""

PARAMETERS = {
    "/v1/games": ("status", "ruleset", "seat", "after", "limit"),
    "/v1/games/{game}": ("as",),
    "/v1/games/{game}/events": ("as", "after", "limit"),
    "/v1/games/{game}/stream": ("after", "ticket"),
    "/v1/games/{game}/replay": ("as", "at"),
    "/v1/games/{game}/log": ("as",),
    "/v1/players/{player}/games": ("status", "ruleset", "after", "limit"),
    "/v1/leaderboards/{ruleset}": ("kind", "after", "limit"),
    "/v1/exports/games": ("ruleset", "after", "limit"),
}
VALUES = (
    "",
    "%",
    "%zz",
    "%ff",
    "%00",
    "%0a1",
    "1%0a",
    "x" * 3000,
    "%D9%A1",
    "-1",
    "1.0",
    "1e9",
    "+1",
    "0x1",
    "[]",
    "9" * 30,
)

IDS = (
    "..", ".", "%2e%2e", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "%00", "%ff", "%0a", "%20", "-1", "0", "x" * 3500,
    "\u0661".encode().hex("%").join(("%", "")), NOWHERE.lower(), NOWHERE + "%0a", NOWHERE + "Z", "{game}%00", "*",
    "null",
    "'", '"', "<script>", "%3Cscript%3E", "g:x", "9" * 3000, "%F0%9F%8F%B4",
)  # fmt: skip

KEYED = (
    ("POST", "/v1/games", b'{"ruleset":"bluff_king"}'),
    ("POST", "/v1/games/{game}/seats", b"{}"),
    ("PUT", "/v1/games/{game}/seats/me", b'{"controller":"player"}'),
    ("DELETE", "/v1/games/{game}/seats/me", b""),
    ("POST", "/v1/games/{game}/start", b"{}"),
    ("POST", "/v1/games/{game}/moves", b'{"type":"pass","decision":"1"}'),
    ("POST", "/v1/games/{game}/disputes", b'{"reason":"x"}'),
    ("POST", "/v1/games/{game}/invites", b"{}"),
    ("POST", "/v1/games/{game}/rematch", b"{}"),
    ("POST", "/v1/invites", b'{"code":"ci_x"}'),
    ("POST", "/v1/me/tokens", b'{"scopes":["read"]}'),
)
"""What takes an Idempotency-Key, with a body that would do."""

HEADERS = {
    "If-Match": ("garbage", '"', '""', "W/", "\u00e9", '"' + "x" * 60_000 + '"'),
    "If-None-Match": (
        '"' + "x" * 60_000 + '"',
        ",".join(f'"{n}"' for n in range(9000)),
        'W/"',
        '""',
        "garbage",
        "\x7f",
    ),
    "Prefer": ("wait=999999999999", "wait=-1", "wait=1e9", "wait=\u0661", "wait", "=", "wait=0;;,,"),
    "Last-Event-ID": ("", "garbage", "1-", "-1", "\u0661", "9" * 5000, "1-zzzzzzzz", "null"),
    "Range": ("bytes=0-", "bytes=-1", "bytes=9999999-", "lines=1-2", "garbage"),
    "Accept": ("text/html", "image/*;q=0", "garbage", "a/b;" * 500),
    "Accept-Encoding": ("identity;q=0", "garbage", "gzip;q=2"),
    "Origin": ("null", "garbage", "http://\u0661"),
    "X-Request-Id": ("\x7f", "x" * 5000, "<script>"),
    "X-Forwarded-For": ("garbage", "," * 3000, "1.1.1.1, " * 500),
    "X-HTTP-Method-Override": ("DELETE",),
    "Content-Encoding": ("gzip",),
    "Idempotency-Key": ("", "a b", "\u00e9", "x" * 256, "\x7f"),
}
TOKENS = (
    "", "Bearer", "Bearer ", "Basic QTpC", "Bearer ct_" + "x" * 40, "Bearer " + "x" * 5000, "Bearer \u00e9",
    "bearer null",
    "Bearer ct_x ct_y", "Bearer ct_%00", "Token x", "\x7f",
)  # fmt: skip


class Route(NamedTuple):
    """A rule of the url map, with the methods it answers besides OPTIONS."""

    template: str
    methods: frozenset[str]


def routes(app: Flask) -> list[Route]:
    found: dict[str, set[str]] = {}
    for rule in app.url_map.iter_rules():
        found.setdefault(traffic.template(rule.rule), set()).update(rule.methods)
    return [Route(template, frozenset(methods - {"OPTIONS"})) for template, methods in sorted(found.items())]


class World(NamedTuple):
    """Two who play, a game that goes on, and what stood in the store before."""

    ann: Client
    anybody: Client
    values: dict[str, Any]

    def path(self, template: str, **values: Any) -> str:
        return template.format(**{**self.values, **values})

    def send(self, method: str, path: str, who: Client | None = None, **kwargs: Any) -> TestResponse:
        """Send something that the test client would refuse to make."""
        who = who or self.ann
        headers = dict(kwargs.pop("headers", {}))
        if who.token:
            headers.setdefault("Authorization", f"Bearer {who.token}")
        path, _, query = path.partition("?")
        builder = EnvironBuilder(query_string=query, method="GET", headers=headers, **kwargs)
        environ = builder.get_environ()
        builder.close()
        raw = bytes.fromhex("".join(_hex(path)))
        environ |= {"REQUEST_METHOD": method, "PATH_INFO": raw.decode("latin-1"), "REMOTE_ADDR": "127.0.0.1"}
        return who.app.test_client().open(environ_overrides=environ, buffered=not path.endswith("/stream"))


def _hex(path: str) -> Iterator[str]:
    """A path as a server hands it on: percent signs decoded, where they are good."""
    for part in re.split(r"(%[0-9a-fA-F]{2})", path):
        yield part[1:] if re.fullmatch(r"%[0-9a-fA-F]{2}", part) else part.encode().hex()


@pytest.fixture
def world(ann: Client, bob: Client, anybody: Client, table: str, opened) -> Iterator[World]:
    """A table; afterwards nothing may have been written."""
    lobby = ann.game()
    values = {
        "game": table,
        "key": "bluff_king",
        "v": 1,
        "dispute": f"{table}-1",
        "code": "not_found",
        "path": "index.css",
        "ruleset": "bluff_king",
        "player": ann.player["id"],
        "invite": "none",
        "token": "none",
        "name": "retries",
    }

    def written() -> set[bytes]:
        passing = (b"ticket:", b"rate:", b"bell")
        return {key for key in opened.reader.keys("*") if not key.startswith(passing)}

    keys, versions = written(), {game: opened.repository.version(game) for game in (table, lobby)}
    yield World(ann, anybody, values)
    assert {game: opened.repository.version(game) for game in versions} == versions
    assert written() - keys == set()


def refused(answer: TestResponse, what: object, *codes: str) -> None:
    """A problem document of the table, with one of these codes if any are given."""
    assert 400 <= answer.status_code < 500, (what, answer.status_code, answer.text[:300])
    assert answer.mimetype == MEDIA_TYPE, (what, answer.text[:300])
    code = answer.json["code"]
    assert code in CODES, what
    assert CODES[code].status == answer.status_code == answer.json["status"], what
    assert not codes or code in codes, (what, answer.json)


def sound(answer: TestResponse, what: object) -> None:
    """Refused as it should be, or answered as if the nonsense were not there."""
    if answer.status_code >= 400:
        if answer.data:
            refused(answer, what)
        assert answer.status_code < 500, what
    elif answer.status_code != 308:
        assert answer.mimetype != "text/html" or re.search(r"/(docs|problems|rules)", str(what)), what


def test_bodies_that_cannot_be_read(world: World, app: Flask):
    for template, methods in routes(app):
        for method in methods & WITH_BODY:
            for name, body in BODIES.items():
                answer = world.send(method, world.path(template), data=body, content_type="application/json")
                refused(answer, (method, template, name), *UNREADABLE)
            for kind in (
                "text/plain",
                "application/x-www-form-urlencoded",
                "multipart/form-data; boundary=x",
                "",
                "json",
                "*/*",
            ):
                answer = world.send(method, world.path(template), data=b'{"a":1}', content_type=kind)
                refused(answer, (method, template, kind), "unsupported_media_type")


def test_bodies_where_none_belongs_change_nothing(world: World, app: Flask):
    for template, methods in routes(app):
        for method in methods & {"GET", "HEAD"}:
            path = world.path(template)
            if template.endswith("/stream"):
                path += "?after=x"
            plain = world.send(method, path)
            for body in (b"{", b'{"as":"all"}', BODIES["over the bound and nested"]):
                answer = world.send(method, path, data=body, content_type="application/json")
                assert answer.status_code == plain.status_code, (method, template)
    for body in (b"{", NESTED):
        answer = world.send("DELETE", f"/v1/games/{NOWHERE}/seats/me", data=body, content_type="application/json")
        refused(answer, body[:10], "unknown_game", "body_too_large")


@pytest.mark.parametrize(("method", "template", "body", "values"), FIELDS, ids=lambda given: str(given)[:40])
def test_strings_and_numbers_everywhere(world: World, method: str, template: str, body: str, values: dict[str, str]):
    for name, value in values.items():
        if template == "/v1/games" and "host_seat" in body and value in ("-0",):
            continue
        text = body.replace("%s", value)
        answer = world.send(
            method, world.path(template), data=text.encode("utf-8", "surrogatepass"), content_type="application/json"
        )
        refused(answer, (method, template, name, text[:100]))


def test_minus_zero_is_zero(world: World):
    answer = world.send(
        "POST", world.path("/v1/games/{game}/seats"), data=b'{"seat":-0}', content_type="application/json"
    )
    refused(answer, "-0", "already_seated")


def test_queries(world: World, app: Flask):
    for template, methods in routes(app):
        if "GET" not in methods or template.startswith("/docs"):
            continue
        for query in ("nope=1", "as", "=", "&&&", "%", "%ff=%ff", "a=" + "x" * 3000, "as=me;as=all", "__proto__=1"):
            answer = world.send("GET", f"{world.path(template)}?{query}")
            if template in PARAMETERS and query != "&&&":
                refused(answer, (template, query), "validation_failed")
            sound(answer, (template, query))
    for template, names in PARAMETERS.items():
        for name in names:
            for value in VALUES:
                if (name, value) in (("ruleset", "0x1"),) or (name == "ruleset" and len(value) <= 40):
                    sound(world.send("GET", f"{world.path(template)}?{name}={value}"), (template, name, value))
                    continue
                answer = world.send("GET", f"{world.path(template)}?{name}={value}")
                refused(answer, (template, name, value), "validation_failed", "resync", "ticket_invalid")
            twice = world.send("GET", f"{world.path(template)}?{name}=1&{name}=1")
            refused(twice, (template, name, "twice"), "validation_failed")


def test_ids(world: World, app: Flask):
    for template, methods in routes(app):
        for name in re.findall(r"{(\w+)}", template):
            for wrong in IDS:
                given = wrong.format(game=world.values["game"]) if "{game}" in wrong else wrong
                for method in methods:
                    body = {"data": b"{}", "content_type": "application/json"} if method in WITH_BODY else {}
                    answer = world.send(method, world.path(template, **{name: given}), **body)
                    what = (method, template, name, wrong)
                    if method == "HEAD":
                        assert answer.status_code in (400, 404, 422), what
                    elif template.startswith("/docs"):
                        sound(answer, what)
                    else:
                        refused(answer, what)
                        if method == "GET":
                            assert answer.status_code == 404, what


def test_numbers_in_addresses(world: World):
    for v in ("0", "-1", "01", "1.0", "%D9%A1", "1e0", "9" * 30, "9" * 3900, "9" * 6000, "+1", "%20" + "1"):
        answer = world.send("GET", world.path("/v1/games/{game}/challenges/{v}", v=v))
        refused(answer, v, "not_found", "unknown_challenge")
        answer = world.send("GET", world.path("/v1/disputes/{game}-" + v))
        refused(answer, v, "unknown_dispute")


def test_addresses(world: World):
    for path in (
        "/v1//games", "/v1/../v1/games", "/v1/games/", "/" + "x/" * 1000, "/v1/games/%2e%2e/players", "/%00",
        "/v1/games%00", "/V1/GAMES", "/v1/games/../../etc/passwd", "/docs/../../api/auth.py",
        "/docs/%2e%2e/%2e%2e/x.py",
        "/docs/..%2f..%2f__init__.py", "/rules/..%2f..%2fREADME", "/rules/%2fetc%2fpasswd", "/\u0661", "/%ff%fe",
    ):  # fmt: skip
        refused(world.send("GET", path), path, "not_found", "unknown_game", "unknown_ruleset", "method_not_allowed")


def test_methods(world: World, app: Flask):
    for template, methods in routes(app):
        path = world.path(template)
        for method in METHODS:
            if method in methods:
                continue
            answer = world.send(method, path)
            assert (answer.status_code, answer.mimetype) == (405, MEDIA_TYPE), (method, template)
            if method != "HEAD":
                refused(answer, (method, template), "method_not_allowed")
            assert set(answer.headers["Allow"].split(", ")) == methods | {"OPTIONS"}, (method, template)
        if "GET" in methods and not template.endswith("/stream"):
            head, get = world.send("HEAD", path), world.send("GET", path)
            assert (head.status_code, head.data) == (get.status_code, b""), template
            assert head.mimetype == get.mimetype, template
            assert head.headers.get("ETag") == get.headers.get("ETag"), template


def test_headers(world: World, app: Flask):
    for template, methods in routes(app):
        path = world.path(template)
        for name, values in HEADERS.items():
            for value in values:
                where = path
                if template.endswith("/stream"):
                    if name == "Last-Event-ID" and value:
                        refused(world.send("GET", path, headers={name: value}), value, "validation_failed")
                        continue
                    where = f"{path}?after=x"
                for method in methods - {"HEAD"}:
                    body = {"data": b"{", "content_type": "application/json"} if method in WITH_BODY else {}
                    if method == "DELETE":
                        where = world.path(template, game=NOWHERE)
                    sound(
                        world.send(method, where, headers={name: value}, **body), (method, template, name, value[:40])
                    )


def documented(app: Flask) -> dict[tuple[str, str], Any]:
    """The operations of the document, by method and address."""
    paths = app.extensions["openapi"]["paths"]
    return {
        (method.upper(), path): told
        for path, item in paths.items()
        for method, told in item.items()
        if method != "parameters"
    }


def test_the_tables_leave_out_nothing(app: Flask):
    operations = documented(app)

    def taking(place: str) -> dict[tuple[str, str], set[str]]:
        found = {
            one: {parameter["name"] for parameter in told.get("parameters", ()) if parameter["in"] == place}
            for one, told in operations.items()
        }
        return {one: names for one, names in found.items() if names}

    assert {path: set(names) for path, names in PARAMETERS.items()} == {
        path: names for (_, path), names in taking("query").items()
    }
    assert {(method, path) for method, path, _ in KEYED} == {
        one for one, names in taking("header").items() if "Idempotency-Key" in names
    }
    assert {(method, path) for method, path, *_ in FIELDS} == {
        one for one, told in operations.items() if "requestBody" in told
    }
    assert {name for names in taking("header").values() for name in names} <= {*HEADERS}


def test_tokens(world: World, app: Flask):
    operations = documented(app)
    asked = 0
    for template, methods in routes(app):
        for method in methods - {"HEAD"}:
            operation = operations.get((method, template))
            if operation is None or not any("bearer" in scheme for scheme in operation["security"]):
                continue
            asked += 1
            for token in TOKENS:
                answer = world.send(method, world.path(template), headers={"Authorization": token})
                refused(answer, (method, template, token[:40]), "token_invalid")
                assert answer.headers["WWW-Authenticate"].startswith("Bearer ")
    assert asked > 25


def test_keys_that_cannot_be_used(world: World):
    for key in HEADERS["Idempotency-Key"]:
        for method, template, body in KEYED:
            kwargs = {"data": body, "content_type": "application/json"} if body else {}
            answer = world.send(method, world.path(template), headers={"Idempotency-Key": key}, **kwargs)
            refused(answer, (method, template, key), "bad_idempotency_key")


def test_tags_that_match_nothing_refuse(world: World):
    for tag in ('"' + "x" * 60_000 + '"', '"1-00000000"', 'W/"1-00000000"', "garbage", '""', ",", "W/", '"*"', " "):
        answer = world.send("DELETE", world.path("/v1/games/{game}/seats/me"), headers={"If-Match": tag})
        refused(answer, tag[:20], "stale")


# --- over the wire ---------------------------------------------------------------------------------------------------


def exchange(
    address: str, method: str, path: str, token: str | None, body: Any = None, **headers: str
) -> tuple[int, str, bytes]:
    place = urlsplit(address)
    connection = HTTPConnection(str(place.hostname), place.port, timeout=20)
    try:
        sent = {"Content-Type": "application/json", **headers}
        if token:
            sent["Authorization"] = f"Bearer {token}"
        connection.request(method, path, body, sent, encode_chunked=True)
        answer = connection.getresponse()
        return answer.status, answer.headers.get_content_type(), answer.read()
    finally:
        connection.close()


def test_bodies_in_pieces(world: World, web):
    chunked = {"Transfer-Encoding": "chunked"}
    for body, code in (
        ([b" " * 1000] * 70, "body_too_large"),
        ([NESTED[:1000]] * 60, "too_nested"),
        ([NESTED[:1000]] * 100, "body_too_large"),
        ([b'{"name":"', b"\xff", b'"}'], "not_utf8"),
        ([b"{"], "malformed_json"),
    ):
        for template in ("/v1/players", "/v1/games", "/v1/games/{game}/moves", "/v1/games/{game}/seats"):
            path = world.path(template)
            status, kind, text = exchange(web.address, "POST", path, world.ann.token, iter(body), **chunked)
            assert (status, kind, json.loads(text)["code"]) == (CODES[code].status, MEDIA_TYPE, code)


def test_methods_and_addresses_over_the_wire(world: World, web):
    for method, path, statuses in (
        ("TRACE", "/v1/server", {405}),
        ("FOO", world.path("/v1/games/{game}"), {405}),
        ("GET", "/v1/games/%2e%2e", {404}),
        ("GET", "/v1/games/%00", {404}),
        ("GET", "/v1/games/%ff", {404}),
        ("GET", "/v1/games/" + "x" * 3500, {404}),
        ("OPTIONS", "/v1/games", {204}),
        ("HEAD", "/v1/server", {200}),
    ):
        status, kind, _ = exchange(web.address, method, path, world.ann.token)
        assert status in statuses, (method, path)
        assert kind == MEDIA_TYPE or status < 400, (method, path)
