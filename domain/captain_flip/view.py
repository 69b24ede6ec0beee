"""What an observer sees of a table of Captain Flip: all see the same."""

from typing import Any

from domain.captain_flip.boards import Column
from domain.captain_flip.scoring import gunners
from domain.captain_flip.state import Captain, State, Tile


def view(state: State) -> dict[str, Any]:
    """The table as JSON values: every visible face, and the backs that have been seen."""
    drawn, monkey = state.drawn, state.monkey
    return {
        "phase": _phase(state),
        "turn": None if state.ended else state.turn,
        "flag": state.flag,
        "map": state.map,
        "bag": state.left,
        "drawn": None if drawn is None else {**_faces(drawn), "flipped": not drawn.v},
        "monkey": None if monkey is None else {"column": monkey[0], "row": monkey[1]},
        "bonuses": state.bonuses,
        "triggered": state.triggered,
        "board": {"name": state.options.board, "columns": [_column(column) for column in state.board]},
        "captains": [_captain(state, seat, captain) for seat, captain in enumerate(state.captains)],
    }


def _phase(state: State) -> str:
    if state.drawn is not None:
        return "play" if state.drawn.v else "place"
    return "over" if state.monkey is None else "monkey"


def _faces(tile: Tile) -> dict[str, Any]:
    """`back` is null until both faces were seen, or the game is over and its whole log is read."""
    return {"face": tile.face, "back": tile.back}


def _column(column: Column) -> dict[str, Any]:
    bonus = column.bonus
    shown = None if bonus is None else {"kind": bonus.kind, "first": bonus.first, "later": bonus.later}
    return {"low": column.low, "high": column.high, "cost": column.cost, "bonus": shown}


def _captain(state: State, seat: int, captain: Captain) -> dict[str, Any]:
    return {
        "seat": seat,
        "coins": captain.purse.coins,
        "columns": [
            [{"row": column.low + place, **_faces(tile)} for place, tile in enumerate(tiles)]
            for column, tiles in zip(state.board, captain.columns, strict=True)
        ],
        "complete": state.full(seat),
        "gunners": gunners(state, seat),
        "lines": None if captain.lines is None else [_line(line) for line in captain.lines],
    }


def _line(line: Any) -> dict[str, Any]:
    return {"why": line.why, "count": line.count, "column": line.column, "row": line.row}
