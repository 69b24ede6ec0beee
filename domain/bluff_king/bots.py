"""Bots of Bluff King: pure functions of the seat's own fold.

`novice` plays at random but never something silly. `standard` counts cards: how likely is the claim, given its own
hand, what it saw played and taken, and how full the pile is; it bluffs where that pays.
"""

from math import comb

from domain.bluff_king.cards import JOKER, RANK_OF, RANKS, deck, fits
from domain.bluff_king.moves import Add, Lead
from domain.bluff_king.redeal import known
from domain.bluff_king.state import State
from domain.decisions import Decision
from domain.entropy import Rng, pick, shuffled
from domain.moves import Challenge, Move, Pass
from domain.multisets import Cards

_BLUFF_PRIOR = 0.15
"""How often a seat is thought to lie although it could have told the truth."""


def novice(fold: State, seat: int, decision: Decision, rng: Rng) -> Move:
    """Random play that challenges the impossible, adds what it has, and never claims what cannot be."""
    hand = fold.hands[seat].known
    if decision.kind == "lead":
        if _percent(rng, 70):
            return _true_lead(hand, pick(rng, _ranks(hand)), 1 + rng.randrange(3))
        count = 1 + rng.randrange(min(3, len(hand)))
        return _lead(shuffled(rng, hand)[:count], pick(rng, RANKS))
    if Challenge in decision.moves and (truth(fold, seat) == 0 or _percent(rng, 12)):
        return Challenge()
    if Add in decision.moves and _percent(rng, 35):
        true = [card for card in hand if fits(card, fold.rank or "")]
        return Add(tuple(true[:2]) if true else (pick(rng, hand),))
    return Pass()


def standard(fold: State, seat: int, decision: Decision, rng: Rng) -> Move:
    """Play by the odds."""
    hand = fold.hands[seat].known
    if decision.kind == "lead":
        return _considered_lead(hand, rng)
    if Challenge in decision.moves and _should_challenge(fold, seat):
        return Challenge()
    if Add in decision.moves:
        added = _considered_add(fold, hand, rng)
        if added:
            return Add(added)
    return Pass()


def truth(fold: State, seat: int) -> float:
    """How likely it is that the claimant could make its newest claim true, 0 to 1, as `seat` sees it.

    The claimant's hand before the claim is taken as a random part of the cards whose place `seat` does not know.
    """
    claim = fold.pile[-1]
    if claim.cards is not None:
        return float(all(fits(card, fold.rank or "") for card in claim.cards))
    everything = deck(fold.options.decks or 1)
    placed = known(fold)
    rank = fold.rank or ""
    good = sum(fits(card, rank) for card in everything) - sum(fits(card, rank) for card in placed)
    unseen = len(everything) - len(placed)
    # Marks on the claimant's hand would count as placed; a face-down claim has just made them lapse.
    held = min(fold.hands[claim.seat].count - len(fold.hands[claim.seat].known) + claim.count, unseen)
    return at_least(claim.count, held, good, unseen)


def at_least(wanted: int, drawn: int, good: int, total: int) -> float:
    """The chance of `wanted` or more good cards among `drawn` out of `total` with `good` good ones."""
    if wanted > min(good, drawn):
        return 0.0
    ways = comb(total, drawn)
    short = sum(comb(good, k) * comb(total - good, drawn - k) for k in range(wanted))
    return 1.0 - short / ways


def _should_challenge(fold: State, seat: int) -> bool:
    claim = fold.pile[-1]
    could = truth(fold, seat)
    lie = 1.0 - could * (1.0 - _BLUFF_PRIOR)
    if fold.hands[claim.seat].count == 0:
        # Unanswered, the claimant wins; being wrong costs cards in a game that is lost anyway.
        return lie > 0.05
    stake = sum(laid.count for laid in fold.pile)
    rivals = len(fold.hands) - 1
    return lie * (stake / rivals + 2) > (1.0 - lie) * stake


def _considered_lead(hand: Cards, rng: Rng) -> Move:
    """All of the commonest rank, truly; now and then with an odd card slipped in, while that is not the last."""
    ranks = _ranks(hand)
    best = max(ranks, key=lambda rank: sum(RANK_OF.get(card) == rank for card in hand))
    true = [card for card in hand if RANK_OF.get(card) == best]
    others = [card for card in hand if card not in true and card != JOKER]
    if not true:
        return _lead((JOKER,), best)
    if len(others) + hand.count(JOKER) > 1 and others and len(true) <= 3 and _percent(rng, 30):
        return _lead((*true, pick(rng, others)), best)
    if not others:
        true += [JOKER] * hand.count(JOKER)
    return _lead(tuple(true), best)


def _considered_add(fold: State, hand: Cards, rng: Rng) -> Cards:
    """What is true goes down; a lie only on a small pile, and never as the last card."""
    rank = fold.rank or ""
    true = tuple([card for card in hand if RANK_OF.get(card) == rank])
    if true:
        jokers = hand.count(JOKER)
        return (*true, *(JOKER,) * jokers) if len(true) + jokers == len(hand) else true
    stake = sum(laid.count for laid in fold.pile)
    if len(hand) > 1 and stake <= 5 and _percent(rng, 25):
        plain = [card for card in hand if card != JOKER]
        return (pick(rng, plain or hand),)
    return ()


def _ranks(hand: Cards) -> list[str]:
    """The ranks in a hand; any rank for a hand of Jokers."""
    return sorted({RANK_OF[card] for card in hand if card != JOKER}, key=RANKS.index) or list(RANKS[:1])


def _true_lead(hand: Cards, rank: str, most: int) -> Move:
    true = [card for card in hand if RANK_OF.get(card) == rank] or [JOKER]
    return _lead(tuple(true[:most]), rank)


def _lead(cards: Cards, rank: str) -> Move:
    return Lead(cards, rank)


def _percent(rng: Rng, share: int) -> bool:
    return rng.randrange(100) < share
