"""Who is likely the Captain, in closed form, as one seat's fold tells it.

Cards whose place the seat knows stand where they are; the others lie anywhere with equal chances. What the seat once
handed to another, and what may have gone since (a face-down loss lapsed the mark), is weighed by the chance that it
stayed.
"""

from collections.abc import Iterator
from math import comb

from domain.captains_orders.cards import DECK, HIGHEST, RANK_OF, lowest
from domain.captains_orders.state import State
from domain.values import Value

_TRACED = 3
"""Of how many faded cards the odds are weighed: each doubles the work."""

_SPARED = 0.5
"""How likely a low card outlasts a loss of the holder's own choice: a wary one drops it, others pick at random."""


class Odds(Value, frozen=True):
    """`mine`: the chance that the seat is a Captain; `found[s]`: that accusing seat `s` would win."""

    mine: float
    found: tuple[float, ...]


class _World(Value, frozen=True):
    """What is certain in one case: the unseen cards per rank (index 0 is unused), and each hand's count and low."""

    unseen: tuple[int, ...]
    open: tuple[int, ...]
    lows: tuple[int, ...]


def odds(fold: State, seat: int) -> Odds:
    """The chances at this moment, each 0 to 1."""
    mine, found = 0.0, [0.0] * len(fold.hands)
    for weight, world in _worlds(fold, seat):
        one = _odds(world, seat)
        mine += weight * one.mine
        found = [total + weight * part for total, part in zip(found, one.found, strict=True)]
    return Odds(mine, tuple(found))


def least(fold: State, seat: int, rank: int) -> float:
    """The chance that no other hand holds a card below `rank`: that a last card of it would win."""
    return sum(weight * _none_below(world, rank, skip=seat) for weight, world in _worlds(fold, seat))


def _odds(world: _World, seat: int) -> Odds:
    own, floor = world.lows[seat], min(world.lows)
    found = [0.0] * len(world.lows)
    for rank in range(1, min(own - 1, floor) + 1):
        lowest_so_far = _none_below(world, rank)
        for other in range(len(found)):
            if other != seat:
                found[other] += lowest_so_far - _clear_of(world, rank, other)
    mine = _none_below(world, own) if own == floor else 0.0
    return Odds(mine, tuple(found))


def _none_below(world: _World, rank: int, skip: int | None = None) -> float:
    """The chance that every card in hands, of seat `skip` aside, is of `rank` or higher."""
    if any(low < rank for seat, low in enumerate(world.lows) if seat != skip):
        return 0.0
    return _drawn(sum(world.unseen[rank:]), sum(world.open), sum(world.unseen))


def _clear_of(world: _World, rank: int, seat: int) -> float:
    """The chance that all cards in hands are of `rank` or higher, and none of `seat` is of `rank` itself."""
    if world.lows[seat] <= rank:
        return 0.0
    total, good, better = sum(world.unseen), sum(world.unseen[rank:]), sum(world.unseen[rank + 1 :])
    own = world.open[seat]
    return _drawn(better, own, total) * _drawn(good - own, sum(world.open) - own, total - own)


def _drawn(good: int, count: int, total: int) -> float:
    """The chance that `count` cards out of `total` are all among the `good` ones."""
    return comb(good, count) / comb(total, count) if good >= count else 0.0


def _worlds(fold: State, seat: int) -> Iterator[tuple[float, _World]]:
    """What is certain, once for each way in which the faded cards may have stayed or gone, with its chance."""
    unseen = [0] * (HIGHEST + 1)
    for card in DECK:
        unseen[RANK_OF[card]] += 1
    for hand in (*fold.hands, fold.discarded):
        for card in hand.known:
            unseen[RANK_OF[card]] -= 1
    if fold.order is not None:
        unseen[RANK_OF[fold.order.card]] -= 1
    world = _World(
        unseen=tuple(unseen),
        open=tuple([hand.count - len(hand.known) for hand in fold.hands]),
        lows=tuple([lowest(hand.known) for hand in fold.hands]),
    )
    yield from _branch(1.0, world, faded(fold, seat)[:_TRACED])


def _branch(weight: float, world: _World, traced: tuple[tuple[int, int, float], ...]) -> Iterator[tuple[float, _World]]:
    if not traced:
        yield weight, world
        return
    (holder, rank, chance), rest = traced[0], traced[1:]
    if not world.unseen[rank] or not world.open[holder]:
        yield from _branch(weight, world, rest)
        return
    unseen = tuple([n - (r == rank) for r, n in enumerate(world.unseen)])
    there = _World(
        unseen=unseen,
        open=tuple([n - (s == holder) for s, n in enumerate(world.open)]),
        lows=tuple([min(low, rank) if s == holder else low for s, low in enumerate(world.lows)]),
    )
    yield from _branch(weight * chance, there, rest)
    if chance < 1.0 and sum(unseen) >= sum(world.open):
        yield from _branch(weight * (1.0 - chance), _World(unseen, world.open, world.lows), rest)


def faded(fold: State, seat: int) -> tuple[tuple[int, int, float], ...]:
    """Cards that `seat` handed to others and that are not marked there any more: holder, rank, chance; lowest first."""
    traces: list[tuple[int, int, float]] = []
    for place, moved in enumerate(fold.moved):
        if moved.seat != seat or moved.to is None or moved.card is None or moved.card in fold.hands[moved.to].known:
            continue
        chance = _stayed(fold, place, moved.to, moved.card)
        if chance > 0.05:
            traces.append((moved.to, RANK_OF[moved.card], chance))
    return tuple(sorted(traces, key=lambda trace: trace[1]))


def _stayed(fold: State, place: int, holder: int, card: str) -> float:
    """The chance that `card`, which came to `holder` with the move number `place`, is still there."""
    rank, chance = RANK_OF[card], 1.0
    for later in fold.moved[place + 1 :]:
        if later.seat != holder or later.at_least > rank:
            continue
        if later.card is None:
            chance *= _SPARED if rank <= 3 else 0.8
        elif later.card == card:
            return 0.0
    return chance
