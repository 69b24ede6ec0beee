"""JSON of games, events and receipts, as one observer may see them."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import orjson

from api.answers import rfc3339
from domain.decisions import Asked
from domain.game import Game, Seat, forms
from domain.observers import Observer
from domain.ruleset import Ruleset
from domain.signing import Signer
from eventstore.players import Player
from eventstore.stored import Line, Receipt, Stored

Json = dict[str, Any]
Accounts = Mapping[str, Player]


def people(games: Iterable[Game]) -> set[str]:
    """The ids of all players that the views of `games` name."""
    found = {game.host for game in games if game.host}
    for game in games:
        for seat in game.seats:
            found |= {player for player in (seat.player, seat.former) if player}
    return found


def account_of(player: str | None, accounts: Accounts) -> Json | None:
    """The player of an id, or None; one that is not known has no name."""
    return account(accounts.get(player) or Player(player, "", 0)) if player else None


def account(player: Player) -> Json:
    """A player, as others see one."""
    return {"id": player.id, "name": player.name, "bot": player.bot}


def _seat(number: int, seat: Seat, accounts: Accounts) -> Json:
    return {
        "seat": number,
        "player": account_of(seat.player, accounts),
        "bot": seat.bot,
        "controller": seat.controller,
        "former": account_of(seat.former, accounts),
        "seed": seat.seed,
    }


def summary(stored: Stored, accounts: Accounts) -> Json:
    """A game as every reader sees it: public facts only, so any fold will do."""
    game = stored.game
    return {
        "id": game.id,
        "ruleset": game.ruleset,
        "rules_version": game.rules_version,
        "status": game.status,
        "version": game.version,
        "cursor": stored.cursor,
        "host": account_of(game.host, accounts),
        "visibility": game.visibility,
        "auto_start": game.auto_start,
        "seeds": game.seeds,
        "created": rfc3339(game.created),
        "options": msgspec.to_builtins(game.options),
        "seats": [_seat(number, seat, accounts) for number, seat in enumerate(game.seats)],
        "clock": msgspec.structs.asdict(game.clock),
        "asked": [
            {"seat": a.decision.seat, "kind": a.decision.kind, "deadline": rfc3339(game.deadline(a))}
            for a in game.asked
            if a.decision.required
        ],
        "result": result(game),
    }


def result(game: Game) -> Json | None:
    if game.result is None:
        return None
    ranking = [
        {
            "seat": r.seat,
            "rank": r.rank,
            "score": r.score,
            "counts_for": game.seats[r.seat].player or game.seats[r.seat].former,
        }
        for r in game.result.ranking
    ]
    return {
        "reason": game.result.reason,
        "ranking": ranking,
        "winners": game.result.winners,
        "resigned": game.resigned,
    }


def view(stored: Stored, observer: Observer, accounts: Accounts, rematch: str | None) -> Json:
    """The view: `stored` must be the observer's own fold. `rematch` is joined to it like the names."""
    return {
        **summary(stored, accounts),
        "observer": observer.as_json(),
        "rematch": rematch,
        "table": _table(stored, observer),
        **choices(stored, observer),
    }


def _table(stored: Stored, observer: Observer) -> orjson.Fragment | None:
    """The table as JSON; None before the start."""
    game = stored.game
    if game.table is None:
        return None
    return orjson.Fragment(msgspec.json.encode(stored.rules.view(game.table, observer, game.over)))


def tag(stored: Stored, observer: Observer, rematch: str | None) -> str:
    """The entity tag of a view: cursor and observer, and the rematch, of which no cursor knows."""
    return f"{stored.cursor}.{observer.tag}" + (f".{rematch}" if rematch else "")


def legal(stored: Stored, observer: Observer) -> Json:
    """The legal moves of the observer, whose own fold `stored` must be."""
    game = stored.game
    return {
        "game": game.id,
        "version": game.version,
        "cursor": stored.cursor,
        **choices(stored, observer),
    }


def choices(stored: Stored, observer: Observer) -> Json:
    """What the observer's seat must answer, and what it may do besides."""
    game = stored.game
    mine = game.open_for(observer.seat) if observer.seat is not None else ()
    required = next((asked for asked in mine if asked.decision.required), None)
    return {
        "decision": None if required is None else _decision(stored.rules, game, required),
        "offers": [_question(stored.rules, game, asked) for asked in mine if not asked.decision.required],
    }


def _decision(rules: Ruleset, game: Game, asked: Asked) -> Json:
    return {**_question(rules, game, asked), "deadline": rfc3339(game.deadline(asked))}


def _question(rules: Ruleset, game: Game, asked: Asked) -> Json:
    legal = [form.as_json() for form in forms(rules, game, asked)]
    return {
        "id": asked.id,
        "kind": asked.decision.kind,
        "moves": [{"type": f["type"], "decision": asked.id, "fields": f["fields"]} for f in legal],
    }


def event(line: Line) -> Json:
    """An event as its reader may see it: a redacted log line, without the parts that only the chain needs."""
    record = line.record
    return {
        "v": record["v"],
        "cursor": f"{record['v']}-{line.hash[:8]}",
        "at": rfc3339(record["at"]),
        "left": record["left"],
        "type": record["type"],
        "seat": record["seat"],
        "by": record["by"],
        "data": record["data"],
        "opened": line.open,
        "seals": record["seals"],
        "opens": record["opens"],
        "hash": line.hash,
    }


def receipt(made: Receipt, observer: Observer, signer: Signer) -> Json:
    """A receipt: what a request made, as the one who asks may see it, and the server's word for it."""
    lines = made.lines(observer)
    return {
        "game": made.game,
        "from": made.first,
        "to": made.last,
        "cursor": f"{made.last}-{made.head[:8]}",
        "hash": made.head,
        "signed": msgspec.structs.asdict(signer.head(made.game, made.last, made.head, lines[-1].record["at"])),
        "events": [event(line) for line in lines],
    }
