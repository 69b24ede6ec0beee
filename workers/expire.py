"""A lobby that nobody started in time."""

from domain.commands import Expire
from eventstore.owed import Claim
from eventstore.store import Store
from workers.failures import Moot, attempt


def expire(store: Store, claim: Claim) -> None:
    """Close the lobby, unless its game has begun or ended."""
    owed = claim.obligation
    try:
        attempt(lambda: store.repository.execute(owed.game, Expire(), key=owed, not_before=claim.due))
    except Moot as moot:
        if str(moot) != "not_due":
            store.owed.complete(claim)
