"""What happened in a challenge, for an auditor."""

from domain.bluff_king.events import CardsClaimed, Challenged, HandDealt, PileTaken
from domain.errors import Refused
from domain.events import Event
from domain.multisets import Cards
from domain.provenance import provenance
from domain.ruleset import Explanation


def explain(events: tuple[Event, ...], v: int) -> Explanation:
    """The challenge that event `v` resolved, from the events of the game so far as the reader may know them."""
    judged = next((e for e in events if e.v == v and isinstance(e, Challenged)), None)
    if judged is None:
        raise Refused("not_a_challenge", v=v)
    opened = judged.opens[0]
    claim = next(e for e in events if e.v == opened.v and isinstance(e, CardsClaimed))
    revealed = tuple(opened.value)
    own = [event for event in events if event.seat == judged.claimant]
    return Explanation(
        v=v,
        claimant=judged.claimant,
        challenger=judged.challenger,
        claim={"count": claim.count, "rank": claim.rank},
        revealed=revealed,
        truthful=judged.truthful,
        claim_v=claim.v,
        provenance=provenance(own, claim.v, revealed, _came, _went),
    )


def _came(event: Event) -> Cards:
    return (event.cards.value or ()) if isinstance(event, (HandDealt, PileTaken)) else ()


def _went(event: Event) -> Cards:
    return (event.cards.value or ()) if isinstance(event, CardsClaimed) else ()
