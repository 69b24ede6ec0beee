"""Where the cards of a hand came from, as far as a log tells: for the challenges of games in which hands are hidden."""

from collections.abc import Callable, Iterable
from typing import Any

from domain.events import Event
from domain.multisets import Cards


def provenance(
    events: Iterable[Event],
    before: int,
    cards: Cards,
    came: Callable[[Event], Cards],
    went: Callable[[Event], Cards],
) -> tuple[dict[str, Any], ...]:
    """For each card the event (`v`, type) by which it came into a hand, the oldest first among equal cards.

    `came` and `went` tell which cards an event, before version `before`, is known to have brought and taken.
    """
    arrivals: dict[str, list[tuple[int, str]]] = {}
    for event in events:
        if event.v >= before:
            break
        for card in came(event):
            arrivals.setdefault(card, []).append((event.v, event.type))
        for card in went(event):
            if arrivals.get(card):
                arrivals[card].pop(0)
    return tuple([_told(card, arrivals.get(card, [])) for card in cards])


def _told(card: str, arrivals: list[tuple[int, str]]) -> dict[str, Any]:
    v, how = arrivals.pop(0) if arrivals else (None, None)
    return {"card": card, "v": v, "by": how}
