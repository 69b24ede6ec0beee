"""Laws 1 to 6 on every game of the registry, in the short form."""

import pytest

from domain.laws import check_games
from domain.registry import REGISTRY

GAMES = 200
PARTS = 8


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("key", [rules.info.key for rules in REGISTRY])
def test_the_laws_hold_in_random_games(key: str, part: int) -> None:
    report = check_games(REGISTRY, key, GAMES // PARTS, f"suite-{part}")
    assert report.games == GAMES // PARTS
    assert report.largest_forms < 16 * 1024
