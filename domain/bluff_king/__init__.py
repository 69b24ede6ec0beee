"""Bluff King (吹牛大王), 2 to 8 seats: lay cards face down, name a rank, be caught or get away with it."""

from domain.bluff_king.rules import BLUFF_KING

__all__ = ["BLUFF_KING"]
