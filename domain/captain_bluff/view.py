"""What an observer sees of a table of Captain Bluff."""

from typing import Any

from msgspec.structs import asdict

from domain.captain_bluff.belts import Belt, Origin, read
from domain.captain_bluff.moves import Declared
from domain.captain_bluff.state import State
from domain.hands import Hand
from domain.observers import Observer

_DIRECTIONS = {1: "up", -1: "down", 0: None}


def view(state: State, observer: Observer) -> dict[str, Any]:
    """The table as JSON values: counts of everything, cards where the observer's fold knows them."""
    question = state.question
    window = question.window if question else None
    return {
        "phase": state.phase,
        "turn": state.turn,
        "turns": state.turns,
        "acted": state.acted,
        "airport_played": state.airport,
        "to_define": state.to_define,
        "belts": [_belt(number, belt) for number, belt in enumerate(state.belts)],
        "hands": [{"seat": seat, **_cards(hand)} for seat, hand in enumerate(state.hands)],
        "draw_pile": state.draw.count,
        "discard_pile": _cards(state.discard),
        "unused": state.unused.count,
        "vote": {
            "belt": question.belt,
            "claimant": window.claimant,
            "asked": window.asked,
            "waiting": window.waiting,
        }
        if question and window
        else None,
    }


def _belt(number: int, belt: Belt) -> dict[str, Any]:
    reading = read(belt.row)
    return {
        "belt": number,
        "origin": _origin(belt.origin),
        "cards": [asdict(placed) if isinstance(placed, Declared) else placed for placed in belt.row],
        "city": reading.city,
        "direction": _DIRECTIONS[reading.direction],
        "recoverable": reading.recoverable,
    }


def _origin(origin: Origin | None) -> dict[str, Any] | None:
    """`card` is null where it is not known; `seen_by` are the seats that laid it or looked at it."""
    return {"card": origin.card, "seen_by": origin.seen} if origin else None


def _cards(hand: Hand) -> dict[str, Any]:
    """`cards` for what is known whole, else `known`: the cards that must be among them."""
    return {"count": hand.count, "cards" if hand.whole else "known": hand.known}
