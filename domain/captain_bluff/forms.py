"""The legal moves of a seat of Captain Bluff, as forms. Rules: captain_bluff, Turn."""

from functools import cache

from domain.captain_bluff.belts import Reading, read
from domain.captain_bluff.cards import (
    AIRPORT_COUNTS,
    CITY_OF,
    DELAYED,
    HIGH,
    LOW,
    NOTICE,
    NUMBER_OF,
    REVERSE,
    WORLD,
)
from domain.captain_bluff.moves import (
    Change,
    Close,
    Define,
    EndTurn,
    Peek,
    PlaceBags,
    PlayAroundTheWorld,
    PlayDelayedFlight,
    PlayNoticeBoard,
    PlayReverse,
    Recover,
)
from domain.captain_bluff.state import State
from domain.forms import Form, Multiset, OneOf, Range, Run
from domain.moves import Challenge, Pass
from domain.multisets import Cards

VOTE = (Form(Challenge), Form(Pass))
_EITHER = OneOf((True, False))
_END = Form(EndTurn)
_DELAYED = Form(PlayDelayedFlight)

Held = dict[str, tuple[tuple[str, int], ...]]


def setup_forms(state: State, seat: int) -> tuple[Form, ...]:
    """One card above a belt that has none. Rules: captain_bluff, Setup."""
    return (Form(Define, {"belt": OneOf(_free(state)), "card": _any_card(state.hands[seat].known)}),)


def turn_forms(state: State, seat: int) -> tuple[Form, ...]:
    """The action, unless it is done; then the end of the turn; an Airport card, unless it is spent."""
    hand = state.hands[seat].known
    forms = [_END] if state.acted else _actions(state, hand)
    if not state.airport:
        forms += _airport(state, hand)
    return tuple(forms)


@cache
def recover_forms(belt: int, most: int) -> tuple[Form, ...]:
    """The last bags of a belt, `most` at most. Rules: captain_bluff R9."""
    return (Form(Recover, {"belt": OneOf((belt,)), "count": Range(1, most)}),)


def by_city(hand: Cards) -> Held:
    """The bags of a hand with their numbers, city by city, in the order of the numbers."""
    found: dict[str, list[tuple[str, int]]] = {}
    for card in hand:
        if card in NUMBER_OF:
            found.setdefault(CITY_OF[card], []).append((card, NUMBER_OF[card]))
    return {city: tuple(sorted(held, key=_number)) for city, held in found.items()}


def _number(held: tuple[str, int]) -> int:
    return held[1]


def _free(state: State) -> tuple[int, ...]:
    return tuple([i for i, belt in enumerate(state.belts) if belt.origin is None])


def _any_card(hand: Cards) -> OneOf:
    return OneOf(tuple(dict.fromkeys(hand)))


def _actions(state: State, hand: Cards) -> list[Form]:
    lying = tuple([i for i, belt in enumerate(state.belts) if belt.origin is not None])
    loaded = tuple([i for i in lying if state.belts[i].row])
    free = _free(state)
    card = _any_card(hand)
    forms = _placing(state, hand, lying)
    if free and hand:
        forms.append(Form(Define, {"belt": OneOf(free), "card": card, "end_turn": _EITHER}))
    if lying:
        forms.append(Form(Peek, {"belt": OneOf(lying), "end_turn": _EITHER}))
    if loaded:
        if hand:
            forms.append(Form(Change, {"belt": OneOf(loaded), "card": card, "end_turn": _EITHER}))
        forms.append(Form(Close, {"belt": OneOf(loaded), "end_turn": _EITHER}))
    return forms


def _placing(state: State, hand: Cards, lying: tuple[int, ...]) -> list[Form]:
    """One form a city: on its belt, or where it is not open, on any belt that carries nothing."""
    wild = WORLD if WORLD in hand and not state.airport else None
    readings = [(i, read(state.belts[i].row)) for i in lying]
    open_at = {reading.city: (i, reading) for i, reading in readings if reading.end}
    bare = OneOf(tuple([i for i, reading in readings if not reading.end]))
    forms = []
    for city, held in by_city(hand).items():
        if city in open_at:
            number, reading = open_at[city]
            run = Run(held, wild, reading.up, reading.down)
            # An Around the World alone begins nothing that the bag beside it could not begin.
            if any(fits(reading, n) for _, n in held):
                forms.append(Form(PlaceBags, {"belt": OneOf((number,)), "cards": run, "end_turn": _EITHER}))
        elif bare.values:
            run = Run(held, wild, LOW, HIGH)
            forms.append(Form(PlaceBags, {"belt": bare, "cards": run, "end_turn": _EITHER}))
    return forms


def fits(reading: Reading, number: int) -> bool:
    """Whether a single card with this number may follow."""
    up, down = reading.up, reading.down
    return (up is not None and number >= up) or (down is not None and number <= down)


def _airport(state: State, hand: Cards) -> list[Form]:
    """The forms of each kind of Airport card in the hand."""
    if not any(card in hand for card in AIRPORT_COUNTS):
        return []
    forms = []
    readings = [(i, read(belt.row)) for i, belt in enumerate(state.belts) if belt.row]
    if WORLD in hand:
        for number, reading in readings:
            forms += _alone(number, reading)
    fixed = tuple([i for i, reading in readings if reading.direction])
    if REVERSE in hand and fixed:
        forms.append(Form(PlayReverse, {"belt": OneOf(fixed)}))
    if NOTICE in hand:
        lying = tuple([i for i, belt in enumerate(state.belts) if belt.origin is not None])
        most = min(2, len(lying))
        forms.append(Form(PlayNoticeBoard, {"belts": Multiset(lying, most, most)}))
    if DELAYED in hand:
        forms.append(_DELAYED)
    return forms


def _alone(belt: int, reading: Reading) -> list[Form]:
    """An Around the World alone: above the last number, below it, or either while the direction is open."""
    ranges = []
    if reading.up is not None:
        ranges.append(Range(reading.up, HIGH))
    if reading.down is not None:
        ranges.append(Range(LOW, reading.down))
    return [Form(PlayAroundTheWorld, {"belt": OneOf((belt,)), "number": numbers}) for numbers in ranges]
