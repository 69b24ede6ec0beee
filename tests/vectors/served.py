"""Served logs, as `GET /v1/games/{game}/log` gives them: of played games, and of games that were tampered with."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from domain import canonical, sealing
from domain.events import Event, redact_line
from domain.observers import EVERYTHING, Observer
from tests.vectors.keys import KEY, signed_head

Json = Any
Line = dict[str, Any]
"""`{"record", "open"}`, fully opened."""


def lines_of(game: str, seed: str, events: Sequence[Event]) -> list[Line]:
    """The fully opened lines of a whole game."""
    sealed = sealing.seal(game, seed, events, [sealing.genesis(game)])
    return [{"record": canonical.loads(one.record), "open": canonical.loads(one.secrets or b"{}")} for one in sealed]


def hashes_of(lines: Sequence[Line]) -> list[str]:
    return [sealing.hash_of(canonical.dumps(line["record"])) for line in lines]


def status_of(lines: Sequence[Line]) -> str:
    types = [line["record"]["type"] for line in lines]
    if types[-1] == "game_ended":
        return "finished" if "game_started" in types else "aborted"
    if types[-1] == "game_faulted":
        return "faulted"
    return "playing" if "game_started" in types else "lobby"


def header_of(game: str, lines: Sequence[Line], observer: Json) -> Json:
    created = lines[0]["record"]["data"]
    return {
        "format": 1,
        "game": game,
        "ruleset": created["ruleset"],
        "rules_version": created["rules_version"],
        "observer": observer,
        "status": status_of(lines),
        "version": len(lines),
        "head": hashes_of(lines)[-1],
    }


def served(game: str, lines: Sequence[Line], observer: Observer = EVERYTHING, signer: str | None = KEY) -> str:
    """The text of the log as `observer` gets it; without a `signer`, that of a server without a key."""
    head = hashes_of(lines)[-1]
    trailer: Json = {"complete": True, "count": len(lines), "head": head}
    if signer is not None:
        trailer["signed"] = signed_head(game, len(lines), head, lines[-1]["record"]["at"], signer)
    whose: Json = {"all": True} if observer.everything else {"spectator": True}
    if observer.seat is not None:
        whose = {"seat": observer.seat}
    # For everybody's eyes the lines are as they are, also where they open what was never sealed.
    body = lines if observer.everything else [redact_line(line["record"], line["open"], observer) for line in lines]
    return text_of(header_of(game, lines, whose), body, trailer)


def text_of(header: Json, lines: Sequence[Line], trailer: Json) -> str:
    """The bytes of a log: canonical JSON in lines that each end."""
    body = [
        b'{"record":%b,"open":%b}' % (canonical.dumps(line["record"]), canonical.dumps(line["open"])) for line in lines
    ]
    return b"".join([part + b"\n" for part in (canonical.dumps(header), *body, canonical.dumps(trailer))]).decode()


def copy_of(lines: Sequence[Line]) -> list[Line]:
    copied: list[Line] = json.loads(json.dumps(list(lines)))
    return copied


def remade(game: str, lines: Sequence[Line], seed: str, salts: Callable[[int, str, str], str] | None = None) -> Any:
    """What a forger makes of changed lines: every salt, digest, opening and hash derived again, so that all fit.

    `salts(v, field, derived)` may put another salt in the place of the derived one.
    """
    forged, prev, places = copy_of(lines), sealing.genesis(game), {}
    for number, line in enumerate(forged, 1):
        record = line["record"]
        record["v"], record["prev"] = number, prev
        for field, secret in line["open"].items():
            derived = sealing.salt(seed, prev, number, field)
            secret["salt"] = derived if salts is None else salts(number, field, derived)
            record["seals"][field]["digest"] = sealing.digest(game, number, field, secret["salt"], secret["value"])
            places[number, field] = secret
        for opened in record["opens"]:
            secret = places[opened["v"], opened["field"]]
            opened |= {"salt": secret["salt"], "value": secret["value"]}
        prev = sealing.hash_of(canonical.dumps(record))
    return forged
