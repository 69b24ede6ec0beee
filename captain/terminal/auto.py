"""A player that knows nothing but forms: any legal move, at random."""

from __future__ import annotations

from random import Random
from typing import Any

from captain.terminal.runs import is_run

Json = dict[str, Any]

OFFER_CHANCE = 0.05
"""How often something that may be done is done: an offer stands for long, and each of its answers ends a chance."""


def random_move(view: Json, rng: Random) -> Json | None:
    """A move for what `view` asks of its seat, now and then for an offer; None if there is nothing to do."""
    decision, offers = view["decision"], view["offers"]
    question = decision
    if offers and rng.random() < OFFER_CHANCE:
        question = rng.choice(offers)
    # A question without moves is not one for a player: a seed is revealed.
    return filled(rng.choice(question["moves"]), rng) if question and question["moves"] else None


def filled(form: Json, rng: Random) -> Json:
    """One move of the family."""
    fields = {name: _value(field, rng) for name, field in form["fields"].items()}
    return {"type": form["type"], "decision": form["decision"], **fields}


def _value(field: Json, rng: Random) -> Any:
    match field["kind"]:
        case "one_of":
            return rng.choice(field["values"])
        case "range":
            return rng.randint(field["min"], field["max"])
        case "multiset":
            # Of two counts the smaller: hands that are laid at once make no game.
            count = min(rng.randint(field["min"], field["max"]) for _ in range(2))
            return rng.sample(field["from"], count)
        case "run":
            return _run(field, rng)
    raise ValueError(f"no way to fill a field of the kind {field['kind']}")


def _run(field: Json, rng: Random) -> list[Any]:
    """A run of held cards: a start that is allowed, then on while there is a next card and the coin says so."""
    held = [(one["card"], one["number"]) for one in field["held"]]
    starts = [(place, step) for place in held for step in (1, -1) if is_run(_only(field, step), [place])]
    start, step = rng.choice(starts)
    run = [start]
    while rng.random() < 0.7:
        following = [place for place in held if place[1] == run[-1][1] + step]
        if not following:
            break
        run.append(rng.choice(following))
    return [card for card, _ in run]


def _only(field: Json, step: int) -> Json:
    return {**field, "down" if step == 1 else "up": None}
