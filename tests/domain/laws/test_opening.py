"""How random games come about: some with committed seeds, some of which are never revealed."""

from collections import Counter
from collections.abc import Iterator

import pytest

from domain import game as games
from domain.decisions import Decision
from domain.events import Event
from domain.game import Game
from domain.laws import LawBroken, check_game
from domain.laws.play import random_game
from domain.lifecycle import Seeds
from domain.registry import Registry
from domain.ruleset import Ruleset
from tests.probe import PROBE

REGISTRY = Registry([PROBE])


def opening(number: int, seeds: Seeds | None = None) -> Iterator[Event]:
    """The events of a random game, up to its start."""
    for step in random_game(REGISTRY, "probe", f"opening-{number}", seeds=seeds):
        yield from step.decided.events
        if step.decided.game.status != "lobby":
            return


def committed() -> str:
    """The seed of a random game whose seeds are committed to, some of them at least."""
    number = next(n for n in range(100) if any(event.type == "reveal_opened" for event in opening(n)))
    return f"opening-{number}"


def test_one_in_four_has_committed_seeds_and_every_way_to_begin_is_seen() -> None:
    seen, begun = Counter[str](), Counter[str]()
    for number in range(200):
        events = list(opening(number))
        seeds = next(event.seeds for event in events if hasattr(event, "seeds"))
        seen[seeds] += 1
        begun[f"{seeds} {next(event.by for event in events if event.type == 'game_started')}"] += 1
    assert 30 <= seen["committed"] <= 70, seen
    assert set(begun) == {"open player", "committed player", "committed rules", "committed clock"}


@pytest.mark.parametrize("seeds", ["open", "committed"])
def test_all_games_may_have_the_same_kind(seeds: Seeds) -> None:
    for number in range(20):
        assert next(iter(opening(number, seeds))).seeds == seeds


def test_the_laws_hold_where_seeds_are_revealed() -> None:
    assert check_game(REGISTRY, "probe", committed()).batches > 5


def test_a_reveal_that_asks_nobody_breaks_a_law(monkeypatch: pytest.MonkeyPatch) -> None:
    seed = committed()

    def nobody(rules: Ruleset, game: Game) -> tuple[Decision, ...]:
        return () if game.revealing else rules.decisions(game.table) if game.status == "playing" else ()

    monkeypatch.setattr(games, "_open_now", nobody)
    with pytest.raises(LawBroken, match="no seed is asked for"):
        check_game(REGISTRY, "probe", seed)
