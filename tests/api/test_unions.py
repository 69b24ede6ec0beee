"""Schemas from types: what they take, what they make, what the document says of them."""

from typing import Annotated, Any, Literal

import jsonschema_rs
import marshmallow
import pytest
from apispec import APISpec
from apispec_oneofschema import MarshmallowPlugin
from msgspec import Meta

from api.document import describe_either
from api.examples import example
from api.unions import Answer, Moves, schema_of, variants
from domain.moves import Move, Pass
from domain.values import Value


class Wild(Value, frozen=True):
    """A card that stands for a number."""

    card: Literal["W"]
    number: Annotated[int, Meta(ge=1, le=17)]


class Everything(Move, frozen=True):
    """A move with a field of every kind."""

    colour: Literal["red", "blue"]
    size: Literal[1, 2]
    count: Annotated[int, Meta(ge=1, le=3)]
    cards: Annotated[tuple[str, ...], Meta(min_length=1, max_length=2)]
    run: tuple[str | Wild, ...]
    place: Wild
    sure: bool
    name: Annotated[str, Meta(max_length=5)]
    maybe: Literal["a", "b"] | None = None
    often: Annotated[int, Meta(ge=0)] = 4


MOVES = Moves(variants([Everything, Pass]))
FULL: dict[str, Any] = {
    "type": "everything",
    "decision": "7",
    "colour": "red",
    "size": 2,
    "count": 3,
    "cards": ["x", "y"],
    "run": ["x", {"card": "W", "number": 4}],
    "place": {"card": "W", "number": 17},
    "sure": False,
    "name": "abc",
}


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    plugin = MarshmallowPlugin()
    spec = APISpec("t", "1", "3.1.0", plugins=[plugin])
    plugin.converter.add_attribute_function(describe_either)
    spec.components.schema("Move", schema=MOVES)
    return spec.to_dict()["components"]["schemas"]


@pytest.fixture(scope="module")
def validator(document: dict[str, Any]):
    return jsonschema_rs.validator_for({"$ref": "#/components/schemas/Move", "components": {"schemas": document}})


def test_a_move_becomes_the_value_of_its_class():
    assert MOVES.read(FULL) == Answer(
        "7",
        Everything("red", 2, 3, ("x", "y"), ("x", Wild("W", 4)), Wild("W", 17), False, "abc"),
    )
    assert MOVES.read({"type": "pass", "decision": "9-x"}) == Answer("9-x", Pass())
    assert MOVES.read({**FULL, "maybe": None, "often": 0}).move.often == 0


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"colour": "green"}, "colour"),
        ({"size": 3}, "size"),
        ({"size": "1"}, "size"),
        ({"size": True}, "size"),
        ({"count": 0}, "count"),
        ({"count": 4}, "count"),
        ({"count": True}, "count"),
        ({"count": "2"}, "count"),
        ({"count": None}, "count"),
        ({"cards": []}, "cards"),
        ({"cards": ["x"] * 3}, "cards"),
        ({"cards": "x"}, "cards"),
        ({"cards": {"0": "x"}}, "cards"),
        ({"cards": [["x"]]}, "cards"),
        ({"run": [{"card": "W"}]}, "run"),
        ({"run": [{"card": "W", "number": 18}]}, "run"),
        ({"run": [{"card": "W", "number": 1, "x": 1}]}, "run"),
        ({"run": [None]}, "run"),
        ({"run": [7]}, "run"),
        ({"run": ["x"] * 1001}, "run"),
        ({"place": "W"}, "place"),
        ({"sure": 1}, "sure"),
        ({"sure": "true"}, "sure"),
        ({"name": "abcdef"}, "name"),
        ({"maybe": "c"}, "maybe"),
        ({"often": -1}, "often"),
        ({"extra": 1}, "extra"),
        ({"type": "Everything"}, "type"),
        ({"decision": "x" * 41}, "decision"),
    ],
)
def test_schema_and_document_refuse_the_same(validator, change: dict[str, Any], where: str):
    with pytest.raises(marshmallow.ValidationError) as wrong:
        MOVES.read({**FULL, **change})
    assert list(wrong.value.messages) == [where]
    assert not validator.is_valid({**FULL, **change})


@pytest.mark.parametrize("missing", [key for key in FULL if key not in ("maybe", "often")])
def test_what_is_missing_is_refused_by_both(validator, missing: str):
    cut = {key: value for key, value in FULL.items() if key != missing}
    with pytest.raises(marshmallow.ValidationError) as wrong:
        MOVES.read(cut)
    assert list(wrong.value.messages) == [missing]
    assert not validator.is_valid(cut)


def test_the_document_accepts_what_the_schema_accepts(validator):
    """The classic trap: a union that rejects every valid move, since its variants cannot be told apart."""
    for move in (FULL, {**FULL, "maybe": None}, {"type": "pass", "decision": "1"}):
        MOVES.read(move)
        validator.validate(move)


def test_an_example_is_right_for_schema_and_document(document: dict[str, Any], validator):
    for variant in document["Move"]["oneOf"]:
        made = example(variant, document)
        MOVES.read(made)
        validator.validate(made)


def test_the_union_has_a_discriminator_for_every_variant(document: dict[str, Any]):
    union = document["Move"]
    assert union["discriminator"]["propertyName"] == "type"
    assert set(union["discriminator"]["mapping"]) == {"everything", "pass"}
    assert len(union["oneOf"]) == 2


@pytest.mark.parametrize("body", [None, [], "pass", 7, {}, {"type": None}, {"type": {}}, {"type": 7, "decision": "1"}])
def test_what_is_no_move_at_all_says_which_there_are(body: Any):
    with pytest.raises(marshmallow.ValidationError):
        MOVES.read(body)


def test_a_field_may_not_be_called_like_a_word_of_the_api():
    class Odd(Move, frozen=True):
        """A move that names its field badly."""

        decision: str

    with pytest.raises(TypeError, match="word of the API"):
        variants([Odd])


def test_a_type_that_no_field_fits_is_refused_when_the_application_is_made():
    class Odd(Value, frozen=True):
        """A value with a field that JSON cannot hold."""

        what: complex

    with pytest.raises(TypeError, match="what"):
        schema_of(Odd, "Odd")
