"""Bots of Captain Flip: pure functions of the seat's own fold.

`novice` plays at random but steers clear of a third gunner. `standard` weighs keeping against what the unseen back may
be, and every column by what it pays now, promises for the end, and risks.
"""

from domain.captain_flip.judge import Judge
from domain.captain_flip.moves import FlipNeighbour, FlipTile, PlaceTile
from domain.captain_flip.scoring import TOO_MANY_GUNNERS, gunners
from domain.captain_flip.state import State
from domain.decisions import Decision
from domain.entropy import Rng, pick
from domain.errors import Corrupt
from domain.moves import Move

_FLIP_SHARE = 30
"""Percent of its tiles that a novice flips for no reason."""


def novice(fold: State, seat: int, decision: Decision, rng: Rng) -> Move:
    """Any column, any neighbour; a gunner that would be one too many is flipped."""
    if decision.kind == "monkey":
        if fold.monkey is None:
            raise Corrupt("no monkey waits")
        return FlipNeighbour(*pick(rng, fold.neighbours(seat, fold.monkey)))
    ruinous = _face(fold) == "gunner" and gunners(fold, seat) + 1 >= TOO_MANY_GUNNERS
    if decision.kind == "play" and (ruinous or rng.randrange(100) < _FLIP_SHARE):
        return FlipTile()
    return PlaceTile(pick(rng, fold.legal_columns(seat)))


def standard(fold: State, seat: int, decision: Decision, rng: Rng) -> Move:
    """What brings most, on average. Ties go to the left and down; `rng` is not needed."""
    judge = Judge(fold, seat)
    if decision.kind == "monkey":
        if fold.monkey is None:
            raise Corrupt("no monkey waits")
        return FlipNeighbour(*max(fold.neighbours(seat, fold.monkey), key=judge.flipped))
    kept, column = judge.best_place(_face(fold))
    if decision.kind == "play" and turned(judge, _face(fold)) > kept:
        return FlipTile()
    return PlaceTile(-column)


def turned(judge: Judge, face: str) -> float:
    """What a tile that shows `face` brings on average if it is flipped and then placed as well as may be."""
    odds = judge.odds(face, None)
    return sum(chance * judge.best_place(back)[0] for back, chance in odds.items())


def _face(fold: State) -> str:
    if fold.drawn is None:
        raise Corrupt("no tile was drawn")
    return fold.drawn.face
