"""Players and their tokens."""

from typing import Any

from flask import Response

from api import auth, throttle, views
from api.account_schemas import Me, OwnAccount, PlayerPage, Registered
from api.answers import answer, rfc3339
from api.games import listed
from api.limits import LIMITS
from api.problems import Problem
from api.requests import NewName, NewPlayer, PlayerGamesQuery
from api.resource import Resource
from api.schemas import GamePage
from api.state import state, store
from domain.game import Game
from domain.observers import SPECTATOR
from eventstore.players import PLAYER_ID, Player

players = Resource("players", __name__, url_prefix="/v1", description="Accounts and tokens.")

MOST_LIVE = 200
"""Of how many games it is looked up whether they wait: the newest ones."""


def own_account(player: Player) -> dict[str, Any]:
    """A player as it sees itself."""
    return {**views.account(player), "created": rfc3339(player.created)}


@players.operation("POST", "/players", status=201, answer=Registered, body=NewPlayer, bucket="players")
def create_player(new: dict[str, Any]) -> Response:
    """Make a guest account, or one for a program that plays.

    The token is shown this once. It may do everything; POST /v1/me/tokens gives others. Names need not be unique.
    """
    player = store().players.create(new["name"], bot=new["kind"] == "bot")
    token = store().tokens.first(player)
    return answer({"player": own_account(player), "token": token}, 201, {"Cache-Control": "no-store"})


@players.operation("GET", "/players/<string:player>", answer=PlayerPage, fails=("unknown_player",))
def get_player(player: str) -> Response:
    """Get a player, and how many public games of each ruleset it has finished and won.

    A game that was resigned counts as finished. The counts may be a moment behind.
    """
    found = _known(player)
    counts = store().results.counts(found.id, [chapter.rules.info.key for chapter in state().rulebook])
    games = [{"ruleset": key, "played": count.played, "won": count.won} for key, count in counts.items()]
    return answer({**own_account(found), "games": games})


@players.operation(
    "GET", "/players/<string:player>/games", answer=GamePage, access="optional", scope="read", query=PlayerGamesQuery,
    paged=True, yields={"game": "/items/0/id"}, fails=("unknown_player", "unknown_ruleset"),
)  # fmt: skip
def list_player_games(query: dict[str, Any], player: str) -> Response:
    """List the games that a player hosts or has or had a seat in, newest first: public ones; all of them to oneself.

    A list may be a moment behind the games themselves.
    """
    caller = auth.caller()
    return listed(query, _known(player).id, mine=caller is not None and caller.id == player)


def _known(player: str) -> Player:
    found = store().players.by_id(player) if PLAYER_ID.fullmatch(player) else None
    if found is None:
        raise Problem("unknown_player")
    return found


@players.operation("GET", "/me", answer=Me, access="required", scope="read")
def get_me() -> Response:
    """Who am I, what are my limits, and which games wait for me?

    `waiting` has the decisions that are open for you, the most urgent first.
    """
    player = _now()
    live = store().lists.live(player.id)[:MOST_LIVE]
    games = [store().repository.fold(game, SPECTATOR).game for game in live]
    waiting = [asked for game in games for asked in _waiting(game, player)]
    waiting.sort(key=lambda one: one["deadline"])
    return answer({"player": own_account(player), "limits": {**LIMITS, "rates": throttle.limits()}, "waiting": waiting})


@players.operation("PATCH", "/me", answer=OwnAccount, access="required", scope="account", body=NewName)
def change_me(new: dict[str, Any]) -> Response:
    """Take another name.

    Others see it within a minute, also in games that are over.
    """
    store().players.rename(auth.player().id, new["name"])
    return answer(own_account(_now()))


def _now() -> Player:
    """The caller's account as it is now: a token remembers it for a moment."""
    return store().players.by_id(auth.player().id) or auth.player()


def _waiting(game: Game, player: Player) -> list[dict[str, Any]]:
    seat = game.seat_of(player.id)
    if seat is None:
        return []
    return [
        {
            "game": game.id,
            "ruleset": game.ruleset,
            "seat": seat,
            "decision": asked.id,
            "kind": asked.decision.kind,
            "deadline": rfc3339(game.deadline(asked)),
        }
        for asked in game.open_for(seat)
        if asked.decision.required
    ]
