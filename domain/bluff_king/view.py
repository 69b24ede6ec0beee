"""What an observer sees of a table of Bluff King."""

from typing import Any

from domain.bluff_king.state import Laid, State
from domain.hands import Hand
from domain.observers import Observer


def view(state: State, observer: Observer) -> dict[str, Any]:
    """The table as JSON values: counts of everything, cards where the observer's fold knows them."""
    newest = state.pile[-1] if state.pile else None
    window = state.window
    return {
        "phase": state.phase,
        "turn": state.turn if state.phase in ("lead", "respond", "add") else None,
        "rank": state.rank,
        "claim": {"seat": newest.seat, "count": newest.count, "rank": state.rank} if newest else None,
        "claims": state.claims,
        "hands": [_hand(seat, hand) for seat, hand in enumerate(state.hands)],
        "pile": [_laid(laid) for laid in state.pile],
        "pile_count": sum(laid.count for laid in state.pile),
        "discarded": state.discarded.count,
        "vote": {"claimant": window.claimant, "asked": window.asked, "waiting": window.waiting} if window else None,
        "emptied": state.emptied,
    }


def _hand(seat: int, hand: Hand) -> dict[str, Any]:
    """`cards` for a hand that is known whole, else `known`: the cards that must be in it."""
    return {"seat": seat, "count": hand.count, "cards" if hand.whole else "known": hand.known}


def _laid(laid: Laid) -> dict[str, Any]:
    return {"seat": laid.seat, "count": laid.count, "cards": laid.cards}
