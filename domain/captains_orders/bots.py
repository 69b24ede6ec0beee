"""Bots of Captain's Orders: pure functions of the seat's own fold.

`novice` plays at random but never something silly. `standard` counts who is likely the Captain, sheds low cards as
Orders that the others must feed, runs for the empty hand with the lowest card, and accuses once the odds are good.
"""

from domain.captains_orders.cards import RANK_OF, by_rank, points
from domain.captains_orders.moves import Accuse, AskCard, Belay, Discard, Follow, Give, PassCard, PlayOrder
from domain.captains_orders.odds import least, odds
from domain.captains_orders.state import State
from domain.decisions import Decision
from domain.entropy import Rng, pick
from domain.moves import Move
from domain.multisets import Cards


def novice(fold: State, seat: int, decision: Decision, rng: Rng) -> Move:
    """Random play that neither accuses as a certain Captain nor throws its last card away without hope."""
    cards = by_rank(fold.hands[seat].known)
    if decision.kind == "give":
        return Give(pick(rng, cards))
    if decision.kind == "discard":
        return Discard(pick(rng, cards))
    others = [other for other in range(len(fold.hands)) if other != seat]
    if RANK_OF[cards[0]] > 1 and _percent(rng, 5):
        return Accuse(pick(rng, others))
    if fold.order is not None:
        below, above = _split(cards, RANK_OF[fold.order.card])
        if below and (not above or _percent(rng, 40)):
            return Belay(pick(rng, below))
        return Follow(pick(rng, above))
    if fold.hands[seat].count == 1 and RANK_OF[cards[0]] > 5:
        return AskCard(pick(rng, others))
    kind = rng.randrange(3)
    if kind == 0:
        return AskCard(pick(rng, others))
    return PlayOrder(pick(rng, cards)) if kind == 1 else PassCard(pick(rng, cards), pick(rng, others))


def standard(fold: State, seat: int, decision: Decision, rng: Rng) -> Move:
    """Play by the odds."""
    hand = fold.hands[seat].known
    cards = by_rank(hand)
    if decision.kind == "give":
        return Give(_given_away(fold, seat, cards))
    if decision.kind == "discard":
        return Discard(cards[-1] if _runs(fold, seat, hand) else cards[0])
    chances = odds(fold, seat)
    best = max(range(len(fold.hands)), key=lambda other: chances.found[other])
    if chances.found[best] > _enough(fold):
        return Accuse(best)
    if fold.order is not None:
        return _answer(fold, seat, cards, rng)
    return _free(fold, seat, cards, best, rng)


def _enough(fold: State) -> float:
    """How good the odds of an accusation must be: less so as the round wears on, or nobody ever would."""
    dealt = fold.discarded.count + sum([hand.count for hand in fold.hands])
    return 0.6 - 0.3 * fold.discarded.count / dealt


def _runs(fold: State, seat: int, hand: Cards) -> bool:
    """Whether the seat tries to end with its lowest card: few cards left, and that one likely the lowest of all."""
    return len(hand) <= 3 and least(fold, seat, min([RANK_OF[card] for card in hand])) > 0.55


def _given_away(fold: State, seat: int, cards: Cards) -> str:
    hand = fold.hands[seat].known
    if len(hand) > 1 and _runs(fold, seat, hand):
        return cards[-1]
    return cards[0]


def _free(fold: State, seat: int, cards: Cards, suspect: int, rng: Rng) -> Move:
    """A turn without an Order."""
    hand = fold.hands[seat].known
    others = [other for other in range(len(fold.hands)) if other != seat]
    if len(hand) == 1:
        return PlayOrder(cards[0]) if least(fold, seat, RANK_OF[cards[0]]) > 0.5 else AskCard(pick(rng, others))
    if _runs(fold, seat, hand):
        return PassCard(cards[-1], suspect if suspect != seat else pick(rng, others))
    return PlayOrder(cards[0])


def _answer(fold: State, seat: int, cards: Cards, rng: Rng) -> Move:
    """A turn under an Order."""
    hand = fold.hands[seat].known
    below, above = _split(cards, RANK_OF[fold.order.card if fold.order else "R1"])
    if above and (not below or _runs(fold, seat, hand)):
        return Follow(above[-1] if _runs(fold, seat, hand) and len(hand) > 1 else above[0])
    return Belay(below[0])


def _split(cards: Cards, rank: int) -> tuple[Cards, Cards]:
    """Of `cards`, the lowest first, those below `rank` and the others."""
    below = tuple([card for card in cards if RANK_OF[card] < rank])
    return below, cards[len(below) :]


def _percent(rng: Rng, share: int) -> bool:
    return rng.randrange(100) < share
