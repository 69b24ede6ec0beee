"""A client seed of one's own in a game with committed seeds: committed to in the lobby, revealed when asked for."""

from __future__ import annotations

import hashlib
import json
import secrets
from typing import Any

from captain.terminal.http import Refused, Server
from captain.terminal.seen import SeenGame

Json = dict[str, Any]

MISSING = "The game began without your seed: it was not revealed in time. If it was, do not trust this server."


class OwnSeed:
    """The seed lives in memory only: if it is lost, the game begins without it.

    `starts` says that the game was created here: then it is started from here as soon as every seat is taken, since
    a game that starts by itself could do so before its host has committed.
    """

    def __init__(self, game: str, *, starts: bool = False) -> None:
        self.seed = secrets.token_hex(32)
        self.starts = starts
        self.commitment = commitment(game, self.seed)
        self._tried = -1
        self._looked = False

    def tend(self, game: SeenGame) -> bool:
        """Do what is to be done before the start, once at each version; whether anything was. Raises Refused."""
        view = game.view
        if view["status"] != "lobby" or view["version"] == self._tried:
            return False
        if (view["decision"] or {}).get("kind") == "reveal_seed":
            wanted = ("PUT", "/seats/me", {"client_seed": self.seed})
        elif self.starts and not view["asked"] and all(seat["controller"] for seat in view["seats"]):
            wanted = ("POST", "/start", {})
        else:
            return False
        self._tried = view["version"]
        game.do(*wanted)
        return True

    def complaint(self, view: Json) -> str:
        """What is to be said, once, if the game began without the seed."""
        seat = view["observer"].get("seat")
        if self._looked or view["status"] != "playing" or seat is None:
            return ""
        self._looked = True
        return MISSING if view["seats"][seat].get("seed") == "committed" else ""


def commitment(game: str, seed: str) -> str:
    """The digest by which a player of `game` commits to its seed."""
    return hashlib.sha256(json.dumps([game, "client_seed", seed], separators=(",", ":")).encode()).hexdigest()


def commit(server: Server, game: str, seed: OwnSeed) -> None:
    """Commit to a seed, from a seat in the lobby. Raises Refused, unless it is too late for that."""
    try:
        server.do("PUT", f"/games/{game}/seats/me", {"seed_commitment": seed.commitment})
    except Refused as refused:
        if refused.code not in ("reveal_open", "already_started"):
            raise
