"""The canary scan: whole games in which every byte sent to anybody is held against what that observer may know."""

from __future__ import annotations

from random import Random

import pytest

from tests.e2e import mischief
from tests.e2e.client import OVER, Client, code_of
from tests.e2e.conftest import Join
from tests.e2e.ears import Ears
from tests.e2e.oracle import Oracle
from tests.e2e.playing import a_move
from tests.e2e.recorder import STRANGER, Heard, Recorder

PROVOKE = 0.1
"""How often between two moves everybody misbehaves, too."""


class Table:
    """A game that the test plays for all its seats, with somebody watching and a stranger; all of it recorded."""

    def __init__(self, join: Join, seats: int, options: dict[str, object], rng: Random) -> None:
        self.rng = rng
        self.recorder = Recorder()
        self.players = [self.recorder.listen(join(f"Player {seat}"), seat) for seat in range(seats)]
        self.stranger = self.recorder.listen(join("Stranger"), STRANGER)
        self.watcher = self.recorder.listen(join(), STRANGER)
        host, *others = self.players
        self.game = host.create(seats=seats, options=options, auto_start=True)
        self.recorder.game = self.game
        for other in others:
            self.begun = other.sit(self.game)["to"]
        self.old = "1"
        seats = [(player, seat) for seat, player in enumerate(self.players)]
        listeners = [*seats, (self.stranger, STRANGER), (self.watcher, STRANGER)]
        self.ears = [Ears(lambda: host.address, client, self.game, observer) for client, observer in listeners]

    @property
    def everybody(self) -> list[Client]:
        return [*self.players, self.stranger, self.watcher]

    def play(self, most: int = 10_000) -> bool:
        """Play to the end, or for so many moves at most, everybody looking at everything; whether it is over."""
        for _ in range(most):
            seen = self.watcher.view(self.game)
            if seen["status"] in OVER:
                return True
            self.look(self.rng.choice(self.everybody))
            if self.rng.random() < PROVOKE or seen["version"] == self.begun:
                self.provoke(seen["asked"][0]["seat"])
            self.answer(self.players[self.rng.choice(seen["asked"])["seat"]])
        return False

    def answer(self, player: Client) -> None:
        """Answer for one seat; sometimes twice with one key, so that the receipt is sent again."""
        question = player.question(self.game)
        if question is None:
            return  # a bot plays there since its player resigned
        key = {"headers": {"Idempotency-Key": f"v{question['id']}"}}
        move = a_move(question, self.rng, bold=0.6)
        played = player.move(self.game, move, **key)
        assert played.status_code == 201, played.text
        if self.rng.random() < PROVOKE:
            assert player.move(self.game, move, **key).json() == played.json()
        self.old = question["id"]

    def look(self, client: Client) -> None:
        """Read all that can be read."""
        game = self.game
        for path in (
            f"/games/{game}", f"/games/{game}/moves", f"/games/{game}/events", f"/games/{game}/events?after=3&limit=1",
            f"/games/{game}/replay", f"/games/{game}/replay?at={self.rng.randint(self.begun, self.begun + 9)}",
            f"/games/{game}/replay?as=spectator", f"/games/{game}/log", f"/games/{game}/log?as=all",
            "/me", "/games", "/games?seat=me", "/games?status=playing&ruleset=bluff_king", "/server", "/rulesets",
        ):  # fmt: skip
            client.send("GET", path)

    def provoke(self, asked: int) -> None:
        """Have everybody do everything wrong; nothing of it may be done, and no refusal may tell anything."""
        game = self.game
        decision = self.players[asked].view(game)["decision"]
        for seat, player in enumerate(self.players):
            view = player.view(game)
            if "seat" not in view["observer"]:
                continue
            hand = view["table"]["hands"][seat]["cards"]
            self.wrong(player, mischief.of_a_running_game(game))
            if view["decision"]:
                # In a vote window the question that another seat answered is the present one's own.
                old = self.old if self.old != view["decision"]["id"] else "1"
                self.wrong(player, mischief.of_one_who_is_asked(game, view["decision"], hand, old))
            elif decision:
                self.wrong(player, mischief.of_one_who_is_not_asked(game, decision["id"], hand))
            self.wrong(player, mischief.misshapen_moves(game, self.old))
        self.wrong(self.stranger, mischief.of_a_stranger(game, self.old))
        self.wrong(self.watcher, mischief.of_the_unnamed(game, self.old))
        self.wrong(self.rng.choice(self.everybody), mischief.no_such_things(game))
        self.wrong(self.rng.choice(self.everybody[:-1]), mischief.bad_creations())

    def wrong(self, client: Client, requests) -> None:
        for bad in requests:
            assert code_of(mischief.send(client, bad)), bad.name

    def scan(self) -> tuple[int, int]:
        """Hold everything that was sent against the opened log; how many bodies and how many cards that was."""
        for client in self.everybody:
            self.look(client)
            client.heard = None
        for ears in self.ears:
            ears.check()
            self.recorder.heard = [*ears.heard, *self.recorder.heard]
        self.ears.clear()
        oracle = Oracle(self.stranger.log(self.game, observer="all"))
        return oracle.judge(self.recorder)


@pytest.mark.slow
@pytest.mark.parametrize("adding", ["immediate", "after_no_challenge"])
@pytest.mark.parametrize("seats", [2, 4])
def test_nobody_is_sent_a_card_that_is_not_for_him(join: Join, seats: int, adding: str) -> None:
    table = Table(join, seats, {"adding": adding, "max_turns": 8}, Random(f"{seats} {adding}"))
    assert table.play()
    bodies, cards = table.scan()
    print(f"{bodies} answers, {cards} cards and salts")
    assert bodies > 200
    assert cards > 1000


@pytest.mark.slow
def test_one_who_resigned_is_sent_no_more_than_a_spectator(join: Join) -> None:
    table = Table(join, 4, {"max_turns": 8}, Random(5))
    assert not table.play(6)
    leaver = table.players[2]
    key = {"headers": {"Idempotency-Key": "enough"}}
    for _ in range(2):
        table.recorder.observers[leaver] = STRANGER
        left = leaver.delete(f"/games/{table.game}/seats/me", **key)
        assert "opened" in left["events"][0]
    assert leaver.view(table.game)["observer"] == {"spectator": True}
    table.wrong(leaver, mischief.of_a_stranger(table.game, table.old))
    assert table.play()
    table.scan()


@pytest.mark.long
@pytest.mark.parametrize("adding", ["immediate", "after_no_challenge"])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("seats", [2, 4])
def test_nobody_is_sent_a_card_that_is_not_for_him_in_long_games(
    join: Join, seats: int, adding: str, seed: int
) -> None:
    table = Table(join, seats, {"adding": adding, "max_turns": 80}, Random(f"{seats} {adding} {seed}"))
    assert table.play()
    table.scan()


def test_the_oracle_finds_a_planted_leak(join: Join) -> None:
    """A scan that finds nothing proves nothing, unless it would have found something."""
    table = Table(join, 2, {"max_turns": 3}, Random(6))
    assert table.play()
    log = table.stranger.log(table.game, observer="all")
    hands = {event["seat"]: event["opened"]["cards"] for event in log if event["type"] == "hand_dealt"}
    mine, hers = hands[0], hands[1]
    card = next(card for card in hers["value"] if card not in mine["value"])
    dealt = max(event["v"] for event in log if event["type"] == "hand_dealt")
    honest = list(table.recorder.heard)
    for leak, version in ((f"has {card}", dealt), (hers["salt"], dealt), (log[0]["opened"]["server_seed"]["value"], 1)):
        table.recorder.heard = [Heard(0, "/v1/games", "", leak, version), *honest]
        with pytest.raises(AssertionError, match="was sent to 0"):
            table.scan()
    table.recorder.heard = [Heard(0, "/v1/games", "", f"had {card}", len(log)), *honest]
    table.scan()
