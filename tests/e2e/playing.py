"""Players that know no rules: they fill in the forms that the server offers."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.e2e.client import OVER, Client, Json


def a_move(question: Json, rng: Random, *, bold: float = 0.3) -> Json:
    """A random legal move of a decision; `bold` is how often more than one card is laid."""
    form = rng.choice(question["moves"])
    fields = {name: _value(given, rng, bold) for name, given in form["fields"].items()}
    return {"type": form["type"], "decision": question["id"], **fields}


def an_offer(offers: list[Json], rng: Random) -> Json:
    """A random legal move that answers one of some offers."""
    return a_move(rng.choice(offers), rng)


def _value(given: Json, rng: Random, bold: float) -> Any:
    if given["kind"] == "one_of":
        return rng.choice(given["values"])
    if given["kind"] == "range":
        return rng.randint(given["min"], given["max"])
    if given["kind"] == "run":
        return rng.choice(runs(given))
    assert given["kind"] == "multiset", given
    least = min(max(1, given["min"]), given["max"])
    most = min(given["max"], 4) if rng.random() < bold else least
    return rng.sample(given["from"], rng.randint(least, max(least, most)))


def runs(given: Json) -> list[list[Any]]:
    """The runs of a form with any card as the first, as long as the held cards go, with a wild card at their end."""
    held: dict[int, str] = {one["number"]: one["card"] for one in given["held"]}
    found: list[list[Any]] = []
    for step, bound in ((1, given["up"]), (-1, given["down"])):
        for start in held if bound is not None else ():
            if (start - bound) * step < 0:
                continue
            run: list[Any] = []
            number = start
            while number in held:
                run = [*run, held[number]]
                found.append(run)
                number += step
            if given["wild"] and given["min"] <= number <= given["max"]:
                found.append([*run, {"card": given["wild"], "number": number}])
    return found


def play(client: Client, game: str, rng: Random, *, seconds: float = 60) -> Json:
    """Answer for one player until the game is over; its last view."""
    while True:
        view = client.until_asked(game, seconds)
        if view["status"] in OVER:
            return view
        answer = client.move(game, a_move(view["decision"], rng))
        assert answer.is_success or answer.status_code == 409, answer.text
