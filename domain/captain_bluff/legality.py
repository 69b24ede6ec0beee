"""What a turn move may not be: each reason has a code, and facts that say what would be right.

Facts come from what all see and from the seat's own hand.
"""

from itertools import pairwise

from domain.captain_bluff.belts import Belt, Origin, Reading, Row, numbers_of, plain, read
from domain.captain_bluff.cards import BELTS, CITIES, CITY_OF, HIGH, LOW, NUMBER_OF, WORLD
from domain.captain_bluff.moves import Declared
from domain.captain_bluff.state import State
from domain.errors import Refused
from domain.multisets import Cards, contains


def belt_at(state: State, number: int) -> Belt:
    """The belt with this number."""
    if not 0 <= number < BELTS:
        raise Refused("unknown_belt", min=0, max=BELTS - 1)
    return state.belts[number]


def may_act(state: State) -> None:
    """One action a turn. Rules: captain_bluff, Turn."""
    if state.acted:
        raise Refused("action_done", left=["end_turn"] if state.airport else ["end_turn", "airport_card"])


def may_play_airport(state: State, seat: int, card: str) -> None:
    """One Airport card a turn, and it must be held. Rules: captain_bluff, Turn, R5."""
    if state.airport:
        raise Refused("airport_already_played", most=1)
    must_hold(state, seat, (card,))


def must_hold(state: State, seat: int, cards: Cards) -> None:
    """The seat holds all of `cards`."""
    if not contains(state.hands[seat].known, cards):
        raise Refused("card_not_held", cards=list(state.hands[seat].known))


def origin_of(state: State, number: int) -> Origin:
    """The origin card above a belt, which must lie there."""
    origin = belt_at(state, number).origin
    if origin is None:
        raise Refused("no_origin", belts=[i for i, belt in enumerate(state.belts) if belt.origin])
    return origin


def must_be_free(state: State, number: int) -> None:
    """No origin card lies above the belt yet."""
    if belt_at(state, number).origin is not None:
        raise Refused("origin_defined", free=[i for i, belt in enumerate(state.belts) if not belt.origin])


def must_carry(state: State, number: int) -> Belt:
    """The belt, on which a bag must lie. Rules: captain_bluff, actions 4 and 5."""
    belt = belt_at(state, number)
    if not belt.row:
        raise Refused("no_bags", belts=[i for i, other in enumerate(state.belts) if other.row])
    return belt


def check_place(state: State, seat: int, number: int, cards: Row) -> None:
    """Whether `cards` may be placed on belt `number`. Rules: captain_bluff, action 1."""
    may_act(state)
    origin_of(state, number)
    if not cards:
        raise Refused("no_cards", min=1)
    _check_kinds(cards)
    if state.airport and any(isinstance(card, Declared) for card in cards):
        raise Refused("airport_already_played", most=1)
    must_hold(state, seat, plain(cards))
    _check_city(state, number, cards)
    _check_run(cards)
    check_order(read(state.belts[number].row), numbers_of(cards))


def _check_kinds(cards: Row) -> None:
    """Bags, and at most one Around the World that stands for a bag."""
    declared = [card for card in cards if isinstance(card, Declared)]
    for card in cards:
        if not isinstance(card, Declared) and card not in NUMBER_OF:
            raise Refused("not_a_bag", card=card, declare={"card": WORLD, "min": LOW, "max": HIGH})
    if len(declared) > 1:
        raise Refused("two_airport_cards", most=1)
    if len(declared) == len(cards):
        raise Refused("bag_needed", alone="play_around_the_world")
    for card in declared:
        check_number(card.number)


def check_number(number: int) -> None:
    """A declared number is one that a bag can have."""
    if not LOW <= number <= HIGH:
        raise Refused("number_out_of_range", min=LOW, max=HIGH)


def _check_city(state: State, number: int, cards: Row) -> None:
    """One city a belt, one belt a city."""
    cities = sorted({CITY_OF[card] for card in cards if not isinstance(card, Declared)}, key=CITIES.index)
    if len(cities) > 1:
        raise Refused("mixed_cities", cities=cities)
    here = read(state.belts[number].row).city
    if here is not None and here != cities[0]:
        raise Refused("wrong_city", city=here)
    if here is None:
        for other, belt in enumerate(state.belts):
            if read(belt.row).city == cities[0]:
                raise Refused("city_already_open", city=cities[0], belt=other)


def _check_run(cards: Row) -> None:
    steps = {b - a for a, b in pairwise(numbers_of(cards))}
    if not (steps <= {1} or steps <= {-1}):
        raise Refused("run_not_closed", step=1)


def check_order(reading: Reading, numbers: list[int]) -> None:
    """Whether a run of `numbers` may follow on a belt that reads so: strictly on, in one direction."""
    first, rising, falling = numbers[0], numbers[-1] >= numbers[0], numbers[-1] <= numbers[0]
    up, down = reading.up, reading.down
    if (up is not None and first >= up and rising) or (down is not None and first <= down and falling):
        return
    turned = (reading.direction > 0 and not rising) or (reading.direction < 0 and not falling)
    raise Refused("wrong_direction" if turned else "number_out_of_order", at_least=up, at_most=down)
