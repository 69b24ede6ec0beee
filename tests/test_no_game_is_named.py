"""A game is a package and a line in the registry: nothing else in the server knows of any."""

import re
from pathlib import Path

import pytest

from domain.registry import REGISTRY

ROOT = Path(__file__).parents[1]
SERVER = [path for part in ("api", "eventstore", "workers", "captain") for path in sorted((ROOT / part).rglob("*.*"))]
SHARED = [path for path in sorted((ROOT / "domain").glob("*.py")) if path.name != "registry.py"]
NAMED = re.compile("|".join(rf"\b{rules.info.key}\b|\b{rules.info.title}\b" for rules in REGISTRY), re.IGNORECASE)


@pytest.mark.parametrize(
    "path",
    [path for path in (*SERVER, *SHARED, *(ROOT / "domain" / "laws").glob("*.py")) if path.suffix in (".py", ".lua")],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_no_game_is_named(path: Path) -> None:
    assert not NAMED.findall(path.read_text(encoding="utf-8"))


def test_the_search_would_find_one() -> None:
    for rules in REGISTRY:
        assert NAMED.search(f"if game.ruleset == {rules.info.key!r}:")
    assert len(SERVER) > 50
