"""The rules of Captain Flip: what is asked, what is legal, what follows."""

from itertools import combinations

from domain.captain_flip import bots, scoring, view
from domain.captain_flip.boards import COLUMNS, Bonus, Space
from domain.captain_flip.events import (
    EVENTS,
    BagShuffled,
    BonusTaken,
    CoinsTaken,
    EndTriggered,
    FlagDrawn,
    MapTaken,
    NeighbourFlipped,
    Scored,
    TileDrawn,
    TileFlipped,
    TilePlaced,
    TurnEnded,
)
from domain.captain_flip.moves import FlipNeighbour, FlipTile, PlaceTile
from domain.captain_flip.redeal import check, redeal
from domain.captain_flip.refusals import REFUSALS
from domain.captain_flip.state import Captain, CaptainFlipOptions, State, Tile, evolve
from domain.captain_flip.tiles import FACES, TILES, turned
from domain.captain_flip.view import TableView
from domain.decisions import Decision, answered
from domain.entropy import Rng, shuffled
from domain.errors import Corrupt, Refused
from domain.events import Event, Open, Seal
from domain.forms import Form, OneOf
from domain.moves import Move
from domain.observers import Observer
from domain.results import Rank, Result
from domain.ruleset import Batch, Explanation, Moment, Options, RulesetInfo, Table

END_COLUMNS = 4
"""So many completed columns end the game. Rules: captain_flip, End."""

_TILE_MOVES: tuple[type[Move], ...] = (FlipTile, PlaceTile)
_MONKEY_MOVES: tuple[type[Move], ...] = (FlipNeighbour,)
_FLIP = Form(FlipTile)
_PLACE = {
    columns: Form(PlaceTile, {"column": OneOf(columns)})
    for count in range(1, len(COLUMNS) + 1)
    for columns in combinations(COLUMNS, count)
}


class CaptainFlip:
    """The ruleset. Rules: captain_flip."""

    info = RulesetInfo(
        key="captain_flip",
        title="Captain Flip",
        rules_version=1,
        seats=(2, 5),
        options=CaptainFlipOptions,
        moves=(FlipTile, PlaceTile, FlipNeighbour),
        events=EVENTS,
        table=TableView,
        bots={"novice": bots.novice, "standard": bots.standard},
        # Characters are on faces that all see; a whole tile, both faces, is what only the bag's order names.
        vocabulary=frozenset(TILES),
        most_events=2000,
        refusals=REFUSALS,
    )

    def options(self, seats: int, given: Options) -> CaptainFlipOptions:
        """Every board goes with every number of seats."""
        return given if isinstance(given, CaptainFlipOptions) else CaptainFlipOptions()

    def initial(self, table: Table) -> State:
        """Empty boards, and nothing in the bag yet."""
        return State(options=table.options, captains=(Captain(),) * table.seats)

    def setup(self, table: Table, moment: Moment) -> list[Event]:
        """Draw who has the flag, fill the bag, and draw the first tile (Setup)."""
        batch = Batch(evolve, self.initial(table), moment.version)
        flag = moment.draws("flag").randrange(table.seats)
        sides = moment.draws("sides")
        order = tuple([turned(tile) if sides.randrange(2) else tile for tile in shuffled(moment.draws("bag"), TILES)])
        batch.add(FlagDrawn(seat=flag), BagShuffled(order=Seal((), order)))
        _draw(batch, flag)
        return batch.events

    def evolve(self, state: State, event: Event) -> State:
        """The table after `event`."""
        return evolve(state, event)

    def decisions(self, state: State) -> tuple[Decision, ...]:
        """The drawn tile (`play`, or `place` once it was flipped), or the monkey's neighbour."""
        if state.drawn is not None:
            kind = "play" if state.drawn.v else "place"
            return (Decision(state.turn, kind, (kind, state.since), _TILE_MOVES),)
        if state.monkey is not None:
            return (Decision(state.turn, "monkey", ("monkey", state.since), _MONKEY_MOVES),)
        return ()

    def forms(self, state: State, decision: Decision) -> tuple[Form, ...]:
        """The legal answers of the asked seat."""
        if decision.kind == "monkey":
            return tuple([_flip_form(space) for space in _around_monkey(state)])
        place = _PLACE[state.legal_columns(decision.seat)]
        return (_FLIP, place) if decision.kind == "play" else (place,)

    def decide(self, state: State, seat: int, move: Move, moment: Moment) -> list[Event]:
        """The move and everything that follows from it."""
        answered(self.decisions(state), seat, move)
        batch = Batch(evolve, state, moment.version)
        match move:
            case FlipTile():
                _flip(batch, seat)
            case PlaceTile():
                _place(batch, seat, move.column)
            case FlipNeighbour():
                _flip_neighbour(batch, seat, (move.column, move.row))
        return batch.events

    def move_of(self, event: Event) -> Move:
        """The move in the first event of a batch."""
        match event:
            case TileFlipped():
                return FlipTile()
            case TilePlaced():
                return PlaceTile(event.column)
            case NeighbourFlipped():
                return FlipNeighbour(event.column, event.row)
        raise Corrupt(f"{event.type} holds no move")

    def default_move(self, state: State, decision: Decision) -> Move:
        """The leftmost legal column; of a monkey's neighbours the lowest, then the leftmost (Default move)."""
        if decision.kind == "monkey":
            return FlipNeighbour(*_around_monkey(state)[0])
        return PlaceTile(state.legal_columns(decision.seat)[0])

    def view(self, state: State, observer: Observer, over: bool = False) -> TableView:
        """The table as the observer's fold knows it."""
        return view.view(state, over)

    def result(self, state: State) -> Result | None:
        """Once the last round is over and scored (End)."""
        if not state.ended or any(captain.lines is None for captain in state.captains):
            return None
        ranking = self.standing(state)
        return Result("board_full", ranking, scoring.winners(state, ranking))

    def standing(self, state: State) -> tuple[Rank, ...]:
        """The ranks if the boards were scored as they are now."""
        return scoring.standing(state)

    def redeal(self, fold: State, seat: int, rng: Rng) -> State:
        """A full table that fits the fold of `seat`."""
        return redeal(fold, rng)

    def explain(self, events: tuple[Event, ...], v: int) -> Explanation:
        """Nobody is challenged in this game."""
        raise Refused("not_a_challenge", v=v)

    def check(self, state: State) -> None:
        """No tile appears or vanishes, and every coin has a source."""
        check(state)


def _flip_form(space: Space) -> Form:
    column, row = space
    return Form(FlipNeighbour, {"column": OneOf((column,)), "row": OneOf((row,))})


def _around_monkey(state: State) -> tuple[Space, ...]:
    if state.monkey is None:
        raise Corrupt("no monkey waits")
    return state.neighbours(state.turn, state.monkey)


# --- the three moves -------------------------------------------------------------------------------------------------


def _drawn(state: State) -> Tile:
    if state.drawn is None or state.drawn.back is None:
        raise Corrupt("only a full fold with a drawn tile can be decided on")
    return state.drawn


def _flip(batch: Batch[State], seat: int) -> None:
    tile = _drawn(batch.state)
    if not tile.v:
        raise Refused("already_flipped", columns=batch.state.legal_columns(seat))
    batch.add(TileFlipped(seat=seat, face=tile.back or "", opens=_opens(tile)))


def _opens(tile: Tile) -> tuple[Open, ...]:
    """The seal of a back that is seen for the first time; none for a back that all have seen before."""
    return (Open(tile.v, "back", tile.back),) if tile.v else ()


def _place(batch: Batch[State], seat: int, column: int) -> None:
    state = batch.state
    legal = state.legal_columns(seat)
    if column not in COLUMNS:
        raise Refused("no_such_column", columns=legal)
    spaces, captain = state.board[column], state.captains[seat]
    place = len(captain.columns[column])
    if place == spaces.height:
        raise Refused("column_full", columns=legal)
    if column not in legal:
        raise Refused("cost_unpaid", cost=spaces.cost, coins=captain.purse.coins, columns=legal)
    face, row = _drawn(state).face, spaces.low + place
    batch.add(TilePlaced(seat=seat, column=column, row=row, face=face, paid=spaces.cost))
    _take_effect(batch, seat, row, face)


def _flip_neighbour(batch: Batch[State], seat: int, space: Space) -> None:
    state = batch.state
    around = _around_monkey(state)
    tile = state.tile(seat, space)
    if tile is None:
        raise Refused("no_tile_there", neighbours=around)
    if space not in around:
        raise Refused("not_a_neighbour", neighbours=around)
    column, row = space
    face = tile.back or ""
    batch.add(NeighbourFlipped(seat=seat, column=column, row=row, face=face, opens=_opens(tile)))
    _take_effect(batch, seat, row, face)


# --- what follows ----------------------------------------------------------------------------------------------------


def _take_effect(batch: Batch[State], seat: int, row: int, face: str) -> None:
    """The effect of the face that came up in `row`; unless it asks for more, the turn ends (Characters)."""
    state = batch.state
    if face == "cartographer":
        _take_map(batch, seat)
    elif face == "parrot":
        # Nothing without a tile to draw or a space to put it on.
        if state.left and state.legal_columns(seat):
            _draw(batch, seat)
            return
    else:
        count = _worth(state, seat, row, face)
        if count:
            batch.add(CoinsTaken(seat=seat, count=count, why=face))
        if state.monkey is not None:
            return
    _end_turn(batch, seat)


def _worth(state: State, seat: int, row: int, face: str) -> int:
    """The coins that a character brings when it comes up."""
    match face:
        case "gunner":
            return 5
        case "monkey":
            return 1
        case "cook":
            return len(state.row(seat, row))
        case "navigator":
            return 2 * sum(t.face == "cartographer" for tiles in state.captains[seat].columns for t in tiles)
    return 0


def _take_map(batch: Batch[State], seat: int) -> None:
    if batch.state.map != seat:
        batch.add(MapTaken(seat=seat))


def _draw(batch: Batch[State], seat: int) -> None:
    bag = batch.state.bag
    if not bag:
        raise Corrupt("only a full fold with tiles in the bag can draw")
    face, back = FACES[bag[0]]
    batch.add(TileDrawn(seat=seat, face=face, back=Seal((), back)))


def _end_turn(batch: Batch[State], seat: int) -> None:
    """The bonuses of this turn, the Map coin, and the next tile; an empty bag skips turns (R4)."""
    for column in batch.state.bonuses:
        _take_bonus(batch, seat, column)
    _close_turn(batch, seat)
    while not (state := batch.state).ended:
        if state.left:
            _draw(batch, state.turn)
            return
        _close_turn(batch, state.turn)
    for other in range(len(batch.state.captains)):
        batch.add(Scored(seat=other, lines=scoring.lines(batch.state, other)))


def _take_bonus(batch: Batch[State], seat: int, column: int) -> None:
    state = batch.state
    bonus = state.board[column].bonus
    if bonus is None:
        raise Corrupt(f"column {column} has no bonus")
    batch.add(BonusTaken(seat=seat, column=column, bonus=bonus.kind, count=_bonus_worth(state, seat, column, bonus)))
    if bonus.kind == "map":
        _take_map(batch, seat)


def _bonus_worth(state: State, seat: int, column: int, bonus: Bonus) -> int:
    """The coins of a column bonus. Rules: captain_flip, Boards."""
    match bonus.kind:
        case "race":
            others = [other for other in range(len(state.captains)) if other != seat]
            return bonus.later if any(column in state.full(other) for other in others) else bonus.first
        case "per_column":
            return bonus.first * len(state.full(seat))
        case "per_character":
            return bonus.first * len({tile.face for tile in state.captains[seat].columns[column]})
    return bonus.first


def _close_turn(batch: Batch[State], seat: int) -> None:
    """The Map coin, the end if four columns are complete, and the turn is over."""
    state = batch.state
    if state.map == seat:
        batch.add(CoinsTaken(seat=seat, count=1, why="map"))
    if state.triggered is None and len(state.full(seat)) >= END_COLUMNS:
        batch.add(EndTriggered(seat=seat))
    batch.add(TurnEnded(seat=seat))


CAPTAIN_FLIP = CaptainFlip()
