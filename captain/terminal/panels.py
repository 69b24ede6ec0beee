"""Drawing a view of any ruleset: by the shape of its values, never by their meaning."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from captain.terminal.words import Names, of_field, words
from captain.terminal.words import text as plain

Json = dict[str, Any]

_HAND = frozenset(("seat", "count", "cards", "known"))


def table_panel(view: Json, names: Names, absent: frozenset[int] = frozenset()) -> RenderableType:
    """The seats with what each has, then everything else on the table."""
    table = view["table"] or {}
    by_seat = {name: value for name, value in table.items() if _by_seat(value, len(view["seats"]))}
    rest = {name: value for name, value in table.items() if name not in by_seat}
    return Group(_seats(view, names, by_seat, absent), Text(), *_values(rest, names))


def _by_seat(value: Any, seats: int) -> bool:
    """Whether a list holds one object for each seat."""
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        return False
    return bool(value) and [one.get("seat") for one in value] == list(range(seats))


def _seats(view: Json, names: Names, by_seat: Json, absent: frozenset[int]) -> Table:
    """One row a seat: who, what it is doing, and its own part of each list."""
    mine = view["observer"].get("seat")
    asked = {one["seat"]: one["kind"] for one in view["asked"]}
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for title in ("", "seat", "", *_columns(by_seat)):
        grid.add_column(title, overflow="fold")
    for seat in view["seats"]:
        number = seat["seat"]
        mark = Text(">", "bold yellow") if number in asked else Text(" ")
        name = Text(f"{number} {names[number]}", "bold green" if number == mine else "")
        doing = [*_doing(seat, number == mine, number in absent), *([words(asked[number])] if number in asked else [])]
        state = Text(", ".join(doing), "yellow" if number in asked else "dim")
        cells = [cell for value in by_seat.values() for cell in _cells(value, number, names)]
        grid.add_row(mark, name, state, *cells)
    return grid


def _doing(seat: Json, mine: bool, absent: bool) -> Iterable[str]:
    if seat["controller"] is None:
        yield "free"
    elif seat["bot"] and not seat["player"] and not seat.get("former"):
        pass  # its name says that it is a bot
    elif seat.get("former") and not seat["player"]:
        yield "resigned; a bot plays"
    elif seat["controller"] == "bot":
        yield "away; a bot plays"
    elif mine:
        yield "you"
    elif absent:
        yield "not connected"


def _columns(by_seat: Json) -> Iterable[str]:
    for name, value in by_seat.items():
        yield from (words(name),) if _hands(value) else (words(column) for column in _keys(value))


def _cells(value: list[Json], seat: int, names: Names) -> Iterable[RenderableType]:
    one = value[seat]
    if _hands(value):
        yield _hand(one)
    else:
        yield from (_cell(one.get(column), names, column) for column in _keys(value))


def _keys(value: list[Json]) -> list[str]:
    return [name for name in dict.fromkeys(name for one in value for name in one) if name != "seat"]


def _hands(value: list[Json]) -> bool:
    """Whether these are hands: a count, and `cards` where it is known whole, else the `known` ones."""
    return all("count" in one and set(one) <= _HAND for one in value)


def _hand(hand: Json) -> Text:
    made = Text(str(hand["count"]))
    cards = hand.get("cards", hand.get("known"))
    if cards:
        made.append("  " + ("" if "cards" in hand else "known: "), "dim")
        made.append(plain(cards), "cyan")
    return made


def _cell(value: Any, names: Names, name: str) -> RenderableType:
    """A value in a cell; a list of objects takes a line for each, a list of lists for each that is not empty."""
    if isinstance(value, list) and any(isinstance(item, list) for item in value):
        return Text("\n".join(f"{number}: {plain(item)}" for number, item in enumerate(value) if item))
    if isinstance(value, list) and any(isinstance(item, dict) for item in value):
        return Text("\n".join(plain(item) for item in value))
    return Text(of_field(name, value, names))


def _values(table: Json, names: Names) -> Iterable[RenderableType]:
    """Everything that has no seat: plain values side by side, then what has parts."""
    scalars = {name: value for name, value in table.items() if not isinstance(value, (dict, list))}
    if scalars:
        line = Text()
        for name, value in scalars.items():
            line.append(f"{words(name)} ", "dim").append(of_field(name, value, names)).append("   ")
        yield line
    for name, value in table.items():
        if name not in scalars and value:
            yield _part(name, value, names)


def _part(name: str, value: Any, names: Names) -> RenderableType:
    if isinstance(value, list) and all(isinstance(item, dict) for item in value):
        return Group(Text(words(name), "dim"), Padding(_rows(value, names), (0, 0, 0, 2)))
    if isinstance(value, dict) and any(isinstance(inner, (dict, list)) and inner for inner in value.values()):
        return Group(Text(words(name), "dim"), Padding(Group(*_values(value, names)), (0, 0, 0, 2)))
    told = of_field(name, value, names)
    if isinstance(value, dict):
        told = "   ".join(f"{words(key)} {of_field(key, inner, names)}" for key, inner in value.items())
    return Text().append(f"{words(name)} ", "dim").append(told)


def _counts(value: list[Json], column: str) -> bool:
    """Whether a column holds the places in the list, by which moves name them."""
    return all(one.get(column) == place for place, one in enumerate(value))


def _rows(value: list[Json], names: Names) -> Table:
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    columns = list(dict.fromkeys(name for one in value for name in one))
    numbered = not any(column == "seat" or _counts(value, column) for column in columns)
    for column in (*("#" * numbered), *columns):
        grid.add_column(words(column), overflow="fold")
    for number, one in enumerate(value):
        cells = [_cell(one.get(column), names, column) for column in columns]
        grid.add_row(*([Text(str(number), "dim")] * numbered), *cells)
    return grid
