"""The recipe for a new game is true: the game on the page is built from the page, and held to the laws."""

import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import domain
from domain import canonical
from domain.laws import check_games
from domain.registry import Registry
from tests.golden.record import record_bots

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```\w+\n(?:# |<!-- )([\w./]+\.\w+)(?: -->)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
KEY = "pearl_market"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of the page, as one would write them into the project."""
    folder = tmp_path_factory.mktemp("recipe")
    for name, text in BLOCK.findall(PAGE):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        assert not path.exists(), f"{name} is on the page twice"
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def registry(built: Path) -> Iterator[Registry]:
    """The game of the page, and nothing else."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(domain, "__path__", [*domain.__path__, str(built / "domain")])
        yield Registry([importlib.import_module(f"domain.{KEY}").PEARL_MARKET])
    for name in [name for name in sys.modules if name.startswith(f"domain.{KEY}")]:
        del sys.modules[name]
    delattr(domain, KEY)


def test_the_recipe_has_at_most_twelve_steps_in_order() -> None:
    steps = [int(number) for number in re.findall(r"^## (\d+)\. ", PAGE, re.MULTILINE)]
    assert steps == list(range(1, len(steps) + 1))
    assert 1 < len(steps) <= 12


def test_the_page_has_the_whole_package_and_its_rules(built: Path) -> None:
    found = {path.relative_to(built).as_posix() for path in built.rglob("*") if path.is_file()}
    modules = ("__init__", "moves", "events", "state", "rules", "worlds", "view", "bots")
    assert found == {f"domain/{KEY}/{module}.py" for module in modules} | {f"docs/rules/{KEY}.md"}


def test_the_game_of_the_page_holds_the_laws(registry: Registry) -> None:
    report = check_games(registry, KEY, games=12, seed="recipe")
    assert report.games == 12
    assert report.largest_forms < 16 * 1024


@pytest.mark.parametrize("number", range(4))
def test_its_bots_play_to_the_end(registry: Registry, number: int) -> None:
    last = canonical.loads(record_bots(registry, KEY, number)[-1])["record"]
    assert last["type"] == "game_ended"
    assert last["data"]["reason"] == "sold_out"


def test_its_code_is_in_the_shape_of_this_house(built: Path) -> None:
    ruff = [sys.executable, "-m", "ruff"]
    settings = ["--config", str(ROOT / "pyproject.toml"), "--no-cache"]
    for what in (("check", "--config", 'lint.isort.known-first-party=["domain"]'), ("format", "--check")):
        command = [*ruff, *what, *settings, "domain"]
        done = subprocess.run(command, cwd=built, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_what_the_page_names_is_there() -> None:
    links = re.findall(r"\]\(([\w./-]+)\)", PAGE)
    named = re.findall(r"`((?:domain|api|tests)/[\w./]+)`", PAGE)
    assert links
    for name in [*(f"docs/{link}" for link in links), *named]:
        assert (ROOT / name).exists(), name
