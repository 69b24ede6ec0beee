"""Draws follow from the committed seed, are provable, and are fair."""

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.entropy import Stream, entropy, pick, provable, shuffled
from tests.domain.tables import rng

SOURCE = bytes(range(32))


def words(source: bytes, label: str) -> Iterator[int]:
    """The words of a draw, by the documentation and nothing of ours."""
    index = 0
    while True:
        message = json.dumps(["draw", label, index], separators=(",", ":")).encode()
        block = hmac.new(source, message, hashlib.sha256).digest()
        yield from (int.from_bytes(block[i : i + 4], "big") for i in range(0, 32, 4))
        index += 1


def numbers(source: bytes, label: str, bounds: list[int]) -> list[int]:
    """Numbers below each of `bounds`, by rejection sampling."""
    stream, drawn = words(source, label), []
    for n in bounds:
        word = next(stream)
        while word >= 2**32 // n * n:
            word = next(stream)
        drawn.append(word % n)
    return drawn


@given(st.binary(min_size=32, max_size=32), st.text("abc:_19"), st.lists(st.integers(1, 2**32), max_size=30))
def test_a_stream_is_what_the_documentation_says(source: bytes, label: str, bounds: list[int]) -> None:
    stream = Stream(source, label)
    assert [stream.randrange(n) for n in bounds] == numbers(source, label, bounds)


def test_the_entropy_of_a_game_is_what_the_documentation_says() -> None:
    message = json.dumps(["G", ["mine", None, "é"]], separators=(",", ":"), ensure_ascii=False).encode()
    expected = hmac.new(bytes.fromhex("ab" * 32), message, hashlib.sha256).digest()
    assert entropy("ab" * 32, "G", ["mine", None, "é"]) == expected


def test_the_entropy_depends_on_every_seed_and_its_seat() -> None:
    sources = [["a", None], [None, "a"], ["a", "b"], [None, None], ["", None]]
    assert len({entropy("ab" * 32, "G", seeds) for seeds in sources}) == len(sources)


def test_draws_with_other_labels_are_other_draws() -> None:
    draws = provable(SOURCE)
    assert [draws("a").randrange(2**32) for _ in range(2)] == [draws("a").randrange(2**32)] * 2
    assert draws("a").randrange(2**32) != draws("b").randrange(2**32)


class Words(Stream):
    """A stream of given words."""

    def __init__(self, *given_words: int) -> None:
        super().__init__(b"", "")
        self.given = list(given_words)

    def _word(self) -> int:
        return self.given.pop(0)


@pytest.mark.parametrize("n", [3, 5, 6, 7, 52, 2**31 + 1])
def test_a_word_at_the_last_multiple_of_n_is_rejected_and_the_one_below_taken(n: int) -> None:
    limit = 2**32 // n * n
    assert Words(limit, 2**32 - 1, 2).randrange(n) == 2 % n
    assert Words(limit - 1).randrange(n) == n - 1


@pytest.mark.parametrize("n", [1, 2, 256, 2**32])
def test_a_power_of_two_rejects_nothing(n: int) -> None:
    assert Words(2**32 - 1).randrange(n) == n - 1


@given(st.lists(st.integers(0, 9), max_size=40), st.text("xyz", max_size=3))
def test_a_shuffle_is_a_permutation(items: list[int], label: str) -> None:
    assert Counter(shuffled(rng(label), items)) == Counter(items)


def test_a_shuffle_is_fisher_yates_from_the_end() -> None:
    deck = list("ABCDEFG")
    for last, other in zip(range(6, 0, -1), numbers(SOURCE, "deck", [7, 6, 5, 4, 3, 2]), strict=True):
        deck[last], deck[other] = deck[other], deck[last]
    assert shuffled(Stream(SOURCE, "deck"), "ABCDEFG") == tuple(deck)


def chi_square(seen: Counter[object], cells: int) -> float:
    """How far counts are from equal ones; about `cells - 1` if all are equally likely."""
    expected = sum(seen.values()) / cells
    missing = (cells - len(seen)) * expected
    return missing + sum((count - expected) ** 2 / expected for count in seen.values())


def test_numbers_are_uniform() -> None:
    stream = rng("uniform")
    assert chi_square(Counter(stream.randrange(52) for _ in range(10_000)), 52) < 99  # p = 0.0001


def test_all_orders_of_four_cards_are_equally_likely() -> None:
    stream = rng("orders")
    seen: Counter[object] = Counter(shuffled(stream, "ABCD") for _ in range(6000))
    assert set(seen) == set(permutations("ABCD"))
    assert chi_square(seen, 24) < 59  # p = 0.0001, 23 degrees of freedom


def test_every_item_can_be_picked() -> None:
    stream = rng("pick")
    assert {pick(stream, "ABC") for _ in range(50)} == set("ABC")
