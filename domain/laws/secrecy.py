"""Law 2: whatever a seat cannot know makes no difference to what it is shown.

A seat's fold is redealt into another full world that fits it. In both worlds its decisions, forms, default move
and the answer to any move must be the same, and events read the same up to the first declared reveal.
"""

from typing import Any

from msgspec import convert
from msgspec.structs import replace

from domain.decisions import Asked
from domain.entropy import Rng, Stream, shuffled
from domain.errors import Refused
from domain.events import Event, data_of, layout, redact
from domain.forms import Field, Form, Multiset
from domain.game import Game
from domain.laws.knowledge import difference, names_in
from domain.laws.offers import guess_move
from domain.laws.play import choose_from
from domain.laws.verdict import require
from domain.moves import Move
from domain.observers import SPECTATOR, Observer, at_seat
from domain.ruleset import Moment, Ruleset

_TRIES = 4
"""How many guessed moves are compared, and how often another seat's move is looked for in the other world."""


def check_secrecy(rules: Ruleset, folds: dict[Observer, Game], full: Game, rng: Rng) -> None:
    """Law 2 for one seat, chosen at random, at this batch end."""
    seat = rng.randrange(len(full.seats))
    own = folds[at_seat(seat)]
    if full.status != "playing":
        return
    world = rules.redeal(own.table, seat, rng)
    rules.check(world)
    where = difference(own.table, world)
    require(2, where is None, f"redeal does not fit the fold of seat {seat}: {where}")
    require(2, rules.decisions(world) == rules.decisions(full.table), f"decisions depend on unknown cards, {seat}")
    other = replace(full, table=world)
    for asked in full.open_for(seat):
        _same_offers(rules, own, full, other, asked)
    for move in _moves(rules, full, seat, rng):
        _same_answer(rules, full, other, seat, move)
    mover = rng.randrange(len(full.seats))
    if mover != seat:
        _same_news(rules, full, other, seat, mover, rng)


def _same_offers(rules: Ruleset, own: Game, full: Game, other: Game, asked: Asked) -> None:
    decision = asked.decision
    forms = rules.forms(full.table, decision)
    require(
        2,
        rules.forms(other.table, decision) == forms,
        f"forms of seat {decision.seat} depend on unknown cards",
    )
    if decision.required:
        default = rules.default_move(full.table, decision)
        same = default == rules.default_move(other.table, decision) == rules.default_move(own.table, decision)
        require(2, same, f"the default move of seat {decision.seat} depends on unknown cards")


def _moves(rules: Ruleset, full: Game, seat: int, rng: Rng) -> list[Move]:
    moves = [choose_from(rules.forms(full.table, a.decision), rng) for a in full.open_for(seat)]
    return moves + [guess_move(rules.info.moves, rng) for _ in range(_TRIES)]


def _outcome(rules: Ruleset, game: Game, seat: int, move: Move) -> tuple[str, Any]:
    try:
        return "made", rules.decide(game.table, seat, move, Moment(game.version + 1, _same_draws))
    except Refused as refused:
        return "refused", (refused.code, refused.facts)


def _same_draws(label: str) -> Rng:
    return Stream(bytes(32), label)


def _same_answer(rules: Ruleset, full: Game, other: Game, seat: int, move: Move) -> None:
    """Seat `seat` makes the same move in both worlds."""
    story, ours = _outcome(rules, full, seat, move)
    other_story, theirs = _outcome(rules, other, seat, move)
    require(2, story == other_story, f"{move.type} of seat {seat} is {story}, or {other_story} with other cards")
    if story == "refused":
        require(2, ours == theirs, f"refusing {move.type} tells seat {seat} of cards: {ours[0]} or {theirs[0]}")
    else:
        _same_reading(seat, ours, theirs)


def _same_news(rules: Ruleset, full: Game, other: Game, seat: int, mover: int, rng: Rng) -> None:
    """Another seat makes a move that looks alike in both worlds; then it must read alike."""
    for asked in full.open_for(mover):
        move = choose_from(rules.forms(full.table, asked.decision), rng)
        story, ours = _outcome(rules, full, mover, move)
        require(2, story == "made", f"{move.type} is offered and refused")
        for _ in range(_TRIES):
            twin = _twin(rules, rules.forms(other.table, asked.decision), move, ours[0], rng)
            if twin is not None:
                _same_reading(seat, ours, _outcome(rules, other, mover, twin)[1])


def _twin(rules: Ruleset, forms: tuple[Form, ...], move: Move, first: Event, rng: Rng) -> Move | None:
    """A move that looks like `move` to the others: what the mover chose in public is the same, the rest is random.

    Chosen in public is what its event `first` shows under the same name, whatever names no hidden thing (a seat, say),
    and all of a move whose event seals nothing. A fact that the rules added in public does not count as chosen: if it
    differs with other cards, it tells of them.
    """
    form = next((form for form in forms if form.move is type(move)), None)
    if form is None:
        return None
    values = {}
    public, hides = data_of(first), bool(layout(type(first)).sealed)
    for name, field in form.fields.items():
        value = getattr(move, name)
        if hides and name not in public and names_in(value, rules.info.vocabulary):
            value = _alike(field, value, rng)
        values[name] = value
    twin = convert(values, form.move)
    return twin if any(f.contains(twin) for f in forms) else None


def _alike(field: Field, value: Any, rng: Rng) -> Any:
    """Another value of the field; of a hand of cards, as many."""
    if isinstance(field, Multiset) and isinstance(value, tuple):
        return shuffled(rng, field.source)[: len(value)]
    return field.sample(rng)


def _same_reading(seat: int, ours: list[Event], theirs: list[Event]) -> None:
    """The two batches read alike to `seat` until something is lawfully revealed.

    What is sealed to the seat itself may differ (a card that it draws, or is passed): it is told that lawfully.
    The public rest may not, nor may anything that follows, since no rule branches on a sealed value.
    """
    for one, two in zip(ours, theirs, strict=False):
        if one.opens or two.opens or one.reveals or two.reveals:
            return
        read, twin = redact(one, SPECTATOR), redact(two, SPECTATOR)
        require(2, read == twin, f"{one.type} reads otherwise to seat {seat} with other cards")
    require(2, len(ours) == len(theirs), f"{ours[0].type} has other consequences with other cards, seat {seat}")
