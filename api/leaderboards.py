"""Leaderboards."""

from typing import Any

from flask import Response

from api import views
from api.account_schemas import LeaderboardPage
from api.answers import answer, next_page
from api.problems import invalid_query
from api.requests import LeaderboardQuery
from api.resource import Resource
from api.rulesets import FOR_ALL
from api.state import state, store
from eventstore.cursors import BadCursor
from eventstore.players import Player
from eventstore.ratings import Row

leaderboards = Resource("leaderboards", __name__, url_prefix="/v1/leaderboards", description="Who plays best.")


@leaderboards.operation(
    "GET",
    "/<string:ruleset>",
    answer=LeaderboardPage,
    query=LeaderboardQuery,
    paged=True,
    yields={"player": "/items/0/player/id"},
    fails=("unknown_ruleset",),
)
def get_leaderboard(query: dict[str, Any], ruleset: str) -> Response:
    """Get the leaderboard of a ruleset, the best first; programs have one of their own (`kind=bot`).

    Rated are finished public games, in the order of their end, by the ranks of the accounts of one kind among
    themselves: two of them at least. The server's own bots take part and are not rated, nor do they change a rating.
    `rating` is what a player is almost surely worth (`mu` - 3 `sigma`, Plackett-Luce), so it rises with certainty.
    """
    state().rulebook.chapter(ruleset)
    try:
        rows, after = store().ratings.page(ruleset, query["kind"], query.get("after"), query["limit"])
    except BadCursor:
        raise invalid_query({"after": ["Not a cursor that a page gave."]}) from None
    accounts = store().players.accounts({row.player for row in rows})
    address, headers = next_page(after)
    return answer({"items": [_row(row, accounts) for row in rows], "next": address}, headers=FOR_ALL | headers)


def _row(row: Row, accounts: views.Accounts) -> dict[str, Any]:
    standing = row.standing
    return {
        "rank": row.rank,
        "player": views.account(accounts.get(row.player) or Player(row.player, "", 0)),
        "rating": round(standing.rating.ordinal, 2),
        "mu": round(standing.rating.mu, 4),
        "sigma": round(standing.rating.sigma, 4),
        "games": standing.games,
        "won": standing.won,
    }
