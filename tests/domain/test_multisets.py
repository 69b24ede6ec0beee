"""Cards as sorted tuples."""

from domain.multisets import contains, multiset, without


def test_equal_cards_in_any_order_are_the_same_multiset() -> None:
    assert multiset(["B", "A", "B"]) == multiset(("A", "B", "B")) == ("A", "B", "B")


def test_cards_are_taken_as_often_as_they_are_named() -> None:
    assert without(("A", "A", "B"), ["A"]) == ("A", "B")
    assert without(("A", "B"), ["A", "A"]) is None
    assert without(("A",), []) == ("A",)


def test_a_part_is_counted() -> None:
    assert contains(("A", "A"), ("A", "A"))
    assert not contains(("A", "A"), ("A",) * 3)
    assert contains((), ())
