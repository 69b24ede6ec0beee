"""Who wins a round, from the hands that are shown at its end. Rules: captains_orders, End of a round, R2, R4 to R6."""

from collections.abc import Collection, Sequence

from domain.captains_orders.cards import RANK_OF, lowest, points
from domain.captains_orders.events import RoundEnded
from domain.multisets import Cards, without


def captains(hands: Sequence[Cards]) -> tuple[int, ...]:
    """Every seat that holds a card of the lowest rank in hands (R2)."""
    least = [lowest(hand) for hand in hands]
    return tuple([seat for seat, rank in enumerate(least) if rank == min(least)])


def by_accusation(hands: Sequence[Cards], accuser: int, accused: int) -> RoundEnded:
    """A Mutineer who names a Captain wins alone; else the points decide among the others."""
    found = captains(hands)
    if accused in found and accuser not in found:
        return _ended("accused", None, found, hands, (accuser,))
    return _ended("accused", None, found, hands, _by_points(hands, {*found, accuser}))


def by_emptying(hands: Sequence[Cards], seat: int, last: str, receiver: int | None) -> RoundEnded:
    """`seat` gave away its last card: no higher than every other, it wins alone (R5); else the points decide.

    A right last card is shown and passes to nobody; a wrong one counts in the hand of its `receiver` (R8).
    """
    shown = list(hands)
    if RANK_OF[last] > min([lowest(hand) for hand in hands]):
        found = captains(hands)
        return _ended("emptied", last, found, shown, _by_points(hands, {*found, seat}))
    if receiver is not None:
        shown[receiver] = without(hands[receiver], (last,)) or ()
    found = tuple([s for s, hand in enumerate(shown) if s == seat or lowest(hand) == RANK_OF[last]])
    return _ended("emptied", last, found, shown, (seat,))


def _by_points(hands: Sequence[Cards], without_seats: Collection[int]) -> tuple[int, ...]:
    """The highest sum wins, equal sums each; nobody if nobody is left (R6)."""
    sums = {seat: points(hand) for seat, hand in enumerate(hands) if seat not in without_seats}
    best = max(sums.values(), default=0)
    return tuple([seat for seat, total in sums.items() if total == best])


def _ended(
    reason: str, last: str | None, found: tuple[int, ...], hands: Sequence[Cards], winners: tuple[int, ...]
) -> RoundEnded:
    return RoundEnded(
        reason="accused" if reason == "accused" else "emptied",
        last_card=last,
        captains=found,
        hands=tuple(hands),
        points=tuple([points(hand) for hand in hands]),
        winners=winners,
    )
