"""A timeout: the clock plays for whoever's time is up."""

import logging

from domain.commands import Timeout
from domain.decide import due
from domain.game import Game
from eventstore.obligation import CLOCK, Obligation
from eventstore.owed import Claim
from eventstore.store import Store
from workers.failures import ATTEMPTS, Failed, Moot, attempt, told
from workers.turns import freeze

log = logging.getLogger(__name__)

ROUNDS = 16
"""How many other seats' timeouts may have to come first."""


def time_out(store: Store, claim: Claim) -> None:
    """Play for the seat whose deadline passed, and before it for those whose deadline passed earlier.

    Each timeout is appended under the obligation of the decision that it answers first: under another's, that one
    would be taken for done later on.
    """
    owed = claim.obligation
    for _ in range(ROUNDS):
        game = store.repository.game(owed.game).game
        if not _open(game, owed):
            store.owed.complete(claim)
            return
        first = _first_due(game, max(claim.due, store.repository.now()))
        if first is None:
            # A downtime was credited since: it stands in the store with its new time.
            return
        try:
            attempt(lambda: store.repository.execute(owed.game, Timeout(), key=first, not_before=claim.due))  # noqa: B023  # run at once
        except Moot as moot:
            if str(moot) == "not_due":
                return
        except Failed as failed:
            log.error("%s: the rules failed, attempt %d: %s", owed.print(), claim.attempt, told(failed.cause))
            if claim.attempt < ATTEMPTS:
                store.owed.release(claim)
            else:
                freeze(store, claim, failed)
            return


def _open(game: Game, owed: Obligation) -> bool:
    return any(a.id == owed.decision and a.decision.required for a in game.open_for(owed.seat))


def _first_due(game: Game, at: int) -> Obligation | None:
    for asked in due(game, at)[:1]:
        return Obligation(game.id, CLOCK, asked.decision.seat, asked.id)
    return None
