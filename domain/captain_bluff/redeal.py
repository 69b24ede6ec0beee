"""Full tables that fit what a seat knows, and the law that no card appears or vanishes."""

from collections import Counter

from msgspec.structs import replace

from domain.captain_bluff.belts import Belt, plain
from domain.captain_bluff.cards import AIRPORT, AIRPORT_COUNTS, BAGS
from domain.captain_bluff.state import Pile, State
from domain.entropy import Rng, shuffled
from domain.errors import Corrupt
from domain.hands import Hand
from domain.multisets import Cards, multiset, without
from domain.votes import redealt

ALL = (*BAGS, *AIRPORT)
_COUNTED = Counter(ALL)


def known(state: State) -> list[str]:
    """Every card whose place is known."""
    cards = [card for hand in (*state.hands, state.discard) for card in hand.known]
    for belt in state.belts:
        cards += plain(belt.row)
        if belt.origin is not None and belt.origin.card is not None:
            cards.append(belt.origin.card)
    return cards + list(state.draw.order or ()) + list(state.unused.order or ())


def redeal(fold: State, rng: Rng) -> State:
    """`fold` with every unknown card and vote filled in at random.

    Airport cards were put aside before the game, and a draw pile that was never renewed holds bags only.
    """
    missing = without(ALL, known(fold))
    if missing is None:
        raise Corrupt("the fold knows cards that do not exist")
    unseen = shuffled(rng, missing)
    unused, unseen = _pile(fold.unused, unseen, [card in AIRPORT_COUNTS for card in unseen])
    only_bags = not fold.renewals
    draw, unseen = _pile(fold.draw, unseen, [not only_bags or card not in AIRPORT_COUNTS for card in unseen])
    rest = iter(unseen)

    def fill(hand: Hand) -> Hand:
        missing = hand.count - len(hand.known)
        return Hand(hand.count, multiset((*hand.known, *(next(rest) for _ in range(missing)))))

    def fill_origin(belt: Belt) -> Belt:
        if belt.origin is None or belt.origin.card is not None:
            return belt
        return replace(belt, origin=replace(belt.origin, card=next(rest)))

    question = fold.question
    if question is not None:
        window = redealt(question.window, lambda: "challenge" if rng.randrange(2) else "pass")
        question = replace(question, window=window)
    return replace(
        fold,
        hands=tuple([fill(hand) for hand in fold.hands]),
        belts=tuple([fill_origin(belt) for belt in fold.belts]),
        discard=fill(fold.discard),
        draw=draw,
        unused=unused,
        question=question,
    )


def _pile(pile: Pile, unseen: Cards, fitting: list[bool]) -> tuple[Pile, Cards]:
    """An unknown pile filled with the first cards that fit, and the cards that are left."""
    if pile.order is not None:
        return pile, unseen
    places = [i for i, fits in enumerate(fitting) if fits][: pile.count]
    if len(places) < pile.count:
        raise Corrupt("no cards fit the fold's piles")
    taken = set(places)
    left = tuple([card for i, card in enumerate(unseen) if i not in taken])
    return Pile(pile.count, tuple([unseen[i] for i in places])), left


def check(state: State) -> None:
    """Raise `Corrupt` unless a full table holds exactly its cards, each place as many as it says."""
    if Counter(known(state)) != _COUNTED:
        raise Corrupt("cards appeared or vanished")
    piles = (state.draw, state.unused)
    if not all(hand.whole for hand in (*state.hands, state.discard)) or any(
        len(pile.order or ()) != pile.count for pile in piles
    ):
        raise Corrupt("a place holds another number of cards than it says")
