"""The runs that a hand can lay, and what each is worth to a seat that knows what its fold knows."""

from collections.abc import Iterator, Mapping

from domain.captain_bluff.belts import Reading, read
from domain.captain_bluff.cards import HIGH, LOW, WORLD
from domain.captain_bluff.forms import by_city, fits
from domain.captain_bluff.moves import Declared, Placed
from domain.captain_bluff.odds import insiders, origin_is, size
from domain.captain_bluff.state import State
from domain.multisets import Cards
from domain.values import Value

Held = tuple[tuple[str, int], ...]
Segment = list[tuple[Placed, int]]

_WIN = 40.0
"""What a won game is worth, in cards."""


class Plan(Value, frozen=True):
    """A run that may be placed: where, what, how likely it is true, and its worth in cards."""

    belt: int
    city: str
    cards: tuple[Placed, ...]
    truth: float
    worth: float

    @property
    def wild(self) -> bool:
        """Whether an Around the World is in it."""
        return any(isinstance(card, Declared) for card in self.cards)


def plans(fold: State, seat: int, left: Mapping[str | None, float]) -> list[Plan]:
    """Every longest run for each city and belt."""
    hand = fold.hands[seat].known
    wild = WORLD in hand and not fold.airport
    readings = [(i, read(belt.row)) for i, belt in enumerate(fold.belts) if belt.origin is not None]
    open_at = {reading.city: i for i, reading in readings if reading.end}
    found = []
    for city, held in by_city(hand).items():
        for belt, reading in readings:
            if open_at.get(city, belt) != belt or (reading.end and reading.city != city):
                continue
            true = origin_is(fold, belt, city, left)
            for run in runs(held, reading, wild):
                worth = stake(fold, seat, belt, len(run), true) + 0.3 * _follow(held, run)
                found.append(Plan(belt, city, tuple([card for card, _ in run]), true, worth))
    return found


def runs(held: Held, reading: Reading, wild: bool) -> Iterator[Segment]:
    """The longest closed runs of one city that may follow: up, down, and with an Around the World in a gap or last."""
    for step, bound in ((1, reading.up), (-1, reading.down)):
        if bound is None:
            continue
        fitting = [pair for pair in held if (pair[1] - bound) * step >= 0][::step]
        segments = _segments(fitting, step)
        for number, segment in enumerate(segments):
            if len(segment) > 1 or step == 1 or reading.end:
                yield segment
            if not wild:
                continue
            after = segment[-1][1] + step
            if LOW <= after <= HIGH:
                joker: Segment = [(Declared(WORLD, after), after)]
                following = segments[number + 1] if number + 1 < len(segments) else []
                yield segment + joker + (following if following and following[0][1] == after + step else [])


def _segments(held: list[tuple[str, int]], step: int) -> list[Segment]:
    """The parts of a hand whose numbers follow each other directly."""
    segments: list[Segment] = []
    for card, number in held:
        if segments and segments[-1][-1][1] + step == number:
            segments[-1].append((card, number))
        else:
            segments.append([(card, number)])
    return segments


def _follow(held: Held, run: Segment) -> int:
    """How many other cards of the city may still follow after the run; skipped ones are lost for now."""
    last = run[-1][1]
    if len(run) == 1:
        return max(sum(n > last for _, n in held), sum(n < last for _, n in held))
    rising = last > run[0][1]
    return sum((n > last) == rising and n != last for _, n in held)


def stake(fold: State, seat: int, belt: int, count: int, true: float) -> float:
    """The worth in cards of laying `count` cards on a belt whose city is right with the chance `true`.

    Less those that come back after a challenge, which is likelier the more is at stake.
    """
    pile = size(fold.belts[belt].row)
    known = insiders(fold.belts[belt].origin, seat)
    last = fold.hands[seat].count == count
    caught = 0.97 if known or last else min(0.8, 0.25 + 0.04 * (pile + count))
    doubted = 0.8 if last else 0.08 if known else 0.25
    reward = count + (_WIN if last else 0.0)
    lie = (1.0 - caught) * reward - caught * pile
    return true * (reward + doubted * 0.4 * (pile + count)) + (1.0 - true) * lie


def playable(fold: State, hand: Cards, city: str) -> int:
    """How many bags of a city could be laid now, one by one."""
    held = by_city(hand).get(city, ())
    for belt in fold.belts:
        reading = read(belt.row)
        if reading.city == city:
            return sum(fits(reading, number) for _, number in held)
    return len(held)
