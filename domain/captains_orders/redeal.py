"""Full tables that fit what a seat knows, and the law that no card appears or vanishes."""

from msgspec.structs import replace

from domain.captains_orders.cards import DECK
from domain.captains_orders.state import State
from domain.entropy import Rng, shuffled
from domain.errors import Corrupt
from domain.hands import Hand
from domain.multisets import Cards, contains, multiset, without


def known(state: State) -> Cards:
    """Every card whose place is known."""
    held = tuple([card for hand in (*state.hands, state.discarded) for card in hand.known])
    return (*held, state.order.card) if state.order is not None else held


def redeal(fold: State, rng: Rng) -> State:
    """`fold` with every unknown card in hands and discards filled in at random; what is over was never dealt."""
    unknown = without(DECK, known(fold))
    if unknown is None:
        raise Corrupt("the fold knows cards that are not in the deck")
    source = iter(shuffled(rng, unknown))

    def fill(hand: Hand) -> Hand:
        missing = hand.count - len(hand.known)
        return Hand(hand.count, multiset((*hand.known, *[next(source) for _ in range(missing)])))

    return replace(fold, hands=tuple([fill(hand) for hand in fold.hands]), discarded=fill(fold.discarded))


def check(state: State) -> None:
    """Raise `Corrupt` unless a full table and the undealt rest can be exactly the deck."""
    placed = known(state)
    whole = all(hand.whole for hand in (*state.hands, state.discarded))
    if not whole or not contains(DECK, placed) or len(placed) + state.undealt != len(DECK):
        raise Corrupt("cards appeared or vanished")
