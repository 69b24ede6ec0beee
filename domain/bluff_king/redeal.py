"""Full tables that fit what a seat knows, and the law that no card appears or vanishes."""

from msgspec.structs import replace

from domain.bluff_king.cards import deck
from domain.bluff_king.state import State
from domain.entropy import Rng, shuffled
from domain.errors import Corrupt
from domain.hands import Hand
from domain.multisets import Cards, multiset, without
from domain.votes import redealt


def redeal(fold: State, rng: Rng) -> State:
    """`fold` with every unknown card and vote filled in at random."""
    unknown = without(deck(fold.options.decks or 1), known(fold))
    if unknown is None:
        raise Corrupt("the fold knows cards that are not in the deck")
    source = iter(shuffled(rng, unknown))

    def fill(hand: Hand) -> Hand:
        missing = hand.count - len(hand.known)
        return Hand(hand.count, multiset((*hand.known, *(next(source) for _ in range(missing)))))

    hands = tuple([fill(hand) for hand in fold.hands])
    pile = tuple(
        [
            laid if laid.cards is not None else replace(laid, cards=multiset([next(source) for _ in range(laid.count)]))
            for laid in fold.pile
        ]
    )
    return replace(
        fold,
        hands=hands,
        pile=pile,
        discarded=fill(fold.discarded),
        window=redealt(fold.window, lambda: "challenge" if rng.randrange(2) else "pass"),
    )


def known(state: State) -> Cards:
    """Every card whose place is known."""
    held = [card for hand in (*state.hands, state.discarded) for card in hand.known]
    return (*held, *(card for laid in state.pile for card in laid.cards or ()))


def check(state: State) -> None:
    """Raise `Corrupt` unless a full table holds exactly its decks."""
    if multiset(known(state)) != multiset(deck(state.options.decks or 1)):
        raise Corrupt("cards appeared or vanished")
