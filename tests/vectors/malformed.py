"""Logs that are hardly logs any more: what is told of them must be the same everywhere, too."""

from collections.abc import Callable, Iterator
from typing import Any

from tests.vectors.broken import Source, case
from tests.vectors.games import Played
from tests.vectors.served import Line, header_of, text_of

Json = Any


def texts(source: Source) -> Iterator[Json]:
    """Changed as texts."""
    text = source.text
    first = '"by":"player"'
    yield case("empty", "", "cut_short", None)
    yield case("two logs in one text", text + text, "unreadable", len(source.lines) + 1)
    yield case("lines that end in CR and LF", text.replace("\n", "\r\n"), "not_canonical", None)
    yield case("a line that nests too deep", text.replace(first, f'"by":{"[" * 99}{"]" * 99}', 1), "unreadable", None)
    deep = f'"by":{"[" * 98}{"]" * 98}'
    yield case("a line that nests as deep as it may", text.replace(first, deep, 1), "unreadable", 1)
    yield case("a boolean for a number", text.replace('"left":0', '"left":false', 1), "unreadable", 2)
    yield case("a seal with another member", text.replace('"to":[]', '"to":[],"x":1', 1), "unreadable", 1)
    unsalted = text.replace('"open":{"server_seed":{"salt"', '"open":{"server_seed":{"sal"')
    yield case("an opening without its salt", unsalted, "unreadable", 1)


def ends(source: Source) -> Iterator[Json]:
    """Another header, another trailer."""
    whole = header_of(source.id, source.lines, {"all": True})
    trailer = {"complete": True, "count": len(source.lines), "head": whole["head"]}
    none = {name: value for name, value in whole.items() if name != "status"}
    for what, header, end in (
        ("a header without a member", none, trailer),
        ("a header with another member", whole | {"x": 1}, trailer),
        ("an observer that is none", whole | {"observer": {"all": False}}, trailer),
        ("signed by null", whole, trailer | {"signed": None}),
        ("a trailer with another member", whole, trailer | {"x": 1}),
    ):
        yield case(what, text_of(header, source.lines, end), "unreadable", None)
    large = text_of(whole, source.lines, trailer).replace(f'"count":{len(source.lines)}', '"count":9007199254740992')
    yield case("a number beyond 53 bits in the trailer", large, "not_canonical", None)
    yield case("no record", text_of(whole | {"version": 0}, [], trailer | {"count": 0}), "batch", 0)


def forgeries(aborted: Source, faulted: Source) -> Iterator[Json]:
    """All hashes fit, and yet nothing can be derived from it."""

    def capitals(lines: list[Line]) -> None:
        for secret in (lines[0]["open"]["server_seed"], lines[-1]["record"]["opens"][0]):
            secret["value"] = secret["value"].upper()

    yield case("the seed in capitals", aborted.forged(capitals), "seed", 1)

    def data(**change: Any) -> Callable[[list[Line]], None]:
        return lambda lines: lines[0]["record"]["data"].update(change)

    deal = faulted.find("game_started") + 1
    yield case("a game that nobody knows", faulted.forged(data(ruleset="whist")), "draw", deal)
    yield case("too many seats for the game", faulted.forged(data(seats=9)), "draw", deal)
    yield case("seats that are no number", faulted.forged(data(seats="4")), "draw", deal)


def everything(games: dict[str, Played]) -> list[Json]:
    aborted = Source(games["aborted"])
    return [*texts(aborted), *ends(aborted), *forgeries(aborted, Source(games["faulted"]))]
