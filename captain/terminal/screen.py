"""Two ways to show a picture and to hear the player: a whole screen, or plain lines for pipes and scripts."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Protocol, Self, TextIO

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.text import Text

from captain.terminal.keyboard import Bell, Editor, Entered, Keys, Lines, ready, single_keys
from captain.terminal.picture import Picture

_ENTER, _LEAVE = "\x1b[?1049h", "\x1b[?1049l"
_WIDE = 200
_LEAST_EVENTS, _MOST_EVENTS = 3, 10


class Screen(Protocol):
    """Where a game is shown."""

    bell: Bell
    live: bool
    """Whether it is drawn anew every second."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...
    def show(self, picture: Picture) -> None:
        """Show a picture in place of the last one."""
        ...

    def wait(self, seconds: float) -> Entered | None:
        """Wait for the player, for the bell, or so long."""
        ...

    def forget(self) -> None:
        """Drop what is half typed: its question is gone."""
        ...

    def table(self, picture: Picture) -> None:
        """Show a table although nothing is asked."""
        ...

    def last(self, lines: Sequence[str]) -> None:
        """Say something that stays to be read when the game is left."""
        ...


def screen(*, reading: bool = True, keys: bool = False) -> Screen:
    """The screen that fits: whole on a terminal, else plain; `keys` is for commands of one key each."""
    if (
        sys.stdout.isatty()
        and (sys.stdin.isatty() or not (reading or keys))
        and os.environ.get("TERM", "dumb") != "dumb"
    ):
        return FullScreen(sys.stdout, sys.stdin.fileno() if sys.stdin.isatty() else None, keys=keys)
    return PlainScreen(sys.stdout, sys.stdin.fileno() if reading else None)


class PlainScreen:
    """Events as lines as they come; when something is asked, the table, the choices and a line that starts with `?`."""

    live = False

    def __init__(self, out: TextIO, fd: int | None) -> None:
        self.bell = Bell()
        self._out = out
        self._lines = Lines(fd) if fd is not None else None
        self._waiting: list[Entered] = []
        self._seen = 0
        self._open = False
        self._table = 0
        self._asked: object = None
        self._note = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._out.flush()

    def show(self, picture: Picture) -> None:
        """Print what is new."""
        for v, line in picture.events:
            if v > self._seen:
                self._print(Text(f"{v:>4}  {line}"))
                self._seen = v
        if picture.note and picture.note != self._note:
            self._print(Text(f"* {picture.note}"))
        self._note, self._open = picture.note, picture.asks
        asked = (picture.view["version"] if picture.menu else 0, tuple(picture.menu), picture.prompt)
        if picture.prompt and asked != self._asked:
            if picture.asks and picture.view["version"] != self._table:
                self._print(picture.table())
                self._table = picture.view["version"]
            self._print(picture.choices())
            self._print(Text(f"? {picture.prompt}"))
        self._asked = asked
        self._out.flush()

    def wait(self, seconds: float) -> Entered | None:
        """Wait for a line; one that comes before anything is asked stays for the next question, if it is no command."""
        if self._waiting and self._due():
            return self._waiting.pop(0)
        if self._lines is None or self._lines.ended or self._waiting:
            ready(self.bell, None, seconds)
        elif ready(self.bell, self._lines.fd, seconds):
            self._waiting += self._lines.read()
        return self._waiting.pop(0) if self._waiting and self._due() else None

    def _due(self) -> bool:
        first = self._waiting[0]
        return self._open or first.kind == "end" or first.text.startswith("/")

    def forget(self) -> None:
        """Nothing is half typed here."""

    def table(self, picture: Picture) -> None:
        """Print the table under its header."""
        self._print(Text(picture.header().plain.strip()))
        self._print(picture.table())
        self._print(picture.choices())
        self._out.flush()

    def last(self, lines: Sequence[str]) -> None:
        """Print them."""
        for line in lines:
            self._print(Text(line))
        self._out.flush()

    def _print(self, what: RenderableType | None) -> None:
        if what is not None:
            self._out.writelines(f"{line}\n" for line in _lines(what, _WIDE, plain=True))


class FullScreen:
    """The whole terminal: a line on top with the clock, the table, the newest events, choices, and a line to type in.

    A table that is too high for the terminal is moved by the arrow keys.
    """

    live = True

    def __init__(self, out: TextIO, fd: int | None, *, keys: bool = False) -> None:
        self.bell = Bell()
        self._out = out
        self._keys = Keys(fd) if fd is not None else None
        self._plain_keys = keys
        self._pressed: list[str] = []
        self._editor = Editor()
        self._top = 0
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        if self._keys is not None:
            self._stack.enter_context(single_keys(self._keys.fd))
        self._out.write(_ENTER)
        self._stack.callback(self._leave)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _leave(self) -> None:
        self._out.write(_LEAVE)
        self._out.flush()

    def show(self, picture: Picture) -> None:
        """Draw it over the last one."""
        width, height = os.get_terminal_size(self._out.fileno())
        lines = self._frame(picture, width, height)
        drawn = "\r\n".join(f"{line}\x1b[K" for line in lines)
        self._out.write(f"\x1b[?25l\x1b[H{drawn}\x1b[J\x1b[?25h")
        self._out.flush()

    def _frame(self, picture: Picture, width: int, height: int) -> list[str]:
        """The lines of a picture: what is asked stands whole, the events shrink first, then the table scrolls."""
        choices = picture.choices()
        below = ["", *_lines(choices, width)] if choices else []
        note = _lines(Text(picture.note, "bold red"), width) if picture.note else []
        asked = [*below, *note, "", self._typed(picture, width)][-(height - 2) :]
        table = _lines(picture.table(), width)
        room = height - 2 - len(asked)
        events = [line for _, line in picture.events][-max(_LEAST_EVENTS, min(_MOST_EVENTS, room - len(table) - 1)) :]
        told = _lines(Text("\n".join(events), "dim", no_wrap=True, overflow="ellipsis"), width)
        told = ["", *told[-max(0, room - 1) :]] if events and room > 1 else []
        space = max(0, room - len(told))
        seen = table[:space] if len(table) <= space else self._part(table, space)
        return [_lines(picture.header(), width)[0], "", *seen, *told, *asked][:height]

    def _part(self, table: list[str], space: int) -> list[str]:
        """So many lines of a table that is too high, the last of them to say which."""
        shown = max(0, space - 1)
        self._top = max(0, min(self._top, len(table) - shown))
        said = f"... {self._top + 1} to {self._top + shown} of {len(table)} lines; arrows up and down move"
        return [*table[self._top : self._top + shown], said][:space]

    def _typed(self, picture: Picture, width: int) -> str:
        """The line to type in; of a long one its end."""
        start = f"{picture.prompt} > " if picture.prompt else ""
        text = self._editor.text
        while text and cell_len(start + text) >= width:
            start, text = start[1:], text if start else text[1:]
        return f"\x1b[1m{start}\x1b[0m{text}"

    def wait(self, seconds: float) -> Entered | None:
        """Wait for a line or a key."""
        if not self._pressed and self._keys and ready(self.bell, self._keys.fd, seconds):
            self._pressed = self._keys.read()
        elif self._keys is None:
            ready(self.bell, None, seconds)
        while self._pressed:
            key = self._pressed.pop(0)
            if key in ("up", "down"):
                self._top += 3 if key == "down" else -3
                continue
            if self._plain_keys:
                return Entered("end") if key == "eof" else Entered("key", key)
            entered = self._editor.press(key)
            if entered is not None:
                return entered
        return None

    def forget(self) -> None:
        """Empty the line, also of what was pressed and not looked at yet."""
        self._editor.text = ""
        self._pressed = []

    def table(self, picture: Picture) -> None:
        """It stands on the screen anyway."""

    def last(self, lines: Sequence[str]) -> None:
        """Leave the whole screen and print them where they stay."""
        self._stack.close()
        self._out.write("".join(f"{line}\n" for line in lines))
        self._out.flush()


def _lines(what: RenderableType, width: int, *, plain: bool = False) -> list[str]:
    """Something as the lines that a terminal of that width shows; `plain` ones are text alone."""
    console = Console(file=io.StringIO(), width=width, force_terminal=not plain, highlight=False, emoji=False)
    with console.capture() as captured:
        # In a group: a bare text would be joined to a new one, which forgets that it must not wrap.
        console.print(Group(what))
    return [line.rstrip() if plain else line for line in captured.get().rstrip("\n").split("\n")]
