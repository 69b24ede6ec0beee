"""Every game over HTTP: people who know no rules beside bots, to the end, every byte held against what may be known."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from domain.registry import REGISTRY
from tests.e2e.client import OVER, WAIT, Client, Json
from tests.e2e.conftest import Join
from tests.e2e.oracle import Oracle, body_of
from tests.e2e.playing import a_move, an_offer
from tests.e2e.recorder import STRANGER, Heard, Recorder

HUMANS = 2
ANSWERS = 25
BOLD = ("challenge", "accuse")
"""Moves that end things: people make them seldom, or nobody would get far."""

SHORT: dict[str, list[Json]] = {
    "bluff_king": [{"max_turns": 20}, {"max_turns": 20, "adding": "after_no_challenge"}],
    "captains_orders": [{"wins_needed": 1, "max_turns": 40}, {"wins_needed": 3, "max_turns": 40}],
    "captain_bluff": [{"max_turns": 20}],
    "captain_flip": [{"board": "B"}],
}
"""Options with which a game of random moves is short; any other game is played as it is."""

TABLES = [
    pytest.param(rules.info.key, options, id=f"{rules.info.key}-{number}")
    for rules in REGISTRY
    for number, options in enumerate(SHORT.get(rules.info.key, [{}]))
]


class Party:
    """Two people, bots in the other seats, somebody watching and a stranger; everything that they are sent is kept."""

    def __init__(self, join: Join, key: str, options: Json, rng: Random) -> None:
        info = REGISTRY.newest(key).info
        seats = min(info.seats[1], max(info.seats[0], HUMANS + 1))
        self.rng, self.key = rng, key
        self.recorder = Recorder()
        self.players = [self.recorder.listen(join(f"Player {seat}"), seat) for seat in range(HUMANS)]
        self.stranger = self.recorder.listen(join("Stranger"), STRANGER)
        self.watcher = self.recorder.listen(join(), STRANGER)
        host, *others = self.players
        self.game = self.recorder.game = host.create(
            ruleset=key, seats=seats, options=options, host_seat=0, auto_start=True
        )
        levels = sorted(info.bots)
        for seat in range(HUMANS, seats):
            host.sit(self.game, bot=levels[seat % len(levels)], seat=seat)
        for seat, other in enumerate(others, 1):
            other.sit(self.game, seat=seat)

    @property
    def everybody(self) -> list[Client]:
        return [*self.players, self.stranger, self.watcher]

    def play(self) -> int:
        """Play to the end; how many answers people gave."""
        answers = 0
        while True:
            seen = self.watcher.view(self.game)
            if seen["status"] in OVER:
                return answers
            asked = [one["seat"] for one in seen["asked"] if one["seat"] < HUMANS]
            if asked:
                self.answer(self.players[self.rng.choice(asked)])
                answers += 1
            else:
                self.watcher.get(f"/games/{self.game}/events", params={"after": seen["cursor"]}, headers=WAIT)
            self.look(self.rng.choice(self.everybody), seen["version"])

    def answer(self, player: Client) -> None:
        """Answer what a player is asked, or now and then take what it is offered."""
        legal = player.get(f"/games/{self.game}/moves")
        if legal["offers"] and self.rng.random() < 0.1:
            move = an_offer(legal["offers"], self.rng)
        else:
            move = a_move(self.seldom_bold(legal["decision"]), self.rng, bold=0.6)
        played = player.move(self.game, move)
        assert played.status_code == 201, f"{move} {played.text}"

    def seldom_bold(self, question: Json) -> Json:
        """The question, most of the time without the moves that end things."""
        mild = [form for form in question["moves"] if form["type"] not in BOLD]
        return {**question, "moves": mild} if mild and self.rng.random() < 0.8 else question

    def look(self, client: Client, version: int) -> None:
        """Read all that can be read; of the events a page from a random place on."""
        after = self.rng.randrange(version)
        for path in ("", "/moves", f"/events?after={after}&limit={self.rng.randint(1, 60)}"):
            client.send("GET", f"/games/{self.game}{path}")
        if self.rng.random() < 0.2:
            called = client.get(f"/games/{self.game}/challenges")["items"]
            for one in called[-2:]:
                client.send("GET", f"/games/{self.game}/challenges/{one['v']}")
        client.send(
            "GET", self.rng.choice(["/me", "/games", f"/games?ruleset={self.key}", "/games?seat=me", "/server"])
        )

    def log(self) -> list[Json]:
        """The whole log, opened; nothing more is recorded."""
        for client in self.everybody:
            self.look(client, 1)
            client.heard = None
        return self.stranger.log(self.game, observer="all")


@pytest.mark.slow
@pytest.mark.parametrize(("key", "options"), TABLES)
def test_whole_games_are_played_and_nobody_is_sent_what_is_not_for_him(join: Join, key: str, options: Json) -> None:
    """As many games as it takes to have something to look at."""
    rng = Random(f"{key} {options}")
    answers = 0
    while answers < ANSWERS:
        answers += plays_and_tells_nothing(join, key, options, rng)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("key", "options"), TABLES)
def test_nobody_is_sent_what_is_not_for_him_in_long_games(join: Join, key: str, options: Json, seed: int) -> None:
    longer = {name: 10 * value if name == "max_turns" else value for name, value in options.items()}
    plays_and_tells_nothing(join, key, longer, Random(f"{key} {options} {seed}"))


def plays_and_tells_nothing(join: Join, key: str, options: Json, rng: Random) -> int:
    """Play one game to the end and scan what was sent; how many answers people gave."""
    party = Party(join, key, options, rng)
    answers = party.play()
    view = party.watcher.view(party.game)
    assert view["status"] == "finished"
    assert {rank["seat"] for rank in view["result"]["ranking"]} == set(range(len(view["seats"])))
    log = party.log()
    oracle = Oracle(log, REGISTRY.newest(key).info.vocabulary)
    bodies, words = oracle.judge(party.recorder)
    backs = sum(sees_only_turned_tiles(log, heard) for heard in party.recorder.heard)
    planted = sum(finds(oracle, leak) for leak in leaks(log))
    print(
        f"{key}: {answers} answers, {len(log)} events; {bodies} bodies, {words} words, {backs} tiles, {planted} leaks"
    )
    assert bodies > 5 * answers
    assert words > 100
    assert planted > 0
    return answers


def sees_only_turned_tiles(log: list[Json], heard: Heard) -> int:
    """Where tiles have two faces: no more backs are told than tiles were turned by then; how many tiles there were."""
    if heard.version is None or heard.version >= len(log):
        return 0
    table = body_of(heard).get("table")
    tiles = list(tiles_in(table))
    turned = sum(event["type"] in ("tile_flipped", "neighbour_flipped") for event in log[: heard.version])
    assert sum(tile["back"] is not None for tile in tiles) <= turned, f"v{heard.version}: {table}"
    return len(tiles)


def tiles_in(node: object) -> Iterator[Json]:
    """Everything with a face and a back."""
    if isinstance(node, dict):
        if {"face", "back"} <= node.keys():
            yield node
        for part in node.values():
            yield from tiles_in(part)
    elif isinstance(node, list):
        for part in node:
            yield from tiles_in(part)


def leaks(log: list[Json]) -> Iterator[Heard]:
    """Answers that would betray a seal: its salt, told to somebody whose it is not as soon as it was made."""
    for event in log[:-1]:
        for name, seal in event["seals"].items():
            opened_at_once = any(
                opening["v"] == event["v"] for later in log[: event["v"] + event["left"]] for opening in later["opens"]
            )
            if STRANGER not in seal["to"] and not opened_at_once:
                yield Heard(STRANGER, "/v1/games", "", event["opened"][name]["salt"], event["v"])


def finds(oracle: Oracle, leak: Heard) -> bool:
    """Whether the oracle finds a planted leak: one that finds nothing proves nothing."""
    with pytest.raises(AssertionError, match="was sent to"):
        oracle.judge(Recorder(heard=[leak]))
    return True
