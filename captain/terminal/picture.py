"""What is to be seen at one moment, and its parts as things that `rich` can print."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.text import Text

from captain.terminal.panels import table_panel
from captain.terminal.words import names_of, result_lines, words

Json = dict[str, Any]

OVER = ("finished", "aborted", "faulted")


@dataclass(frozen=True)
class Picture:
    """A view with the words of its newest events, and what the player is asked.

    `ahead` is by how many seconds the server's clock is ahead of ours; None stops the clock, in a replay. `asks` says
    that an answer is due: not only that one may be given. `absent` are the seats whose players are not connected.
    """

    view: Json
    events: Sequence[tuple[int, str]] = ()
    ahead: float | None = 0.0
    note: str = ""
    menu: Sequence[str] = ()
    in_rows: bool = True
    prompt: str = ""
    asks: bool = False
    where: str = ""
    absent: frozenset[int] = frozenset()

    def header(self) -> Text:
        """One line: which game, who looks, who is asked and how long yet."""
        view = self.view
        line = Text(no_wrap=True, overflow="ellipsis", style="reverse")
        line.append(f" {words(view['ruleset'])}", "bold")
        line.append(f"  {view['id']}  v{view['version']}  {self.where or _eyes(view)}")
        line.append(f"  {self.clock()} ", "bold")
        return line

    def clock(self) -> str:
        """Who is asked, and the seconds that are left."""
        view, names = self.view, names_of(self.view)
        if not view["asked"]:
            return "" if view["status"] == "playing" else str(view["status"])
        who = ", ".join(names[one["seat"]] for one in view["asked"])
        kind = words(view["asked"][0]["kind"])
        if self.ahead is None:
            return f"{kind}: {who}"
        first = min(datetime.fromisoformat(one["deadline"]).timestamp() for one in view["asked"])
        left = max(0, round(first - time.time() - self.ahead))
        return f"{kind}: {who}  {_duration(left)}"

    def table(self) -> RenderableType:
        """Seats and table."""
        return table_panel(self.view, names_of(self.view), self.absent)

    def choices(self) -> RenderableType | None:
        """The menu: a line each, or side by side; the result where there is nothing to choose any more."""
        if not self.menu:
            over = self.view["status"] in OVER
            return Text("\n".join(result_lines(self.view)), "bold") if over else None
        if self.in_rows:
            return Group(*(Text(line) for line in self.menu))
        return Columns([Text(line) for line in self.menu], padding=(0, 2))


def _eyes(view: Json) -> str:
    observer = view["observer"]
    if "seat" in observer:
        return f"seat {observer['seat']}"
    return "everything open" if observer.get("all") else "spectator"


def _duration(seconds: int) -> str:
    if seconds < 100:
        return f"{seconds} s"
    if seconds < 6000:
        return f"{seconds // 60} min {seconds % 60:02} s"
    return f"{seconds // 3600} h"
