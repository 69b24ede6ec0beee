"""Bots of Captain's Orders: pure functions of the seat's own fold.

`novice` plays at random but never something silly. `standard` counts who is likely the Captain, asks for cards
to shed its lowest unseen, plays and belays low Orders that the others must feed, runs for the empty hand with the
lowest card, and accuses once the odds are good.
"""

from domain.captains_orders.cards import DECK, RANK_OF, by_rank, points
from domain.captains_orders.moves import Accuse, AskCard, Belay, Discard, Follow, Give, PassCard, PlayOrder
from domain.captains_orders.odds import least, odds
from domain.captains_orders.redeal import known
from domain.captains_orders.state import State
from domain.decisions import Decision
from domain.entropy import Rng, pick
from domain.moves import Move
from domain.multisets import Cards

_ORDERS = 30
"""Percent of the free turns in which an Order is played: who follows it knows a card of the owner, so not too often."""


def novice(fold: State, seat: int, decision: Decision, rng: Rng) -> Move:
    """Random play that neither accuses as a certain Captain nor throws its last card away without hope."""
    cards = by_rank(fold.hands[seat].known)
    if decision.kind == "give":
        return Give(pick(rng, cards))
    if decision.kind == "discard":
        return Discard(pick(rng, cards))
    others = _others(fold, seat)
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
    running = _runs(fold, seat, hand)
    if decision.kind in ("give", "discard"):
        # The lowest card is worth least and makes a Captain; who runs for the empty hand keeps it to the last.
        card = cards[-1] if running else cards[0]
        return Give(card) if decision.kind == "give" else Discard(card)
    chances = odds(fold, seat)
    suspect = max(_others(fold, seat), key=lambda other: chances.found[other])
    if chances.found[suspect] > _enough(fold, seat, chances.mine):
        return Accuse(suspect)
    if fold.order is not None:
        return _answer(cards, RANK_OF[fold.order.card], running)
    if len(hand) == 1 and running:
        return PlayOrder(cards[0])
    if len(hand) > 1 and running:
        return PassCard(cards[-1], suspect)
    if len(hand) > 1 and _percent(rng, _ORDERS):
        return PlayOrder(cards[0])
    return AskCard(_asked(fold, seat, chances.mine, rng))


def _enough(fold: State, seat: int, mine: float) -> float:
    """How good the odds of an accusation must be: better for who leads, less so as the round wears on."""
    dealt = fold.discarded.count + sum([hand.count for hand in fold.hands])
    lead = 0.15 if mine < 0.5 and _leads(fold, seat) else 0.0
    return 0.45 + lead - 0.2 * fold.discarded.count / dealt


def _leads(fold: State, seat: int) -> bool:
    """Whether no other hand is likely to hold more points: unknown cards count as the mean of all unseen ones."""
    placed = known(fold)
    unseen = len(DECK) - len(placed)
    mean = (points(DECK) - points(placed)) / unseen if unseen else 0.0
    mine = points(fold.hands[seat].known)
    rivals = [points(hand.known) + mean * (hand.count - len(hand.known)) for hand in fold.hands]
    return all(mine >= rival for other, rival in enumerate(rivals) if other != seat)


def _runs(fold: State, seat: int, hand: Cards) -> bool:
    """Whether the seat tries to end with its lowest card: few cards left, and that one likely the lowest of all."""
    return len(hand) <= 3 and least(fold, seat, min([RANK_OF[card] for card in hand])) > 0.5


def _asked(fold: State, seat: int, mine: float, rng: Rng) -> int:
    """Whom to ask: a last card ends the round, which suits who leads as a Mutineer; others take from a full hand."""
    others = _others(fold, seat)
    count = [fold.hands[other].count for other in others]
    wanted = min(count) if mine < 0.5 and min(count) == 1 and _leads(fold, seat) else max(count)
    return pick(rng, [other for other in others if fold.hands[other].count == wanted])


def _answer(cards: Cards, rank: int, running: bool) -> Move:
    """A turn under an Order: belay as low as may be and be fed, unless the lowest card is kept to run with."""
    below, above = _split(cards, rank)
    if running and above:
        return Follow(above[-1])
    return Belay(below[0]) if below else Follow(above[0])


def _others(fold: State, seat: int) -> tuple[int, ...]:
    return (*range(seat), *range(seat + 1, len(fold.hands)))


def _split(cards: Cards, rank: int) -> tuple[Cards, Cards]:
    """Of `cards`, the lowest first, those below `rank` and the others."""
    below = tuple([card for card in cards if RANK_OF[card] < rank])
    return below, cards[len(below) :]


def _percent(rng: Rng, share: int) -> bool:
    return rng.randrange(100) < share
