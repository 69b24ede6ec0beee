"""A bot's answer: from its seat's own fold, within its time, and if it cannot, the default move."""

import logging
import random

from domain.commands import Fault, Play, PlayDefault
from domain.decisions import Asked
from domain.moves import Move
from domain.observers import at_seat
from eventstore.owed import Claim
from eventstore.store import Store
from eventstore.stored import Stored
from workers.budget import OverBudget, budget
from workers.failures import ATTEMPTS, Failed, Moot, attempt, told
from workers.metrics import timed_thought

log = logging.getLogger(__name__)

THINKING_S = 2.0
"""How long a bot may search for its move."""


def answer(store: Store, claim: Claim) -> None:
    """Let the bot of the seat answer the decision that it owes; raises what the store raises.

    A failure that is known at once is tried again at once; one that takes the process with it, after the lease.
    """
    owed = claim.obligation
    seat = owed.seat
    if seat is None:
        raise ValueError("a bot's answer is owed for a seat")
    seen = store.repository.fold(owed.game, at_seat(seat))
    asked = next((a for a in seen.game.open_for(seat) if a.id == owed.decision), None)
    try:
        if asked is None or seen.game.seats[seat].controller != "bot":
            raise Moot
        # More attempts than that: this bot has ended processes, and is not asked again.
        if claim.attempt <= ATTEMPTS and _answered(store, claim, seen, asked):
            return
        if claim.attempt < ATTEMPTS:
            store.owed.release(claim)
            return
        play_default(store, claim, seat)
    except Moot:
        store.owed.complete(claim)


def _answered(store: Store, claim: Claim, seen: Stored, asked: Asked) -> bool:
    owed = claim.obligation
    try:
        move = think(seen, asked)
        play = Play(asked.decision.seat, asked.id, move, by="bot")
        attempt(lambda: store.repository.execute(owed.game, play, key=owed))
    except Failed as failed:
        log.warning("%s: the bot failed, attempt %d: %s", owed.print(), claim.attempt, told(failed.cause))
        return False
    return True


@timed_thought
def think(seen: Stored, asked: Asked) -> Move:
    """Ask the bot that sits there for its move; Failed if it has none in time."""
    level = seen.game.seats[asked.decision.seat].bot
    try:
        bot = seen.rules.info.bots[level]
        with budget(THINKING_S):
            move: Move = bot(seen.game.table, asked.decision.seat, asked.decision, random.Random())
        return move
    except (Exception, OverBudget) as error:
        raise Failed(error) from error


def play_default(store: Store, claim: Claim, seat: int) -> None:
    """Play the default move for a bot that cannot; freeze the game if the rules fail at that too. Moot is raised."""
    owed = claim.obligation
    default = PlayDefault(seat, owed.decision)
    try:
        attempt(lambda: store.repository.execute(owed.game, default, key=owed))
        log.error("%s: the bot failed %d times, the default move was played", owed.print(), claim.attempt)
    except Failed as failed:
        freeze(store, claim, failed)


def freeze(store: Store, claim: Claim, failed: Failed) -> None:
    """Put an end to a game whose rules fail: in its log, readable, and with an alarm."""
    log.critical("%s: the rules failed, the game is frozen: %s", claim.obligation.print(), told(failed.cause))
    fault = Fault(error=type(failed.cause).__name__)
    try:
        attempt(lambda: store.repository.execute(claim.obligation.game, fault, key=claim.obligation))
    except Failed as again:
        log.critical("%s: and could not even be frozen: %s", claim.obligation.print(), told(again.cause))
