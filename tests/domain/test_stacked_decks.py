"""A server in league with a player tries seeds until it likes the deck: what it can do, and what takes that away."""

import hashlib
from typing import Any

import pytest

from domain.commands import Command, CommitSeed, Create, GiveSeed, Sit, Start, Timeout
from domain.decide import decide
from domain.entropy import commitment
from domain.errors import Refused
from domain.game import Game
from domain.registry import REGISTRY

RULES = REGISTRY.newest("bluff_king")
HONEST, AT = "11" * 32, 1_790_000_000_000
TRIES = 200


def after(*commands: Command, late: bool = False) -> Game:
    """The game after these commands; the last one `late`, when the time to reveal is up."""
    game = Game(id="stacked")
    for number, command in enumerate(commands):
        game = decide(RULES, game, command, AT + (600_000 if late and number == len(commands) - 1 else number)).game
    return game


def opened(seeds: Any) -> Create:
    """A game that the server creates; its own seed is committed to by that."""
    return Create("bluff_king", {}, 2, "honest", "ab" * 32, seeds=seeds)


def tried(number: int) -> str:
    return hashlib.sha256(b"try %d" % number).hexdigest()


def aces(game: Game) -> int:
    """How well the accomplice at seat 1 was dealt."""
    return sum(card.startswith("A") for card in game.table.hands[1].known)


def test_with_open_seeds_whoever_comes_last_chooses_the_deck() -> None:
    """The honest player's seed is known, and so is the server's: the accomplice takes the best of many."""
    create, honest = opened("open"), GiveSeed("honest", HONEST)
    dealt = [
        aces(after(create, honest, Sit("accomplice", 1, client_seed=tried(number)), Start("honest")))
        for number in range(TRIES)
    ]
    assert max(dealt) == 4, "all aces in one hand, by trying"
    assert sum(dealt) / TRIES < 2.5, "by chance it would be half of them"


def committed(seed: str) -> tuple[Command, ...]:
    """Both have committed and the table is closed; the accomplice to `seed`, while HONEST is not known to anybody."""
    return (
        opened("committed"),
        CommitSeed("honest", commitment("stacked", HONEST)),
        Sit("accomplice", 1, seed_commitment=commitment("stacked", seed)),
        Start("honest"),
    )


def test_with_committed_seeds_it_can_only_reveal_or_not() -> None:
    """Once the honest seed is known no other one than the one committed to is taken: two decks are left of all."""
    before = (*committed(tried(0)), GiveSeed("honest", HONEST))
    for number in range(1, TRIES):
        with pytest.raises(Refused, match="seed_mismatch"):
            after(*before, GiveSeed("accomplice", tried(number)))
    with pytest.raises(Refused):
        after(*before, CommitSeed("accomplice", commitment("stacked", tried(1))))
    revealed, withheld = after(*before, GiveSeed("accomplice", tried(0))), after(*before, Timeout(), late=True)
    assert revealed.table.hands != withheld.table.hands
    assert (revealed.seats[1].seed, withheld.seats[1].seed) == ("revealed", "committed"), "and the log tells which"


def test_before_the_honest_seed_is_known_trying_tells_nothing() -> None:
    """What the accomplice would choose by guessing at the honest seed is no better than chance."""
    guess = "22" * 32

    def deal(accomplice: str, honest: str) -> int:
        create, commit, sit, start = committed(accomplice)
        own = CommitSeed("honest", commitment("stacked", honest))
        reveals = (GiveSeed("honest", honest), GiveSeed("accomplice", accomplice))
        return aces(after(create, own if honest != HONEST else commit, sit, start, *reveals))

    best = max((tried(number) for number in range(TRIES)), key=lambda seed: deal(seed, guess))
    assert deal(best, guess) == 4
    others = [hashlib.sha256(b"honest %d" % number).hexdigest() for number in range(TRIES)]
    dealt = [deal(best, honest) for honest in others]
    assert 1.6 < sum(dealt) / TRIES < 2.4
