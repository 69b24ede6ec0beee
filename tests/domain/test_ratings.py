"""Ratings: who was better gains, ties draw together, and it takes no more than the ranks."""

import pytest

from domain.ratings import Rating, rate


def test_the_better_one_gains_and_both_become_surer():
    first, second = rate([Rating(), Rating()], [1, 2])
    assert first.mu > 25 > second.mu
    assert first.sigma == second.sigma < Rating().sigma
    assert first.ordinal > second.ordinal


def test_equals_that_tie_stay_equal():
    first, second = rate([Rating(), Rating()], [1, 1])
    assert first == second
    strong, weak = rate([Rating(30.0, 2.0), Rating(20.0, 2.0)], [1, 1])
    assert strong.mu < 30
    assert weak.mu > 20


@pytest.mark.parametrize("ranks", [[1, 2, 3, 4], [1, 3, 5, 9], [2, 3, 4, 5]])
def test_only_the_order_of_the_ranks_counts(ranks: list[int]):
    """Where the table's own bots had ranks between, the others' have gaps."""
    held = [Rating(25.0 + i, 8.0) for i in range(4)]
    assert rate(held, ranks) == rate(held, [1, 2, 3, 4])


def test_it_is_the_same_each_time():
    held = [Rating(31.5, 3.25), Rating(19.0, 7.5), Rating()]
    assert rate(held, [3, 1, 1]) == rate(held, [3, 1, 1])


def test_the_published_example():
    """Two players, both new: what the documents of the library give, so the model is the one that is named."""
    first, second = rate([Rating(), Rating()], [1, 2])
    assert (round(first.mu, 3), round(second.mu, 3)) == (27.635, 22.365)
    assert round(first.sigma, 3) == 8.066
