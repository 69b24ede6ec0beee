"""Random values of the types that moves and options are made of: also the ones no form would offer."""

from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from domain.entropy import Rng, pick

_WIDE = 20
"""How far a guess goes where a type sets no bound."""


@cache
def hints_of(kind: type[Any]) -> dict[str, Any]:
    """The types of the fields of a class, with their bounds."""
    return get_type_hints(kind, include_extras=True)


def guess(kind: Any, rng: Rng) -> Any:
    """A random value of a type that a move or an option may have."""
    bounds: dict[str, int] = {}
    if get_origin(kind) is Annotated:
        kind, *metas = get_args(kind)
        bounds = _bounds(metas)
    origin = get_origin(kind)
    if origin is Literal:
        return pick(rng, get_args(kind))
    if origin in (Union, UnionType):
        return guess(pick(rng, get_args(kind)), rng)
    if origin is tuple:
        low = bounds.get("min_length", 0)
        high = min(bounds.get("max_length", low + 3), low + 3)
        item = get_args(kind)[0]
        return tuple([guess(item, rng) for _ in range(low + rng.randrange(high - low + 1))])
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        hints = hints_of(kind)
        return kind(**{name: guess(hints[name], rng) for name in kind.__struct_fields__})
    return _scalar(kind, bounds, rng)


def _bounds(metas: list[Any]) -> dict[str, int]:
    names = ("ge", "le", "min_length", "max_length")
    return {n: getattr(m, n) for m in metas if isinstance(m, msgspec.Meta) for n in names if getattr(m, n) is not None}


def _scalar(kind: Any, bounds: dict[str, int], rng: Rng) -> Any:
    if kind is bool:
        return rng.randrange(2) == 1
    if kind is int:
        low = bounds.get("ge", -1)
        return low + rng.randrange(min(bounds.get("le", low + _WIDE), low + _WIDE) - low + 1)
    if kind is str:
        return pick(rng, ("", "?", "A"))
    if kind is type(None):
        return None
    raise TypeError(f"no guess for {kind}")


def guess_options(options: Any, rng: Rng) -> dict[str, Any]:
    """Random options, each left to its default half of the time."""
    hints = hints_of(options)
    chosen = [name for name in options.__struct_fields__ if rng.randrange(2)]
    return {name: value for name in chosen if (value := guess(hints[name], rng)) is not None}
