"""What the rules of Captain's Orders refuse: each with a code of its own, and with what would be right."""

from typing import Any

import pytest

from domain.captains_orders import CAPTAINS_ORDERS
from domain.errors import Refused
from domain.moves import Challenge, Move
from tests.domain.captains_orders.table import (
    A,
    B,
    C,
    D,
    Play,
    accuse,
    asking,
    belay,
    discard,
    follow,
    give,
    order,
    passing,
)


def free() -> Play:
    return Play("2 9", "5 8", "6 9", "7 9")


def ordered() -> Play:
    return Play("6 9", "5 8", "6 9", "7 9").when(A, order(6))


def asked() -> Play:
    return Play("6 9", "5 8", "6 9", "7 9").when(A, asking(B))


def owing() -> Play:
    return Play("6 9", "5 8", "6 9", "7 9").when(A, passing(6, B))


def over() -> Play:
    return Play("9 9", "2 10", "3 10", "10 10", wins_needed=1).when(A, accuse(B))


SEATS = {"min": 0, "max": 3}


@pytest.mark.parametrize(
    ("given", "seat", "move", "code", "facts"),
    [
        (free, B, order(5), "not_asked", {"asked": [A]}),
        (ordered, C, follow(6), "not_asked", {"asked": [B]}),
        (asked, A, discard(9), "not_asked", {"asked": [B]}),
        (over, B, order(10), "not_asked", {"asked": []}),
        (free, A, order(5), "card_not_held", {"cards": ("R2", "R9")}),
        (free, A, passing(5, B), "card_not_held", {"cards": ("R2", "R9")}),
        (asked, B, give(9), "card_not_held", {"cards": ("R5", "R8")}),
        (owing, B, discard(9), "card_not_held", {"cards": ("R5", "R6", "R8")}),
        (ordered, B, follow(9), "card_not_held", {"cards": ("R5", "R8")}),
        (ordered, B, belay(2), "card_not_held", {"cards": ("R5", "R8")}),
        (free, A, passing(2, A), "target_oneself", {"seats": (B, C, D)}),
        (free, A, asking(A), "target_oneself", {"seats": (B, C, D)}),
        (free, A, accuse(A), "target_oneself", {"seats": (B, C, D)}),
        (ordered, B, accuse(B), "target_oneself", {"seats": (A, C, D)}),
        (free, A, passing(2, 4), "seat_out_of_range", SEATS),
        (free, A, asking(7), "seat_out_of_range", SEATS),
        (free, A, accuse(-1), "seat_out_of_range", SEATS),
        (ordered, B, follow(5), "follow_too_low", {"order": "R6", "cards": ("R8",)}),
        (ordered, B, belay(8), "belay_too_high", {"order": "R6", "cards": ("R5",)}),
    ],
)
def test_a_wrong_move_is_refused_with_what_would_be_right(
    given: Any, seat: int, move: Move, code: str, facts: dict[str, object]
) -> None:
    play = given()
    before = play.state
    with pytest.raises(Refused) as refused:
        play.when(seat, move)
    assert refused.value.code == code
    assert refused.value.facts == facts
    assert play.state is before


@pytest.mark.parametrize(
    ("given", "seat", "move", "moves"),
    [
        (free, A, follow(9), ["accuse", "ask_card", "pass_card", "play_order"]),
        (free, A, belay(2), ["accuse", "ask_card", "pass_card", "play_order"]),
        (free, A, discard(2), ["accuse", "ask_card", "pass_card", "play_order"]),
        (free, A, Challenge(), ["accuse", "ask_card", "pass_card", "play_order"]),
        (ordered, B, order(5), ["accuse", "belay", "follow"]),
        (ordered, B, passing(5, C), ["accuse", "belay", "follow"]),
        (ordered, B, asking(C), ["accuse", "belay", "follow"]),
        (asked, B, accuse(C), ["give"]),
        (owing, B, give(5), ["discard"]),
    ],
)
def test_a_move_of_another_kind_is_refused_with_the_kinds_that_may_be(
    given: Any, seat: int, move: Move, moves: list[str]
) -> None:
    with pytest.raises(Refused) as refused:
        given().when(seat, move)
    assert refused.value.code == "illegal_move"
    assert refused.value.facts == {"reason": "not_an_answer", "moves": moves}


def test_an_equal_card_does_not_belay() -> None:
    with pytest.raises(Refused) as refused:
        Play("6 9", "6 8", "6 9", "7 9").when(A, order(6)).when(B, belay(6))
    assert refused.value.code == "belay_too_high"
    assert refused.value.facts["cards"] == ()


def test_nothing_belays_a_1() -> None:
    play = Play("1 9", "2 8", "6 9", "7 9").when(A, order(1))
    assert set(play.offered()) == {"follow", "accuse"}
    with pytest.raises(Refused):
        play.when(B, belay(2))


def test_what_is_no_accusation_cannot_be_explained() -> None:
    play = free()
    with pytest.raises(Refused) as refused:
        CAPTAINS_ORDERS.explain(tuple(play.log), 1)
    assert refused.value.code == "not_a_challenge"
