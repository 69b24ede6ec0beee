"""Nothing that prints a state, an event or a move prints a card; and values are what they say."""

from collections.abc import Iterator
from typing import Any

import pytest

from domain.commands import Play
from domain.events import Open, Seal
from domain.hands import Hand
from domain.laws.play import random_game
from domain.registry import Registry
from domain.values import Value, frozen, snake
from tests.probe import PROBE


@pytest.fixture(scope="module")
def printed() -> str:
    """Everything that occurs in some games, printed."""
    return "\n".join(_prints())


def _prints() -> Iterator[str]:
    registry = Registry([PROBE])
    for number in range(10):
        for step in random_game(registry, "probe", f"print-{number}"):
            game = step.decided.game
            yield from (repr(step), repr(game), repr(game.table), f"{step.command}", str(step.decided))
            for event in step.decided.events:
                yield from (repr(event), repr(event.opens))
                yield from (repr(getattr(event, name)) for name in event.__struct_fields__ if name == "card")
            if isinstance(step.command, Play):
                yield repr(step.command.move)
            for asked in game.asked:
                yield from (repr(asked), *map(repr, PROBE.forms(game.table, asked.decision)))


def test_nothing_that_prints_a_state_an_event_or_a_move_prints_a_card(printed: str) -> None:
    assert len(printed) > 100_000
    assert not [card for card in PROBE.info.vocabulary if card in printed]


def test_no_server_seed_is_printed(printed: str) -> None:
    registry = Registry([PROBE])
    seeds = {next(iter(random_game(registry, "probe", f"print-{n}"))).decided.game.seed for n in range(10)}
    assert not [seed for seed in seeds if seed and seed in printed]


@pytest.mark.parametrize("value", ["GULL-1", 7, True, ("GULL-1",), Hand(1, ("GULL-1",)), None])
def test_a_seal_prints_nothing_of_its_value(value: Any) -> None:
    # A sealed number was once printed as it is.
    assert repr(Seal((0, 2), value)) == "<sealed to [0, 2]>"


def test_an_opened_value_is_counted() -> None:
    assert repr(Open(3, "cards", ("GULL-1", "KEG"))) == "Open(v=3, field=…, value=<2>)"


def test_a_value_shows_numbers_and_counts() -> None:
    assert repr(Hand(3, ("GULL-1", "KEG"))) == "Hand(count=3, known=<2>)"


def test_a_value_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Hand(1).count = 2


def test_equal_values_are_equal_and_hash_alike() -> None:
    assert Hand(1, ("KEG",)) == Hand(1, ("KEG",))
    assert hash(Hand(1, ("KEG",))) == hash(Hand(1, ("KEG",)))


def test_lists_become_tuples_at_every_depth() -> None:
    assert frozen([1, [2, (3, [4])], {"a": [5, {"b": [6]}]}]) == (1, (2, (3, (4,))), {"a": (5, {"b": (6,)})})


@pytest.mark.parametrize(
    ("name", "word"),
    [("CardsClaimed", "cards_claimed"), ("Pass", "pass"), ("PlayAroundTheWorld", "play_around_the_world")],
)
def test_a_class_name_becomes_a_word_of_the_log(name: str, word: str) -> None:
    assert snake(name) == word


def test_values_have_no_room_for_more() -> None:
    assert not hasattr(Value(), "__dict__")
