"""The benchmarks that prove something, in a short form."""

import pytest

from bench.audit import measured
from domain.registry import REGISTRY


@pytest.mark.slow
def test_games_of_bots_are_audited_as_sound() -> None:
    done = list(measured(games=10))
    assert [(key, games) for key, games, _, _ in done] == [(rules.info.key, 10) for rules in REGISTRY]
    assert all(events > 1000 and seconds > 0 for _, _, events, seconds in done)
