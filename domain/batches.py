"""A batch in the making: events are numbered and folded as they come."""

from msgspec.structs import replace

from domain import entropy
from domain.errors import Refused
from domain.events import Event, Open
from domain.game import Game, at_batch_end, evolve
from domain.lifecycle import GameEnded
from domain.results import Result
from domain.ruleset import Moment, Ruleset
from domain.values import Value

MOST_EVENTS = 64
"""The most events of one batch: what one append takes."""


class Decided(Value, frozen=True):
    """The batch that a command makes, numbered and stamped, and the game after it."""

    events: tuple[Event, ...]
    game: Game


class Making:
    """The batch that a command makes. Events are numbered and folded as they come; the last one is then marked so."""

    def __init__(self, rules: Ruleset, game: Game, at: int) -> None:
        self.rules = rules
        self.game = game
        self.at = at
        self.events: list[Event] = []

    def add(self, *events: Event, by: str = "rules") -> None:
        """Append events, the first of them by `by` and what follows by the rules."""
        for event in events:
            # `left` is not known yet; 1 says that the batch goes on, so that no decision is renewed in its middle.
            stamped = replace(event, v=self.game.version + 1, at=self.at, left=1, by=by)
            self.events.append(stamped)
            self.game = evolve(self.rules, self.game, stamped)
            by = "rules"

    def moment(self) -> Moment:
        """What the next decision of the rules has of time and chance."""
        game = self.game
        if game.seed is None:
            raise AssertionError("only a full fold can decide")
        seeds = [seat.client_seed for seat in game.seats]
        return Moment(game.version + 1, entropy.provable(entropy.entropy(game.seed, game.id, seeds)))

    def end(self, result: Result) -> None:
        """End the game, and open the server seed."""
        opens = (Open(1, "server_seed", self.game.seed),)
        self.add(
            GameEnded(
                reason=result.reason,
                ranking=result.ranking,
                winners=result.winners,
                resigned=self.game.resigned,
                opens=opens,
            )
        )

    def end_if_over(self) -> None:
        """End the game if the rules say that it is over."""
        result = self.rules.result(self.game.table)
        if result is not None:
            self.end(result)

    def done(self) -> Decided:
        """The whole batch."""
        count = len(self.events)
        if not 0 < count <= MOST_EVENTS:
            raise AssertionError(f"a batch of {count} events")
        last = replace(self.events[-1], left=0)
        events = (*(replace(e, left=count - 1 - i) for i, e in enumerate(self.events[:-1])), last)
        # Its last event was folded as one that goes on: what it lacks is the renewal, not another fold.
        return Decided(events, at_batch_end(self.rules, self.game))


def seated(game: Game, player: str) -> int:
    """The seat of a player, who must have one."""
    seat = game.seat_of(player)
    if seat is None:
        raise Refused("not_seated")
    return seat
