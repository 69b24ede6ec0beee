"""Bots of Captain Bluff: pure functions of the seat's own fold.

`novice` plays at random but never something silly. `standard` keeps count of cities, knows the origin cards that it
laid, saw or swapped in, and weighs what it lays against what could come back.
"""

from collections.abc import Callable

from msgspec.structs import replace

from domain.captain_bluff.belts import Reading, read
from domain.captain_bluff.cards import CITY_OF, DELAYED, HIGH, LOW, NOTICE, NUMBER_OF, REVERSE, WORLD
from domain.captain_bluff.forms import by_city, fits, turn_forms
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
)
from domain.captain_bluff.odds import origin_is, size, truth, unseen
from domain.captain_bluff.plans import Plan, plans, playable, stake
from domain.captain_bluff.state import FEW, Question, State
from domain.decisions import Decision
from domain.entropy import Rng, pick
from domain.moves import Challenge, Move, Pass
from domain.multisets import Cards

_SURE = (NOTICE, DELAYED, REVERSE)
"""The Airport cards that nobody can challenge: as the last card they win at once."""

_RARE = (Change, Close)

_PATIENCE, _RESTLESS = 200, 3.0
"""After how many turns the careful begin to take risks, or they would wait for ever; and how many cards a turn in
which nothing is laid costs at last."""


def novice(fold: State, seat: int, decision: Decision, rng: Rng) -> Move:
    """Random play that challenges what it knows to be a lie, and lays nothing that it knows to be one."""
    if fold.question is not None:
        true = truth(fold, fold.question)
        return Challenge() if true == 0.0 or (true < 1.0 and _percent(rng, 12)) else Pass()
    hand = fold.hands[seat].known
    if fold.to_define:
        return Define(pick(rng, _free(fold)), pick(rng, [card for card in hand if card in NUMBER_OF] or hand))
    if not fold.acted and _percent(rng, 60):
        fair = [plan for plan in plans(fold, seat, unseen(fold)) if plan.truth > 0.0]
        if fair:
            plan = pick(rng, fair)
            return PlaceBags(plan.belt, plan.cards)
    forms = [
        f for f in turn_forms(fold, seat) if f.move is not PlaceBags and (f.move not in _RARE or _percent(rng, 30))
    ]
    return pick(rng, forms or [f for f in turn_forms(fold, seat) if f.move is not PlaceBags]).sample(rng)


def standard(fold: State, seat: int, decision: Decision, rng: Rng) -> Move:
    """Play by the odds."""
    if fold.question is not None:
        return Challenge() if _doubts(fold, seat, fold.question) else Pass()
    if fold.to_define:
        return _first_origin(fold, seat, rng)
    if fold.acted:
        return _airport(fold, seat, True) or EndTurn()
    return _turn(fold, seat)


# --- votes -------------------------------------------------------------------------------------------------------


def _doubts(fold: State, seat: int, question: Question) -> bool:
    """Whether a challenge is worth its risk."""
    claimant = question.window.claimant
    belt = fold.belts[question.belt]
    lie = 1.0 - truth(fold, question)
    if lie in (0.0, 1.0):
        return lie == 1.0
    left = fold.hands[claimant].count
    if left == 0:
        # Unchallenged the claimant wins; being wrong costs cards in a game that is lost anyway.
        return lie > 0.02
    voters = [other for other in question.window.asked if other != seat]
    if belt.origin is not None and any(other in belt.origin.seen for other in voters):
        # Who knows the card will challenge a lie without any risk.
        return False
    pile = size(belt.row)
    gain = pile / (len(fold.hands) - 1) * (2.0 if left <= 3 else 1.0) + 1.0
    return lie * gain > (1.0 - lie) * pile


# --- the turn ----------------------------------------------------------------------------------------------------


def _turn(fold: State, seat: int) -> Move:
    """The best action; before it an Airport card, unless that is better kept for the end of the turn."""
    left = unseen(fold)
    best = max(plans(fold, seat, left), key=lambda plan: plan.worth, default=None)
    hand = fold.hands[seat].known
    finishing = best is not None and len(hand) - len(best.cards) == 1 and _last_wins(fold, hand, best)
    if not fold.airport and not finishing:
        first = _airport(fold, seat, False)
        if first is not None:
            return first
    stay = not fold.airport and any(card in hand for card in (*_SURE, WORLD))
    weary = min(_RESTLESS, max(0, fold.turns - _PATIENCE) / 50)
    waiting = [*_define(fold, seat), *_change(fold, seat), *_peek(fold, best)]
    choices = [(worth - weary, move) for worth, move in waiting] + _close(fold, hand)
    if best is not None:
        choices.append((best.worth + (20.0 if finishing else 0.0), PlaceBags(best.belt, best.cards)))
    move = max(choices, key=lambda choice: choice[0])[1]
    return replace(move, end_turn=False) if stay else move


def _last_wins(fold: State, hand: Cards, plan: Plan) -> bool:
    """Whether the one card that the plan leaves can be played at once and wins."""
    rest = [card for card in hand if card not in plan.cards]
    if fold.airport or plan.wild or len(rest) != 1:
        return False
    return rest[0] in (NOTICE, DELAYED) or (rest[0] == REVERSE and bool(_fixed(fold) or len(plan.cards) > 1))


def _free(fold: State) -> list[int]:
    return [i for i, belt in enumerate(fold.belts) if belt.origin is None]


def _fixed(fold: State) -> list[int]:
    return [i for i, belt in enumerate(fold.belts) if read(belt.row).direction]


def _first_origin(fold: State, seat: int, rng: Rng) -> Move:
    """A card of the strongest city that no origin card is known of, the one that its runs miss least."""
    hand = fold.hands[seat].known
    mine = [CITY_OF.get(b.origin.card or "") for b in fold.belts if b.origin is not None]
    cities = sorted(by_city(hand), key=lambda city: (city in mine, -len(by_city(hand)[city])))
    return Define(pick(rng, _free(fold)), _loosest(hand, cities[0]) if cities else hand[0])


def _loosest(hand: Cards, city: str) -> str:
    """The bag of a city that stands most alone, from the ends inwards."""
    numbers = {number: card for card, number in by_city(hand)[city]}
    return min(
        numbers.items(), key=lambda item: ((item[0] - 1 in numbers) + (item[0] + 1 in numbers), -abs(item[0] - 9))
    )[1]


def _define(fold: State, seat: int) -> list[tuple[float, Move]]:
    """Lay an origin card of a city of which much is held and no belt is known to be true."""
    hand, free = fold.hands[seat].known, _free(fold)
    if not free:
        return []
    fresh = 0.0 if fold.draw.count + fold.discard.count else 1.0
    options: list[tuple[float, Move]] = []
    for city, held in by_city(hand).items():
        known_true = any(b.origin and CITY_OF.get(b.origin.card or "") == city for b in fold.belts)
        elsewhere = any(read(b.row).city == city for b in fold.belts)
        value = 0.1 if known_true or elsewhere else 0.35 * (len(held) - 1)
        options.append((value + fresh, Define(free[0], _loosest(hand, city))))
    return options or [(fresh, Define(free[0], hand[0]))]


def _change(fold: State, seat: int) -> list[tuple[float, Move]]:
    """Make a belt true, on which more could be laid: with a card of its city that would not fit any more."""
    hand = fold.hands[seat].known
    held = by_city(hand)
    options: list[tuple[float, Move]] = []
    for number, belt in enumerate(fold.belts):
        reading = read(belt.row)
        if reading.city not in held or belt.origin is None or _is_true(belt.origin.card, reading):
            continue
        card = min(held[reading.city], key=lambda pair: fits(reading, pair[1]))[0]
        rest = tuple([other for other in hand if other != card])
        options.append((0.3 * playable(fold, rest, reading.city) - 0.3, Change(number, card)))
    return options


def _is_true(card: str | None, reading: Reading) -> bool:
    return card is not None and CITY_OF.get(card) == reading.city


def _peek(fold: State, best: Plan | None) -> list[tuple[float, Move]]:
    """Look where the best run would go, or else at what is not known yet."""
    lying = [(i, belt.origin) for i, belt in enumerate(fold.belts) if belt.origin is not None]
    unknown = [i for i, origin in lying if origin.card is None]
    if not unknown:
        return [(-0.1, Peek(i)) for i, _ in lying[:1]]
    if best is not None and best.belt in unknown:
        return [(0.3 * len(best.cards), Peek(best.belt))]
    loaded = [i for i in unknown if fold.belts[i].row]
    return [(0.25, Peek((loaded or unknown)[0]))]


def _close(fold: State, hand: Cards) -> list[tuple[float, Move]]:
    """Free a city of which much is held and nothing fits any more."""
    options: list[tuple[float, Move]] = []
    for number, belt in enumerate(fold.belts):
        city = read(belt.row).city
        if city is not None:
            stuck = len(by_city(hand).get(city, ())) - playable(fold, hand, city)
            options.append((0.25 * stuck - 0.4, Close(number)))
    return options


# --- Airport cards -----------------------------------------------------------------------------------------------


def _airport(fold: State, seat: int, acted: bool) -> Move | None:
    """The Airport card to play now, if any: each is a card less."""
    if fold.airport:
        return None
    hand = fold.hands[seat].known
    ways: list[tuple[str, Callable[[State, int], Move | None]]] = [
        (NOTICE, _notice),
        (DELAYED, _delayed),
        (REVERSE, _reverse),
    ]
    if acted:
        ways.append((WORLD, _world))
    for card, way in ways:
        if card in hand:
            move = way(fold, seat)
            if move is not None:
                return move
    return None


def _notice(fold: State, seat: int) -> Move | None:
    """Look at what is not known yet, loaded belts first."""
    lying = [
        (belt.origin.card is not None, not belt.row, i) for i, belt in enumerate(fold.belts) if belt.origin is not None
    ]
    return PlayNoticeBoard(tuple([i for *_, i in sorted(lying)[:2]]))


def _delayed(fold: State, seat: int) -> Move | None:
    """When somebody draws for it, or when the hand is nearly empty."""
    few = any(fold.hands[other].count < FEW for other in fold.others(seat))
    return PlayDelayedFlight() if few or fold.hands[seat].count <= 6 else None


def _reverse(fold: State, seat: int) -> Move | None:
    """Where the own bags gain most by it."""
    hand = by_city(fold.hands[seat].known)
    best: tuple[int, int] | None = None
    for number in _fixed(fold):
        reading = read(fold.belts[number].row)
        held = hand.get(reading.city or "", ())
        turned = replace(reading, direction=-reading.direction)
        gain = sum(fits(turned, n) for _, n in held) - sum(fits(reading, n) for _, n in held)
        best = max(best or (gain, number), (gain, number))
    if best is None or (best[0] < 0 and fold.hands[seat].count > 3):
        return None
    return PlayReverse(best[1])


def _world(fold: State, seat: int) -> Move | None:
    """Alone at the end of a belt that is likely true, next to its last number."""
    left = unseen(fold)
    best: tuple[float, int, int] | None = None
    for number, belt in enumerate(fold.belts):
        reading = read(belt.row)
        if reading.city is None:
            continue
        value = stake(fold, seat, number, 1, origin_is(fold, number, reading.city, left))
        place = reading.up if reading.up is not None else reading.down
        if place is not None and LOW <= place <= HIGH:
            best = max(best or (value, number, place), (value, number, place))
    return PlayAroundTheWorld(best[1], best[2]) if best is not None and best[0] > 0.3 else None


def _percent(rng: Rng, share: int) -> bool:
    return rng.randrange(100) < share
