"""What an observer sees of a table of Captain Flip: all see the same."""

from typing import TYPE_CHECKING, Literal

from domain.captain_flip.boards import Column, Kind
from domain.captain_flip.events import Line
from domain.captain_flip.scoring import gunners
from domain.captain_flip.state import BoardName, Captain, State
from domain.captain_flip.tiles import CHARACTERS
from domain.values import Value

if TYPE_CHECKING:
    Character = str
    Why = str
else:
    # To a type checker these are strings; the schema names every one of them.
    Character = Literal[CHARACTERS]
    Why = Literal["parrot", "lookout", "carpenter", "swabby", "identical", "different", "floor"]

Phase = Literal["play", "place", "monkey", "over"]


class DrawnView(Value, frozen=True):
    """The tile that was drawn and waits to be placed.

    `face` is the side that is seen, `back` the other one: null unless both have been seen, or you look as `all`.
    `flipped` says that it was turned over, and must be placed now.
    """

    face: Character
    back: Character | None
    flipped: bool


class SpaceView(Value, frozen=True):
    """A space of a board: its `column` from the left and its `row` from the bottom, both from 0."""

    column: int
    row: int


class BonusView(Value, frozen=True):
    """What covering the highest space of a column gives, in coins.

    - `kind`: what it is given for. `map`: no coins, but the Map. `coins`: `first`. `race`: `first` to the first seat
      that covers it, `later` to all others. `per_column`: `first` for each column that is complete. `per_character`:
      `first` for each different character in the column. `identical`, `different`: `first` at the end of the game, if
      all characters in the column are the same, or no two are.
    - `first`: see `kind`; 0 of a `map`. `later`: see `kind`; 0 of all but a `race`.
    """

    kind: Kind
    first: int
    later: int


class ColumnView(Value, frozen=True):
    """A column of everybody's board.

    Its spaces are the rows from `low` to `high`, counted from 0 at the bottom; a tile put there costs `cost` coins.
    `bonus` is null where its highest space gives none.
    """

    low: int
    high: int
    cost: int
    bonus: BonusView | None


class BoardView(Value, frozen=True):
    """The board that every seat has one of: its `name`, and its `columns` from the left."""

    name: BoardName
    columns: tuple[ColumnView, ...]


class TileView(Value, frozen=True):
    """A tile on a board, in the row `row`.

    `face` is the side that is seen, `back` the other one: null unless both have been seen, or you look as `all`.
    """

    row: int
    face: Character
    back: Character | None


class LineView(Value, frozen=True):
    """One line of the final score: `count` coins, less than 0 where they are lost.

    `why` says what for: a character, a bonus of its column (`identical`, `different`), or `floor`: what lifts a total
    below 0 to 0. `column` and `row` say where it is; null where it is not for one column, or not for one tile.
    """

    why: Why
    count: int
    column: int | None
    row: int | None


class CaptainView(Value, frozen=True):
    """What a seat has.

    - `seat`: the seat.
    - `coins`: its coins; they can be less than 0.
    - `columns`: the tiles of each column of its board, the columns from the left, the tiles from the bottom.
    - `complete`: the columns without an empty space.
    - `gunners`: how many gunners are seen on its board.
    - `lines`: what the final scoring brought, already in `coins`; null before that.
    """

    seat: int
    coins: int
    columns: tuple[tuple[TileView, ...], ...]
    complete: tuple[int, ...]
    gunners: int
    lines: tuple[LineView, ...] | None


class TableView(Value, frozen=True):
    """A table of Captain Flip. Columns and rows are counted from 0.

    - `phase`: what is waited for. `play`: the drawn tile, to be flipped or placed. `place`: the drawn tile, which was
      flipped. `monkey`: the tile next to a monkey that is to be turned over. `over`: nothing any more.
    - `turn`: the seat whose turn it is; null when the game is over.
    - `flag`: the seat that began, and has the Pirate Flag.
    - `map`: the seat that has the Map; null if nobody has it yet.
    - `bag`: how many tiles are in the bag.
    - `drawn`: the tile that was drawn; null if none waits to be placed.
    - `monkey`: where a monkey waits to turn a tile over; null if none does.
    - `bonuses`: the columns completed in this turn whose bonus comes at its end.
    - `triggered`: the seat that brought about the last round; null before that.
    - `board`: the board.
    - `captains`: what each seat has, by seat.
    """

    phase: Phase
    turn: int | None
    flag: int
    map: int | None
    bag: int
    drawn: DrawnView | None
    monkey: SpaceView | None
    bonuses: tuple[int, ...]
    triggered: int | None
    board: BoardView
    captains: tuple[CaptainView, ...]


def view(state: State, over: bool = False) -> TableView:
    """The table: every visible face, and the backs that have been seen."""
    drawn, monkey = state.drawn, state.monkey
    over = over or state.ended
    return TableView(
        phase="over" if over else _phase(state),
        turn=None if over else state.turn,
        flag=state.flag,
        map=state.map,
        bag=state.left,
        drawn=None if drawn is None else DrawnView(drawn.face, drawn.back, not drawn.v),
        monkey=None if monkey is None else SpaceView(*monkey),
        bonuses=state.bonuses,
        triggered=state.triggered,
        board=BoardView(state.options.board, tuple([_column(column) for column in state.board])),
        captains=tuple([_captain(state, seat, captain) for seat, captain in enumerate(state.captains)]),
    )


def _phase(state: State) -> Phase:
    if state.drawn is None:
        return "monkey"
    return "play" if state.drawn.v else "place"


def _column(column: Column) -> ColumnView:
    bonus = column.bonus
    shown = None if bonus is None else BonusView(bonus.kind, bonus.first, bonus.later)
    return ColumnView(column.low, column.high, column.cost, shown)


def _captain(state: State, seat: int, captain: Captain) -> CaptainView:
    return CaptainView(
        seat=seat,
        coins=captain.purse.coins,
        columns=tuple(
            [
                tuple([TileView(column.low + place, tile.face, tile.back) for place, tile in enumerate(tiles)])
                for column, tiles in zip(state.board, captain.columns, strict=True)
            ]
        ),
        complete=state.full(seat),
        gunners=gunners(state, seat),
        lines=None if captain.lines is None else tuple([_line(line) for line in captain.lines]),
    )


def _line(line: Line) -> LineView:
    return LineView(line.why, line.count, line.column, line.row)
