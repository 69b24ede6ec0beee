"""Captain Flip, 2 to 5 seats: draw two-faced tiles, keep or flip them, and crew five columns of spaces."""

from domain.captain_flip.rules import CAPTAIN_FLIP

__all__ = ["CAPTAIN_FLIP"]
