"""The vector file: docs/fair-play-vectors.json."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from domain.entropy import entropy
from domain.game import Game, fold
from domain.observers import SPECTATOR, at_seat
from domain.registry import REGISTRY
from tests.vectors import broken, games, keys, malformed, primitives
from tests.vectors.committed import committed
from tests.vectors.games import Played
from tests.vectors.served import EVERYTHING, hashes_of, lines_of, served
from tools import verify_log

Json = Any

FILE = Path(__file__).parents[2] / "docs" / "fair-play-vectors.json"

ABOUT = (
    "Test vectors of docs/fair-play.md, written by `python -m tests.vectors`. The secret keys in it are public: they "
    "sign nothing but these vectors."
)


def whole_logs(played: dict[str, Played]) -> Iterator[Json]:
    """Sound logs: whole games, the same through other eyes, and with other signatures."""
    for name, game in played.items():
        eyes = SPECTATOR if name == "lobby" else EVERYTHING
        yield _sound(f"{name}", game, text_of(game, eyes))
    king, orders, bluff = played["bluff_king"], played["captains_orders"], played["captain_bluff"]
    yield _sound("bluff_king, as a spectator reads it", king, text_of(king, SPECTATOR))
    yield _sound("bluff_king, as seat 1 reads it", king, text_of(king, at_seat(1)))
    yield _sound("captains_orders, as seat 2 reads it", orders, text_of(orders, at_seat(2)))
    yield _sound("captain_bluff, as a spectator reads it", bluff, text_of(bluff, SPECTATOR))
    running = Played(king.id, king.seed, king.ruleset, king.events[: king.batches[-2]], king.batches[:-1])
    yield _sound("bluff_king while it runs, as seat 0 reads it", running, text_of(running, at_seat(0)))
    receipts = broken.Source(king).receipts(king.batches)
    yield _sound("bluff_king with a receipt of every batch", king, text_of(king), receipts=receipts)
    yield _sound("bluff_king, signed with a retired key", king, text_of(king, signer=keys.OLD_KEY))
    unsigned = text_of(king, signer=None)
    yield _sound("bluff_king, unsigned", king, unsigned, "sound_unsigned")
    yield _sound(
        "bluff_king, signed with a key that is not listed", king, text_of(king, signer=keys.STRANGER), "sound_unsigned"
    )
    lines = committed(king.id, king.seed, lines_of(king.id, king.seed, king.events))
    log = _log("bluff_king with committed seeds, one of them withheld", served(king.id, lines), "sound")
    log["expect"]["entropy"] = _entropy(king)
    yield log
    forged = broken.invented(broken.Source(king))
    yield _log("bluff_king, forged whole: nothing but a signature tells", forged, "sound_unsigned")


def text_of(game: Played, eyes: Any = EVERYTHING, signer: str | None = keys.KEY) -> str:
    return served(game.id, lines_of(game.id, game.seed, game.events), eyes, signer)


def _sound(name: str, game: Played, text: str, verdict: str = "sound", receipts: Json = ()) -> Json:
    """A sound log, and what the domain makes of its game."""
    log = _log(name, text, verdict, receipts)
    head = hashes_of(lines_of(game.id, game.seed, game.events))[-1]
    log["expect"] |= {"head": head, "entropy": _entropy(game)}
    return log


def _entropy(game: Played) -> str | None:
    """In hex; None if nothing was drawn or the seed is not open."""
    rules = REGISTRY.newest(game.ruleset)
    whole = fold(rules, Game(id=game.id), game.events)
    if whole.table is None or whole.status == "playing":
        return None
    return entropy(game.seed, game.id, [seat.client_seed for seat in whole.seats]).hex()


def _log(name: str, text: str, verdict: str, receipts: Json = ()) -> Json:
    known = [x for jwk in keys.known_keys() for x in verify_log.keys_in(jwk)]
    found = verify_log.verify(io.BytesIO(text.encode()), known, receipts)
    expect = {"verdict": verdict, **{name: found[name] for name in ("head", "entropy")}, "counts": found["checked"]}
    return {"name": name, "text": text, "receipts": list(receipts), "expect": expect}


def vectors() -> bytes:
    """The bytes of the file."""
    played = dict(games.everything())
    content = {
        "about": ABOUT,
        "format": 1,
        "primitives": primitives.everything(),
        "known_keys": keys.known_keys(),
        "logs": list(whole_logs(played)),
        "broken_logs": broken.everything(played) + malformed.everything(played),
    }
    rows = ",\n".join(f"{json.dumps(name)}:{_rows(value)}" for name, value in content.items())
    return f"{{\n{rows}\n}}\n".encode()


def _rows(value: Json) -> str:
    """JSON with a line for each case, so that a change shows where it is."""
    if isinstance(value, dict) and "canonical" in value:
        return "{\n" + ",\n".join(f"{json.dumps(name)}:{_rows(cases)}" for name, cases in value.items()) + "\n}"
    if isinstance(value, list):
        return "[\n" + ",\n".join(_compact(case) for case in value) + "\n]"
    return _compact(value)


def _compact(value: Json) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)
