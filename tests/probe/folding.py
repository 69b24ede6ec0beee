"""How the probe's events change its state: total, on full and on partial knowledge."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from domain.events import Event
from domain.multisets import Cards, multiset
from domain.votes import VoteCast, VoteClosed, Window
from tests.probe import events as e
from tests.probe.state import Claim, State, plain


def evolve(state: State, event: Event) -> State:
    """The state after `event`."""
    handler = _HANDLERS.get(type(event))
    return state if handler is None else handler(state, event, -1 if event.seat is None else event.seat)


def _one(card: str | None) -> Cards | None:
    return None if card is None else (card,)


def _shuffled(state: State, event: e.PileShuffled, seat: int) -> State:
    order, count = event.order.value, event.count
    renewed = replace(state, pile=order, pile_count=count, renewals=state.renewals + 1)
    return replace(renewed, discard=type(state.discard)())


def _dealt(state: State, event: e.HandDealt, seat: int) -> State:
    return state.drawn(event.count).gain(seat, event.count, event.cards.value)


def _first(state: State, event: e.FirstSeatDrawn, seat: int) -> State:
    return replace(state, acting=seat)


def _drawn(state: State, event: e.CardDrawn, seat: int) -> State:
    return state.drawn(1).gain(seat, 1, _one(event.card.value))


def _buried(state: State, event: e.CardBuried, seat: int) -> State:
    return state.lose(seat, 1, _one(event.card.value)).with_chest(event.chest, event.card.value)


def _swapped(state: State, event: e.CardSwapped, seat: int) -> State:
    # Who laid the card in the chest knows without being told which card now goes to the hand.
    out = state.chests[event.chest].card if event.card_out.value is None else event.card_out.value
    state = state.lose(seat, 1, _one(event.card_in.value)).gain(seat, 1, _one(out))
    return state.with_chest(event.chest, event.card_in.value)


def _slipped(state: State, event: e.CardSlipped, seat: int) -> State:
    card = _one(event.card.value)
    return replace(state.lose(seat, 1, card).gain(event.to, 1, card), dropping=event.to)


def _dropped(state: State, event: e.CardDropped, seat: int) -> State:
    card = _one(event.card.value)
    return replace(state.lose(seat, 1, card).discarded(1, card), dropping=None)


def _declared(state: State, event: e.CargoDeclared, seat: int) -> State:
    cards, seats = event.cards.value, len(state.hands)
    left = tuple([(seat + place) % seats for place in range(1, seats)])
    claim = Claim(seat, event.v, event.count, event.number, cards, Window(seat, left))
    return replace(state.lose(seat, event.count, cards), claim=claim)


def _voted(state: State, event: VoteCast, seat: int) -> State:
    if state.claim is None:
        return state
    return replace(state, claim=replace(state.claim, window=state.claim.window.evolve(event)))


def _opened(event: Event, field: str) -> Cards | None:
    return next((multiset(o.value) for o in event.opens if o.field == field), None)


def _vote_closed(state: State, event: VoteClosed, seat: int) -> State:
    # What was voted was shown to all; it plays no part any more.
    if state.claim is None:
        return state
    window = replace(state.claim.window, asked=(), cast=())
    return replace(state, claim=replace(state.claim, window=window))


def _stood(state: State, event: e.CargoStood, seat: int) -> State:
    claim = state.claim
    if claim is None:
        return state
    return replace(state.discarded(claim.count, claim.cards), claim=None)


def _challenged(state: State, event: e.CargoChallenged, seat: int) -> State:
    cards = _opened(event, "cards") or ()
    return replace(state.gain(event.loser, len(cards), cards), claim=None)


def _shown(state: State, event: e.HandShown, seat: int) -> State:
    count = len(event.cards)
    return state.lose(seat, count, None).gain(seat, count, event.cards)


def _laid(state: State, event: e.CardsLaid, seat: int) -> State:
    cards = plain(event.cards)
    return state.lose(seat, len(cards), cards).with_row((*state.row, *event.cards), event)


def _swept(state: State, event: e.RowSwept, seat: int) -> State:
    return state.discarded(event.count, plain(state.row)).with_row((), event)


def _salvaged(state: State, event: e.CardsSalvaged, seat: int) -> State:
    kept = len(state.row) - event.count
    taken = plain(state.row[kept:])
    return state.gain(seat, len(taken), taken).with_row(state.row[:kept], event)


def _turn_ended(state: State, event: e.TurnEnded, seat: int) -> State:
    return replace(state, turn=state.turn + 1, acting=event.next)


_HANDLERS: Mapping[type[Event], Callable[[State, Any, int], State]] = {
    e.PileShuffled: _shuffled,
    e.HandDealt: _dealt,
    e.FirstSeatDrawn: _first,
    e.CardDrawn: _drawn,
    e.CardBuried: _buried,
    e.CardSwapped: _swapped,
    e.CardSlipped: _slipped,
    e.CardDropped: _dropped,
    e.CargoDeclared: _declared,
    VoteCast: _voted,
    VoteClosed: _vote_closed,
    e.CargoStood: _stood,
    e.CargoChallenged: _challenged,
    e.HandShown: _shown,
    e.CardsLaid: _laid,
    e.RowSwept: _swept,
    e.CardsSalvaged: _salvaged,
    e.TurnEnded: _turn_ended,
}
