"""The commands against the real system: whole games of every ruleset, scripts, rejoining, watching, a real screen."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.request import urlopen

import pytest
from click.testing import CliRunner, Result

from captain.cli import main
from domain.registry import REGISTRY
from tests.captain.terminal.conftest import Run, command
from tests.e2e.client import Client
from tests.e2e.instance import Instance
from tests.waiting import until

pytestmark = pytest.mark.slow

KEYS = sorted(rules.info.key for rules in REGISTRY)
BACK = re.compile(r"--game (\w+) --server")


def whole(lines: str) -> None:
    """Every event from 1 to the last stands there once, in order, and then the result."""
    versions = [int(line[:4]) for line in lines.splitlines() if re.match(r" *\d+  ", line[:6])]
    assert versions == list(range(1, len(versions) + 1))
    assert "game ended - " in lines
    assert "The game is finished: " in lines


@pytest.mark.parametrize("key", KEYS)
def test_a_whole_game_of_every_ruleset_is_played_by_forms_alone(captain: Instance, run: Run, key: str) -> None:
    done = run("play", key, "--auto", "--seed", "1")
    assert (done.returncode, done.stderr) == (0, "")
    whole(done.stdout)


def token_of(env: dict[str, str], name: str, address: str) -> str:
    accounts = json.loads((Path(env["XDG_CONFIG_HOME"]) / "captain" / "accounts.json").read_text())
    token: str = accounts[address][name]
    return token


def test_a_script_plays_leaves_comes_back_and_resigns(captain: Instance, run: Run, env: dict[str, str]) -> None:
    first = run("play", KEYS[0], "--bots", "standard", "--name", "Ann", typed='{"type":"x"}\nnonsense\n')
    assert first.returncode == 0
    assert "* " in first.stdout, "what is wrong with the lines is said"
    found = BACK.search(first.stdout)
    assert found
    game = found[1]
    again = run("play", "--game", game, "--name", "Ann", typed="/resign\nno\n/help\n/resign\nyes\n")
    assert again.returncode == 0
    assert "The game is finished: " in again.stdout
    assert ", resigned" in again.stdout
    client = Client(captain.address, token_of(env, "Ann", captain.address))
    assert client.view(game)["result"]["resigned"] == [0]
    client.close()


def test_two_people_play_and_a_third_watches_to_the_end(captain: Instance, run: Run, env: dict[str, str]) -> None:
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str, **more: str) -> subprocess.Popen[str]:
        made = subprocess.Popen(
            command(*arguments),
            env={**env, **more}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        started.append(made)
        return made

    try:
        ann = start("play", KEYS[0], "--seats", "2", "--name", "Ann", "--auto")
        client = until(lambda: _signed_in(env, captain, "Ann"))
        game = until(lambda: next((one["id"] for one in client.get("/games?seat=me")["items"]), ""))
        eve = start("watch", game, XDG_CONFIG_HOME=f"{env['XDG_CONFIG_HOME']}-of-eve")
        bob = start("play", "--game", game, "--name", "Bob", "--auto")
        said = [process.communicate(timeout=240)[0] for process in (ann, bob, eve)]
        client.close()
    finally:
        for process in started:
            process.kill()
    assert [process.returncode for process in started] == [0, 0, 0]
    whole(said[0])
    for lines in said[1:]:
        assert lines.splitlines()[-3:] == said[0].splitlines()[-3:], "the same result"
    assert "cards" in said[0]
    assert ", cards" not in said[2], "a spectator is shown no hand"


def _signed_in(env: dict[str, str], captain: Instance, name: str) -> Client | None:
    try:
        return Client(captain.address, token_of(env, name, captain.address))
    except (FileNotFoundError, KeyError, ValueError):
        return None


def test_what_cannot_be_is_one_clear_line(captain: Instance, env: dict[str, str]) -> None:
    def run(*arguments: str) -> Result:
        return CliRunner().invoke(main, arguments, env=env)

    for arguments, told in (
        (("play", "castles"), "There is no such ruleset"),
        (("play", KEYS[0], "--option", "decks"), "Write options as name=value, not decks."),
        (("play", KEYS[0], "--option", "no_such=1"), "The options are not those of the ruleset"),
        (("play", KEYS[0], "--bots", "clever"), "There is no such bot"),
        (("watch", "01ARZ3NDEKTSV4RRFFQ69G5FAV"), "There is no such game for you"),
        (("play", KEYS[0], "--server", "nonsense"), "nonsense"),
    ):
        done = run(*arguments)
        assert (done.exit_code, done.stdout) == (1, ""), arguments
        (line,) = done.stderr.splitlines()
        assert line.startswith("captain: ")
        assert told in line
    assert KEYS[0] in run("play").stdout


class Terminal:
    """A pseudo terminal with the command on it; what it wrote is kept."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.before = termios.tcgetattr(fd)
        self.wrote = ""

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def shows(self, pattern: str) -> bool:
        """Whether the last frame that was drawn shows something."""
        if select.select([self.fd], [], [], 0.05)[0]:
            with suppress(OSError):
                self.wrote += os.read(self.fd, 65536).decode(errors="replace")
        frame = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.wrote.rpartition("\x1b[H")[2])
        return re.search(pattern, frame) is not None


@contextmanager
def terminal(env: dict[str, str], *arguments: str) -> Iterator[tuple[Terminal, subprocess.Popen[bytes]]]:
    ours, theirs = pty.openpty()
    screen = Terminal(ours)
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    with subprocess.Popen(
        # A new session takes the first terminal that it opens as its own: only then is Ctrl-C an interrupt to it.
        ["sh", "-c", 'exec "$@" <"$0" >"$0" 2>&1', os.ttyname(theirs), *command(*arguments)],
        env={**env, "TERM": "xterm"}, start_new_session=True,
    ) as process:  # fmt: skip
        until(lambda: select.select([ours], [], [], 0.05)[0], 60)
        os.close(theirs)
        try:
            yield screen, process
        finally:
            process.kill()
            os.close(ours)


def test_a_real_terminal_shows_the_table_and_takes_keys(captain: Instance, env: dict[str, str]) -> None:
    with terminal(env, "play", KEYS[0], "--name", "Ann") as (screen, process):
        until(lambda: screen.shows(r"0 Ann +you"), 60)
        screen.type("/hepl\x7f\x7flp")
        until(lambda: screen.shows(r"> /help$"))
        screen.type("\r")
        until(lambda: screen.shows(r"/back takes the last answer back"))
        screen.type("/resign\r")
        until(lambda: screen.shows(r"Resign\? Type yes > "))
        screen.type("yes\r")
        until(lambda: screen.shows(r"The game is finished: (?s:.*)Enter leaves"))
        screen.type("\r")
        assert process.wait(30) == 0
        assert screen.shows(r"Ann \(seat 0\): .*resigned") or screen.shows("resigned")
        assert "\x1b[?1049l" in screen.wrote, "the screen from before is back"


def test_ctrl_c_leaves_the_terminal_as_it_was(captain: Instance, env: dict[str, str]) -> None:
    with terminal(env, "play", KEYS[0], "--name", "Ann") as (screen, process):
        until(lambda: screen.shows(r"0 Ann +you"), 60)
        assert termios.tcgetattr(screen.fd) != screen.before, "single keys"
        screen.type("\x03")
        deadline = time.monotonic() + 30
        while process.poll() is None and time.monotonic() < deadline:
            screen.shows("")
        assert process.returncode == 130
        screen.shows("")
        assert "\x1b[?1049l" in screen.wrote
        assert termios.tcgetattr(screen.fd) == screen.before


def test_a_served_game_is_replayed_as_its_log_is(captain: Instance, run: Run, tmp_path: Path) -> None:
    """The server folds the one, the command the other; a log holds no names, so the player is called as there."""
    key, name = KEYS[0], "player 0"
    assert run("play", key, "--auto", "--seed", "2", "--name", name).returncode == 0
    with captain.client("Reader") as reader:
        listed = until(lambda: reader.get("/games", params={"status": "finished", "ruleset": key})["items"])
    game = next(
        item["id"] for item in listed if any((seat["player"] or {}).get("name") == name for seat in item["seats"])
    )
    with urlopen(f"{captain.address}/v1/games/{game}/log?as=all") as answer:
        (tmp_path / "game.ndjson").write_bytes(answer.read())
    served = run("replay", game, "--as", "all")
    filed = run("replay", str(tmp_path / "game.ndjson"), "--as", "all")
    assert (served.returncode, filed.returncode) == (0, 0), served.stderr + filed.stderr
    assert filed.stdout.split() == served.stdout.split()
