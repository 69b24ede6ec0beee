"""Bots of Captain Bluff."""

from domain.captain_bluff.state import State
from domain.decisions import Decision
from domain.entropy import Rng
from domain.moves import Move, Pass


def novice(fold: State, seat: int, decision: Decision, rng: Rng) -> Move:
    return Pass()


def standard(fold: State, seat: int, decision: Decision, rng: Rng) -> Move:
    return Pass()
