"""The bot in the documents, run as it stands there: it plays every ruleset, and does not mind being killed."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from captain.child import launch
from domain.registry import REGISTRY
from tests.e2e.client import OVER, Client
from tests.e2e.instance import ROOT, Instance
from tests.waiting import until

DOCUMENT = Path(ROOT, "docs", "bots.md").read_text("utf-8")
(SOURCE,) = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
KEYS = [rules.info.key for rules in REGISTRY]
GAME_S = 150


class Bot:
    """A process that runs the documented program; it can be killed and started again."""

    def __init__(self, instance: Instance, folder: Path, name: str) -> None:
        self._said = folder / f"{name}.said"
        (folder / f"{name}.py").write_text(SOURCE)
        self.file = folder / f"{name}.json"
        self._command = [sys.executable, str(folder / f"{name}.py"), f"{instance.address}/v1", str(self.file)]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self._said.open("ab") as said:
            self._process = launch(self._command, output=said)

    def kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait(10)

    def check(self) -> None:
        """It runs, and nothing went wrong in it so far."""
        assert self._process
        assert self._process.poll() is None, self._said.read_text()
        assert self._said.read_text() == ""


@contextmanager
def bots(instance: Instance, folder: Path, count: int) -> Iterator[list[Bot]]:
    made = [Bot(instance, folder, f"bot{number}") for number in range(count)]
    try:
        for bot in made:
            bot.start()
        yield made
    finally:
        for bot in made:
            bot.kill()


def table(host: Client, key: str, seats: int) -> str:
    """A game for so many bots of others, the rest of its seats taken by the server's own."""
    info = REGISTRY.newest(key).info
    guard = {"max_turns": 40} if "max_turns" in info.options.__struct_fields__ else {}
    fewest = max(info.seats[0], seats)
    wanted = {"seats": fewest, "host_seat": "none", "bots": ["novice"] * (fewest - seats), "options": guard}
    return host.create(ruleset=key, auto_start=True, **wanted)


def test_it_is_short() -> None:
    assert len([line for line in SOURCE.splitlines() if line.strip()]) <= 60


@pytest.mark.slow
def test_it_plays_all_rulesets_at_once_and_survives_being_killed(private: Instance, tmp_path: Path) -> None:
    with private.client("Host") as host, bots(private, tmp_path, 2) as running:
        games = {key: table(host, key, 2) for key in KEYS}
        until(lambda: all(host.view(game)["status"] != "lobby" for game in games.values()), 60)
        kills = 0
        deadline = time.monotonic() + GAME_S
        while any(host.view(game)["status"] not in OVER for game in games.values()):
            assert time.monotonic() < deadline, {key: host.view(game)["version"] for key, game in games.items()}
            for bot in running:
                bot.check()
            if kills < 6:
                time.sleep(0.7)
                running[kills % 2].kill()
                running[kills % 2].start()
                kills += 1
            time.sleep(0.3)
        assert kills > 1
        for key, game in games.items():
            view, log = host.view(game), host.log(game)
            assert view["status"] == "finished", key
            seated = [seat["player"] for seat in view["seats"] if seat["player"]]
            assert len(seated) == 2
            assert all(player["bot"] and player["name"] == "Polly" for player in seated)
            assert {event["by"] for event in log} <= {"player", "bot", "rules"}, "no clock ran out"
            assert host.get(f"/games/{game}/audit")["verdict"] == "sound"


@pytest.mark.slow
def test_it_takes_no_more_tables_than_it_should_and_one_account(private: Instance, tmp_path: Path) -> None:
    with private.client("Host") as host, bots(private, tmp_path, 1) as (bot,):
        lobbies = [host.create(seats=3, host_seat="none") for _ in range(6)]

        def taken() -> int:
            return sum(any(seat["player"] for seat in host.view(game)["seats"]) for game in lobbies)

        until(lambda: taken() == 4)
        account = bot.file.read_text()
        bot.kill()
        bot.start()
        time.sleep(3)
        bot.check()
        assert taken() == 4
        assert bot.file.read_text() == account
