"""The end of Captain Flip: end effects, ranks, winners, empty bags, and where every coin came from."""

from collections import Counter

import pytest
from msgspec.structs import replace

from domain.captain_flip import CAPTAIN_FLIP, scoring
from domain.captain_flip.events import BonusTaken, CoinsTaken, Scored, TileDrawn, TilePlaced, TurnEnded
from domain.errors import Corrupt
from domain.laws.play import random_game
from domain.registry import REGISTRY
from tests.domain.captain_flip.table import LAST, A, C, Play, place


def test_r2_all_lines_are_summed_before_a_total_below_zero_counts_as_zero() -> None:
    play = Play({0: "parrot parrot", 1: "parrot swabby"}, {}, coins=(1, 0))
    assert [(line.why, line.count) for line in scoring.lines(play.state, A)][-2:] == [("swabby", 1), ("floor", 1)]
    assert scoring.final(play.state, A) == 0


def test_r2_coins_taken_before_are_part_of_the_sum() -> None:
    play = Play({0: "parrot parrot"}, {}, coins=(3, 0))
    assert scoring.final(play.state, A) == 1


def test_r3_who_has_three_gunners_ranks_last_and_shares_that_rank() -> None:
    lost = {0: "gunner gunner", 1: "gunner"}
    play = Play(lost, {}, {0: "cook"}, {2: "gunner gunner gunner"}, coins=(40, 0, 3, 9), chart=A)
    ranking = CAPTAIN_FLIP.standing(play.state)
    assert [rank.rank for rank in ranking] == [3, 2, 1, 3]
    assert [rank.score for rank in ranking] == [40, 0, 3, 9]
    assert scoring.winners(play.state, ranking) == (C,)


def test_r3_if_all_have_three_gunners_nobody_wins() -> None:
    lost = {0: "gunner gunner", 1: "gunner"}
    play = Play(lost, lost, coins=(40, 0))
    ranking = CAPTAIN_FLIP.standing(play.state)
    assert [rank.rank for rank in ranking] == [1, 1]
    assert scoring.winners(play.state, ranking) == ()


def test_the_map_does_not_break_a_tie_for_the_second_place() -> None:
    play = Play({}, {}, {}, coins=(9, 4, 4), chart=C)
    assert [rank.rank for rank in CAPTAIN_FLIP.standing(play.state)] == [1, 2, 2]


def test_the_map_of_a_seat_with_three_gunners_breaks_no_tie() -> None:
    play = Play({}, {}, {2: "gunner gunner gunner"}, coins=(9, 9, 9), chart=C)
    assert [rank.rank for rank in CAPTAIN_FLIP.standing(play.state)] == [1, 1, 3]


def test_r4_an_empty_bag_skips_the_draw_and_the_turn_ends_with_the_coin_of_the_map() -> None:
    play = Play({}, {}, {}, {}, {}, drawn="lookout", turn=C, chart=LAST, empty=True)
    play.state = replace(play.state, triggered=A)
    play.when(C, place(0))
    assert [event.seat for event in play.told(TurnEnded)] == [C, 3, LAST]
    assert [(event.seat, event.why) for event in play.told(CoinsTaken)] == [(LAST, "map")]
    assert not play.told(TileDrawn)
    assert len(play.told(Scored)) == 5
    assert CAPTAIN_FLIP.result(play.state) is not None


def test_a_parrot_draws_nothing_where_no_space_may_legally_be_used() -> None:
    """Board D: only the space that costs a coin is left, and there is no coin."""
    given = {0: "lookout lookout lookout", 1: "swabby swabby swabby swabby", 2: "cook cook cook cook", 3: "cook cook"}
    for coins, draws in ((0, 0), (1, 1)):
        play = Play(given, {}, board="D", drawn="parrot")
        captain = play.state.captains[A]
        purse = replace(captain.purse, cook=coins, bonus=0)
        play.state = replace(play.state, captains=(replace(captain, purse=purse), *play.state.captains[1:]))
        play.when(A, place(2))
        assert len([event for event in play.told(TileDrawn) if event.seat == A]) == draws


def test_r9_a_game_that_ends_early_is_ranked_as_if_it_were_scored_as_it_lies() -> None:
    play = Play({0: "swabby", 1: "swabby"}, {}, {2: "parrot"}, coins=(0, 3, 4))
    assert [(rank.score, rank.rank) for rank in CAPTAIN_FLIP.standing(play.state)] == [(4, 1), (3, 2), (3, 2)]
    assert CAPTAIN_FLIP.result(play.state) is None


@pytest.mark.parametrize(("given", "count"), [("cook cook cook", 6), ("cook cook swabby", 0), ("cook cook", 0)])
def test_board_c_identical_characters_in_a_completed_column(given: str, count: int) -> None:
    lines = scoring.lines(Play({1: given}, {}, board="C").state, A)
    assert sum(line.count for line in lines if line.why == "identical") == count


@pytest.mark.parametrize(
    ("given", "count"),
    [
        ("cook monkey swabby navigator cartographer", 4),
        ("cook monkey swabby navigator cook", 0),
        ("cook monkey swabby navigator", 0),
    ],
)
def test_board_c_different_characters_in_a_completed_column(given: str, count: int) -> None:
    lines = scoring.lines(Play({3: given}, {}, board="C").state, A)
    assert sum(line.count for line in lines if line.why == "different") == count


def test_a_lookout_needs_nobody_above_it() -> None:
    lines = scoring.lines(Play({0: "lookout", 1: "lookout cook", 2: "cook lookout"}, {}).state, A)
    assert [(line.why, line.column, line.row) for line in lines] == [("lookout", 0, 0), ("lookout", 2, 1)]


@pytest.mark.parametrize("columns", range(6))
def test_swabbies_in_so_many_columns(columns: int) -> None:
    lines = scoring.lines(Play(dict.fromkeys(range(columns), "swabby"), {}).state, A)
    assert sum(line.count for line in lines) == (0, 1, 4, 9, 16, 25)[columns]


@pytest.mark.parametrize("seed", range(12))
def test_every_coin_has_a_source_in_the_log(seed: int) -> None:
    coins: Counter[int] = Counter()
    result = None
    for step in random_game(REGISTRY, "captain_flip", f"coins-{seed}"):
        for event in step.decided.events:
            seat = -1 if event.seat is None else event.seat
            match event:
                case CoinsTaken() | BonusTaken():
                    coins[seat] += event.count
                case TilePlaced():
                    coins[seat] -= event.paid
                case Scored():
                    coins[seat] += sum(line.count for line in event.lines)
        result = step.decided.game.result
    assert result is not None
    assert {rank.seat: rank.score for rank in result.ranking} == {r.seat: coins[r.seat] for r in result.ranking}


def test_all_have_had_equally_many_turns_at_the_end() -> None:
    for seed in range(10):
        turns: Counter[int] = Counter()
        for step in random_game(REGISTRY, "captain_flip", f"turns-{seed}"):
            turns.update(e.seat for e in step.decided.events if isinstance(e, TurnEnded) and e.seat is not None)
        assert len(set(turns.values())) == 1


def test_a_tile_that_vanishes_or_a_coin_without_a_source_is_corrupt() -> None:
    play = Play({0: "cook cook", 4: "gunner"}, {})
    CAPTAIN_FLIP.check(play.state)
    captain = play.state.captains[A]
    for changed in (
        replace(captain, columns=(captain.columns[0][:1], *captain.columns[1:])),
        replace(captain, purse=replace(captain.purse, gunner=3)),
        replace(captain, purse=replace(captain.purse, paid=1)),
        replace(captain, purse=replace(captain.purse, bonus=1)),
    ):
        with pytest.raises(Corrupt):
            CAPTAIN_FLIP.check(replace(play.state, captains=(changed, *play.state.captains[1:])))
    with pytest.raises(Corrupt):
        CAPTAIN_FLIP.check(replace(play.state, left=play.state.left + 1))
