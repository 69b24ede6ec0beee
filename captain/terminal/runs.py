"""Runs: cards in order, their numbers following each other directly, at most one place taken by the wild card."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from captain.terminal.typed import BadInput, place_of, tokens

Json = dict[str, Any]


def run_hint(field: Json) -> str:
    """What a run must be like."""
    ways = [f"up from {field['up']} or higher"] if field["up"] is not None else []
    ways += [f"down from {field['down']} or lower"] if field["down"] is not None else []
    return f"cards in order, each number one further: {' or '.join(ways)}"


def read_run(field: Json, typed: str) -> list[Any]:
    """The run that was typed: cards between spaces, the wild one as `WILD=7`, or bare where only one number fits."""
    runs: list[tuple[tuple[str, int], ...]] = [()]
    for token in tokens(typed):
        places = list(_meanings(field, token))
        runs = [(*run, place) for run in runs for place in places if not _second_wild(field, run, place)]
    fitting = [run for run in runs if run and is_run(field, run)]
    if len(fitting) == 1:
        return [_item(field, place) for place in fitting[0]]
    if fitting:
        numbers = " or ".join(str(n) for run in fitting for card, n in run if card == field["wild"])
        raise BadInput(f"Say the number of {field['wild']}: {field['wild']}={numbers}.")
    raise BadInput(f"That is no run: {run_hint(field)}.")


def is_run(field: Json, run: Sequence[tuple[str, int]]) -> bool:
    """Whether cards with these numbers are a run that the field allows."""
    cards = [card for card, _ in run]
    numbers = [number for _, number in run]
    wilds = cards.count(field["wild"]) if field["wild"] is not None else 0
    if wilds > 1 or wilds == len(cards) or len(set(cards)) < len(cards):
        return False
    steps = {after - before for before, after in pairwise(numbers)}
    rises = field["up"] is not None and numbers[0] >= field["up"] and steps <= {1}
    falls = field["down"] is not None and numbers[0] <= field["down"] and steps <= {-1}
    return rises or falls


def _meanings(field: Json, token: str) -> Iterable[tuple[str, int]]:
    """The cards with their numbers that a token can mean."""
    name, _, number = token.replace(":", "=").partition("=")
    held = {one["card"]: one["number"] for one in field["held"]}
    cards = [*held, *([field["wild"]] if field["wild"] is not None else [])]
    card = cards[place_of(name, cards)]
    low, high = field.get("min", 1), field.get("max", 17)
    if card in held:
        if number:
            raise BadInput(f"{card} has its own number, {held[card]}.")
        yield card, held[card]
    elif not number:
        yield from ((card, n) for n in range(low, high + 1))
    elif number.isdigit() and low <= int(number) <= high:
        yield card, int(number)
    else:
        raise BadInput(f"{card} takes a number from {low} to {high}.")


def _second_wild(field: Json, run: Sequence[tuple[str, int]], place: tuple[str, int]) -> bool:
    """Whether `place` is a wild after another: never a run, and each bare one would multiply the tries."""
    return place[0] == field["wild"] and any(card == field["wild"] for card, _ in run)


def _item(field: Json, place: tuple[str, int]) -> Any:
    card, number = place
    return {"card": card, "number": number} if card == field["wild"] else card
