"""Plays a game of each ruleset through a generated Python client: its methods and types, and nothing besides.

Run as a program: `player.py <address> <ruleset> <moves at most>`; the test has mypy hold it against the client.
"""

from __future__ import annotations

import json
import random
import sys
from uuid import uuid4

from captains_table_client import AuthenticatedClient, Client, models
from captains_table_client.api.games import create_game, get_game
from captains_table_client.api.moves import get_moves, play_move
from captains_table_client.api.players import create_player
from captains_table_client.api.rulesets import get_ruleset
from captains_table_client.api.seats import take_seat
from captains_table_client.types import Unset

MOST_TURNS = 12


def join(address: str, name: str) -> AuthenticatedClient:
    """A new player's client."""
    with Client(base_url=address) as client:
        made = create_player.sync(client=client, body=models.NewPlayer(name=name))
    assert isinstance(made, models.Registered), made
    return AuthenticatedClient(base_url=address, token=made.token)


def seat_all(address: str, ruleset: str) -> tuple[str, list[AuthenticatedClient]]:
    """A game at the smallest table, with a player on each seat."""
    told = get_ruleset.sync(ruleset, client=Client(base_url=address))
    assert isinstance(told, models.RulesetDetail), told
    clients = [join(address, f"Player {seat}") for seat in range(told.seats.min_)]
    options: models.BluffKingOptions | Unset = Unset()
    if "max_turns" in told.defaults.additional_properties:
        options = models.BluffKingOptions(max_turns=MOST_TURNS)  # random players circulate for long
    new = models.NewGame(ruleset=models.NewGameRuleset(ruleset), seats=len(clients), options=options, auto_start=True)
    made = create_game.sync(client=clients[0], body=new, idempotency_key=uuid4().hex)
    assert isinstance(made, models.Receipt), made
    for client in clients[1:]:
        sat = take_seat.sync(made.game, client=client, body=models.SeatRequest(), idempotency_key=uuid4().hex)
        assert isinstance(sat, models.Receipt), sat
    return made.game, clients


def filled(form: models.Form, rng: random.Random) -> dict[str, object]:
    """A move of a form, as JSON."""
    fields = {name: value(given, rng) for name, given in form.fields.additional_properties.items()}
    return {"type": form.type_, "decision": form.decision, **fields}


def value(given: models.FieldForm, rng: random.Random) -> object:
    """A value that a field may have."""
    low = 0 if isinstance(given.min_, Unset) else given.min_
    high = 0 if isinstance(given.max_, Unset) else given.max_
    if given.kind == "one_of" and not isinstance(given.values, Unset):
        return rng.choice(given.values)
    if given.kind == "range":
        return rng.randint(low, high)
    if given.kind == "multiset" and not isinstance(given.from_, Unset):
        return rng.sample(given.from_, rng.randint(low, high))
    assert given.kind == "run", given.kind
    assert not isinstance(given.held, Unset)
    cards = [held.additional_properties for held in given.held]
    fits = [
        card["card"]
        for card in cards
        if (isinstance(given.up, int) and card["number"] >= given.up)
        or (isinstance(given.down, int) and card["number"] <= given.down)
    ]
    return [rng.choice(fits)]


def move_of(move: dict[str, object]) -> models.MovePass:
    """The generated class of a move, filled with it."""
    name = "Move" + "".join(word.capitalize() for word in str(move["type"]).split("_"))
    made: models.MovePass = getattr(models, name).from_dict(move)
    assert made.to_dict() == move
    return made


def play(address: str, ruleset: str, most: int) -> tuple[str, int, set[str]]:
    """Play to the end; the status then, how many moves, and the types of all events."""
    game, clients = seat_all(address, ruleset)
    rng = random.Random(7)
    events: set[str] = set()
    for count in range(most):
        view = get_game.sync(game, client=clients[0])
        assert isinstance(view, models.View), view
        if not view.asked:
            assert isinstance(view.result, models.Result)
            return view.status.value, count, events
        client = clients[rng.choice(view.asked).seat]
        legal = get_moves.sync(game, client=client)
        assert isinstance(legal, models.Moves), legal
        assert isinstance(legal.decision, models.Decision)
        move = move_of(filled(rng.choice(legal.decision.moves), rng))
        made = play_move.sync(game, client=client, body=move, idempotency_key=uuid4().hex)
        assert isinstance(made, models.Receipt), made
        for event in made.events:
            kind = event.type_
            events.add(kind if isinstance(kind, str) else kind.value)
            # Of another class a field of `data` would be missing: each event was read as what it is.
            assert type(event).__name__.lower().endswith(kind.replace("_", "")), (type(event), kind)
    return "unfinished", most, events


if __name__ == "__main__":
    status, count, events = play(sys.argv[1], sys.argv[2], int(sys.argv[3]))
    sys.stdout.write(json.dumps({"status": status, "moves": count, "events": sorted(events)}))
