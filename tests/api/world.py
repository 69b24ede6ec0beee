"""A server with something on it: players, and games of every ruleset in every state, for those who ask at random."""

from __future__ import annotations

import random
import secrets
from typing import Any

from flask import Flask

from domain.commands import Play
from domain.observers import at_seat
from domain.registry import REGISTRY
from eventstore.store import Store
from eventstore.tokens import SCOPES, Token, fresh_token
from tests.api.client import Client, filled

Json = dict[str, Any]
MOST_MOVES = 400
"""So many moves a game may have before its players give up."""


def answer_as_bot(store: Store, game: str, rng: random.Random) -> None:
    """Answer for the next seat that is asked, whoever sits there."""
    facts = store.repository.game(game).game
    asked = next(a for a in facts.asked if a.decision.required)
    seat = asked.decision.seat
    seen = store.repository.fold(game, at_seat(seat))
    move = seen.rules.info.bots["novice"](seen.game.table, seat, asked.decision, rng)
    play = Play(seat, asked.id, move, by=facts.seats[seat].controller or "player")
    store.repository.execute(game, play, key=secrets.token_hex(8))


class World:
    """Ann and Bob sit at every table, Cat at none; `known` are values of path parameters that name something."""

    def __init__(self, app: Flask, store: Store, seed: int) -> None:
        self._store = store
        self._rng = random.Random(seed)
        self.ann, self.bob, self.cat = (Client(app).join(name) for name in ("Ann", "Bob", "Cat"))
        self.codes: list[str] = []
        self.tables: list[str] = []
        self.known: list[Json] = [{"player": one.player["id"]} for one in (self.ann, self.bob, self.cat)]
        for rules in REGISTRY:
            key = rules.info.key
            self.known += [{"key": key}, {"ruleset": key}]
            self._lobby(key, "public")
            self._lobby(key, "private")
            self.tables.append(self._table(key))
            self._play(self.tables[-1], self._rng.randrange(4, 12))
            self._finished(key)
        made = self.ann.post("/v1/me/tokens", {"scopes": ["read"]}).json
        self.known.append({"token": made["id"]})

    def _table(self, key: str) -> str:
        """A running game of the fewest seats."""
        seats = REGISTRY.newest(key).info.seats[0]
        bots = ["novice"] * (seats - 2)
        game = self.ann.game(ruleset=key, seats=seats, bots=bots, auto_start=True)
        assert self.bob.post(f"/v1/games/{game}/seats", {}).status_code == 201
        self.known.append({"game": game})
        return game

    def _lobby(self, key: str, visibility: str) -> None:
        game = self.ann.game(ruleset=key, visibility=visibility)
        invite = self.ann.post(f"/v1/games/{game}/invites", {"uses": 9}).json
        self.codes.append(invite["code"])
        self.known += [{"game": game}, {"game": game, "invite": invite["id"]}]

    def _play(self, game: str, most: int) -> None:
        while most and self._store.repository.game(game).game.asked:
            answer_as_bot(self._store, game, self._rng)
            most -= 1

    def _finished(self, key: str) -> None:
        game = self._table(key)
        self._play(game, MOST_MOVES)
        if not self._store.repository.game(game).game.over:
            for client in (self.ann, self.bob):
                client.delete(f"/v1/games/{game}/seats/me")
        for challenge in self.ann.get(f"/v1/games/{game}/challenges").json["items"][:2]:
            self.known.append({"game": game, "v": challenge["v"]})
        dispute = self.ann.post(f"/v1/games/{game}/disputes", {"reason": "All of it."}).json
        self.known.append({"dispute": dispute["id"]})

    def paths(self, names: set[str]) -> list[Json]:
        """Values for these path parameters that name something."""
        found = [values for values in self.known if values.keys() == names]
        assert found or not names, names
        return found or [{}]

    def caller(self, who: str) -> Json:
        """The headers of somebody. Each has another token each time, since it may well be revoked by what is sent."""
        clients = {"ann": self.ann, "bob": self.bob, "cat": self.cat}
        if who not in clients:
            return {"nobody": {}, "wrong": {"Authorization": "Bearer ct_no-such-token-nowhere"}}[who]
        text, player = fresh_token(), clients[who].player["id"]
        self._store.tokens.give(player, text, Token(secrets.token_hex(13).upper(), "fuzz", SCOPES, 1))
        return {"Authorization": f"Bearer {text}"}

    def likely(self, operation: str, seed: int) -> tuple[str, Json, Json] | None:
        """Who asks what of which address for an operation that chance alone seldom brings about; None for others."""
        match operation:
            case "POST /v1/games/{game}/moves":
                return self._legal(seed)
            case "POST /v1/games/{game}/start":
                return "ann", {"game": self.ann.game(seats=2, bots=["novice"])}, {}
            case "POST /v1/games/{game}/seats":
                return "bob", {"game": self.ann.game(seats=3)}, {}
            case "POST /v1/invites":
                return "cat", {}, {"code": self.codes[seed % len(self.codes)]}
        return None

    def _legal(self, seed: int) -> tuple[str, Json, Json] | None:
        """A legal move of whoever is asked in one of the games."""
        rng = random.Random(seed)
        for game in rng.sample(self.tables, len(self.tables)):
            for who, client in (("ann", self.ann), ("bob", self.bob)):
                decision = client.view(game)["decision"]
                if decision and decision["moves"]:
                    return who, {"game": game}, filled(rng.choice(decision["moves"]), rng)
        return None
