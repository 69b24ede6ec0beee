"""Scans what processes have logged: every member of a line has its shape, and nothing secret stands anywhere."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

Json = dict[str, Any]

ULID = r"[0-9A-HJKMNP-TV-Z]{26}"
SHAPES = {
    "time": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z",
    "level": r"debug|info|warning|error|critical",
    "process": r"web|worker|sweeper|supervisor",
    "pid": r"\d+",
    "logger": r"[a-z_]+(\.[a-z_]+)*",
    "request": rf"{ULID}|mine-\d+",
    "method": r"GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|other",
    "route": r"none|/([a-z0-9_.-]+|\{[a-z]+\})?(/([a-z0-9_.-]+|\{[a-z]+\}))*/?",
    "status": r"[2-5]\d\d",
    "code": r"[a-z_]+",
    "bytes": r"\d+",
    "ms": r"\d+(\.\d)?",
    "game": ULID,
    "player": ULID,
    "seat": r"\d|None",
    "attempt": r"\d+",
    "kind": r"[a-z_]+|[A-Z][A-Za-z]+",
    "outcome": r"done|gone|store|over_budget|corrupt|failed|unknown",
    "error": r"[A-Za-z_.]+",
    "cause": r"[A-Za-z_.]+",
}
"""The members of a line, each with what it may be; `event` and `places` are texts, and only scanned."""
TEXTS = ("event", "places")
LONG = 32


class Scan:
    """What must not be told: card names as words, and long random texts anywhere."""

    def __init__(self, cards: Collection[str], secrets: Iterable[str]) -> None:
        names = "|".join(sorted(map(re.escape, cards), key=len, reverse=True))
        self._card = re.compile(rf"(?<![\w/-])(?:{names})(?![\w/-])")
        self._secrets = {secret for secret in secrets if len(secret) >= 8}

    def findings(self, said: str) -> list[str]:
        """Everything that should not stand there."""
        found = [f"a secret: {secret}" for secret in self._secrets if secret in said]
        for text in said.splitlines():
            found += self._in_line(text)
        return found

    def _in_line(self, text: str) -> Iterator[str]:
        try:
            line = json.loads(text)
        except ValueError:
            yield f"no JSON: {text}"
            return
        for name, value in line.items():
            if name in TEXTS:
                yield from (f"a card: {card} in {text}" for card in self._card.findall(str(value)))
            elif name not in SHAPES or not re.fullmatch(SHAPES[name], str(value)):
                yield f"not a known member: {name}={value} in {text}"


def secrets_of(log: list[Json]) -> Iterator[str]:
    """The salts and the seeds of an opened log; answers to a vote are words, and no secret by then."""
    for event in log:
        for opened in event["opened"].values():
            yield opened["salt"]
            if isinstance(opened["value"], str) and len(opened["value"]) >= LONG:
                yield opened["value"]
        for field in ("client_seed", "server_seed"):
            if isinstance(seed := event["data"].get(field), str):
                yield seed
