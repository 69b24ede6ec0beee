"""Captures examples for the OpenAPI document from the tests: `make examples` runs them with EXAMPLES=<file>.

Of all that was sent and answered the shortest stays for each operation and status, code, or field of a request. What
differs from run to run (ids, times, tokens, hashes) is replaced, in order of appearance; what is drawn by chance is
made to follow from the name of the test.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import orjson
import pytest
from ulid import ULID

from api import captured
from domain.registry import REGISTRY
from tests.document import Operation, ours

Json = dict[str, Any]
FILE = os.environ.get("EXAMPLES", "")
LONGEST = 12_000
"""Longer ones, in bytes, are shortened."""

_ULID = re.compile(r"\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b")
_HASH = re.compile(r"\b[0-9a-f]{32}(?:[0-9a-f]{32})?\b")
_TIME = re.compile(r"\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
_CURSOR = re.compile(r"\b(\d{1,9})-([0-9a-f]{8})\b")
_SIGNATURE = re.compile(r"(?<![\w-])[A-Za-z0-9_-]{86}(?![\w-])")
_TOKEN = re.compile(r"\bct_[A-Za-z0-9_-]{22,}")
_NOON = int(datetime(2026, 1, 1, 12, tzinfo=UTC).timestamp() * 1000)
_MS = range(10**12, 10**13)
_MS_IN_TEXT = re.compile(r"(?<!\d)[1-9]\d{12}(?!\d)")
KEYS = [rules.info.key for rules in REGISTRY]
_OPAQUE = {"ticket": re.compile(".+"), "invite": re.compile(".+"), "code": re.compile(r"[\w-]{22}(?<![a-z_]{22})")}
"""Members whose values are drawn by chance, as far as they look like it: a problem has a `code` as well."""
_MEASURED = ("ms", "silent_ms")
_GRAIN_MS = 5000
"""What a test takes is well under half of this, what clocks and expiries are set to is well over it."""


class Canon:
    """Replaces what differs from run to run; the same value by the same one, within one example."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._first = 0

    def of(self, value: Any) -> Any:
        """The value as an example."""
        self._first = min(_times(value), default=0)
        return self._of(value)

    def _of(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self._member(key, one) for key, one in value.items()}
        if isinstance(value, list):
            return [self._of(one) for one in value]
        if isinstance(value, str):
            return self._text(value)
        return self._time(value) if type(value) is int and value in _MS else value

    def _member(self, key: str, value: Any) -> Any:
        if isinstance(value, str) and key in _OPAQUE and _OPAQUE[key].fullmatch(value):
            return self._opaque(value)
        return 1 if key in _MEASURED and isinstance(value, int | float) else self._of(value)

    def _text(self, text: str) -> str:
        for secret, shown in self._known.items():
            if secret.startswith("opaque ") and secret[7:] in text:
                text = text.replace(secret[7:], shown)
        text = _TOKEN.sub(lambda _: "ct_exampleExampleExample0", text)
        text = _SIGNATURE.sub(lambda m: self._same("signature", m[0], 86), text)
        text = _ULID.sub(lambda m: "01KDW0" + self._same("ulid", m[0], 20).translate(_CROCKFORD), text)
        text = _HASH.sub(lambda m: self._same("hash", m[0], len(m[0])), text)
        text = _MS_IN_TEXT.sub(lambda m: str(self._time(int(m[0]))), text)
        text = _CURSOR.sub(lambda m: f"{m[1]}-{self._same('cursor', m[2], 8)}", text)
        return _TIME.sub(lambda m: _written(self._time(_read(m[0]))), text)

    def _opaque(self, text: str) -> str:
        return self._known.setdefault(f"opaque {text}", "exampleExampleExample0")

    def _same(self, kind: str, text: str, length: int) -> str:
        """A digest that depends on how many of this kind came before."""
        if text not in self._known:
            number = sum(key.startswith(f"{kind} ") for key in self._known)
            self._known[f"{kind} {text}"] = self._known[text] = hashlib.sha512(f"{kind} {number}".encode()).hexdigest()
        return self._known[text][:length]

    def _time(self, ms: int) -> int:
        return _NOON + round((ms - self._first) / _GRAIN_MS) * _GRAIN_MS


_CROCKFORD = str.maketrans("abcdef", "ABCDEF")


def _read(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp() * 1000)


def _written(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def _times(value: Any) -> Iterator[int]:
    if isinstance(value, dict):
        for one in value.values():
            yield from _times(one)
    elif isinstance(value, list):
        for one in value:
            yield from _times(one)
    elif isinstance(value, str):
        yield from map(_read, _TIME.findall(value))
        yield from map(int, _MS_IN_TEXT.findall(value))
    elif type(value) is int and value in _MS:
        yield value


class Recorder:
    """What was captured so far, as the file will have it."""

    def __init__(self) -> None:
        self.held: Json = {"requests": {}, "answers": {}, "problems": {}}

    def request(self, operation: str, sent: Any) -> None:
        """A body that was accepted: an example of itself by its `type`, or of each of its fields."""
        if "type" in sent and sent["type"] not in REGISTRY.moves:
            return  # a game of the tests' own
        names = [sent["type"]] if "type" in sent else [*sent] or ["nothing"]
        for name in names:
            self._keep("requests", operation, name, sent)

    def answer(self, operation: str, status: int, name: str, value: Any) -> None:
        """An answer that is no problem; `name` tells several of one status apart."""
        self._keep("answers", operation, str(status), value, name)

    def problem(self, operation: str, told: Json) -> None:
        """A problem document."""
        self._keep("problems", operation, told["code"], told)

    def _keep(self, part: str, operation: str, key: str, value: Any, name: str = "") -> None:
        made = Canon().of(value)
        place = self.held[part].setdefault(operation, {})
        if name:
            place, key = place.setdefault(key, {}), name
        if key not in place or _size(made) < _size(place[key]):
            place[key] = made

    def write(self, path: Path) -> None:
        """Write the file; a body that is an example of several fields stays once."""
        for bodies in self.held["requests"].values():
            seen: list[Any] = []
            for name in sorted(bodies, key=lambda name: (_size(bodies[name]), name), reverse=True):
                if bodies[name] in seen:
                    del bodies[name]
                else:
                    seen.append(bodies[name])
        path.write_text(captured.written(self.held), encoding="utf-8")


def _size(value: Any) -> tuple[int, bytes]:
    text = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    return len(text), text


recorder = Recorder()


def note(operation: Operation, sent: Any, status: int, media: str, body: bytes) -> None:
    """Consider what was sent and answered."""
    if not FILE:
        return
    if status >= 400:
        recorder.problem(operation.id, orjson.loads(body))
        return
    if isinstance(sent, dict) and _fits(operation.told["requestBody"]["content"]["application/json"], sent):
        recorder.request(operation.id, sent)
    if media == "application/json":
        value = _shortened(orjson.loads(body))
        content = operation.told["responses"][str(status)]["content"][media]
        state = value.get("status")
        if _fits(content, value) and (operation.id != "get_ruleset" or value["key"] in KEYS):
            recorder.answer(operation.id, status, state if isinstance(state, str) else "example", value)
    elif media == "application/x-ndjson":
        for line in map(orjson.loads, body.splitlines()):
            recorder.answer(operation.id, status, "record" if "record" in line else _kind(line), line)


def _fits(content: Json, value: Any) -> bool:
    """Whether it is of a ruleset that the server plays: tests have others."""
    return bool(ours().validator(content["schema"]).is_valid(value))


def _shortened(value: Any) -> Any:
    """A long answer with two entries of each of its members: what is in them tells what the others are like.

    Schemas with references are left out: to a linter they would be references of the document.
    """
    if not isinstance(value, dict) or (len(text := orjson.dumps(value)) <= LONGEST and b'"$ref"' not in text):
        return value
    cut = {key: _cut(one) if isinstance(one, dict) else one for key, one in value.items()}
    return {key: one[:2] if isinstance(one, list) else one for key, one in cut.items()}


def _cut(members: Json) -> Json:
    return dict([(key, one) for key, one in members.items() if b'"$ref"' not in orjson.dumps(one)][:2])


def _kind(line: Json) -> str:
    return "trailer" if "complete" in line else "header"


def note_frame(frame: Json) -> None:
    """Consider a frame of a stream."""
    if frame["event"] == "slow_consumer":  # how far it came depends on the kernel's buffers
        frame = {**frame, "data": {**frame["data"], "cursor": "17-" + frame["data"]["cursor"].partition("-")[2]}}
    if FILE and ours().validator("#/components/schemas/StreamFrame").is_valid(frame):
        recorder.answer("stream_game", 200, frame["event"], frame)


@pytest.fixture(autouse=True)
def same_chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """While examples are recorded: seeds and ids of games follow from the name of the test."""
    if not FILE:
        return
    from api import games

    count = iter(range(10**9))

    def digest() -> bytes:
        return hashlib.sha256(f"{request.node.nodeid} {next(count)}".encode()).digest()

    monkeypatch.setattr(games, "ULID", lambda: ULID.from_bytes(b"\x01\x9b" + digest()[2:16]))
    monkeypatch.setattr(games, "secrets", SimpleNamespace(token_hex=lambda n: digest().hex()[: 2 * n]))


def listen_to_rules() -> None:
    """Hear also what rulesets refuse when they are asked themselves: their tests know every reason."""
    from api.problems import document
    from domain import errors
    from domain.registry import REGISTRY

    made = errors.Refused.__init__

    def heard(self: errors.Refused, code: str, **facts: object) -> None:
        made(self, code, **facts)
        told = REGISTRY.refusals.get(code)
        if told is not None:
            shown = orjson.loads(orjson.dumps(document(code, facts)))
            recorder.problem("play_move", {**shown, "title": told.title, "detail": facts.get("detail") or told.advice})

    errors.Refused.__init__ = heard  # type: ignore[method-assign]
