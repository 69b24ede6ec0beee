"""Ratings of players by what their games came to: Plackett-Luce (Weng and Lin), for any number of seats and ties."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from domain.values import Value


class Rating(Value, frozen=True):
    """What is believed of a player's strength: a normal distribution. A new player's is the default."""

    mu: float = 25.0
    sigma: float = 25.0 / 3

    @property
    def ordinal(self) -> float:
        """The strength that a player has almost surely: what tables are ordered by."""
        return self.mu - 3 * self.sigma


@cache
def _model() -> Any:
    # Late: it takes a second, and only those who rate need it.
    from openskill.models import PlackettLuce

    return PlackettLuce()


def rate(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """The ratings after a game of at least two, from those before it and the ranks (smaller is better, equals tie)."""
    model = _model()
    order = sorted(set(ranks))
    teams = [[model.create_rating([rating.mu, rating.sigma])] for rating in before]
    rated = model.rate(teams, ranks=[float(order.index(rank)) for rank in ranks])
    return [Rating(float(team[0].mu), float(team[0].sigma)) for team in rated]
