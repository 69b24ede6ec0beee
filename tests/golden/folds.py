"""Every seat's own fold of a game, kept up to date."""

from collections.abc import Iterable

from domain.events import Event, redact
from domain.game import Game, fold
from domain.observers import Observer, at_seat
from domain.ruleset import Ruleset


class SeatFolds(dict[Observer, Game]):
    """The folds of all seats of a game, by observer."""

    def __init__(self, rules: Ruleset, seats: int, game: str) -> None:
        super().__init__({at_seat(seat): Game(id=game) for seat in range(seats)})
        self._rules = rules

    def add(self, events: Iterable[Event]) -> None:
        """Fold a batch, as each seat may read it."""
        batch = list(events)
        for observer, known in self.items():
            self[observer] = fold(self._rules, known, [redact(event, observer) for event in batch])
