"""What happened in an accusation, for an auditor."""

from functools import partial

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
from domain.provenance import provenance
from domain.ruleset import Explanation


def explain(events: tuple[Event, ...], v: int) -> Explanation:
    """The accusation of version `v`: who is accused claims to be no Captain, and its shown hand decides."""
    accusation = next((e for e in events if e.v == v and isinstance(e, CaptainAccused)), None)
    if accusation is None:
        raise Refused("not_a_challenge", v=v)
    shown = next(e for e in events if e.v == v + 1 and isinstance(e, RoundEnded))
    accused = accusation.accused
    revealed = shown.hands[accused]
    begun = max((e.v for e in events if e.v < v and isinstance(e, RoundStarted)), default=0)
    this_round = [e for e in events if e.v > begun]
    return Explanation(
        v=v,
        claimant=accused,
        challenger=-1 if accusation.seat is None else accusation.seat,
        claim={"mutineer": True},
        revealed=revealed,
        truthful=accused not in shown.captains,
        claim_v=v,
        provenance=provenance(this_round, v, revealed, partial(_came, seat=accused), partial(_went, seat=accused)),
    )


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
