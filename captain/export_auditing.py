"""`captain audit --export`: every game of a bulk export, one after the other, each as `captain audit` does it."""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx
from rich.console import Console
from rich.markup import escape

from captain.auditing import (
    SOUND,
    TIMEOUT,
    TROUBLE,
    UNREADABLE,
    UNSOUND,
    failed,
    findings_table,
    held,
    is_address,
    lines_of,
    lines_of_answer,
)
from domain.audit import Auditor, Unreadable, Verdict
from domain.signing import Public, SignedHead

_HEADER, _END = b'{"format":', b'{"complete":true,"cursor":'
"""How the first line of a game begins, and the line that ends an export."""

_COLOURS = {"sound": "green", "sound_unsigned": "yellow", "unsound": "red", "unreadable": "red"}


class Told(NamedTuple):
    """What is said of one game: a verdict, or why its lines are no log that can be audited."""

    game: str
    name: str
    verdict: Verdict | None = None
    reason: str = ""

    def as_json(self) -> dict[str, Any]:
        """As one line of the output."""
        if self.verdict is not None:
            return self.verdict.as_json()
        return {"verdict": self.name, "game": self.game, "reason": self.reason}


def run(source: str, keys: Sequence[str], receipts: Sequence[Path], as_json: bool) -> int:
    """Audit each game of an export and print what was found as it comes; return the exit code."""
    counts: Counter[str] = Counter()
    out = Console(highlight=False)
    try:
        known, heads = held(source, keys, receipts)
        for told in audited(_exported(source), known, heads):
            counts[told.name] += 1
            _tell(told, out, as_json)
    except TROUBLE as error:
        return failed(error, as_json)
    _sum(counts, out, as_json)
    if counts["unsound"]:
        return UNSOUND
    return UNREADABLE if counts["unreadable"] else SOUND


def audited(lines: Iterable[bytes], keys: Sequence[Public], receipts: Iterable[SignedHead]) -> Iterator[Told]:
    """What is said of each game of an export; each is compared with the receipts of its own.

    `Unreadable` if this is no export, or does not end as one does.
    """
    held: dict[str, list[SignedHead]] = defaultdict(list)
    for head in receipts:
        held[head.game].append(head)
    one: _Game | None = None
    games, whole = 0, False
    for line in lines:
        begins, whole = line.startswith(_HEADER), line.startswith(_END)
        if one is not None and (begins or whole):
            yield one.told()
            one = None
        if begins:
            one = _Game(line, keys, held)
            games += 1
        elif whole:
            if games != (said := json.loads(line).get("games")):
                raise Unreadable(f"The export says that it has {said} games, and it has {games}.")
            games = 0
        elif one is None:
            raise Unreadable("This is no export: it does not begin with the header of a log.")
        else:
            one.feed(line)
    if one is not None:
        yield one.told()
    if not whole:
        raise Unreadable("The export was cut short: its last line is missing. Ask for it again.")


class _Game:
    """The lines of one game; what cannot be read is said of this game alone."""

    def __init__(self, header: bytes, keys: Sequence[Public], receipts: dict[str, list[SignedHead]]) -> None:
        self._game = _game_of(header)
        self._auditor = Auditor(keys=keys, receipts=receipts.get(self._game, ()))
        self._reason: str | None = None
        self.feed(header)

    def feed(self, line: bytes) -> None:
        """Take the next line."""
        if self._reason is None:
            try:
                self._auditor.feed(line)
            except Unreadable as unreadable:
                self._reason = str(unreadable)

    def told(self) -> Told:
        """What there is to say, once all lines were fed."""
        if self._reason is not None:
            return Told(self._game, "unreadable", reason=self._reason)
        verdict = self._auditor.verdict()
        return Told(verdict.game, verdict.verdict, verdict)


def _game_of(header: bytes) -> str:
    try:
        found = json.loads(header)
    except ValueError:
        return ""
    return str(found.get("game", ""))


def _exported(source: str) -> Iterator[bytes]:
    """The lines of an export: of a file, of standard input, or page after page from a server."""
    if not is_address(source):
        with lines_of(source) as lines:
            yield from lines
        return
    url: httpx.URL | None = _address(source)
    with httpx.Client(timeout=TIMEOUT, follow_redirects=True) as client:
        while url is not None:
            last = b""
            with client.stream("GET", url) as answer:
                if not answer.is_success:
                    raise Unreadable(f"{url} answers {answer.status_code} {answer.reason_phrase}.")
                for last in lines_of_answer(answer):
                    yield last
            further = json.loads(last).get("next") if last.startswith(_END) else None
            url = url.copy_set_param("after", further) if further else None


def _address(source: str) -> httpx.URL:
    """The address of an export, also if only that of its server is given."""
    url = httpx.URL(source)
    return url if urlsplit(source).path.strip("/") else url.copy_with(path="/v1/exports/games")


def _tell(told: Told, out: Console, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(json.dumps(told.as_json()) + "\n")
        return
    mark = f"[{_COLOURS[told.name]}]{told.name.replace('_', ', '):15}[/]"
    if told.verdict is None:
        out.print(f"{mark} {escape(told.game)} {escape(told.reason)}", soft_wrap=True)
        return
    verdict = told.verdict
    out.print(f"{mark} {escape(verdict.game)} {escape(verdict.ruleset)}, {verdict.checked.records} records")
    if verdict.findings:
        out.print(findings_table(verdict.findings), soft_wrap=True)


def _sum(counts: Counter[str], out: Console, as_json: bool) -> None:
    found = {name: counts[name] for name in _COLOURS}
    if as_json:
        sys.stdout.write(json.dumps({"games": counts.total(), **found}) + "\n")
    else:
        told = ", ".join(f"{count} {name.replace('_', ' but ')}" for name, count in found.items() if count)
        games = "1 game" if counts.total() == 1 else f"{counts.total()} games"
        out.print(f"[bold]{games}[/]{': ' + told if told else ''}")
