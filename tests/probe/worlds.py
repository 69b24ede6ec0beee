"""What could be where one cannot look: full states that fit a seat's fold, and bots that play on them."""

from collections import Counter
from collections.abc import Callable

from msgspec.structs import replace

from domain.decisions import Decision
from domain.entropy import Rng, pick, shuffled
from domain.errors import Corrupt
from domain.forms import Form
from domain.hands import Hand
from domain.moves import Challenge, Move, Pass
from domain.multisets import Cards, multiset
from domain.votes import redealt
from tests.probe.state import DECK, Claim, State, known_cards, truthful


def redeal(fold: State, seat: int, rng: Rng) -> State:
    """A full state that fits `fold`: every unseen card goes to one of the places where one is missing."""
    unseen = list(shuffled(rng, tuple((Counter(DECK) - Counter(known_cards(fold))).elements())))

    def take(count: int) -> Cards:
        return multiset([unseen.pop() for _ in range(count)])

    def whole(hand: Hand) -> Hand:
        return Hand(hand.count, multiset(hand.known + take(hand.count - len(hand.known))))

    state = replace(
        fold,
        hands=tuple([whole(hand) for hand in fold.hands]),
        discard=whole(fold.discard),
        chests=tuple([replace(c, card=take(1)[0]) if c.full and c.card is None else c for c in fold.chests]),
        claim=_claim(fold.claim, take, rng),
    )
    pile = tuple(unseen) if fold.pile is None else fold.pile
    return replace(state, pile=pile)


def _claim(claim: Claim | None, take: Callable[[int], Cards], rng: Rng) -> Claim | None:
    if claim is None:
        return None
    cards = claim.cards if claim.cards is not None else take(claim.count)
    window = redealt(claim.window, lambda: pick(rng, (Challenge.type, Pass.type)))
    return replace(claim, cards=cards, window=window)


def check(state: State) -> None:
    """Every card is in one place, and every place holds as many as it says."""
    if Counter(known_cards(state)) != Counter(DECK):
        raise Corrupt("a card appeared or vanished")
    whole = all(hand.whole for hand in (*state.hands, state.discard))
    if not whole or len(state.pile or ()) != state.pile_count or any(c.full != bool(c.card) for c in state.chests):
        raise Corrupt("a place holds another number of cards than it says")


def novice(forms: tuple[Form, ...], rng: Rng) -> Move:
    """Anything legal."""
    return pick(rng, forms).sample(rng)


def standard(fold: State, seat: int, decision: Decision, forms: tuple[Form, ...], rng: Rng) -> Move:
    """Doubts a claim that is a lie in most worlds; otherwise the move with the most cards among a few."""
    if decision.vote:
        worlds = [redeal(fold, seat, rng).claim for _ in range(8)]
        lies = sum(1 for claim in worlds if claim and not truthful(claim.cards or (), claim.number))
        return Challenge() if lies > 6 else Pass()
    moves = [novice(forms, rng) for _ in range(6)]
    return max(moves, key=lambda move: len(getattr(move, "cards", ())))
