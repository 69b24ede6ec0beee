"""Between which times a command may be appended: the store's clock judges too."""

from domain.commands import Command, GiveSeed, Play, Timeout
from domain.decide import due
from domain.decisions import Asked
from domain.game import Game


def limits(game: Game, command: Command, at: int) -> tuple[int | None, int | None]:
    """Not before and not after, ms since 1970: a timeout not before its deadline, an answer not after it."""
    if isinstance(command, Timeout):
        return max((game.enforced(asked) for asked in due(game, at)), default=at), None
    answered = _answered(game, command)
    return None, None if answered is None else game.enforced(answered)


def _answered(game: Game, command: Command) -> Asked | None:
    """The decision with a deadline that a command answers."""
    if isinstance(command, Play):
        fitting = [asked for asked in game.open_for(command.seat) if asked.id == command.decision]
    elif isinstance(command, GiveSeed) and game.revealing:
        fitting = list(game.open_for(game.seat_of(command.player)))
    else:
        return None
    return next((asked for asked in fitting if asked.decision.required), None)
