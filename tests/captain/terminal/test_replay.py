"""Log files replayed without a server: with any seat's eyes, and never trusted blindly."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from captain.terminal.folding import BadLog, Recorded
from captain.terminal.keyboard import Bell, Entered
from captain.terminal.picture import Picture
from captain.terminal.replay import Source, replay
from captain.terminal.words import result_lines
from domain.registry import REGISTRY
from tests.captain.terminal.conftest import Run
from tests.golden.record import FOLDER

LOGS = [min(FOLDER.glob(f"{rules.info.key}-v{rules.info.rules_version}-*.ndjson")) for rules in REGISTRY]
every_game = pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
Changed = Callable[[Callable[[list[Any]], list[Any]]], Path]


class Scripted:
    """A terminal whose player presses these keys; what was shown is kept."""

    live = True

    def __init__(self, *keys: str | None) -> None:
        self.bell = Bell()
        self.shown: list[Picture] = []
        self._keys = [*keys, "q"]

    def __enter__(self) -> Scripted:
        return self

    def __exit__(self, *_: object) -> None: ...

    def show(self, picture: Picture) -> None:
        self.shown.append(picture)

    def wait(self, seconds: float) -> Entered | None:
        key = self._keys.pop(0)
        return None if key is None else Entered("key", key)

    def forget(self) -> None: ...

    def table(self, picture: Picture) -> None: ...

    def last(self, lines: object) -> None: ...


def stepped(source: Source, *keys: str | None, at: int | None = None) -> list[int]:
    """The steps that were seen, counted from 0."""
    screen = Scripted(*keys)
    replay(source, screen, at)
    return [source.versions.index(picture.view["version"]) for picture in screen.shown]


@every_game
def test_a_log_is_seen_at_every_batch_end_with_the_eyes_of_each_seat(log: Path) -> None:
    everything = Recorded(log, None)
    seats = len(everything.view(everything.versions[0])["seats"])
    for eyes in (*map(str, range(seats)), "spectator", "all"):
        recorded = Recorded(log, eyes)
        for version in recorded.versions:
            view = recorded.view(version)
            assert json.loads(json.dumps(view)) == view
            if view["table"] is not None:
                Picture(view, ahead=None).table()
        assert view["status"] == "finished"
        assert result_lines(view)[1:] == result_lines(everything.view(version))[1:]


@every_game
def test_what_is_sealed_to_others_is_not_shown_to_a_seat(log: Path) -> None:
    seals = {v: json.loads(line)["record"]["seals"] for v, line in enumerate(log.read_text().splitlines(), 1)}
    opened = [(event["v"], name) for event in Recorded(log, "0").events for name in event["opened"]]
    assert opened == [(v, name) for v in seals for name in sorted(seals[v]) if 0 in seals[v][name]["to"]]
    assert not any(event["opened"] for event in Recorded(log, "spectator").events)


def test_keys_step_through_a_game() -> None:
    source = Recorded(LOGS[0], None)
    last = len(source.versions) - 1
    assert stepped(source, "n", "right", " ", "p", "left") == [0, 1, 2, 3, 2, 1]
    assert stepped(source, "l", "n", "p", "f", "p") == [0, last, last, last - 1, 0, 0]
    assert stepped(source, "page down", "page up") == [0, 10, 0]
    assert stepped(source, at=source.versions[4]) == [4]
    assert stepped(source, at=10**6) == [last]


def test_it_plays_by_itself_until_it_is_stopped_or_over() -> None:
    source = Recorded(LOGS[0], None)
    last = len(source.versions) - 1
    assert stepped(source, "s", None, None, "s", None) == [0, 0, 1, 2, 2, 2]
    assert stepped(source, "l", "p", "s", None, None) == [0, last, last - 1, last - 1, last, last]


def test_a_key_without_a_meaning_brings_the_list_of_keys() -> None:
    screen = Scripted("x")
    replay(Recorded(LOGS[0], None), screen, None)
    assert "n next" in screen.shown[-1].note


@pytest.fixture
def changed(tmp_path: Path) -> Changed:
    """A copy of a log, its lines changed."""

    def write(change: Callable[[list[Any]], list[Any]]) -> Path:
        lines = change([json.loads(line) for line in LOGS[0].read_text().splitlines()])
        path = tmp_path / "log.ndjson"
        path.write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))
        return path

    return write


HEADER = {"format": 1, "game": "01ARZ3NDEKTSV4RRFFQ69G5FAV"}


def test_a_log_with_header_and_trailer_is_whole(changed: Changed) -> None:
    recorded = Recorded(changed(lambda lines: [HEADER, *lines, {"count": len(lines), "complete": True}]), None)
    assert recorded.warning == ""
    assert recorded.view(recorded.versions[0])["id"] == HEADER["game"]


def test_a_log_that_was_cut_short_is_shown_with_a_warning(changed: Changed) -> None:
    cut = Recorded(changed(lambda lines: [HEADER, *lines[:40], '{"record":{"at"']), None)
    assert "no trailer" in cut.warning
    assert cut.versions[-1] <= 40
    assert "counts 3 records" in Recorded(changed(lambda lines: [HEADER, *lines, {"count": 3}]), None).warning


def test_a_record_that_was_changed_or_left_out_is_noticed(changed: Changed) -> None:
    def raise_the_count(lines: list[Any]) -> list[Any]:
        lines[5]["record"]["data"]["count"] = 99
        return lines

    for change in (raise_the_count, lambda lines: [*lines[:5], *lines[6:]]):
        with pytest.raises(BadLog, match="The chain breaks at version 7"):
            Recorded(changed(change), None)
    with pytest.raises(BadLog, match="hash in the trailer"):
        Recorded(changed(lambda lines: [HEADER, *lines, {"count": len(lines), "head": "0" * 64}]), None)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda lines: [], "not the log of a game"),
        (lambda lines: lines[1:], "not the log of a game"),
        (lambda lines: ["nonsense\n", *lines], "line 1 is not JSON"),
        (lambda lines: ["[]\n", *lines], "line 1 is not an object"),
    ],
)
def test_what_is_no_log_is_said(changed: Changed, change: Any, told: str) -> None:
    with pytest.raises(BadLog, match=told):
        Recorded(changed(change), None)


def test_there_are_no_eyes_that_do_not_sit_at_the_table() -> None:
    for eyes in ("99", "nobody", "-1"):
        with pytest.raises(BadLog, match=f"There is no {eyes} at this table"):
            Recorded(LOGS[0], eyes)


@pytest.mark.slow
def test_the_command_prints_a_file_where_there_is_no_terminal(run: Run) -> None:
    done = run("replay", str(LOGS[0]))
    assert (done.returncode, done.stderr) == (0, "")
    assert "   1  game created\n" in done.stdout
    assert "The game is finished: " in done.stdout
    early = run("replay", str(LOGS[0]), "--as", "1", "--at", "20")
    assert early.stdout.startswith("bluff king  ")
    assert "The game is finished" not in early.stdout
    missing = run("replay", "nowhere.ndjson")
    assert (missing.returncode, len(missing.stderr.splitlines())) == (1, 1)
