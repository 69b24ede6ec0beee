"""A game with committed seeds, made of an open one: the same seeds deal the same cards, so the play is the same."""

from collections.abc import Iterator, Sequence
from typing import Any

from domain import canonical, sealing
from tests.vectors.games import hexes
from tests.vectors.served import Line, copy_of, remade


def commitment(game: str, client_seed: str) -> str:
    return sealing.hash_of(canonical.dumps([game, "client_seed", client_seed]))


def committed(game: str, seed: str, lines: Sequence[Line]) -> list[Line]:
    """The open game `lines` as its players would have played it with committed seeds.

    One commits and leaves, one commits twice and reveals, one commits and withholds: so the clock starts the game.
    """
    made = list(_committed(game, copy_of(lines)))
    places = {line["record"]["v"]: v for v, line in enumerate(made, 1) if "v" in line["record"]}
    for line in made:
        for opened in line["record"]["opens"]:
            opened["v"] = places[opened["v"]]
    return remade(game, made, seed)


def _committed(game: str, lines: list[Line]) -> Iterator[Line]:
    created = lines[0]["record"]
    created["sv"] = 2
    created["data"]["seeds"] = "committed"
    clock = created["data"]["clock"]
    started, late = False, clock["vote_ms"] + clock["grace_ms"] + 1
    last = ""
    for line in lines:
        record = line["record"]
        if record["type"] == "game_started":
            yield _event(record, "reveal_opened", None)
            yield _event(record, "client_seed_revealed", _host_seat(lines), at=1, client_seed=last)
            record["by"] = "clock"
            started = True
        if started:
            record["at"] += late
        if record["type"] == "client_seed_given":
            last = record["data"]["client_seed"]
            yield _event(record, "client_seed_committed", record["seat"], commitment=commitment(game, last))
            continue
        brought = record["data"].get("client_seed") if record["type"] == "seat_taken" else None
        if record["type"] == "seat_taken" and record["data"]["player"] == "CLEO":
            brought = hexes(f"{game} withheld")
        if brought is None:
            yield line
            continue
        record["data"]["client_seed"] = None
        record["left"] = 1
        yield line
        yield _event(record, "client_seed_committed", record["seat"], commitment=commitment(game, brought))


def _host_seat(lines: Sequence[Line]) -> int:
    """The seat of the host, who gives a seed twice."""
    seat: int = lines[1]["record"]["seat"]
    return seat


def _event(near: Any, kind: str, seat: int | None, at: int = 0, **data: Any) -> Line:
    """A record of a batch of its own, or the last of one, at the time of `near`."""
    record = {"sv": 1, "left": 0, "at": near["at"] + at, "type": kind, "seat": seat, "by": "player", "data": data}
    return {"record": {**record, "seals": {}, "opens": [], "prev": ""}, "open": {}}
