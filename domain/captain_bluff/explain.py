"""What happened in a challenge, for an auditor."""

from typing import Any

from domain.captain_bluff import events as e
from domain.captain_bluff.belts import Row, plain
from domain.captain_bluff.moves import Declared
from domain.errors import Refused
from domain.events import Event, Seal
from domain.multisets import Cards
from domain.ruleset import Explanation


def explain(events: tuple[Event, ...], v: int) -> Explanation:
    """The challenge that event `v` resolved, from the events of the game so far as the reader may know them."""
    judged = next((event for event in events if event.v == v and isinstance(event, e.Challenged)), None)
    if judged is None:
        raise Refused("not_a_challenge", v=v)
    earlier = [event for event in events if event.v < v]
    play = next(event for event in reversed(earlier) if _laid_on(event, judged.belt))
    origin = judged.opens[0]
    return Explanation(
        v=v,
        claimant=judged.accused,
        challenger=judged.challenger,
        claim={"belt": judged.belt, "cards": _cards(play)},
        revealed=(origin.value,),
        truthful=judged.truthful,
        claim_v=play.v,
        provenance=(_provenance(earlier, origin.v, origin.value),),
    )


def _laid_on(event: Event, belt: int) -> bool:
    """Whether the event is a play that put a numbered card on the belt."""
    if isinstance(event, e.AirportPlayed):
        return event.belt == belt and event.number is not None
    return isinstance(event, e.BagsPlaced) and event.belt == belt


def _cards(play: Event) -> Row:
    if isinstance(play, e.BagsPlaced):
        return play.cards
    if isinstance(play, e.AirportPlayed) and play.number is not None:
        return (Declared(play.card, play.number),)
    return ()


def _provenance(events: list[Event], v: int, card: str) -> dict[str, Any]:
    """Who laid the origin card with which event, and by which event it had come to that seat's hand."""
    laid = next(event for event in events if event.v == v)
    before = [event for event in events if event.v < v]
    came = next((event for event in reversed(before) if card in _gained(before, event, laid.seat)), None)
    return {
        "card": card,
        "v": v,
        "by": laid.type,
        "seat": laid.seat,
        "came_v": came.v if came else None,
        "came_by": came.type if came else None,
    }


def _gained(events: list[Event], event: Event, seat: int | None) -> Cards:
    """The cards that `event` is known to have brought to the hand of `seat`."""
    if event.seat != seat:
        return ()
    match event:
        case e.HandDealt(cards=Seal(value=tuple(cards))):
            return cards
        case e.CardDrawn(card=Seal(value=str(card))) | e.OriginChanged(card_out=Seal(value=str(card))):
            return (card,)
        case e.BagsRecovered():
            return event.cards
        case e.BeltTaken():
            return _belt_before(events, event)
    return ()


def _belt_before(events: list[Event], taken: e.BeltTaken) -> Cards:
    """What lay on a belt that was taken: all that was laid since it was empty, and the origin card."""
    cards: list[str] = []
    for event in events:
        if event.v >= taken.v:
            break
        if getattr(event, "belt", None) != taken.belt:
            continue
        if isinstance(event, (e.BeltTaken, e.BeltClosed, e.OriginDefined)):
            cards = []
        elif isinstance(event, e.BagsPlaced):
            cards += plain(event.cards)
        elif isinstance(event, e.AirportPlayed):
            cards.append(event.card)
        elif isinstance(event, e.BagsRecovered):
            del cards[-len(event.cards) :]
        elif isinstance(event, e.Challenged):
            cards.append(event.opens[0].value)
    return tuple(cards)
