"""What happened in a challenge, for an auditor."""

from typing import Any

from domain.bluff_king.events import CardsClaimed, Challenged, HandDealt, PileTaken
from domain.errors import Refused
from domain.events import Event
from domain.ruleset import Explanation


def explain(events: tuple[Event, ...], v: int) -> Explanation:
    """The challenge that event `v` resolved, from the events of the game so far as the reader may know them."""
    judged = next((e for e in events if e.v == v and isinstance(e, Challenged)), None)
    if judged is None:
        raise Refused("not_a_challenge", v=v)
    opened = judged.opens[0]
    claim = next(e for e in events if e.v == opened.v and isinstance(e, CardsClaimed))
    revealed = tuple(opened.value)
    return Explanation(
        v=v,
        claimant=judged.claimant,
        challenger=judged.challenger,
        claim={"count": claim.count, "rank": claim.rank},
        revealed=revealed,
        truthful=judged.truthful,
        claim_v=claim.v,
        provenance=_provenance(events, judged.claimant, claim.v, revealed),
    )


def _provenance(
    events: tuple[Event, ...], seat: int, before: int, cards: tuple[str, ...]
) -> tuple[dict[str, Any], ...]:
    """For each card the event by which it came into the hand of `seat`, the oldest first among equal cards."""
    arrivals: dict[str, list[tuple[int, str]]] = {}
    for event in events:
        if event.v >= before:
            break
        if event.seat != seat:
            continue
        if isinstance(event, (HandDealt, PileTaken)):
            for card in event.cards.value or ():
                arrivals.setdefault(card, []).append((event.v, event.type))
        elif isinstance(event, CardsClaimed):
            for card in event.cards.value or ():
                if arrivals.get(card):
                    arrivals[card].pop(0)
    return tuple([_came(card, arrivals.get(card, [])) for card in cards])


def _came(card: str, arrivals: list[tuple[int, str]]) -> dict[str, Any]:
    v, how = arrivals.pop(0) if arrivals else (None, None)
    return {"card": card, "v": v, "by": how}
