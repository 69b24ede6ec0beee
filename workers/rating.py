"""From a finished game to the leaderboards that it counts in."""

from collections.abc import Mapping

from domain.game import Game
from eventstore.ratings import KINDS, Kind, Outcome, Rated
from eventstore.results import Ended, counts, outcomes
from eventstore.store import Store


def rate_game(store: Store, game: Game) -> None:
    """Rate a game in each leaderboard in which it counts; right however often and in whatever order."""
    for kind, rated in tables(store, game).items():
        store.ratings.add(game.ruleset, kind, rated)


def tables(store: Store, game: Game) -> Mapping[Kind, Rated]:
    """What a game is in each leaderboard: for players and for bots the ranks among themselves, if they are two.

    The table's own bots have no account: they take part, and neither have a rating nor move one.
    """
    if not counts(game) or game.result is None:
        return {}
    ranks = {rank.seat: rank.rank for rank in game.result.ranking}
    won = outcomes(game)
    accounts = store.players.accounts(won)
    found: dict[Kind, Rated] = {}
    for kind in KINDS:
        among = [
            Outcome(player, ranks[number], won[player])
            for number, seat in enumerate(game.seats)
            if (player := seat.player or seat.former) and player in accounts and number in ranks
            if accounts[player].bot == (kind == "bot")
        ]
        if len(among) > 1:
            found[kind] = Rated(Ended(game.at, game.id), tuple(among))
    return found
