"""The table of Captain Flip, and how events change it."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, cast

from msgspec.structs import replace

from domain.captain_flip.boards import AT_THE_END, BOARDS, COLUMNS, HEIGHTS, LOWS, NEIGHBOURS, Column, Space
from domain.captain_flip.events import (
    BagShuffled,
    BonusTaken,
    CoinsTaken,
    EndTriggered,
    FlagDrawn,
    Line,
    MapTaken,
    NeighbourFlipped,
    Scored,
    TileDrawn,
    TileFlipped,
    TilePlaced,
    TurnEnded,
)
from domain.captain_flip.tiles import TILES
from domain.errors import Corrupt
from domain.events import Event
from domain.ruleset import Options
from domain.values import Value

BoardName = Literal["A", "B", "C", "D", "A_BONUS"]


class CaptainFlipOptions(Options, frozen=True):
    """`board` is the one that all seats use. Rules: captain_flip, ruling 1."""

    board: BoardName = "A"


class Tile(Value, frozen=True):
    """A tile out of the bag. `v` is the version of the event that seals its back, 0 once both faces were seen."""

    face: str
    back: str | None
    v: int = 0

    def turned(self, face: str) -> "Tile":
        """The tile with its other face, `face`, seen by all."""
        return Tile(face, self.face)

    def refines_to(self, full: "Tile") -> bool:
        """Whether `full` is this tile with its back known."""
        return self.face == full.face and self.v == full.v and self.back in (None, full.back)


class Purse(Value, frozen=True):
    """The coins of a seat by where they came from, so that every coin has a source."""

    cook: int = 0
    gunner: int = 0
    monkey: int = 0
    navigator: int = 0
    map: int = 0
    bonus: int = 0
    paid: int = 0
    scored: int = 0

    @property
    def coins(self) -> int:
        """All together, less what was paid."""
        return self.cook + self.gunner + self.monkey + self.navigator + self.map + self.bonus - self.paid + self.scored


class Captain(Value, frozen=True):
    """One seat: its columns, each from the bottom up, its coins, and at the end the lines of its score."""

    columns: tuple[tuple[Tile, ...], ...] = ((),) * len(COLUMNS)
    purse: Purse = Purse()
    lines: tuple[Line, ...] | None = None


class State(Value, frozen=True):
    """The table. `bag` is the order of the tiles in the bag, known to nobody at the table; `left` how many there are.

    `drawn` waits to be flipped or placed, `monkey` is where one waits to flip a neighbour, `bonuses` are the
    columns completed in this turn whose bonus is still to come, `since` the version that opened the question.
    """

    options: CaptainFlipOptions
    captains: tuple[Captain, ...]
    flag: int = 0
    turn: int = 0
    turns: int = 0
    map: int | None = None
    bag: tuple[str, ...] | None = ()
    left: int = 0
    drawn: Tile | None = None
    monkey: Space | None = None
    bonuses: tuple[int, ...] = ()
    since: int = 0
    triggered: int | None = None
    ended: bool = False

    @property
    def board(self) -> tuple[Column, ...]:
        """The columns of everybody's board."""
        return BOARDS[self.options.board]

    def tile(self, seat: int, space: Space) -> Tile | None:
        """The tile at `space` of the board of `seat`; None if the space is empty or there is no such space."""
        column, row = space
        if column not in COLUMNS:
            return None
        tiles = self.captains[seat].columns[column]
        place = row - LOWS[self.options.board][column]
        return tiles[place] if 0 <= place < len(tiles) else None

    def row(self, seat: int, row: int) -> list[Tile]:
        """All tiles of `seat` at one elevation, over gaps."""
        lows = LOWS[self.options.board]
        columns = self.captains[seat].columns
        return [tiles[row - low] for tiles, low in zip(columns, lows, strict=True) if 0 <= row - low < len(tiles)]

    def neighbours(self, seat: int, space: Space) -> tuple[Space, ...]:
        """The spaces with a tile that share a side with `space`: the lowest row first, then the lowest column."""
        beside = NEIGHBOURS[self.options.board][space]
        return tuple([side for side in beside if self.tile(seat, side) is not None])

    def full(self, seat: int) -> tuple[int, ...]:
        """The columns that `seat` has completed."""
        heights = HEIGHTS[self.options.board]
        columns = self.captains[seat].columns
        return tuple([c for c in COLUMNS if len(columns[c]) == heights[c]])

    def legal_columns(self, seat: int) -> tuple[int, ...]:
        """The columns in which `seat` may place a tile: not full, and what the space costs can be paid."""
        board = BOARDS[self.options.board]
        heights = HEIGHTS[self.options.board]
        captain = self.captains[seat]
        return tuple(
            [
                c
                for c in COLUMNS
                if len(captain.columns[c]) < heights[c] and (not board[c].cost or board[c].cost <= captain.purse.coins)
            ]
        )


def evolve(state: State, event: Event) -> State:
    """The table after `event`; total on full and on partial knowledge."""
    handler = _HANDLERS.get(type(event))
    if handler is None:
        raise Corrupt(f"{event.type} is no event of captain_flip")
    return handler(state, event)


def _with(state: State, seat: int, captain: Captain) -> tuple[Captain, ...]:
    captains = state.captains
    return (*captains[:seat], captain, *captains[seat + 1 :])


def _with_tile(captain: Captain, column: int, tiles: tuple[Tile, ...], purse: Purse) -> Captain:
    columns = captain.columns
    return Captain((*columns[:column], tiles, *columns[column + 1 :]), purse, captain.lines)


def _flag(state: State, event: FlagDrawn) -> State:
    return replace(state, flag=event.seat, turn=event.seat)


def _shuffled(state: State, event: BagShuffled) -> State:
    return replace(state, bag=event.order.value, left=len(TILES))


def _drawn(state: State, event: TileDrawn) -> State:
    return replace(
        state,
        turn=event.seat,
        drawn=Tile(event.face, event.back.value, event.v),
        bag=None if state.bag is None else state.bag[1:],
        left=state.left - 1,
        since=event.v,
    )


def _flipped(state: State, event: TileFlipped) -> State:
    return replace(state, drawn=cast(Tile, state.drawn).turned(event.face), since=event.v)


def _placed(state: State, event: TilePlaced) -> State:
    seat, column = cast(int, event.seat), event.column
    captain = state.captains[seat]
    tiles = (*captain.columns[column], cast(Tile, state.drawn))
    purse = replace(captain.purse, paid=captain.purse.paid + event.paid) if event.paid else captain.purse
    spaces = state.board[column]
    waits = len(tiles) == spaces.height and spaces.bonus is not None and spaces.bonus.kind not in AT_THE_END
    after = replace(
        state,
        captains=_with(state, seat, _with_tile(captain, column, tiles, purse)),
        drawn=None,
        bonuses=(*state.bonuses, column) if waits else state.bonuses,
        since=event.v,
    )
    return _monkey_waits(after, seat, (column, event.row), event.face)


def _neighbour(state: State, event: NeighbourFlipped) -> State:
    seat, column = cast(int, event.seat), event.column
    captain = state.captains[seat]
    tiles = captain.columns[column]
    place = event.row - LOWS[state.options.board][column]
    tiles = (*tiles[:place], tiles[place].turned(event.face), *tiles[place + 1 :])
    captains = _with(state, seat, _with_tile(captain, column, tiles, captain.purse))
    after = replace(state, captains=captains, monkey=None, since=event.v)
    return _monkey_waits(after, seat, (column, event.row), event.face)


def _monkey_waits(state: State, seat: int, space: Space, face: str) -> State:
    """A monkey that came up flips a neighbour, if it has one."""
    return replace(state, monkey=space) if face == "monkey" and state.neighbours(seat, space) else state


def _coins(state: State, event: CoinsTaken) -> State:
    return _gained(state, cast(int, event.seat), event.why, event.count)


def _gained(state: State, seat: int, why: str, count: int, **changes: Any) -> State:
    captain = state.captains[seat]
    purse = replace(captain.purse, **{why: getattr(captain.purse, why) + count})
    return replace(state, captains=_with(state, seat, Captain(captain.columns, purse, captain.lines)), **changes)


def _map(state: State, event: MapTaken) -> State:
    return replace(state, map=event.seat)


def _bonus(state: State, event: BonusTaken) -> State:
    left = tuple([column for column in state.bonuses if column != event.column])
    return _gained(state, cast(int, event.seat), "bonus", event.count, bonuses=left)


def _triggered(state: State, event: EndTriggered) -> State:
    return replace(state, triggered=event.seat)


def _turn_ended(state: State, event: TurnEnded) -> State:
    following = (cast(int, event.seat) + 1) % len(state.captains)
    ended = state.triggered is not None and following == state.flag
    return replace(state, turn=following, turns=state.turns + 1, ended=ended)


def _scored(state: State, event: Scored) -> State:
    seat = cast(int, event.seat)
    captain = state.captains[seat]
    purse = replace(captain.purse, scored=sum(line.count for line in event.lines))
    return replace(state, captains=_with(state, seat, Captain(captain.columns, purse, event.lines)))


_HANDLERS: Mapping[type[Event], Callable[[State, Any], State]] = {
    FlagDrawn: _flag,
    BagShuffled: _shuffled,
    TileDrawn: _drawn,
    TileFlipped: _flipped,
    TilePlaced: _placed,
    NeighbourFlipped: _neighbour,
    CoinsTaken: _coins,
    MapTaken: _map,
    BonusTaken: _bonus,
    EndTriggered: _triggered,
    TurnEnded: _turn_ended,
    Scored: _scored,
}
