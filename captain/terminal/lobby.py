"""Coming to a table: create a game or join one, and what can be done before it starts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from captain.terminal.http import Refused, Server
from captain.terminal.seeds import OwnSeed, commit
from captain.terminal.seen import SeenGame
from captain.terminal.typed import BadInput

Json = dict[str, Any]


def create(
    server: Server, ruleset: str, seats: int | None, bots: Sequence[str], options: Json, seeds: str = "open"
) -> tuple[str, OwnSeed | None]:
    """Create a game that starts as soon as every seat is taken; its id, and the seed that was committed to, if any.

    Without a word about seats and bots the other seats of the smallest table are taken by bots.
    """
    rules = server.get(f"/rulesets/{ruleset}")
    if seats is None and not bots and rules["bots"]:
        level = "standard" if "standard" in rules["bots"] else rules["bots"][-1]
        bots = [level] * (rules["seats"]["min"] - 1)
    wanted: Json = {"ruleset": ruleset, "options": options, "bots": list(bots), "auto_start": seeds == "open"}
    if seats is not None:
        wanted["seats"] = seats
    if seeds != "open":
        wanted["seeds"] = seeds
    game: str = server.do("POST", "/games", wanted)["game"]
    if seeds == "open":
        return game, None
    own = OwnSeed(game, starts=True)
    commit(server, game, own)
    return game, own


def join(server: Server, game: str) -> OwnSeed | None:
    """Sit down in a game, or come back to a seat; raises Refused if there is none. The seed committed to, if any."""
    view = server.get(f"/games/{game}")
    seat = view["observer"].get("seat")
    commits = view.get("seeds") == "committed" and view["status"] == "lobby" and not view["asked"]
    own = OwnSeed(game) if commits else None
    if seat is None:
        server.do("POST", f"/games/{game}/seats", {"seed_commitment": own.commitment} if own else {})
    elif own is not None:
        # The seed of another terminal, or of before, is not known here: another one takes its place.
        commit(server, game, own)
    elif view["status"] == "playing" and view["seats"][seat]["controller"] == "bot":
        try:
            server.do("PUT", f"/games/{game}/seats/me", {"controller": "player"})
        except Refused as refused:
            if refused.code != "not_away":  # it came back by another terminal
                raise
    return own


def away(game: SeenGame) -> bool:
    """Whether a bot plays my seat because I was away."""
    seat = game.seat
    if seat is None or game.view["status"] != "playing":
        return False
    return bool(game.view["seats"][seat]["controller"] == "bot")


def lines(game: SeenGame) -> list[str]:
    """What to know and to do while seats are free."""
    view = game.view
    if view["asked"]:
        return ["The seeds of the shuffle are revealed now; then the game starts."]
    free = [seat["seat"] for seat in view["seats"] if seat["controller"] is None]
    told = [f"Free seats: {', '.join(map(str, free))}." if free else "All seats are taken."]
    told.append(f"Others join with: captain play --game {game.id} --server {game.server.address}")
    seat = game.seat
    host = view["host"] or {}
    if seat is not None and (view["seats"][seat]["player"] or {}).get("id") == host.get("id"):
        told.append("/bot LEVEL seats a bot, /start starts the game.")
    return told


def pairs(given: Iterable[str]) -> Json:
    """`key=value` texts as an object; a value is JSON where it can be read as such, else text."""
    made: Json = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not (name and equals):
            raise BadInput(f"Write options as name=value, not {one}.")
        try:
            made[name] = json.loads(value)
        except ValueError:
            made[name] = value
    return made
