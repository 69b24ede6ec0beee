"""What is said of an error, and which errors are a game's own fault."""

import traceback
from collections.abc import Callable

from redis.exceptions import RedisError

from domain.errors import Corrupt, Refused
from eventstore.errors import StoreError
from eventstore.stored import KeyReused, Receipt, StoreBusy, UnknownGame
from workers.budget import OverBudget

ATTEMPTS = 5
"""How often a bot or a clock is tried before the game goes on without it."""

MOOT = frozenset(
    (
        "decision_closed",
        "not_asked",
        "not_a_bot",
        "not_due",
        "already_started",
        "reveal_open",
        "game_over",
        "game_faulted",
    )
)
"""Refusals that say: this is not owed any more, or not yet."""

NOT_THE_GAMES_FAULT = (RedisError, StoreError, StoreBusy, UnknownGame, KeyReused, Corrupt)


class Failed(Exception):
    """Rules or a bot did what they must not; `cause` is what they raised."""

    def __init__(self, cause: BaseException) -> None:
        super().__init__(type(cause).__name__)
        self.cause = cause


class Moot(Exception):
    """What was to be done is not owed any more."""


def attempt(append: Callable[[], Receipt]) -> Receipt:
    """Do an append; raises Moot, Failed, or an error of the store as it is."""
    try:
        return append()
    except Refused as refused:
        if refused.code in MOOT:
            raise Moot(refused.code) from refused
        raise Failed(refused) from refused
    except NOT_THE_GAMES_FAULT:
        raise
    except (Exception, OverBudget) as error:
        raise Failed(error) from error


def told(error: BaseException) -> str:
    """Name an error and where it was raised; not its text, which may hold cards."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    code = f" {error.code}" if isinstance(error, Refused) else ""
    return f"{type(error).__name__}{code}{place}"
