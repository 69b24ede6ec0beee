"""One value, one sequence of bytes: those of RFC 8785."""

import string
from typing import Any

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from domain import canonical
from domain.values import Value

WHOLE = st.integers(-(2**53) + 1, 2**53 - 1)
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
KEYS = st.text(st.sampled_from(string.printable + "\x00\x1f\x7f"))
VALUES = st.recursive(
    st.none() | st.booleans() | WHOLE | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner),
    max_leaves=20,
)


@settings(max_examples=150)
@given(VALUES)
def test_the_bytes_are_those_of_rfc_8785(value: Any) -> None:
    assert canonical.dumps(value) == rfc8785.dumps(value)


@given(VALUES)
def test_bytes_read_back_as_the_value(value: Any) -> None:
    assert canonical.loads(canonical.dumps(value)) == value


@given(VALUES)
def test_what_is_canonical_passes_the_check(value: Any) -> None:
    canonical.check(value)


@pytest.mark.parametrize("text", ["\u2028", "é", "e\u0301", "\U0001f0a1", '"\\/\b\f\n\r\t', "\x7f", "\u0000"])
def test_text_that_encoders_disagree_on(text: str) -> None:
    assert canonical.dumps([text, {"k": text}]) == rfc8785.dumps([text, {"k": text}])


def test_keys_are_sorted_at_every_depth() -> None:
    assert canonical.dumps({"b": {"d": 1, "c": 2}, "a": []}) == b'{"a":[],"b":{"c":2,"d":1}}'


def test_a_value_is_its_fields() -> None:
    class Pair(Value, frozen=True):
        right: tuple[str, ...]
        left: int

    assert canonical.dumps([Pair(("x",), 1)]) == b'[{"left":1,"right":["x"]}]'


@pytest.mark.parametrize("value", [2**53, -(2**53), 2**70])
def test_an_integer_beyond_53_bits_has_no_canonical_form(value: int) -> None:
    with pytest.raises(TypeError):
        canonical.dumps({"n": value})


@pytest.mark.parametrize("value", [{1: 2}, b"bytes", {"s": {1}}, object(), "\ud800"])
def test_what_is_not_json_has_no_canonical_form(value: Any) -> None:
    with pytest.raises(TypeError):
        canonical.dumps(value)


class Holder(Value, frozen=True):
    """Something that should not hold a float."""

    inner: Any


@pytest.mark.parametrize("value", [0.5, 1.0, float("nan"), [1.0], {"a": (1, {"b": 2.0})}, Holder([1.5])])
def test_a_float_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="float"):
        canonical.check(value)


@pytest.mark.parametrize("value", [{"é": 1}, [{"a": {"日": 1}}], {1: 1}])
def test_a_key_that_is_not_ascii_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="ASCII"):
        canonical.check(value)


@pytest.mark.parametrize("data", [b"", b"{", b"[1,]", b"nan", b"\xff"])
def test_what_is_not_json_is_not_read(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - any ValueError, the decoder's own words
        canonical.loads(data)
