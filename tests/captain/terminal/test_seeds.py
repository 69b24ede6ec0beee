"""A player's own seed: committed to by digest, revealed once, and missed if it does not count."""

from __future__ import annotations

import hashlib
from random import Random
from typing import Any

import pytest

from captain.terminal import lobby
from captain.terminal.auto import random_move
from captain.terminal.http import Refused
from captain.terminal.picture import Picture
from captain.terminal.play import Player
from captain.terminal.seeds import MISSING, OwnSeed, commitment
from domain import entropy
from tests.captain.terminal.conftest import Run
from tests.captain.terminal.test_play import whole
from tests.captain.terminal.test_player import Screen
from tests.e2e.instance import Instance

Json = dict[str, Any]


def seat(number: int, controller: str | None = "player", seed: str | None = None) -> Json:
    return {"seat": number, "player": None, "bot": None, "controller": controller, "former": None, "seed": seed}


def view(version: int, *seats: Json, asks: bool = False, status: str = "lobby") -> Json:
    deadline = "2026-01-01T00:00:00+00:00"
    asked = [{"seat": 0, "kind": "reveal_seed", "deadline": deadline}] if asks else []
    decision = {"id": str(version), "kind": "reveal_seed", "moves": [], "deadline": deadline} if asks else None
    return {
        "id": "G", "status": status, "version": version, "seeds": "committed", "observer": {"seat": 0}, "host": None,
        "seats": [*seats], "asked": asked, "decision": decision, "offers": [], "table": None,
    }  # fmt: skip


class Game:
    """A game that is at the next of these views after each thing that is done."""

    over, seat, id, absent, events = False, 0, "G", frozenset[int](), ()

    def __init__(self, *views: Json, refuses: str = "") -> None:
        self.server: Any = type("Server", (), {"address": "http://server", "ahead": 0.0})()
        self.done: list[Any] = []
        self._views = list(views)
        self._refuses = refuses
        self.view = self._views.pop(0)

    def do(self, method: str, path: str, body: Json | None = None) -> None:
        self.done.append((method, path, body))
        if self._refuses:
            raise Refused({"code": self._refuses, "title": "No"})
        self.look()

    def look(self) -> None:
        self.view = self._views.pop(0) if self._views else self.view

    def news(self) -> bool:
        return False


def played(game: Any, seed: OwnSeed) -> list[str]:
    screen: Any = Screen()
    Player(game, screen, seed=seed).run()
    return screen.notes


FULL = [seat(0), seat(1, "bot")]


def test_a_commitment_is_what_the_server_takes_for_one() -> None:
    seed = OwnSeed("G")
    text = f'["G","client_seed","{seed.seed}"]'
    assert seed.commitment == commitment("G", seed.seed) == entropy.commitment("G", seed.seed)
    assert seed.commitment == hashlib.sha256(text.encode()).hexdigest()
    assert OwnSeed("G").seed != seed.seed


def test_a_full_table_that_was_created_here_is_started_and_the_seed_revealed() -> None:
    seed = OwnSeed("G", starts=True)
    game = Game(view(3, *FULL), view(4, *FULL, asks=True), view(6, *FULL, status="playing"))
    played(game, seed)
    assert game.done == [("POST", "/start", {}), ("PUT", "/seats/me", {"client_seed": seed.seed})]


@pytest.mark.parametrize(
    ("seed", "seen"),
    [
        (OwnSeed("G"), view(3, *FULL)),
        (OwnSeed("G", starts=True), view(3, seat(0), seat(1, None))),
        (OwnSeed("G", starts=True), {**view(3, *FULL, asks=True), "decision": None}),
        (OwnSeed("G", starts=True), view(9, *FULL, status="playing")),
    ],
)
def test_nothing_is_done_before_its_time_or_by_somebody_else(seed: OwnSeed, seen: Json) -> None:
    game = Game(seen)
    assert played(game, seed) == [""]
    assert game.done == []


def test_what_was_refused_is_said_and_not_sent_again() -> None:
    game = Game(view(4, *FULL, asks=True), refuses="already_started")
    notes = played(game, OwnSeed("G"))
    assert len(game.done) == 1
    assert "No." in notes[-1]


@pytest.mark.parametrize(("state", "told"), [("committed", MISSING), ("revealed", ""), (None, "")])
def test_a_seed_that_did_not_count_is_missed_once(state: str | None, told: str) -> None:
    seed, seen = OwnSeed("G"), view(9, seat(0, seed=state), seat(1), status="playing")
    assert [seed.complaint(view(8, *FULL)), seed.complaint(seen), seed.complaint(seen)] == ["", told, ""]


class Server:
    """A server at which everything works; what it was asked."""

    def __init__(self, found: Json) -> None:
        self.found = found
        self.sent: list[Any] = []

    def get(self, path: str) -> Json:
        return self.found

    def do(self, method: str, path: str, body: Json) -> Json:
        self.sent.append((method, path, body))
        return {"game": "G"}


RULES = {"bots": ["novice", "standard"], "seats": {"min": 2, "max": 4}}


def test_a_committed_game_does_not_start_before_its_host_has_committed() -> None:
    server: Any = Server(RULES)
    game, own = lobby.create(server, "any", None, [], {}, "committed")
    assert (game, own and own.starts) == ("G", True)
    (_, _, body), commit = server.sent
    assert (body["seeds"], body["auto_start"]) == ("committed", False)
    assert commit == ("PUT", "/games/G/seats/me", {"seed_commitment": own and own.commitment})
    server = Server(RULES)
    assert lobby.create(server, "any", None, [], {}) == ("G", None)
    assert [body["auto_start"] for _, _, body in server.sent] == [True]


def test_who_joins_commits_with_its_seat_or_from_it() -> None:
    stranger = {**view(3, *FULL), "observer": {"spectator": True}}
    for found, method, path in ((stranger, "POST", "/games/G/seats"), (view(3, *FULL), "PUT", "/games/G/seats/me")):
        server: Any = Server(found)
        own = lobby.join(server, "G")
        assert own
        assert not own.starts
        assert server.sent == [(method, path, {"seed_commitment": own.commitment})]


@pytest.mark.parametrize("found", [view(4, *FULL, asks=True), {**view(3, *FULL), "seeds": "open"}])
def test_who_comes_too_late_or_to_an_open_game_commits_to_nothing(found: Json) -> None:
    server: Any = Server(found)
    assert (lobby.join(server, "G"), server.sent) == (None, [])


def test_a_question_for_a_seed_is_none_for_a_player() -> None:
    seen = view(4, *FULL, asks=True)
    assert random_move(seen, Random(1)) is None
    assert Picture(seen, ahead=None).clock() == "reveal seed: seat 0"
    assert Picture(view(3, *FULL)).clock() == "lobby"


@pytest.mark.slow
def test_a_game_with_committed_seeds_is_played_by_itself(captain: Instance, run: Run) -> None:
    done = run("play", "bluff_king", "--seeds", "committed", "--option", "max_turns=12", "--auto", "--seed", "1")
    assert (done.returncode, done.stderr) == (0, "")
    whole(done.stdout)
    told = [line.partition("  ")[2].strip() for line in done.stdout.splitlines()]
    for words in ("client seed committed", "reveal opened", "client seed revealed", "game started"):
        assert any(line.endswith(words) for line in told), words
    assert MISSING not in done.stdout
