"""Games: create, list, view."""

import secrets
from typing import Any

from flask import Response, request
from marshmallow import ValidationError
from ulid import ULID

from api import access, auth, commanding, views
from api.answers import answer, conditional, next_page, unchanged
from api.problems import Problem, invalid, invalid_query
from api.requests import GamesQuery, NewGame, Nothing, ViewQuery
from api.resource import CONDITIONAL, Resource
from api.rulebook import Chapter
from api.schemas import GamePage, ReceiptSchema, ViewSchema
from api.state import state, store
from domain.commands import Create, Start
from domain.errors import Refused
from domain.observers import SPECTATOR
from eventstore.cursors import BadCursor
from eventstore.lists import Page
from eventstore.stored import Stored, UnknownGame

games = Resource("games", __name__, url_prefix="/v1/games", description="Lobbies and games.")


@games.operation(
    "POST",
    "",
    status=201,
    answer=ReceiptSchema,
    access="required", scope="create",
    body=NewGame,
    keyed=True,
    bucket="games",
    fails=("options_out_of_range", "seats_out_of_range", "seat_out_of_range", "unknown_bot",
           "game_full"),
    located=True,
    yields={"game": "/game"},
)  # fmt: skip
def create_game(new: dict[str, Any]) -> Response:
    """Create a game; you are its host.

    It is a lobby until the host starts it, or until the last seat is taken if it was created with `auto_start`.
    """
    command = _creation(new)
    key = commanding.command_id()
    game = str(ULID())
    if "Idempotency-Key" in request.headers:
        game = store().players.reserve(key, game)
    made = store().repository.create(game, command, key=key, fingerprint=commanding.fingerprint())
    return commanding.receipt(made, 201)


def _creation(new: dict[str, Any]) -> Create:
    try:
        chapter = state().rulebook.chapter(new["ruleset"])
    except Refused as unknown:
        raise invalid({"ruleset": [_known_rulesets(unknown)]}) from None
    host_seat = None if new["host_seat"] == "none" else new["host_seat"]
    fewest = chapter.rules.info.seats[0]
    return Create(
        ruleset=new["ruleset"],
        options=_options(chapter, new["options"]),
        seats=new.get("seats") or max(fewest, len(new["bots"]) + (host_seat is not None)),
        host=auth.player().id,
        server_seed=secrets.token_hex(32),
        host_seat=host_seat,
        bots=new["bots"],
        clock=new["clock"],
        visibility=new["visibility"],
        auto_start=new["auto_start"],
        seeds=new["seeds"],
    )


def _known_rulesets(unknown: Refused) -> str:
    keys: Any = unknown.facts["rulesets"]
    return f"Must be one of: {', '.join(keys)}."


def _options(chapter: Chapter, given: dict[str, Any]) -> dict[str, Any]:
    """The options as given, if each is one that the ruleset knows and within its bounds."""
    try:
        chapter.options.load(given)
    except ValidationError as error:
        raise invalid(error.messages, "options_out_of_range", ("options",)) from None
    return given


@games.operation(
    "GET",
    "",
    answer=GamePage,
    access="optional",
    scope="read",
    query=GamesQuery,
    paged=True,
    yields={"game": "/items/0/id"},
    fails=("token_missing", "unknown_ruleset"),
)
def list_games(query: dict[str, Any]) -> Response:
    """List games, newest first: public ones, or with `seat=me` those that you host or have or had a seat in.

    A list may be a moment behind the games themselves.
    """
    player = auth.caller()
    mine = "seat" in query
    if mine and player is None:
        raise Problem("token_missing")
    return listed(query, player.id if mine and player else None, mine)


def listed(query: dict[str, Any], player: str | None, mine: bool) -> Response:
    """A page of games: all public ones, or a player's: to others (not `mine`) the public ones only."""
    caller, invites = auth.caller(), store().invites
    if "ruleset" in query:
        state().rulebook.chapter(query["ruleset"])
    page = _page(query, player, not mine)
    found = [stored for stored in map(_read, page.ids) if stored is not None]
    shown = [s for s in found if (mine or s.game.visibility == "public") and access.may_read(s.game, caller, invites)]
    accounts = store().players.accounts(views.people(stored.game for stored in shown))
    following, headers = next_page(page.next)
    return answer({"items": [views.summary(s, accounts) for s in shown], "next": following}, headers=headers)


def _page(query: dict[str, Any], player: str | None, shown: bool) -> Page:
    try:
        return store().lists.page(
            status=query.get("status"),
            ruleset=query.get("ruleset"),
            player=player,
            shown=shown,
            after=query.get("after"),
            limit=query["limit"],
        )
    except BadCursor:
        raise invalid_query({"after": ["Not a cursor that a page gave."]}) from None


def _read(game: str) -> Stored | None:
    """A listed game; None if the list is behind and the log is gone."""
    try:
        return store().repository.fold(game, SPECTATOR)
    except UnknownGame:
        return None


@games.operation(
    "GET",
    "/<string:game>",
    answer=ViewSchema,
    access="optional",
    scope="read",
    query=ViewQuery,
    fails=("unknown_game", "game_not_over"),
    doc=CONDITIONAL,
)
def get_game(query: dict[str, Any], game: str) -> Response:
    """View a game as you may see it: seats, table, clock, and if you are asked, the decision with its legal moves.

    With `as=all` everything is open, once the game is over.
    """
    stored, observer = access.observing(game, auth.caller(), query["observer"])
    rematch = store().rematches.known(stored.game)
    tag = views.tag(stored, observer, rematch)
    same = unchanged(tag)
    if same is not None:
        return same
    accounts = store().players.accounts(views.people([stored.game]))
    return answer(views.view(stored, observer, accounts, rematch), headers=conditional(tag))


@games.operation(
    "POST",
    "/<string:game>/start",
    answer=ReceiptSchema,
    access="required",
    scope="play",
    body=Nothing,
    keyed=True,
    matched=True,
    fails=("unknown_game", "not_host", "already_started", "reveal_open", "seats_free", "game_over", "game_faulted"),
)
def start_game(_: dict[str, Any], game: str) -> Response:
    """Start a game; every seat must be taken, and only the host may.

    If a seat has committed to a client seed, the seats are closed and the seeds asked for (`reveal_seed`); the game
    begins with the last of them, or when their time has run out.
    """
    return commanding.receipt(commanding.run_own(game, Start(auth.player().id)), 200)
