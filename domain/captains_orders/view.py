"""What an observer sees of a table of Captain's Orders."""

from typing import Any

from domain.captains_orders.state import Ended, Moved, State
from domain.hands import Hand
from domain.observers import Observer


def view(state: State, observer: Observer) -> dict[str, Any]:
    """The table as JSON values: counts of everything, cards where the observer's fold knows them."""
    order = state.order
    running = state.phase != "between"
    return {
        "phase": state.phase,
        "round": state.round,
        "dealer": state.dealer,
        "turn": state.turn if running else None,
        "asked": state.asked if running else None,
        "order": {"seat": order.seat, "card": order.card} if order else None,
        "hands": [_hand(seat, hand) for seat, hand in enumerate(state.hands)],
        "discarded": {"count": state.discarded.count, "known": state.discarded.known},
        "undealt": state.undealt,
        "moved": [_moved(moved) for moved in state.moved],
        "wins": state.wins,
        "turns": state.turns,
        "last_round": _last(state.last_round) if state.last_round else None,
    }


def _hand(seat: int, hand: Hand) -> dict[str, Any]:
    """`cards` for a hand that is known whole, else `known`: the cards that must be in it."""
    return {"seat": seat, "count": hand.count, "cards" if hand.whole else "known": hand.known}


def _moved(moved: Moved) -> dict[str, Any]:
    return {"seat": moved.seat, "to": moved.to, "card": moved.card}


def _last(ended: Ended) -> dict[str, Any]:
    return {
        "round": ended.round,
        "reason": ended.reason,
        "last_card": ended.last_card,
        "captains": ended.captains,
        "hands": ended.hands,
        "points": ended.points,
        "winners": ended.winners,
    }
