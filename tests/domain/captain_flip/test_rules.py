"""The rules of Captain Flip beside the numbered cases: setup, turns, refusals, defaults."""

from collections import Counter
from itertools import product

import pytest
from msgspec.structs import replace

from domain import canonical, entropy
from domain.captain_flip import CAPTAIN_FLIP
from domain.captain_flip.boards import BOARDS, COLUMNS, HEIGHTS, NEIGHBOURS
from domain.captain_flip.events import (
    BonusTaken,
    CoinsTaken,
    MapTaken,
    NeighbourFlipped,
    TileDrawn,
    TileFlipped,
    TilePlaced,
)
from domain.captain_flip.moves import FlipNeighbour, PlaceTile
from domain.captain_flip.state import CaptainFlipOptions
from domain.captain_flip.tiles import COPIES, FACES, PAIR_OF, PAIRS, TILES
from domain.errors import Corrupt, Refused
from domain.moves import Move, Pass
from domain.observers import SPECTATOR
from domain.ruleset import Moment, Table
from tests.domain.captain_flip.table import FLIP, A, B, Given, Play, flip, place

TWO: tuple[Given, Given] = ({}, {})


# --- tiles, boards, setup --------------------------------------------------------------------------------------------


def test_there_is_a_tile_for_every_ordered_pair_of_characters() -> None:
    assert len(set(TILES)) == 72
    assert Counter(PAIR_OF[faces] for faces in FACES.values()) == Counter(dict.fromkeys(PAIRS, COPIES))


@pytest.mark.parametrize("name", list(BOARDS))
def test_each_board_has_five_columns_and_fifteen_spaces(name: str) -> None:
    assert len(BOARDS[name]) == 5
    assert sum(HEIGHTS[name]) == len(NEIGHBOURS[name]) == 15


@pytest.mark.parametrize("name", list(BOARDS))
def test_to_be_a_neighbour_is_mutual(name: str) -> None:
    beside = NEIGHBOURS[name]
    assert all(space in beside[other] for space, others in beside.items() for other in others)


def test_r1_the_board_is_an_option_and_a_bonus_has_the_two_end_bonuses_on_its_plain_columns() -> None:
    assert CAPTAIN_FLIP.options(3, CaptainFlipOptions()).board == "A"
    plain, with_bonus = BOARDS["A"], BOARDS["A_BONUS"]
    changed = {c: column.bonus for c, column in enumerate(with_bonus) if column != plain[c]}
    assert {c: (bonus.kind, bonus.first) for c, bonus in changed.items() if bonus} == {
        0: ("identical", 6),
        3: ("different", 4),
    }


def test_the_bag_is_shuffled_with_every_tile_and_the_first_tile_is_drawn_for_the_flag() -> None:
    draws = entropy.provable(bytes(32))
    flag, filled, drawn = CAPTAIN_FLIP.setup(Table(3, CaptainFlipOptions()), Moment(7, draws))
    assert isinstance(drawn, TileDrawn)
    assert drawn.seat == flag.seat
    order = filled.order.value
    assert filled.order.to == drawn.back.to == ()
    assert Counter(PAIR_OF[FACES[tile]] for tile in order) == Counter(dict.fromkeys(PAIRS, COPIES))
    assert FACES[order[0]] == (drawn.face, drawn.back.value)


def test_the_seen_face_is_one_or_the_other_half_and_half() -> None:
    seen: Counter[bool] = Counter()
    for number in range(40):
        draws = entropy.provable(number.to_bytes(32, "big"))
        events = CAPTAIN_FLIP.setup(Table(2, CaptainFlipOptions()), Moment(1, draws))
        seen.update(FACES[tile][0] < FACES[tile][1] for tile in events[1].order.value)
    assert 0.46 < seen[True] / seen.total() < 0.54


# --- the turn --------------------------------------------------------------------------------------------------------


def test_a_flipped_tile_must_be_kept() -> None:
    play = Play(*TWO, drawn="cook/gunner").when(A, FLIP)
    flipped = play.one(TileFlipped)
    assert (flipped.face, [(o.field, o.value) for o in flipped.opens]) == ("gunner", [("back", "gunner")])
    assert play.asked() == [(A, "place")]
    play.when(A, place(3))
    assert play.one(TilePlaced).face == "gunner"
    assert play.coins() == 5


def test_the_questions_of_a_turn_are_different_ones() -> None:
    play = Play({1: "lookout"}, {}, drawn="cook/monkey")
    keys = [CAPTAIN_FLIP.decisions(play.state)[0].key]
    moves: tuple[Move, ...] = (FLIP, place(0), flip(1, 0))
    keys += [CAPTAIN_FLIP.decisions(play.when(A, move).state)[0].key for move in moves]
    assert len(set(keys)) == 4


@pytest.mark.parametrize("board", list(BOARDS))
def test_a_tile_goes_on_the_lowest_empty_space_of_its_column(board: str) -> None:
    for column in COLUMNS:
        play = Play(*TWO, board=board, drawn="lookout", coins=(3, 3)).when(A, place(column))
        assert play.one(TilePlaced).row == BOARDS[board][column].low


def test_a_monkey_alone_takes_its_coin_and_flips_nothing() -> None:
    play = Play(*TWO, drawn="monkey").when(A, place(0))
    assert play.taken() == [("monkey", 1)]
    assert play.asked() == [(B, "play")]


def test_a_monkey_that_turns_up_a_parrot_lets_a_tile_be_drawn_and_played() -> None:
    play = Play({0: "swabby/parrot"}, {}, drawn="monkey", bag="gunner cook").when(A, place(1)).when(A, flip(0, 0))
    assert play.types() == ["neighbour_flipped", "tile_drawn"]
    assert play.asked() == [(A, "play")]
    play.when(A, place(2))
    assert play.coins() == 6


def test_a_cook_counts_everything_at_its_elevation() -> None:
    given = {0: "lookout lookout", 2: "lookout lookout", 4: "lookout lookout"}
    assert Play(given, {}, drawn="cook").when(A, place(1)).taken() == [("cook", 4)]
    assert Play(given, {}, drawn="cook").when(A, place(3)).taken() == [("cook", 1)]


def test_bonuses_come_oldest_column_first() -> None:
    given = {1: "lookout lookout", 4: "swabby swabby"}
    play = Play(given, {}, drawn="parrot", bag="carpenter").when(A, place(4), place(1))
    assert [event.column for event in play.told(BonusTaken)] == [4, 1]


def test_the_map_changes_hands_and_stays_with_who_holds_it() -> None:
    play = Play(*TWO, drawn="cartographer", chart=B, bag="swabby").when(A, place(0))
    assert (play.state.map, play.coins(A), play.coins(B)) == (A, 1, 0)
    play = Play(*TWO, drawn="cartographer", chart=A, bag="swabby").when(A, place(0))
    assert not play.told(MapTaken)
    assert play.coins(A) == 1


def test_what_brings_no_coins_makes_no_event() -> None:
    assert Play(*TWO, drawn="navigator").when(A, place(0)).types() == ["tile_placed", "turn_ended", "tile_drawn"]


@pytest.mark.parametrize("drawn", ["lookout", "carpenter", "swabby"])
def test_some_characters_do_nothing_before_the_end(drawn: str) -> None:
    assert Play(*TWO, drawn=drawn).when(A, place(0)).taken() == []


def test_a_later_flip_back_to_a_face_takes_effect_again() -> None:
    play = Play({0: "gunner/swabby"}, {}, drawn="monkey/cook", coins=(0, 0)).when(A, place(1)).when(A, flip(0, 0))
    assert play.one(NeighbourFlipped).opens
    state = replace(play.state, turn=A, drawn=None, monkey=(1, 0))
    (decision,) = CAPTAIN_FLIP.decisions(state)
    again = CAPTAIN_FLIP.decide(state, decision.seat, flip(0, 0), Moment(99, lambda _: entropy.Stream(b"", "")))
    assert again[0].opens == ()
    assert [event.count for event in again if isinstance(event, CoinsTaken)] == [5]


# --- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (place(0), "column_full"),
        (place(5), "no_such_column"),
        (place(-1), "no_such_column"),
        (flip(1, 0), "illegal_move"),
        (Pass(), "illegal_move"),
    ],
)
def test_what_a_drawn_tile_cannot_do_is_refused(move: Move, code: str) -> None:
    with pytest.raises(Refused) as refused:
        Play({0: "cook cook"}, {}).when(A, move)
    assert refused.value.code == code
    if code != "illegal_move":
        assert refused.value.facts == {"columns": (1, 2, 3, 4)}


def test_a_tile_is_flipped_once() -> None:
    with pytest.raises(Refused) as refused:
        Play(*TWO).when(A, FLIP, FLIP)
    assert refused.value.code == "already_flipped"
    assert refused.value.facts == {"columns": (0, 1, 2, 3, 4)}


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (flip(1, 2), "no_tile_there"),
        (flip(7, 0), "no_tile_there"),
        (flip(0, 0), "not_a_neighbour"),
        (flip(1, 1), "not_a_neighbour"),
        (place(2), "illegal_move"),
        (FLIP, "illegal_move"),
    ],
)
def test_what_a_monkey_cannot_flip_is_refused(move: Move, code: str) -> None:
    """The monkey lies on (1, 1), above (1, 0) and beside (2, 1)."""
    play = Play({0: "cook", 1: "lookout", 2: "cook cook"}, {}, drawn="monkey").when(A, place(1))
    with pytest.raises(Refused) as refused:
        play.when(A, move)
    assert refused.value.code == code
    if code != "illegal_move":
        assert refused.value.facts == {"neighbours": ((1, 0), (2, 1))}


def test_a_move_out_of_turn_is_refused_and_names_who_is_asked() -> None:
    with pytest.raises(Refused) as refused:
        Play(*TWO).when(B, FLIP)
    assert (refused.value.code, refused.value.facts) == ("not_asked", {"asked": [A]})


def test_nothing_explains_a_challenge_where_there_is_none() -> None:
    play = Play(*TWO).when(A, FLIP)
    with pytest.raises(Refused) as refused:
        CAPTAIN_FLIP.explain(tuple(play.log), play.one(TileFlipped).v)
    assert refused.value.code == "not_a_challenge"


@pytest.mark.parametrize("column", COLUMNS)
def test_every_column_that_is_full_is_refused_and_not_offered(column: int) -> None:
    full = {column: " ".join(["lookout"] * HEIGHTS["A"][column])}
    play = Play(full, {})
    (decision,) = CAPTAIN_FLIP.decisions(play.state)
    assert not any(form.contains(place(column)) for form in CAPTAIN_FLIP.forms(play.state, decision))
    with pytest.raises(Refused):
        play.when(A, place(column))


# --- defaults, forms -------------------------------------------------------------------------------------------------


def test_the_default_is_the_leftmost_column_that_is_legal() -> None:
    play = Play({0: "cook cook"}, {})
    (decision,) = CAPTAIN_FLIP.decisions(play.state)
    assert CAPTAIN_FLIP.default_move(play.state, decision) == PlaceTile(1)


def test_the_default_neighbour_is_the_lowest_then_the_leftmost() -> None:
    given = {1: "lookout", 2: "cook cook cook", 0: "swabby swabby"}
    play = Play(given, {}, drawn="monkey").when(A, place(1))
    (decision,) = CAPTAIN_FLIP.decisions(play.state)
    assert CAPTAIN_FLIP.default_move(play.state, decision) == FlipNeighbour(1, 0)
    play = Play({0: "swabby swabby", 2: "cook cook"}, {}, drawn="monkey").when(A, place(1))
    (decision,) = CAPTAIN_FLIP.decisions(play.state)
    assert CAPTAIN_FLIP.default_move(play.state, decision) == FlipNeighbour(0, 0)


def test_forms_hold_every_neighbour_and_nothing_else() -> None:
    play = Play({0: "cook", 1: "lookout", 2: "cook cook"}, {}, drawn="monkey").when(A, place(1))
    (decision,) = CAPTAIN_FLIP.decisions(play.state)
    forms = CAPTAIN_FLIP.forms(play.state, decision)
    held = {(c, r) for c, r in product(range(5), range(5)) if any(f.contains(flip(c, r)) for f in forms)}
    assert held == {(1, 0), (2, 1)}
    assert len(canonical.dumps([form.as_json() for form in forms])) < 1000


def test_only_a_full_fold_can_be_decided_on() -> None:
    play = Play(*TWO)
    with pytest.raises(Corrupt):
        CAPTAIN_FLIP.decide(play.known_to(SPECTATOR), A, FLIP, Moment(9, lambda _: entropy.Stream(b"", "")))
