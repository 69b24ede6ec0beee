"""A log file without its server: folded here by the rules in this software. The one part that knows `domain`."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from captain.terminal.replay import event_of
from domain import canonical
from domain.errors import Corrupt
from domain.events import Event, redact
from domain.game import Game, evolve
from domain.observers import EVERYTHING, SPECTATOR, Observer, at_seat
from domain.registry import REGISTRY
from domain.ruleset import Ruleset

Json = dict[str, Any]


class BadLog(Exception):
    """The file is not a log that can be folded; the text says why."""


class Recorded:
    """The game in a log file, as `eyes` see it: `all` (whatever is open in the file), `spectator`, or a seat."""

    def __init__(self, path: Path, eyes: str | None) -> None:
        lines = _read(path)
        records = [line for line in lines if "record" in line]
        if not records or records[0]["record"].get("type") != "game_created":
            raise BadLog(f"{path} is not the log of a game: its first record is not game_created.")
        created = records[0]["record"]["data"]
        try:
            self._rules: Ruleset = REGISTRY.at(created["ruleset"], created["rules_version"])
            codec = REGISTRY.codec(created["ruleset"], created["rules_version"])
            events = [codec.event(line["record"], line["open"]) for line in records]
        except KeyError as unknown:
            raise BadLog(f"{path}: this software does not know {unknown}.") from None
        except Corrupt as corrupt:
            raise BadLog(f"{path}: {corrupt}") from None
        self._observer = _observer(eyes, created.get("seats", 0))
        self._id = next((str(line["game"]) for line in lines if "record" not in line and "game" in line), path.stem)
        self.warning = _checked(lines, records)
        self.events = [_event(line, self._observer) for line in records]
        self._games = self._fold([redact(event, self._observer) for event in events])
        self.versions = sorted(self._games)

    def _fold(self, events: Sequence[Event]) -> dict[int, Game]:
        """The game at every batch end; immutable states share what did not change."""
        game, found = Game(id=self._id), {}
        try:
            for event in events:
                game = evolve(self._rules, game, event)
                if event.left == 0:
                    found[event.v] = game
        except (Corrupt, LookupError) as error:
            raise BadLog(f"The log cannot be folded: {error}") from None
        if not found:
            raise BadLog("The log ends within its first batch.")
        return found

    def view(self, version: int) -> Json:
        """The game at a batch end, as the API shows it; accounts have no names here, only ids."""
        game = self._games[version]
        asked = [asked for asked in game.asked if asked.decision.required]
        made = {
            "id": self._id,
            "ruleset": game.ruleset,
            "status": game.status,
            "version": version,
            "observer": _eyes(self._observer),
            "seats": [_seat(number, seat) for number, seat in enumerate(game.seats)],
            "asked": [
                {"seat": a.decision.seat, "kind": a.decision.kind, "deadline": _time(game.deadline(a))} for a in asked
            ],
            "table": None if game.table is None else self._rules.view(game.table, self._observer, game.over),
            "result": None if game.result is None else {**_plain(game.result), "resigned": game.resigned},
        }
        return _plain(made)


def _read(path: Path) -> list[Json]:
    """The lines of an NDJSON file; a last line that was cut short is left out, the trailer will be missed."""
    found: list[Json] = []
    raw = path.read_bytes().splitlines()
    for number, line in enumerate(raw, 1):
        try:
            made = canonical.loads(line)
        except ValueError:
            if number == len(raw):
                break
            raise BadLog(f"{path}: line {number} is not JSON.") from None
        if not isinstance(made, dict):
            raise BadLog(f"{path}: line {number} is not an object.")
        found.append(made)
    return found


def _checked(lines: Sequence[Json], records: Sequence[Json]) -> str:
    """Hold the chain of hashes and the trailer against the records; a warning, or nothing. Raises BadLog."""
    head = ""
    for line in records:
        record = line["record"]
        if head and record["prev"] != head:
            raise BadLog(f"The chain breaks at version {record['v']}: records were changed or left out.")
        head = hashlib.sha256(canonical.dumps(record)).hexdigest()
    trailer = lines[-1]
    if "record" not in lines[0] and "record" in trailer:
        return "The log has no trailer: it may have been cut short."
    if "record" not in trailer and trailer.get("count", len(records)) != len(records):
        return f"The trailer counts {trailer['count']} records, the file has {len(records)}."
    if "record" not in trailer and trailer.get("hash", trailer.get("head", head)) != head:
        raise BadLog("The hash in the trailer is not that of the last record.")
    return ""


def _observer(eyes: str | None, seats: int) -> Observer:
    if eyes in (None, "all"):
        return EVERYTHING
    if eyes == "spectator":
        return SPECTATOR
    if eyes is not None and eyes.isdigit() and int(eyes) < seats:
        return at_seat(int(eyes))
    raise BadLog(f"There is no {eyes} at this table: say all, spectator, or a seat from 0 to {seats - 1}.")


def _eyes(observer: Observer) -> Json:
    if observer.everything:
        return {"all": True}
    return {"spectator": True} if observer.seat is None else {"seat": observer.seat}


def _seat(number: int, seat: Any) -> Json:
    def account(player: str | None) -> Json | None:
        return {"id": player, "name": f"player {number}"} if player else None

    return {
        "seat": number,
        "player": account(seat.player),
        "bot": seat.bot,
        "controller": seat.controller,
        "former": account(seat.former),
    }


def _event(line: Json, observer: Observer) -> Json:
    """An event as the API shows it to the observer."""
    record = line["record"]
    opened = {name: secret for name, secret in line["open"].items() if observer.may_open(record["seals"][name]["to"])}
    return event_of({"record": record, "open": opened})


def _time(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds")


def _plain(value: Any) -> Json:
    """A value as it comes out of JSON: lists for tuples, objects for structs."""
    made: Json = msgspec.json.decode(msgspec.json.encode(value))
    return made
