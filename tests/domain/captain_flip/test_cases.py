"""The numbered cases of the rules of Captain Flip, one by one. Spaces are (column, row)."""

import pytest
from msgspec.structs import replace

from domain.captain_flip import CAPTAIN_FLIP, scoring
from domain.captain_flip.boards import NEIGHBOURS
from domain.captain_flip.events import (
    BonusTaken,
    CoinsTaken,
    EndTriggered,
    MapTaken,
    NeighbourFlipped,
    Scored,
    TileDrawn,
    TilePlaced,
    TurnEnded,
)
from domain.captain_flip.state import State
from domain.errors import Refused
from domain.forms import Form
from tests.domain.captain_flip.table import FLIP, LAST, A, B, C, D, Given, Play, flip, place

TWO: tuple[Given, Given] = ({}, {})
FULL_A: dict[int, str] = {
    0: "lookout lookout",
    1: "swabby swabby swabby",
    2: "cook cook cook cook cook",
    3: "carpenter carpenter",
    4: "navigator navigator navigator",
}
"""Board A to the last space."""


def without(board: Given, *columns: int) -> dict[int, str]:
    """`board` with the tops of these columns missing."""
    return {c: " ".join(t.split()[:-1] if c in columns else t.split()) for c, t in board.items()}


def lines(play: Play, seat: int = A) -> list[tuple[str, int]]:
    """The end effects of `seat` as the boards lie: what for, how many."""
    return [(line.why, line.count) for line in scoring.lines(play.state, seat)]


def total(play: Play, seat: int = A) -> int:
    return scoring.final(play.state, seat)


def ranks(state: State) -> list[int]:
    return [rank.rank for rank in CAPTAIN_FLIP.standing(state)]


def winners(state: State) -> tuple[int, ...]:
    return scoring.winners(state, CAPTAIN_FLIP.standing(state))


def test_case_1_the_bonus_of_a_column_comes_after_all_that_its_tile_set_off() -> None:
    play = Play({1: "lookout lookout"}, {}, drawn="parrot", bag="gunner").when(A, place(1))
    assert play.types() == ["tile_placed", "tile_drawn"]
    assert play.asked() == [(A, "play")]
    play.when(A, place(0))
    assert play.types() == [
        "tile_placed",
        "coins_taken",
        "bonus_taken",
        "map_taken",
        "coins_taken",
        "turn_ended",
        "tile_drawn",
    ]
    assert play.taken() == [("gunner", 5), ("map", 0), ("map", 1)]
    assert play.coins() == 6
    assert play.asked() == [(B, "play")]


def test_case_2_the_first_monkey_may_be_flipped_by_the_second() -> None:
    play = Play({0: "swabby/monkey"}, {}, drawn="monkey/gunner").when(A, place(1))
    assert play.asked() == [(A, "monkey")]
    play.when(A, flip(0, 0))
    assert play.faces(A, 0) == ["monkey"]
    assert [form.fields["column"].as_json()["values"] for form in forms(play)] == [(1,)]
    play.when(A, flip(1, 0))
    flipped = play.one(NeighbourFlipped)
    assert (flipped.face, [opened.value for opened in flipped.opens]) == ("gunner", ["gunner"])
    assert play.coins() == 7
    assert play.asked() == [(B, "play")]


def forms(play: Play) -> tuple[Form, ...]:
    (decision,) = CAPTAIN_FLIP.decisions(play.state)
    return CAPTAIN_FLIP.forms(play.state, decision)


def test_case_3_a_later_flip_of_the_top_tile_does_not_pay_the_column_again() -> None:
    given = {2: "lookout lookout swabby", 3: "", 4: "lookout lookout swabby/cook"}
    play = Play(given, {}, drawn="monkey").when(A, place(3))
    assert play.one(TilePlaced).row == 2
    play.when(A, flip(4, 2))
    assert play.taken() == [("cook", 3)]
    assert play.coins() == 3 + 1 + 3


def test_case_4_neighbours_share_a_side_and_are_spaces() -> None:
    assert set(NEIGHBOURS["A"][3, 2]) == {(2, 2), (4, 2), (3, 3)}
    given = {2: "cook cook cook", 4: "lookout lookout lookout", 3: ""}
    play = Play(given, {}, drawn="monkey", coins=(0, 0)).when(A, place(3))
    offered = {(f.fields["column"].as_json()["values"][0], f.fields["row"].as_json()["values"][0]) for f in forms(play)}
    assert offered == {(2, 2), (4, 2)}
    with pytest.raises(Refused) as refused:
        play.when(A, flip(3, 1))
    assert refused.value.code == "no_tile_there"
    assert refused.value.facts == {"neighbours": ((2, 2), (4, 2))}


def test_case_5_a_row_spans_its_gaps() -> None:
    play = Play({0: "carpenter", 4: "gunner"}, {})
    assert lines(play) == []
    assert lines(Play({0: "carpenter", 4: "lookout gunner"}, {})) == [("carpenter", 3)]


def test_case_6_swabbies_count_columns() -> None:
    assert lines(Play({1: "swabby swabby", 2: "swabby"}, {})) == [("swabby", 4)]


def test_case_6_a_navigator_counts_visible_cartographers_only() -> None:
    given = {0: "cartographer cartographer", 1: "cartographer cook/cartographer"}
    play = Play(given, {}, drawn="navigator").when(A, place(2))
    assert play.taken() == [("navigator", 6)]


def test_case_7_gunners_are_counted_at_the_end_only() -> None:
    given = {0: "gunner gunner", 1: "gunner/cook"}
    assert scoring.lost(Play(given, {}).state, A)
    play = Play(given, {}, drawn="monkey").when(A, place(2)).when(A, flip(1, 0))
    assert not scoring.lost(play.state, A)
    assert winners(play.state) == (A,)


def test_case_7_three_gunners_lose_whatever_the_coins() -> None:
    play = Play({0: "gunner gunner", 1: "gunner"}, {}, coins=(50, 1))
    assert ranks(play.state) == [2, 1]
    assert winners(play.state) == (B,)


@pytest.mark.parametrize(("chart", "won", "order"), [(C, (A, B), [1, 1, 3]), (B, (B,), [2, 1, 3])])
def test_case_7_the_map_breaks_a_tie_for_the_first_place(chart: int, won: tuple[int, ...], order: list[int]) -> None:
    play = Play({}, {}, {}, coins=(20, 20, 18), chart=chart)
    assert winners(play.state) == won
    assert ranks(play.state) == order


def test_case_8_the_round_is_finished_so_that_all_have_had_equally_many_turns() -> None:
    given = without({c: FULL_A[c] for c in (0, 1, 3, 4)}, 4)
    play = Play({}, given, {}, {}, drawn="swabby", turn=B, bag="swabby swabby").when(B, place(4))
    assert play.one(EndTriggered).seat == B
    assert play.asked() == [(C, "play")]
    play.when(C, place(0))
    assert play.asked() == [(D, "play")]
    assert not play.told(EndTriggered)
    play.when(D, place(0))
    assert play.asked() == []
    assert [event.seat for event in play.told(Scored)] == [A, B, C, D]
    result = CAPTAIN_FLIP.result(play.state)
    assert result is not None
    assert result.reason == "board_full"


def test_case_8_the_seat_right_of_the_flag_ends_the_game_with_its_turn_and_its_map_coin() -> None:
    given = without({c: FULL_A[c] for c in (0, 1, 3, 4)}, 4)
    play = Play({}, {}, {}, given, drawn="swabby", turn=D, chart=D).when(D, place(4))
    assert play.types()[-8:] == ["bonus_taken", "coins_taken", "end_triggered", "turn_ended", *["scored"] * 4]
    assert play.taken() == [("coins", 3), ("map", 1)]
    assert CAPTAIN_FLIP.result(play.state) is not None


def test_case_9_the_space_that_costs_a_coin_is_not_legal_without_one() -> None:
    with pytest.raises(Refused) as refused:
        Play(*TWO, board="D", drawn="gunner").when(A, place(4))
    assert refused.value.code == "cost_unpaid"
    assert refused.value.facts == {"cost": 1, "coins": 0, "columns": (0, 1, 2, 3)}


def test_case_9_the_cost_is_paid_before_the_effect() -> None:
    play = Play(*TWO, board="D", drawn="gunner", coins=(1, 0)).when(A, place(4))
    assert play.one(TilePlaced).paid == 1
    assert play.coins() == 5
    assert play.state.full(A) == (4,)


def test_case_9_two_coins_for_each_completed_column_this_one_too() -> None:
    given = {1: "swabby swabby swabby", 3: "lookout lookout", 4: "lookout"}
    play = Play(given, {}, board="D", drawn="swabby").when(A, place(1))
    assert play.taken() == [("per_column", 6)]


def test_case_9_a_column_is_counted_as_it_lies_after_the_monkey() -> None:
    given = {2: "gunner gunner cook swabby/cook"}
    play = Play(given, {}, board="D", drawn="monkey").when(A, place(2)).when(A, flip(2, 3))
    assert play.taken() == [("cook", 1), ("per_character", 3)]


def test_case_10_the_first_to_cover_a_space_and_those_after_it() -> None:
    play = Play(*TWO, board="B", drawn="lookout", bag="lookout").when(A, place(3))
    assert play.taken() == [("race", 0)]
    assert play.when(B, place(3)).taken() == [("race", 2)]
    tall, low = {2: "lookout lookout lookout lookout"}, {0: "lookout"}
    play = Play(tall, {2: "swabby swabby swabby swabby"}, board="B", drawn="carpenter", bag="carpenter")
    assert play.when(A, place(2)).taken() == [("race", 6)]
    assert play.when(B, place(2)).taken() == [("race", 3)]
    play = Play(low, low, board="B", drawn="carpenter", bag="carpenter").when(A, place(0))
    assert play.taken() == [("race", 1)]
    play.when(B, place(0))
    assert play.one(BonusTaken).count == 0


def test_case_11_an_end_bonus_looks_at_the_faces_that_are_visible_then() -> None:
    play = Play({1: "cook/swabby cook cook"}, {}, board="C", drawn="monkey")
    assert lines(play) == [("identical", 6)]
    play.when(A, place(2)).when(A, flip(1, 0))
    assert lines(play) == [("swabby", 1)]


def test_case_12_a_parrot_on_the_very_last_space_draws_nothing() -> None:
    play = Play(without(FULL_A, 2), {}, drawn="parrot", turn=A, flag=B).when(A, place(2))
    assert not play.told(TileDrawn)
    assert ("parrot", -1) in [(line.why, line.count) for line in play.told(Scored)[A].lines]


def test_case_12_with_an_empty_bag_a_parrot_draws_nothing() -> None:
    play = Play({}, {}, {}, {}, {2: "cook"}, drawn="parrot", turn=LAST, empty=True)
    play.state = replace(play.state, triggered=A)
    play.when(LAST, place(0))
    assert not play.told(TileDrawn)
    assert CAPTAIN_FLIP.result(play.state) is not None


def test_case_13_a_total_below_zero_counts_as_zero() -> None:
    play = Play({0: "parrot", 1: "parrot"}, {})
    assert lines(play) == [("parrot", -1), ("parrot", -1), ("floor", 2)]
    assert total(play) == 0


def test_case_13_the_order_of_the_columns_never_matters() -> None:
    """Were each column counted for itself from 0, the parrot on the left would cost nothing."""
    assert total(Play({0: "parrot", 4: "lookout"}, {})) == total(Play({0: "lookout", 4: "parrot"}, {})) == 3


def test_a_whole_turn_ends_with_the_coin_of_the_map() -> None:
    play = Play(*TWO, drawn="cartographer/cook", bag="lookout").when(A, place(0))
    assert play.types() == ["tile_placed", "map_taken", "coins_taken", "turn_ended", "tile_drawn"]
    assert play.one(CoinsTaken).why == "map"
    assert play.one(MapTaken).seat == A
    play.when(B, FLIP, place(0))
    assert play.state.turns == 2
    assert play.one(TurnEnded).seat == B
