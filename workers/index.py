"""A game's entries in the lists, what it came to, and what that says of its players."""

from eventstore.owed import Claim
from eventstore.store import Store
from workers.rating import rate_game

ROUNDS = 8
"""How often the seats or the status may change while the lists are being written."""


def index(store: Store, claim: Claim) -> None:
    """Write the game's entries as they are now; what changes meanwhile is owed again."""
    if index_game(store, claim.obligation.game):
        store.owed.complete(claim)


def index_game(store: Store, game: str) -> bool:
    """Write a game's entries; False if it kept changing."""
    for _ in range(ROUNDS):
        listed = store.repository.game(game).game
        if store.lists.index(listed) and store.repository.game(game).game.listed == listed.listed:
            store.results.record(listed)
            rate_game(store, listed)
            return True
    return False
