"""`captain audit`: where a log, keys and receipts come from, and how the verdict is told."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import urlsplit

import httpx
import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from domain.audit import MOST_BYTES, Finding, Unreadable, Verdict, audit
from domain.signing import BadKey, Public, SignedHead, decoded, public_of

SOUND, UNSOUND, UNREADABLE = 0, 1, 2
"""The exit codes."""

TROUBLE = (Unreadable, ValueError, OSError, httpx.HTTPError, httpx.InvalidURL)
"""What keeps an audit from being made: it is said in one line."""

TIMEOUT = httpx.Timeout(10.0, read=60.0)
_LONGEST_SHOWN = 60


def run(source: str, keys: Sequence[str], receipts: Sequence[Path], as_json: bool) -> int:
    """Audit a log and print what was found; return the exit code."""
    try:
        known, heads = held(source, keys, receipts)
        with lines_of(source) as lines:
            verdict = audit(lines, keys=known, receipts=heads)
    except TROUBLE as error:
        return failed(error, as_json)
    if as_json:
        sys.stdout.write(json.dumps({**verdict.as_json(), "receipts": len(heads)}, indent=1) + "\n")
    else:
        _print(verdict, len(heads), told_by=None if keys or not known else source)
    return UNSOUND if verdict.verdict == "unsound" else SOUND


def failed(error: Exception, as_json: bool) -> int:
    """Say why nothing can be audited; return the exit code."""
    reason = str(error) or type(error).__name__
    if as_json:
        sys.stdout.write(json.dumps({"verdict": "unreadable", "reason": reason}) + "\n")
    else:
        sys.stderr.write(f"captain: {reason}\n")
    return UNREADABLE


# --- where things come from ------------------------------------------------------------------------------------------


def is_address(text: str) -> bool:
    """Whether a source is an address, and not a file."""
    return text.startswith(("http://", "https://"))


@contextmanager
def lines_of(source: str) -> Iterator[Iterable[bytes]]:
    """The lines of the log in a file, at an address or on standard input, one after the other as they come."""
    with ExitStack() as stack:
        if source == "-":
            yield _of_file(sys.stdin.buffer)
        elif is_address(source):
            client = stack.enter_context(httpx.Client(timeout=TIMEOUT, follow_redirects=True))
            yield lines_of_answer(stack.enter_context(_answer(client, source)))
        else:
            yield _of_file(stack.enter_context(Path(source).open("rb")))


def _of_file(file: BinaryIO) -> Iterator[bytes]:
    # A line that is too long comes in pieces, each of which is no line of a log.
    while line := file.readline(MOST_BYTES + 1):
        yield line


def lines_of_answer(answer: httpx.Response) -> Iterator[bytes]:
    """The lines of an answer, with their ends, as they come."""
    rest = b""
    for chunk in answer.iter_bytes():
        *whole, rest = (rest + chunk).split(b"\n")
        yield from (line + b"\n" for line in whole)
        if len(rest) > MOST_BYTES:
            yield rest
            rest = b""
    if rest:
        yield rest


@contextmanager
def _answer(client: httpx.Client, address: str) -> Iterator[httpx.Response]:
    """The answer with the log: of a log's own address, or of a game's, with everything open if that may be."""
    wanted = [address]
    if urlsplit(address).path.rstrip("/").rpartition("/")[2] != "log":
        base = address.split("?", maxsplit=1)[0].rstrip("/")
        wanted = [f"{base}/log?as=all", f"{base}/log?as=spectator"]
    for number, url in enumerate(wanted, 1):
        with client.stream("GET", url) as answer:
            if answer.status_code == httpx.codes.CONFLICT and number < len(wanted):
                # The game is not over: what a spectator may know can be audited all the same.
                continue
            if not answer.is_success:
                raise Unreadable(f"{url} answers {answer.status_code} {answer.reason_phrase}.")
            yield answer
            return


def held(source: str, keys: Sequence[str], receipts: Sequence[Path]) -> tuple[list[Public], list[SignedHead]]:
    """What an audit of a source is held against: the keys that are trusted, and the heads of receipts."""
    heads = [head for path in receipts for head in _heads(path)]
    return [key for told in keys or _servers_own(source) for key in _keys(told)], heads


def _servers_own(source: str) -> list[str]:
    """Who gives the address of a log and no key takes the keys that the same server names."""
    return [source] if is_address(source) else []


def _keys(told: str) -> list[Public]:
    """Keys by what was given: a file, a server's address, or the public key itself in base64url."""
    if is_address(told):
        parts = urlsplit(told)
        answer = httpx.get(f"{parts.scheme}://{parts.netloc}/v1/server", timeout=TIMEOUT)
        found = answer.json() if answer.is_success else {}
    elif Path(told).exists():
        found = json_of(Path(told))
    else:
        return [Public(decoded(told))]
    if not isinstance(found, dict):
        raise BadKey(f"{told} holds no signing keys")
    entries = found.get("signing_keys") or found.get("keys") or [found]
    return [public_of(entry) for entry in entries]


def json_of(path: Path) -> Any:
    """The JSON value in a file; `Unreadable` if there is none."""
    try:
        return json.loads(path.read_bytes())
    except ValueError:
        raise Unreadable(f"{path} is not JSON.") from None


def _heads(path: Path) -> list[SignedHead]:
    """The signed heads in a file of receipts: one, a list, or one a line."""
    try:
        values = [json.loads(path.read_bytes())]
    except ValueError:
        try:
            values = [json.loads(line) for line in path.read_bytes().splitlines() if line.strip()]
        except ValueError:
            raise Unreadable(f"{path} is not JSON.") from None
    flat = [one for value in values for one in (value if isinstance(value, list) else [value])]
    try:
        return [msgspec.convert(one.get("signed", one), SignedHead) for one in flat]
    except (AttributeError, msgspec.ValidationError):
        raise Unreadable(f"{path} holds no receipts: each has `signed`, or is a signed head itself.") from None


# --- how it is told --------------------------------------------------------------------------------------------------


def _print(verdict: Verdict, receipts: int, told_by: str | None) -> None:
    out = Console(highlight=False)
    checked = verdict.checked
    eyes = " ".join(f"{name} {value}" if name == "seat" else name for name, value in verdict.observer.items())
    out.print(f"Game [bold]{escape(verdict.game)}[/], {escape(verdict.ruleset)}, {verdict.status}; read as: {eyes}")
    grid = Table.grid(padding=(0, 2))
    grid.add_row("records", f"{checked.records}, good to version {verdict.good}")
    grid.add_row("seals", f"{checked.seals} opened and checked, {checked.sealed} closed")
    grid.add_row("salts", f"{checked.salts} derived again from the server seed")
    grid.add_row("moves", f"{checked.moves} batches {_played(verdict)}")
    grid.add_row("signed", _signed(verdict, told_by))
    if receipts:
        grid.add_row("receipts", f"{receipts} compared")
    out.print(grid)
    if verdict.findings:
        out.print(findings_table(verdict.findings), soft_wrap=True)
    if verdict.more:
        out.print(f"... and {verdict.more} findings more")
    colour = {"sound": "green", "sound_unsigned": "yellow", "unsound": "red"}[verdict.verdict]
    out.print(f"[bold {colour}]{verdict.verdict.replace('_', ', ').upper()}[/]")


def _played(verdict: Verdict) -> str:
    if verdict.complete:
        return "run again by the rules"
    if verdict.findings:
        return "followed, not beyond what was found"
    return "folded; not run again, since not everything is open"


def _signed(verdict: Verdict, told_by: str | None) -> str:
    if verdict.key is None:
        return "by no key that was given: --key says whom you trust"
    return verdict.key + (" (named by the server itself)" if told_by else "")


def findings_table(findings: Iterable[Finding]) -> Table:
    """Findings as people read them."""
    table = Table("version", "rule", "field", "expected", "found")
    for finding in findings:
        version = "-" if finding.version is None else str(finding.version)
        shown = [_short(finding.expected), _short(finding.found)]
        table.add_row(version, finding.rule, *map(escape, [_short(finding.field), *shown]))
    return table


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "..."
