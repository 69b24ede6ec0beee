"""Reading what is typed for each kind of field, held against the forms of the domain itself."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from captain.terminal import auto, forms
from captain.terminal.runs import read_run
from captain.terminal.typed import BadInput
from domain import canonical
from domain.forms import Field, Multiset, OneOf, Range, Run

WORDS = OneOf(("red", "green", "grey"))
NUMBERS = OneOf((0, 2, 5))
FLAG = OneOf((True, False))
HAND = Multiset(("2C", "2C", "AS", "JOKER", "10S"), 1, 3)
TILES = Multiset((7, 7, 9), 0, 2)
RUN = Run((("N3", 3), ("N4", 4), ("N6", 6), ("M4", 4)), "WORLD", up=2, down=4)


def json(field: Field) -> dict[str, Any]:
    """A form field as it comes over the wire."""
    made: dict[str, Any] = canonical.loads(canonical.dumps(field.as_json()))
    return made


@pytest.mark.parametrize(
    ("field", "typed", "value"),
    [
        (WORDS, "green", "green"),
        (WORDS, " RED ", "red"),
        (WORDS, "3", "grey"),
        (WORDS, "gree", "green"),
        (NUMBERS, "2", 2),
        (NUMBERS, "#2", 2),
        (NUMBERS, "#3", 5),
        (FLAG, "y", True),
        (FLAG, "no", False),
        (Range(1, 7), " 7 ", 7),
        (Range(-2, 7), "-2", -2),
        (HAND, "as", ["AS"]),
        (HAND, "2c AS 2c", ["2C", "2C", "AS"]),
        (HAND, "1 2 3", ["2C", "2C", "AS"]),
        (HAND, "4, jok", None),
        (HAND, "3,joker", ["AS", "JOKER"]),
        (TILES, "7 7", [7, 7]),
        (TILES, "#3 7", [7, 9]),
        (TILES, "-", []),
        (Multiset(("A", "B"), 1, 2), "all", ["A", "B"]),
    ],
)
def test_what_is_typed_is_the_value_that_it_means(field: Field, typed: str, value: Any) -> None:
    if value is None:
        with pytest.raises(BadInput, match="only 1 time"):
            forms.read(json(field), typed)
        return
    read = forms.read(json(field), typed)
    assert (read, type(read)) == (value, type(value))
    assert field.contains(tuple(read) if isinstance(read, list) else read), "and the server takes it"


@pytest.mark.parametrize(
    ("field", "typed", "told"),
    [
        (WORDS, "blue", "blue is none of them"),
        (WORDS, "gre", "gre can mean green, grey"),
        (WORDS, "4", "no number 4; the last one is 3"),
        (WORDS, "", "Nothing is none of them"),
        (NUMBERS, "1", "1 is none of them"),
        (FLAG, "maybe", "none of them"),
        (Range(1, 7), "8", "a number from 1 to 7"),
        (Range(1, 7), "x", "a number from 1 to 7"),
        (Range(1, 7), "9" * 5000, "a number from 1 to 7"),
        (HAND, "-", "Choose 1 to 3; that was 0"),
        (HAND, "1 2 3 4", "Choose 1 to 3; that was 4"),
        (HAND, "2C 2C 2C", "2C is there only 2 times"),
        (HAND, "1 2 1 2C", "2C is there only 2 times"),
        (Multiset((1, 2, 3), 2, 2), "3", "Choose 2; that was 1"),
    ],
)
def test_what_cannot_be_meant_is_told(field: Field, typed: str, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        forms.read(json(field), typed)


@pytest.mark.parametrize(
    ("typed", "run"),
    [
        ("n3 n4", ["N3", "N4"]),
        ("N4 N3", ["N4", "N3"]),
        ("M4", ["M4"]),
        ("N4 world=5 N6", ["N4", {"card": "WORLD", "number": 5}, "N6"]),
        ("N4 WORLD N6", ["N4", {"card": "WORLD", "number": 5}, "N6"]),
        ("world:2 N3", [{"card": "WORLD", "number": 2}, "N3"]),
        ("WORLD N3 N4", [{"card": "WORLD", "number": 2}, "N3", "N4"]),
    ],
)
def test_a_run_is_typed_in_its_order_and_the_wild_card_finds_its_number(typed: str, run: list[Any]) -> None:
    assert read_run(json(RUN), typed) == run
    assert RUN.contains(tuple(run))


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("N3 N6", "That is no run: .* up from 2 or higher or down from 4 or lower"),
        ("N6 N4", "That is no run"),
        ("N4 M4", "That is no run"),
        ("WORLD=3", "That is no run"),
        ("WORLD WORLD WORLD WORLD WORLD WORLD WORLD WORLD N3", "That is no run"),
        ("", "That is no run"),
        ("N3 WORLD", "Say the number of WORLD: WORLD=2 or 4"),
        ("N3=4", "N3 has its own number, 3"),
        ("WORLD=99 N3", "WORLD takes a number from 1 to 17"),
        ("N5", "N5 is none of them"),
    ],
)
def test_what_is_no_run_is_told(typed: str, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        read_run(json(RUN), typed)


def test_every_run_can_be_typed() -> None:
    for run in RUN.runs():
        typed = " ".join(c if isinstance(c, str) else f"{c['card']}={c['number']}" for c in run)
        assert read_run(json(RUN), typed) == list(run)


@pytest.mark.parametrize("field", [WORDS, NUMBERS, FLAG, Range(3, 9), HAND, TILES, RUN], ids=lambda f: type(f).__name__)
def test_what_the_random_player_fills_in_is_legal(field: Field) -> None:
    rng = Random(1)
    for _ in range(200):
        move = auto.filled({"type": "go", "decision": "7", "fields": {"it": json(field)}}, rng)
        value = move["it"]
        assert field.contains(tuple(value) if isinstance(value, list) else value)


@pytest.mark.parametrize(
    ("field", "only"),
    [
        (OneOf(("A",)), ("A",)),
        (OneOf(("A", "B")), ()),
        (Range(4, 4), (4,)),
        (Multiset(("A", "B"), 2, 2), (["A", "B"],)),
        (Multiset(("A", "B"), 1, 2), ()),
        (Multiset(("A", "B"), 0, 0), ([],)),
        (RUN, ()),
    ],
)
def test_a_field_without_a_choice_is_not_asked_for(field: Field, only: tuple[Any, ...]) -> None:
    assert forms.forced(json(field)) == only


def test_a_kind_of_field_that_nobody_knows_yet_is_answered_in_json() -> None:
    field = {"kind": "polygon", "corners": 3}
    assert forms.read(field, "[[0,1],[2,3]]") == [[0, 1], [2, 3]]
    assert "polygon" in forms.choices("shape", field, {})[0]
    with pytest.raises(BadInput, match="as JSON"):
        forms.read(field, "round")


def test_choices_are_numbered_unless_a_number_could_be_a_value() -> None:
    assert forms.choices("colour", json(WORDS), {}) == ["1:red", "2:green", "3:grey"]
    assert forms.choices("belt", json(NUMBERS), {}) == ["0", "2", "5"]
    assert forms.choices("seat", json(NUMBERS), {0: "Ann", 5: "Bob"}) == ["0 (Ann)", "2", "5 (Bob)"]
    assert forms.choices("end", json(FLAG), {}) == []
    assert forms.choices("run", json(RUN), {})[-1] == "WORLD=number"
