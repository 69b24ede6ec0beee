"""The probe holds the laws, and its games reach everything that it is there for."""

from collections import Counter

import pytest

from domain.laws import check_games
from domain.laws.play import random_game
from domain.registry import Registry
from tests.probe import PROBE

REGISTRY = Registry([PROBE])


def test_the_probe_holds_the_laws() -> None:
    report = check_games(REGISTRY, "probe", games=40, seed="probe")
    assert report.games == 40


@pytest.fixture(scope="module")
def events() -> Counter[str]:
    """How often each type of event occurs in a hundred games."""
    seen: Counter[str] = Counter()
    for number in range(100):
        for step in random_game(REGISTRY, "probe", f"reach-{number}"):
            seen.update(event.type for event in step.decided.events)
            if step.decided.game.result is not None:
                seen[step.decided.game.result.reason] += 1
    return seen


def test_random_games_reach_every_event_of_the_probe(events: Counter[str]) -> None:
    assert {event.type for event in PROBE.info.events} <= set(events)


def test_random_games_reach_both_ends(events: Counter[str]) -> None:
    assert min(events["emptied"], events["turn_limit"]) >= 10


def test_piles_are_renewed_in_the_middle_of_games(events: Counter[str]) -> None:
    assert events["pile_shuffled"] >= events["game_started"] + 10
