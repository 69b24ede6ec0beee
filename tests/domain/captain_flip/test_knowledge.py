"""What is known of tiles: a back once both faces were seen, the bag never, and all at the table know the same."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain import canonical, entropy
from domain.captain_flip import CAPTAIN_FLIP
from domain.captain_flip.events import EVENTS, TilePlaced
from domain.captain_flip.redeal import Dealer
from domain.captain_flip.rules import CaptainFlip
from domain.captain_flip.state import State
from domain.captain_flip.tiles import COPIES, FACES, PAIR_OF, PAIRS, TILES
from domain.captain_flip.view import SpaceView, TileView
from domain.decisions import Decision
from domain.errors import Corrupt, Refused
from domain.events import Event
from domain.forms import Form
from domain.laws import LawBroken, check_games
from domain.laws.knowledge import difference
from domain.laws.play import random_game
from domain.moves import Move
from domain.observers import EVERYTHING, SPECTATOR, at_seat
from domain.registry import REGISTRY, Registry
from domain.ruleset import Moment
from tests.domain.captain_flip.table import FLIP, A, B, Play, flip, place

MONKEY: dict[int, str] = {0: "swabby/cook"}


def rng(label: str) -> entropy.Stream:
    return entropy.Stream(bytes(32), label)


def test_these_tables_hold_every_tile() -> None:
    CAPTAIN_FLIP.check(Play({0: "swabby/monkey", 2: "cook cook gunner"}, {4: "parrot"}, bag="cook/parrot").state)


def test_the_back_of_a_placed_tile_is_not_shown_to_its_owner_either() -> None:
    play = Play({}, {}, drawn="lookout/cook").when(A, place(0))
    for observer in (at_seat(A), at_seat(B), SPECTATOR):
        (tile,) = play.known_to(observer).captains[A].columns[0]
        assert (tile.face, tile.back) == ("lookout", None)
    assert play.known_to(EVERYTHING).captains[A].columns[0][0].back == "cook"


def test_both_faces_of_a_flipped_tile_are_known_to_all_from_then_on() -> None:
    play = Play({}, {}, drawn="lookout/cook").when(A, FLIP, place(0))
    for observer in (at_seat(A), at_seat(B), SPECTATOR):
        (tile,) = play.known_to(observer).captains[A].columns[0]
        assert (tile.face, tile.back) == ("cook", "lookout")


def test_a_neighbours_back_is_opened_once_and_plain_after_that() -> None:
    play = Play(MONKEY, {}, drawn="monkey", bag="lookout parrot").when(A, place(1)).when(A, flip(0, 0))
    drawn = next(event for event in play.log if event.type == "tile_drawn" and event.face == "swabby")
    (opened,) = play.happened[0].opens
    assert (opened.v, opened.field, opened.value) == (drawn.v, "back", "cook")
    state = replace(play.state, turn=A, drawn=None, monkey=(1, 0))
    again = CAPTAIN_FLIP.decide(state, A, flip(0, 0), Moment(99, rng))
    assert again[0].opens == ()
    assert again[0].face == "swabby"


def test_a_tile_flipped_when_drawn_is_not_opened_again_by_a_monkey() -> None:
    play = Play({}, {}, drawn="lookout/parrot", bag="monkey").when(A, FLIP, place(0)).when(A, place(1))
    play.when(A, flip(0, 0))
    assert play.happened[0].opens == ()
    assert play.faces(A, 0) == ["lookout"]


def test_nobody_knows_the_bag_and_all_know_how_many_tiles_it_holds() -> None:
    play = Play({}, {})
    for observer in (at_seat(A), SPECTATOR):
        fold = play.known_to(observer)
        assert (fold.bag, fold.left) == (None, 71)


def test_every_view_of_a_running_game_is_the_same() -> None:
    play = Play(MONKEY, {2: "gunner"}, drawn="monkey").when(A, place(1))
    views = [CAPTAIN_FLIP.view(play.known_to(o), o) for o in (at_seat(A), at_seat(B), SPECTATOR)]
    assert views[0] == views[1] == views[2]
    view = views[0]
    assert (view.phase, view.turn, view.monkey) == ("monkey", A, SpaceView(column=1, row=0))
    assert view.captains[A].columns[0] == (TileView(row=0, face="swabby", back=None),)
    assert view.captains[B].gunners == 1
    canonical.check(canonical.loads(msgspec.json.encode(view)))


def test_a_view_never_names_a_tile_of_the_bag() -> None:
    play = Play(MONKEY, {}, drawn="monkey")
    text = msgspec.json.encode(CAPTAIN_FLIP.view(play.known_to(at_seat(A)), at_seat(A))).decode()
    assert not [tile for tile in FACES if tile in text]


def test_the_view_of_a_finished_game_has_the_lines_of_the_score() -> None:
    game = None
    for step in random_game(REGISTRY, "captain_flip", "view"):
        game = step.decided.game
    assert game is not None
    view = CAPTAIN_FLIP.view(game.table, EVERYTHING)
    assert (view.phase, view.turn) == ("over", None)
    assert all(captain.lines is not None for captain in view.captains)


def test_a_redealt_world_fits_and_is_another_one() -> None:
    play = Play({0: "swabby cook/gunner"}, {1: "lookout lookout"}, drawn="monkey").when(A, FLIP)
    fold = play.known_to(at_seat(A))
    worlds = [CAPTAIN_FLIP.redeal(fold, A, rng(str(n))) for n in range(60)]
    for world in worlds:
        CAPTAIN_FLIP.check(world)
        assert difference(fold, world) is None
    assert len({world.captains[A].columns[0][0].back for world in worlds}) > 5
    assert len({(world.bag or ())[0] for world in worlds}) > 20
    assert len({world.drawn for world in worlds if world.drawn}) <= 1


def test_a_redealt_back_is_no_face_of_which_all_tiles_were_seen() -> None:
    """Both swabby/cook tiles have been seen on both sides: another swabby has another back."""
    bag = "parrot/swabby swabby/cook swabby/gunner"
    play = Play({}, {}, drawn="swabby/cook", bag=bag)
    play.when(A, FLIP, place(0)).when(B, FLIP, place(0)).when(A, FLIP, place(1)).when(B, place(1))
    fold = play.known_to(at_seat(A))
    backs = Counter(CAPTAIN_FLIP.redeal(fold, A, rng(str(n))).captains[B].columns[1][0].back for n in range(80))
    assert "cook" not in backs
    # One of the two parrot/swabby tiles is known, so its other one is half as likely as the rest.
    assert set(backs) == {"cartographer", "monkey", "parrot", "navigator", "gunner", "lookout", "carpenter"}


@pytest.mark.parametrize("seed", range(20))
def test_backs_are_found_where_every_single_tile_has_to_fit(seed: int) -> None:
    """One face of all 72 tiles is known, and nothing else: their backs must use up each pair exactly."""
    sides = random.Random(seed)
    faces = [FACES[tile][sides.randrange(2)] for tile in TILES]
    dealer = Dealer(faces, dict.fromkeys(PAIRS, COPIES), sides)
    backs = dealer.backs()
    pairs = Counter(PAIR_OF[face, back] for face, back in zip(faces, backs, strict=True))
    assert pairs == Counter(dict.fromkeys(PAIRS, COPIES))
    assert dealer.rest() == []


def test_faces_that_cannot_be_are_corrupt() -> None:
    with pytest.raises(Corrupt):
        Dealer(["cook"] * 17, dict.fromkeys(PAIRS, COPIES), random.Random(1)).backs()


# --- planted faults: what is hidden here is caught where it leaks ----------------------------------------------------


class BackTold(Event, frozen=True, kw_only=True):
    """A leak in plain words: what a placed tile hides."""

    hidden: str


class NextTold(Event, frozen=True, kw_only=True):
    """A leak of the bag."""

    following: str


class TellsTheBack(CaptainFlip):
    info = replace(CaptainFlip.info, events=(*EVENTS, BackTold))

    def evolve(self, state: State, event: Event) -> State:
        return state if isinstance(event, BackTold) else super().evolve(state, event)

    def decide(self, state: State, seat: int, move: Move, moment: Moment) -> list[Event]:
        events = super().decide(state, seat, move, moment)
        if isinstance(events[0], TilePlaced) and state.drawn is not None:
            events.insert(1, BackTold(hidden=state.drawn.back or ""))
        return events


class TellsTheNextTile(CaptainFlip):
    info = replace(CaptainFlip.info, events=(*EVENTS, NextTold))

    def evolve(self, state: State, event: Event) -> State:
        return state if isinstance(event, NextTold) else super().evolve(state, event)

    def decide(self, state: State, seat: int, move: Move, moment: Moment) -> list[Event]:
        return [*super().decide(state, seat, move, moment), NextTold(following=(state.bag or ("",))[0])]


class AsksByTheBack(CaptainFlip):
    def decisions(self, state: State) -> tuple[Decision, ...]:
        asked = super().decisions(state)
        if asked and state.drawn is not None and state.drawn.v and state.drawn.back == "gunner":
            return (replace(asked[0], kind="place"),)
        return asked


class OffersByTheBag(CaptainFlip):
    def forms(self, state: State, decision: Decision) -> tuple[Form, ...]:
        forms = super().forms(state, decision)
        return forms[-1:] if state.bag and state.bag[0].startswith("gunner") else forms


class RefusesWithTheBack(CaptainFlip):
    def decide(self, state: State, seat: int, move: Move, moment: Moment) -> list[Event]:
        try:
            return super().decide(state, seat, move, moment)
        except Refused as refused:
            raise Refused(refused.code, hint=state.drawn.back if state.drawn else None) from refused


class KeepsABackOfItsOwn(CaptainFlip):
    """`evolve` that branches on a sealed value: a gunner's back counts as seen."""

    def evolve(self, state: State, event: Event) -> State:
        after = super().evolve(state, event)
        if after.drawn is not None and after.drawn.back == "gunner":
            return replace(after, drawn=replace(after.drawn, v=0))
        return after


class LosesATile(CaptainFlip):
    def evolve(self, state: State, event: Event) -> State:
        after = super().evolve(state, event)
        if isinstance(event, TilePlaced) and after.bag and event.face == "parrot":
            return replace(after, bag=after.bag[:-1], left=after.left - 1)
        return after


PLANTED: list[tuple[Callable[[], Any], set[int]]] = [
    (TellsTheBack, {2}),
    (TellsTheNextTile, {2}),
    (AsksByTheBack, {1, 2}),
    (OffersByTheBag, {1, 2, 3}),
    (RefusesWithTheBack, {2}),
    (KeepsABackOfItsOwn, {1}),
    (LosesATile, {1, 6}),
]


@pytest.mark.parametrize(("rules", "laws"), PLANTED, ids=lambda value: getattr(value, "__name__", ""))
def test_a_planted_fault_breaks_the_law_that_forbids_it(rules: Callable[[], Any], laws: set[int]) -> None:
    with pytest.raises(LawBroken) as broken:
        check_games(Registry([rules()]), "captain_flip", 10, "planted")
    assert broken.value.law in laws, str(broken.value)
