"""Replaying: a game step by step, forwards and backwards, from a server or from a log file."""

from __future__ import annotations

import json
from bisect import bisect_right
from typing import Any, Protocol

from captain.terminal.http import Refused, Server
from captain.terminal.picture import Picture
from captain.terminal.screen import Screen
from captain.terminal.words import event_text, names_of

Json = dict[str, Any]

_PACE_S = 0.7
_SHOWN = ("v", "left", "type", "seat", "by", "data", "opens")
_HOW = "n next, p previous, f first, l last, s play or stop, q leave"
_STEPS = {
    "n": 1, "right": 1, " ": 1, "enter": 1, "page down": 10,
    "p": -1, "left": -1, "backspace": -1, "page up": -10,
    "f": -(10**9), "home": -(10**9), "l": 10**9, "end": 10**9,
}  # fmt: skip


class Source(Protocol):
    """A game that can be seen at each of its batch ends."""

    events: list[Json]
    versions: list[int]
    warning: str

    def view(self, version: int) -> Json:
        """The game at a batch end."""
        ...


def event_of(line: Json) -> Json:
    """An event as the API shows it, from a line of a log."""
    record = line["record"]
    return {**{name: record[name] for name in _SHOWN}, "opened": line["open"]}


class Served:
    """A game at a server, as `eyes` see it: a seat, `all`, `spectator`; without, with the caller's own."""

    def __init__(self, server: Server, game: str, eyes: str | None) -> None:
        self.warning = ""
        self._server = server
        self._path = f"/games/{game}"
        self._as: Json = {} if eyes is None else {"as": eyes}
        self._views: dict[int, Json] = {}
        lines = [json.loads(line) for line in server.lines(f"{self._path}/log", self._as)]
        self.events = [event_of(line) for line in lines if "record" in line]
        self.versions = [event["v"] for event in self.events if event["left"] == 0]

    def view(self, version: int) -> Json:
        """The game at a batch end, which the server folds."""
        if version not in self._views:
            self._views[version] = self._server.get(f"{self._path}/replay", {**self._as, "at": version})
        return self._views[version]


def replay(source: Source, screen: Screen, at: int | None) -> None:
    """Step through a game; without a terminal, print all of it, or with `at` the table at that version."""
    place = 0 if at is None else max(0, bisect_right(source.versions, at) - 1)
    if not screen.live:
        _print(source, screen, None if at is None else place)
        return
    playing, note = False, source.warning
    while True:
        screen.show(_picture(source, place, note))
        entered = screen.wait(_PACE_S if playing else 60.0)
        note = ""
        if entered is None:
            place += playing
        elif entered.kind == "end" or entered.text in ("q", "escape"):
            return
        elif entered.text == "s":
            playing = not playing
        elif entered.text in _STEPS:
            playing, place = False, place + _STEPS[entered.text]
        else:
            note = _HOW
        place = max(0, min(place, len(source.versions) - 1))
        playing = playing and place < len(source.versions) - 1


def _picture(source: Source, place: int, note: str) -> Picture:
    version = source.versions[place]
    try:
        view = source.view(version)
    except Refused as refused:
        view, note = source.view(source.versions[0]), str(refused)
    names = names_of(view)
    told = [(event["v"], event_text(event, names)) for event in source.events if event["v"] <= version][-30:]
    where = f"step {place + 1} of {len(source.versions)}"
    return Picture(view, told, ahead=None, note=note, prompt=_HOW, where=where)


def _print(source: Source, screen: Screen, place: int | None) -> None:
    """All that happened and the table at the end, or the table at one place."""
    version = source.versions[-1 if place is None else place]
    view = source.view(version)
    names = names_of(view)
    told = [(event["v"], event_text(event, names)) for event in source.events if place is None]
    picture = Picture(view, told, ahead=None, note=source.warning, prompt="", where=f"v{version}")
    screen.show(picture)
    screen.table(picture)
