"""Events and values in plain words, whatever the game: names of types and fields are words already."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Json = dict[str, Any]
Names = Mapping[int, str]

SEATS = frozenset(
    ("seat", "turn", "dealer", "to", "of", "claimant", "challenger", "asked", "waiting", "winners", "resigned")
)
"""Fields that by the API's habit hold seats; a name stands beside the number, never in its place."""

_LONGEST = 160
_SECRET = re.compile(r"[0-9a-f]{32,}")
_TOO_MUCH = frozenset(("game_created",))
_FOR_PROGRAMS = frozenset(("player", "client_seed", "commitment", "ranking"))


def safe(told: str) -> str:
    """A text without what a terminal would obey: a name must not be able to paint the screen."""
    return "".join(char if char.isprintable() else "?" for char in told)


def words(name: str) -> str:
    """A type or field as words: `cards_claimed` -> `cards claimed`."""
    return name.replace("_", " ")


def names_of(view: Json) -> dict[int, str]:
    """What each seat is called; of several with one name each by its number too."""
    names = {seat["seat"]: _name(seat) for seat in view["seats"]}
    often = Counter(names.values())
    return {seat: f"{name} {seat}" if often[name] > 1 else name for seat, name in names.items()}


def _name(seat: Json) -> str:
    for who in (seat.get("player"), seat.get("former")):
        if who:
            return safe(str(who.get("name") or f"seat {seat['seat']}"))
    return f"{seat['bot']} bot" if seat.get("bot") else f"seat {seat['seat']}"


def seat_text(seat: int, names: Names) -> str:
    """A seat by number and name."""
    return f"{seat} ({names[seat]})" if seat in names else str(seat)


def text(value: Any) -> str:
    """A value as a player would type it."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return safe(value)
    if isinstance(value, dict):
        told = [f"{words(name)} {text(inner)}" for name, inner in value.items() if inner is not None]
        return ", ".join(told) or "-"
    if isinstance(value, (list, tuple)):
        return _items(value)
    return json.dumps(value)


def _items(items: Sequence[Any]) -> str:
    if not items:
        return "none"
    between = "; " if any(isinstance(item, (dict, list)) for item in items) else " "
    return between.join(f"[{text(item)}]" if isinstance(item, list) else text(item) for item in items)


def of_field(name: str, value: Any, names: Names) -> str:
    """The value of a field, with the names of seats if it holds seats."""
    if name in SEATS:
        if isinstance(value, int) and not isinstance(value, bool):
            return seat_text(value, names)
        if isinstance(value, list) and all(isinstance(item, int) for item in value):
            return ", ".join(seat_text(item, names) for item in value) or "none"
    return text(value)


def event_text(event: Json, names: Names) -> str:
    """An event in one line: who, what, and what can be told of it."""
    seat = event["seat"]
    who = f"{names.get(seat, f'seat {seat}')}: " if seat is not None else ""
    late = " (time ran out)" if event["by"] == "clock" and seat is not None else ""
    told = [] if event["type"] in _TOO_MUCH else list(_told(event, names))
    line = f"{who}{words(event['type'])}{late}" + (f" - {', '.join(told)}" if told else "")
    return line if len(line) <= _LONGEST else line[: _LONGEST - 3] + "..."


def _told(event: Json, names: Names) -> Iterable[str]:
    for name, value in event["data"].items():
        if value not in (None, [], {}) and name not in _FOR_PROGRAMS:
            yield f"{words(name)} {of_field(name, value, names)}"
    for name, secret in event["opened"].items():
        yield from _shown(name, secret["value"], names)
    for opening in event["opens"]:
        yield from _shown(f"shown {opening['field']}", opening["value"], names)


def _shown(name: str, value: Any, names: Names) -> Iterable[str]:
    """What a seal held; a seed of the shuffle is for auditors, not for the table."""
    if not (isinstance(value, str) and _SECRET.fullmatch(value)):
        yield f"{words(name)} {of_field(name, value, names)}"


def result_lines(view: Json) -> list[str]:
    """How a game ended."""
    result, names = view.get("result"), names_of(view)
    if not result:
        return [f"The game is {view['status']}."]
    lines = [f"The game is {view['status']}: {words(result['reason'])}."]
    for rank in sorted(result["ranking"], key=lambda one: (one["rank"], one["seat"])):
        gave_up = ", resigned" if rank["seat"] in result["resigned"] else ""
        won = ", winner" if rank["seat"] in result["winners"] else ""
        name = names.get(rank["seat"], f"seat {rank['seat']}")
        lines.append(f"  {rank['rank']}. {name} (seat {rank['seat']}): {rank['score']}{won}{gave_up}")
    return lines
