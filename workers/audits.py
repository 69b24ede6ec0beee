"""Reports on disputes: the game's log is audited, and what was found is signed."""

from typing import Any, Final

from msgspec import to_builtins

from domain.challenges import challenge
from domain.disputes import Dispute, report, sign
from domain.errors import Corrupt, Refused
from domain.observers import EVERYTHING, SPECTATOR
from domain.signing import Keys
from eventstore.disputes import game_of, number_of
from eventstore.owed import Claim
from eventstore.store import Store

SOONEST_MS: Final = 5_000
LATEST_MS: Final = 5 * 60_000
"""How long a dispute about a game that goes on is left alone before its end is looked for again."""


def answer(store: Store, claim: Claim, keys: Keys) -> None:
    """Report on a dispute: what can be proven by now, and again, for good, when the game is over."""
    owed = claim.obligation
    game = game_of(owed.game)
    dispute = store.disputes.read(game).dispute(number_of(owed))
    if dispute is None or dispute.final:
        store.owed.complete(claim)
        return
    verdict = store.audits.audit(game, keys)
    final = verdict.observer == EVERYTHING.as_json()
    now = store.repository.now()
    again = now + min(max(SOONEST_MS, (now - dispute.filed) // 10), LATEST_MS)
    if not final and dispute.report is not None:
        store.owed.postpone(claim, again)
        return
    made = report(dispute, game, verdict, _explained(store, game, dispute, final), final)
    try:
        store.disputes.report(owed, made, sign(made, keys.signer), again)
    except Refused:
        store.owed.complete(claim)


def _explained(store: Store, game: str, dispute: Dispute, everything: bool) -> dict[str, Any] | None:
    """The challenge in dispute; None if there is none, or if the log is too broken to tell of it."""
    if dispute.challenge is None:
        return None
    try:
        entry = store.repository.entry(game)
        entries = store.audits.entries(game, EVERYTHING if everything else SPECTATOR)
        found = challenge(entry.rules.rules, entry.rules.codec, entries, dispute.challenge)
    except (Corrupt, Refused):
        return None
    told: dict[str, Any] = to_builtins(found.explanation)
    if not everything:
        # How the cards came there is told when everything is.
        del told["provenance"]
    return told
