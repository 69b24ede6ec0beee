"""The fields of a form: what may be typed for each, and reading it. No input or output here.

A form is a family of legal moves; every combination of allowed field values is legal, so what these functions
accept the server accepts, as long as the question stands.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from captain.terminal.runs import read_run, run_hint
from captain.terminal.typed import BadInput, numeric, place_of, tokens
from captain.terminal.words import SEATS, Names, seat_text, text, words

Json = dict[str, Any]

_FEW = 6
_BRIEF = 44
_NUMBER = re.compile(r"-?[0-9]{1,15}")
_YES = {"y": True, "yes": True, "true": True, "n": False, "no": False, "false": False}


def forced(field: Json) -> tuple[Any, ...]:
    """The only value that a field may have, as a tuple of one; empty if there is a choice."""
    match field.get("kind"):
        case "one_of" if len(field["values"]) == 1:
            return (field["values"][0],)
        case "range" if field["min"] == field["max"]:
            return (field["min"],)
        case "multiset" if field["min"] == field["max"] == len(field["from"]):
            return (list(field["from"]),)
        case "multiset" if field["max"] == 0:
            return ([],)
    return ()


def read(field: Json, typed: str) -> Any:
    """The value that was typed; BadInput says what would do."""
    match field.get("kind"):
        case "one_of":
            return _one_of(field["values"], typed)
        case "range":
            return _range(field, typed)
        case "multiset":
            return _multiset(field, typed)
        case "run":
            return read_run(field, typed)
    try:
        return json.loads(typed)  # a kind of a later server: whoever knows it can still play
    except ValueError:
        raise BadInput("Type a value as JSON.") from None


def prompt(name: str, field: Json) -> str:
    """What to ask for."""
    match field.get("kind"):
        case "one_of":
            how = "yes or no" if _is_flag(field["values"]) else "choose one"
        case "range":
            how = f"a number from {field['min']} to {field['max']}"
        case "multiset":
            how = f"{_count(field)} of these, in any order, between spaces"
        case "run":
            how = run_hint(field)
        case _:
            how = "JSON"
    return f"{words(name)} ({how})"


def choices(name: str, field: Json, names: Names) -> list[str]:
    """What there is to choose from, numbered where a number cannot be mistaken for a value."""
    match field.get("kind"):
        case "one_of" if not _is_flag(field["values"]):
            return _numbered(field["values"], names if name in SEATS else {})
        case "multiset":
            return _numbered(field["from"], names if name in SEATS else {})
        case "run":
            wild = [f"{field['wild']}=number"] if field.get("wild") else []
            return [*(f"{held['card']} ({held['number']})" for held in field["held"]), *wild]
        case "one_of" | "range":
            return []
    return [json.dumps(field)]


def summary(name: str, field: Json) -> str:
    """A field in a few words, for a list of moves."""
    match field.get("kind"):
        case "one_of":
            values = field["values"]
            few = len(values) <= _FEW
            what = " or ".join(text(value) for value in values) if few else f"one of {len(values)}"
        case "range":
            what = f"{field['min']} to {field['max']}"
        case "multiset":
            what = f"{_count(field)} of {_brief(field['from'])}"
        case "run":
            what = f"a run of {_brief([held['card'] for held in field['held']])}"
        case _:
            what = "?"
    return f"{words(name)}: {what}"


def _one_of(values: Sequence[Any], typed: str) -> Any:
    if _is_flag(values) and (flag := _YES.get(typed.strip().lower())) in values:
        return flag
    found = place_of(typed.strip(), [text(value) for value in values])
    return values[found]


def _is_flag(values: Sequence[Any]) -> bool:
    return all(isinstance(value, bool) for value in values)


def _range(field: Json, typed: str) -> int:
    if not _NUMBER.fullmatch(typed.strip()) or not field["min"] <= int(typed) <= field["max"]:
        raise BadInput(f"Type a number from {field['min']} to {field['max']}.")
    return int(typed)


def _multiset(field: Json, typed: str) -> list[Any]:
    source = field["from"]
    chosen = list(range(len(source))) if typed.strip().lower() == "all" else _places(source, typed)
    if not field["min"] <= len(chosen) <= field["max"]:
        raise BadInput(f"Choose {_count(field)}; that was {len(chosen)}.")
    return [source[place] for place in chosen]


def _places(source: Sequence[Any], typed: str) -> list[int]:
    """The places of what was typed; a card may be named as often as it is there."""
    labels = [text(item) for item in source]
    used: set[int] = set()
    for token in tokens(typed):
        named = place_of(token, labels)
        alike = [place for place, label in enumerate(labels) if label == labels[named]]
        free = named if named not in used else next((place for place in alike if place not in used), None)
        if free is None:
            raise BadInput(f"{labels[named]} is there only {len(alike)} time{'s' * (len(alike) > 1)}.")
        used.add(free)
    return sorted(used)


def _count(field: Json) -> str:
    low, high = field["min"], field["max"]
    return str(low) if low == high else f"{low} to {high}"


def _numbered(values: Sequence[Any], names: Names) -> list[str]:
    labels = [text(value) for value in values]
    if numeric(labels):
        return [seat_text(value, names) if isinstance(value, int) else text(value) for value in values]
    return [f"{place}:{label}" for place, label in enumerate(labels, 1)]


def _brief(values: Sequence[Any]) -> str:
    whole = " ".join(f"{n}x {label}" if n > 1 else label for label, n in Counter(text(v) for v in values).items())
    return whole if len(whole) <= _BRIEF else f"{len(values)}"
