"""Ranks: one more than the number of seats strictly better."""

import pytest

from domain.results import ranked


@pytest.mark.parametrize(
    ("worth", "ranks"),
    [([3, 1, 2], [3, 1, 2]), ([0, 5, 5, 9], [1, 2, 2, 4]), ([1, 1], [1, 1]), ([(1, 2), (1, 1)], [2, 1])],
)
def test_equals_share_a_rank_and_the_next_one_is_skipped(worth: list[object], ranks: list[int]) -> None:
    scores = list(range(len(worth)))
    ranking = ranked(scores, worth)
    assert [r.rank for r in ranking] == ranks
    assert [(r.seat, r.score) for r in ranking] == list(enumerate(scores))
