"""The end of Captain Flip: end effects line by line, ranks, winners. Rules: captain_flip, End."""

from collections.abc import Iterator

from domain.captain_flip.events import Line
from domain.captain_flip.state import State
from domain.results import Rank, ranked

SWABBIES = (0, 1, 4, 9, 16, 25)
"""Coins for swabbies in so many columns."""
TOO_MANY_GUNNERS = 3


def lines(state: State, seat: int) -> tuple[Line, ...]:
    """What `seat` gets at the end for the faces that are visible now; a last line lifts a total below 0 to 0 (R2)."""
    found = [*_characters(state, seat), *_swabbies(state, seat), *_columns(state, seat)]
    total = state.captains[seat].purse.coins + sum(line.count for line in found)
    return (*found, Line("floor", -total)) if total < 0 else tuple(found)


def _characters(state: State, seat: int) -> Iterator[Line]:
    for column, tiles in enumerate(state.captains[seat].columns):
        faces = [tile.face for tile in tiles]
        for place, face in enumerate(faces):
            row = state.board[column].low + place
            if face == "parrot":
                yield Line("parrot", -1, column, row)
            elif face == "lookout" and place == len(faces) - 1:
                yield Line("lookout", 4, column, row)
            elif face == "carpenter" and "gunner" not in (*faces, *(t.face for t in state.row(seat, row))):
                yield Line("carpenter", 3, column, row)


def _swabbies(state: State, seat: int) -> Iterator[Line]:
    columns = sum(any(tile.face == "swabby" for tile in tiles) for tiles in state.captains[seat].columns)
    if columns:
        yield Line("swabby", SWABBIES[columns])


def _columns(state: State, seat: int) -> Iterator[Line]:
    """The bonuses that are looked at now: of completed columns only."""
    columns = state.captains[seat].columns
    for column in state.full(seat):
        bonus = state.board[column].bonus
        different = len({tile.face for tile in columns[column]})
        if bonus is not None and {"identical": 1, "different": len(columns[column])}.get(bonus.kind) == different:
            yield Line(bonus.kind, bonus.first, column)


def gunners(state: State, seat: int) -> int:
    """How many gunners are visible on the board of `seat`."""
    return sum(tile.face == "gunner" for tiles in state.captains[seat].columns for tile in tiles)


def lost(state: State, seat: int) -> bool:
    """Whether `seat` has too many gunners."""
    return gunners(state, seat) >= TOO_MANY_GUNNERS


def final(state: State, seat: int) -> int:
    """The coins of `seat` after the end effects: taken already, or as they would be now."""
    captain = state.captains[seat]
    due = 0 if captain.lines is not None else sum(line.count for line in lines(state, seat))
    return captain.purse.coins + due


def standing(state: State) -> tuple[Rank, ...]:
    """More coins rank higher; the Map breaks a tie for the first place; who lost by gunners comes last (R3)."""
    seats = range(len(state.captains))
    coins = [final(state, seat) for seat in seats]
    out = [lost(state, seat) for seat in seats]
    best = max((coins[seat] for seat in seats if not out[seat]), default=0)
    worth = [
        (1, 0, False) if out[seat] else (0, -coins[seat], coins[seat] == best and state.map != seat) for seat in seats
    ]
    return ranked(coins, worth)


def winners(state: State, ranking: tuple[Rank, ...]) -> tuple[int, ...]:
    """The seats of rank 1; nobody, if all have too many gunners (R3)."""
    return tuple([r.seat for r in ranking if r.rank == 1 and not lost(state, r.seat)])
