"""Marks in hands: known while every card that leaves is seen, and lapsed all at once when one is not."""

import pytest

from domain.errors import Corrupt
from domain.hands import Hand


def test_cards_that_all_saw_go_in_are_marked() -> None:
    assert Hand(3).gain(2, ("B", "A")) == Hand(5, ("A", "B"))


def test_cards_unseen_only_count() -> None:
    assert Hand(1, ("A",)).gain(2) == Hand(3, ("A",))


def test_a_marked_card_that_is_seen_to_leave_takes_its_own_mark_only() -> None:
    assert Hand(5, ("A", "A", "B")).lose(1, ("A",)) == Hand(4, ("A", "B"))


def test_a_card_that_was_not_marked_may_be_seen_to_leave() -> None:
    assert Hand(5, ("A",)).lose(1, ("C",)) == Hand(4, ("A",))


def test_when_a_card_leaves_unseen_all_marks_lapse() -> None:
    assert Hand(5, ("A", "B")).lose(1, None) == Hand(4, ())


def test_a_hand_cannot_hold_fewer_cards_than_are_known() -> None:
    with pytest.raises(Corrupt):
        Hand(2, ("A", "B")).lose(1, ("C",))


def test_a_hand_is_whole_when_every_card_is_known() -> None:
    assert Hand(2, ("A", "B")).whole
    assert not Hand(2, ("A",)).whole
    assert Hand().whole


@pytest.mark.parametrize(
    ("partial", "full", "fits"),
    [
        (Hand(2), Hand(2, ("A", "B")), True),
        (Hand(2, ("B",)), Hand(2, ("A", "B")), True),
        (Hand(2, ("A", "A")), Hand(2, ("A", "B")), False),
        (Hand(1), Hand(2, ("A", "B")), False),
        (Hand(2, ("A", "B")), Hand(2), False),
    ],
)
def test_a_hand_refines_to_one_with_more_of_it_known(partial: Hand, full: Hand, fits: bool) -> None:
    assert partial.refines_to(full) is fits
