"""Captain Bluff, 2 to 5 seats: bags on belts whose origin lies face down, and whoever doubts it may look."""

from domain.captain_bluff.rules import CAPTAIN_BLUFF

__all__ = ["CAPTAIN_BLUFF"]
