"""Forms are exact in both directions: every sample is in the form, and what is in the form can be sampled."""

from collections.abc import Iterable
from itertools import product
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from domain import canonical
from domain.entropy import Stream
from domain.forms import Form, Multiset, OneOf, Range, Run
from domain.moves import Move, Pass
from domain.multisets import multiset
from tests.domain.tables import rng
from tests.probe.moves import Lay, Wild

# --- one of, range ------------------------------------------------------------------------------------------


def test_one_of_holds_its_values_and_no_others() -> None:
    field = OneOf(("a", 1, True))
    assert [field.contains(v) for v in ("a", 1, True, "b", 0, 1.0, None, ("a",))] == [True] * 3 + [False] * 5


@pytest.mark.parametrize(("values", "stranger"), [((1,), True), ((True,), 1), ((0,), False), ((False,), 0)])
def test_a_number_is_not_a_truth_value(values: tuple[Any, ...], stranger: Any) -> None:
    assert not OneOf(values).contains(stranger)


def test_a_range_holds_both_ends_and_nothing_beyond() -> None:
    field = Range(2, 4)
    inside = [field.contains(value) for value in (1, 2, 3, 4, 5)]
    assert inside == [False, True, True, True, False]
    assert not any(field.contains(value) for value in (True, 3.0, "3", None))


def test_a_range_of_one_number_offers_it() -> None:
    assert Range(1, 1).sample(rng()) == 1
    assert not Range(1, 1).contains(True)


def test_all_of_a_range_is_sampled() -> None:
    stream = rng("range")
    assert {Range(-1, 3).sample(stream) for _ in range(100)} == set(range(-1, 4))


# --- multisets ----------------------------------------------------------------------------------------------


def test_a_multiset_takes_no_item_more_often_than_it_is_there() -> None:
    field = Multiset(("A", "A", "B"), 1, 3)
    assert all(field.contains(v) for v in [("A",), ("A", "A"), ("B", "A"), ("A", "B", "A")])
    assert not any(field.contains(v) for v in [("B", "B"), ("A",) * 3, ("C",), ("A", "A", "B", "B")])


def test_a_multiset_counts_between_its_bounds() -> None:
    field = Multiset(("A", "B", "C"), 2, 2)
    assert field.contains(("A", "C"))
    assert not any(field.contains(v) for v in [("A",), ("A", "B", "C"), ()])


def test_an_empty_multiset_is_allowed_where_the_least_is_none() -> None:
    assert Multiset((), 0, 0).contains(())
    assert Multiset((), 0, 0).sample(rng()) == ()
    assert not Multiset(("A",), 1, 1).contains(())


@pytest.mark.parametrize("value", [["A"], "A", {"A": 1}, None, 1])
def test_only_a_tuple_is_a_multiset(value: Any) -> None:
    assert not Multiset(("A", "B"), 1, 2).contains(value)


@given(st.lists(st.sampled_from("ABC"), max_size=4), st.data())
def test_every_part_of_a_multiset_is_sampled_and_nothing_else(source: list[str], data: st.DataObject) -> None:
    low = data.draw(st.integers(0, len(source)))
    high = data.draw(st.integers(low, len(source)))
    field = Multiset(tuple(source), low, high)
    universe = [value for count in range(5) for value in product("ABCD", repeat=count)]
    legal = {multiset(value) for value in universe if field.contains(value)}
    assert legal == {field.sample(rng(str(i))) for i in range(len(legal) * 40)}


# --- runs ---------------------------------------------------------------------------------------------------

UNIVERSE: tuple[Any, ...] = (
    *("A1", "A2", "B2", "A3", "A4", "Z9", "KEG"),
    *({"card": "KEG", "number": number} for number in range(6)),
)
HELD = (("A1", 1), ("A2", 2), ("B2", 2), ("A3", 3), ("A4", 4))


def key(run: Iterable[Any]) -> str:
    """Something to compare runs by, since a wild is a dict."""
    return canonical.dumps(list(run)).decode()


@pytest.mark.parametrize("wild", [None, "KEG"])
@pytest.mark.parametrize("up", [None, 0, 1, 3, 5])
@pytest.mark.parametrize("down", [None, 0, 1, 3, 5])
def test_a_run_holds_exactly_what_it_lists(wild: str | None, up: int | None, down: int | None) -> None:
    field = Run(HELD[:4], wild, up, down, low=1, high=4)
    listed = {key(run) for run in field.runs()}
    tuples = [value for length in range(4) for value in product(UNIVERSE, repeat=length)]
    contained = {key(value) for value in tuples if field.contains(value)}
    assert contained == {run for run in listed if len(canonical.loads(run)) < 4}


def test_a_run_of_all_cards_and_the_wild_is_listed() -> None:
    field = Run((("A1", 1), ("A2", 2), ("A4", 4)), "KEG", up=1, down=None, low=1, high=5)
    whole = ("A1", "A2", {"card": "KEG", "number": 3}, "A4")
    assert field.contains(whole)
    assert key(whole) in {key(run) for run in field.runs()}
    assert not field.contains((*whole, {"card": "KEG", "number": 5}))


def test_at_most_one_place_of_a_run_is_a_wild() -> None:
    field = Run(HELD, "KEG", up=1, down=4)
    assert field.contains(({"card": "KEG", "number": 1}, "A2"))
    assert not field.contains(({"card": "KEG", "number": 1}, "A2", {"card": "KEG", "number": 3}))


def test_a_run_needs_a_real_card() -> None:
    field = Run(HELD, "KEG", up=1, down=4)
    assert not field.contains(({"card": "KEG", "number": 1},))
    assert not field.contains(())


def test_a_run_without_a_wild_takes_none() -> None:
    assert not Run(HELD, None, up=1, down=4).contains(("A1", {"card": "KEG", "number": 2}))


def test_no_card_is_used_twice_in_a_run() -> None:
    assert not Run((("A1", 1), ("A1", 2)), None, up=1, down=None).contains(("A1", "A1"))


@pytest.mark.parametrize(
    ("value", "legal"),
    [
        (("A3", "A4"), True),  # starts at the bound
        (("A2", "A3"), False),  # starts below it
        (("A2", "A1"), True),  # down, starts at the bound
        (("A3", "B2"), False),  # down, starts above it
        (("A4",), True),
        (("A1",), True),  # a single card goes either way
        (("A3", "A4", "A3"), False),
    ],
)
def test_bounds_hold_for_the_first_card_of_each_direction(value: tuple[str, ...], legal: bool) -> None:
    assert Run(HELD, None, up=3, down=2).contains(value) is legal


def test_a_direction_that_is_none_is_forbidden() -> None:
    assert not Run(HELD, None, up=None, down=4).contains(("A1", "A2"))
    assert not Run(HELD, None, up=1, down=None).contains(("A2", "A1"))
    assert Run(HELD, None, up=None, down=None).runs() == []


@pytest.mark.parametrize("value", ["A1", ["A1"], ("A1", "A3"), ("A1", "A1"), ("A1", 2), ("A1", None), (("A1",),)])
def test_what_is_no_run(value: Any) -> None:
    assert not Run(HELD, "KEG", up=1, down=4).contains(value)


@pytest.mark.parametrize(
    "wild",
    [
        {"card": "KEG", "number": 0},
        {"card": "KEG", "number": 18},
        {"card": "KEG", "number": True},
        {"card": "KEG", "number": "2"},
        {"card": "OAK", "number": 2},
        {"card": "KEG"},
        {"card": "KEG", "number": 2, "extra": 1},
    ],
)
def test_a_wild_must_be_whole_and_within_its_bounds(wild: dict[str, Any]) -> None:
    assert not Run((("A1", 1), ("A3", 3)), "KEG", up=0, down=18).contains(("A1", wild))


def test_a_wild_is_known_by_its_fields_as_a_value_too() -> None:
    assert Run(HELD, "KEG", up=1, down=4).contains(("A1", Wild("KEG", 2)))


def test_a_held_card_beyond_the_bounds_of_the_wild_is_contained_and_listed_alike() -> None:
    # `low` and `high` bound the wild alone; `runs` once left out held cards beyond them.
    field = Run((("A7", 7), ("A8", 8)), "KEG", up=1, down=None, low=1, high=7)
    assert field.contains(("A7", "A8"))
    listed = {key(run) for run in field.runs()}
    assert {key(("A8",)), key(("A7", "A8")), key(({"card": "KEG", "number": 7}, "A8"))} <= listed
    assert all(field.contains(run) for run in field.runs())


# --- forms --------------------------------------------------------------------------------------------------


class Wager(Move, frozen=True):
    """A move with two fields."""

    cards: Annotated[tuple[str, ...], Meta(min_length=1)]
    height: int


def test_a_form_holds_a_move_exactly_if_it_holds_every_field() -> None:
    form = Form(Wager, {"cards": Multiset(("A", "B"), 1, 2), "height": Range(1, 3)})
    assert form.contains(Wager(("B", "A"), 3))
    assert not form.contains(Wager(("A", "A"), 3))
    assert not form.contains(Wager(("A",), 4))
    assert not form.contains(Pass())


@pytest.mark.parametrize(
    "form",
    [
        Form(Pass),
        Form(Wager, {"cards": Multiset(("A", "A", "C"), 1, 3), "height": OneOf((2, 5))}),
        Form(Lay, {"cards": Run(HELD, "KEG", up=1, down=4, low=1, high=7)}),
    ],
)
def test_every_sample_of_a_form_is_in_the_form(form: Form) -> None:
    assert all(form.contains(form.sample(rng(str(i)))) for i in range(200))


def test_every_run_can_be_sampled() -> None:
    field = Run(HELD[:3], "KEG", up=1, down=2, low=1, high=3)
    stream = Stream(b"", "runs")
    assert {key(field.sample(stream)) for _ in range(1000)} == {key(run) for run in field.runs()}


def test_a_form_reads_as_json() -> None:
    form = Form(Wager, {"cards": Multiset(("A",), 1, 1), "height": Range(1, 2)})
    assert canonical.loads(canonical.dumps(form.as_json())) == {
        "type": "wager",
        "fields": {
            "cards": {"kind": "multiset", "from": ["A"], "min": 1, "max": 1},
            "height": {"kind": "range", "min": 1, "max": 2},
        },
    }
