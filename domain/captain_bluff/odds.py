"""What a seat may reckon from its own fold: how likely an origin card is of a city, and a play a lie."""

from collections.abc import Mapping

from domain.captain_bluff.belts import Origin, Row, plain, read
from domain.captain_bluff.cards import AIRPORT, BAGS, CITIES, CITY_OF
from domain.captain_bluff.redeal import known
from domain.captain_bluff.state import Question, State

_AIRPORT_WEIGHT = 0.5
"""How much rather a bag than an Airport card is laid as an origin: an Airport card can be played."""

_INSIDER = 5.0
_OUTSIDER = 1.5
"""How much likelier a play is if it is true: by a seat that knows the origin card, and by one that does not."""


def unseen(fold: State) -> Mapping[str | None, float]:
    """How many bags of each city, and (at None) Airport cards of the game, lie where the fold cannot look."""
    left: dict[str | None, float] = dict.fromkeys(CITIES, float(len(BAGS) // len(CITIES)))
    left[None] = float(len(AIRPORT) - (fold.unused.count if fold.unused.order is None else 0))
    for card in known(fold):
        left[CITY_OF.get(card)] -= 1
    return left


def origin_is(fold: State, belt: int, city: str, left: Mapping[str | None, float]) -> float:
    """How likely the origin card of `belt` is of `city`, 0 to 1; `left` is what `unseen` says."""
    origin = fold.belts[belt].origin
    if origin is None:
        return 0.0
    if origin.card is not None:
        return float(CITY_OF.get(origin.card) == city)
    weight = {c: max(0.0, left[c]) for c in CITIES}
    if fold.belts[belt].row:
        # Nobody has called it a lie so far.
        weight[read(fold.belts[belt].row).city or city] *= 1.5
    total = sum(weight.values()) + _AIRPORT_WEIGHT * max(0.0, left[None])
    return weight[city] / total if total else 0.0


def truth(fold: State, question: Question) -> float:
    """How likely the play in question is true, 0 to 1: the odds of the cards, and that its seat may know better."""
    belt = fold.belts[question.belt]
    odds = origin_is(fold, question.belt, read(belt.row).city or "", unseen(fold))
    if odds in (0.0, 1.0) or belt.origin is None:
        return odds
    factor = _INSIDER if question.window.claimant in belt.origin.seen else _OUTSIDER
    return odds * factor / (odds * factor + 1.0 - odds)


def insiders(origin: Origin | None, seat: int) -> bool:
    """Whether another seat than `seat` knows the origin card."""
    return origin is not None and any(other != seat for other in origin.seen)


def size(row: Row) -> int:
    """How many cards somebody takes who has to take the belt."""
    return len(plain(row)) + 1
