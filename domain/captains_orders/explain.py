"""What happened in an accusation, for an auditor."""

from typing import Any

from domain.captains_orders.events import (
    CaptainAccused,
    CardDiscarded,
    CardGiven,
    CardPassed,
    HandDealt,
    OrderBelayed,
    OrderFollowed,
    OrderPlayed,
    RoundEnded,
    RoundStarted,
)
from domain.errors import Refused
from domain.events import Event
from domain.multisets import Cards
from domain.ruleset import Explanation

_Arrivals = dict[str, list[tuple[int, str]]]


def explain(events: tuple[Event, ...], v: int) -> Explanation:
    """The accusation of version `v`: who is accused claims to be no Captain, and its shown hand decides."""
    accusation = next((e for e in events if e.v == v and isinstance(e, CaptainAccused)), None)
    if accusation is None:
        raise Refused("not_a_challenge", v=v)
    shown = next(e for e in events if e.v == v + 1 and isinstance(e, RoundEnded))
    accused = accusation.accused
    revealed = shown.hands[accused]
    return Explanation(
        v=v,
        claimant=accused,
        challenger=-1 if accusation.seat is None else accusation.seat,
        claim={"mutineer": True},
        revealed=revealed,
        truthful=accused not in shown.captains,
        claim_v=v,
        provenance=_provenance(events, accused, v, revealed),
    )


def _provenance(events: tuple[Event, ...], seat: int, before: int, cards: Cards) -> tuple[dict[str, Any], ...]:
    """For each card the event by which it came into the hand of `seat`, the oldest first among equal cards."""
    arrivals: _Arrivals = {}
    for event in events:
        if event.v >= before:
            break
        if isinstance(event, RoundStarted):
            arrivals = {}
        for card in _came(event, seat):
            arrivals.setdefault(card, []).append((event.v, event.type))
        for card in _went(event, seat):
            if arrivals.get(card):
                arrivals[card].pop(0)
    return tuple([_told(card, arrivals) for card in cards])


def _came(event: Event, seat: int) -> Cards:
    """The cards that `event` brought to `seat`, as far as it tells."""
    match event:
        case HandDealt() if event.seat == seat:
            return event.cards.value or ()
        case CardPassed(to=to) | CardGiven(to=to) | OrderFollowed(owner=to) if to == seat:
            return (event.card.value,) if event.card.value else ()
    return ()


def _went(event: Event, seat: int) -> Cards:
    """The cards that `event` took from `seat`, as far as it tells."""
    if event.seat != seat:
        return ()
    match event:
        case OrderPlayed() | OrderBelayed():
            return (event.card,)
        case CardPassed() | CardGiven() | CardDiscarded() | OrderFollowed():
            return (event.card.value,) if event.card.value else ()
    return ()


def _told(card: str, arrivals: _Arrivals) -> dict[str, Any]:
    came = arrivals.get(card)
    v, how = came.pop(0) if came else (None, None)
    return {"card": card, "v": v, "by": how}
