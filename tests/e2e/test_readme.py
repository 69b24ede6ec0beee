"""The README is true: its walk-through runs as it stands, in a plain shell with curl and python3."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.e2e.instance import ROOT, Instance

README = Path(ROOT, "README.md")
ADDRESS = "http://127.0.0.1:8000"
PATIENCE_S = 120


def blocks() -> list[str]:
    """The shell blocks of the walk-through, in order."""
    section = README.read_text().partition("## Play a game with curl\n")[2].partition("\n## ")[0]
    return re.findall(r"^```sh\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)


def told(captain: Instance, folder: Path) -> list[str]:
    """What each block prints, all of them run in one shell that a failing command ends."""
    assert ADDRESS in blocks()[0]
    script = "".join(f"echo '--- {number}'\n{block}" for number, block in enumerate(blocks()))
    done = subprocess.run(
        ["sh", "-eu", "-c", script.replace(ADDRESS, captain.address)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout[-2000:]
    return re.split(r"^--- \d+\n", done.stdout, flags=re.MULTILINE)[1:]


@pytest.mark.slow
def test_the_walk_through_runs_as_written(captain: Instance, tmp_path: Path) -> None:
    who, table, turn, legal, played, end, late, back = told(captain, tmp_path)
    assert '"name": "Anne"' in who
    assert table.count('"controller": "bot"') == 3
    assert re.search(r'"seat": 0, "count": \d+, "cards": \[', table)
    assert re.search(r'"seat": 3, "count": \d+, "known": \[\]', table)
    assert " game_started seat None by " in turn
    assert '"decision": {' in legal
    assert re.search(r'"type": "(cards_claimed|passed)", "seat": 0, "by": "player"', played)
    assert re.search(r'"reason": "(turn_limit|emptied)"', end)
    assert " game_ended " in end
    assert end.splitlines()[-1].count('"cards": [') == 4, "all hands are open"
    assert " seat 0 by clock" in late
    assert '"reason": "returned"' in back
    assert '"reason": "resigned"' in back.splitlines()[-1]


def test_every_shell_block_is_part_of_the_walk_through() -> None:
    """None stands elsewhere in the README, where no test would run it."""
    assert len(re.findall(r"^```sh$", README.read_text(), re.MULTILINE)) == len(blocks())
