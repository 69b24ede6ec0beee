"""Comparing what two observers know, and looking for names in what one reads."""

from collections.abc import Iterator
from typing import Any

import msgspec


def difference(partial: Any, full: Any, path: str = "") -> str | None:
    """Where `full` is not `partial` with the unknown filled in: a path, or None where it is.

    None refines to anything; a value with `refines_to` decides itself; the rest must be equal part by part.
    """
    if partial is None or partial is full or (type(partial) is type(full) and partial == full):
        return None
    if hasattr(partial, "refines_to"):
        fits = type(partial) is type(full) and partial.refines_to(full)
        return None if fits else path
    if type(partial) is not type(full):
        return path
    for name, ours, theirs in _parts(partial, full):
        if ours is None or (type(ours) is type(theirs) and ours == theirs):
            continue
        found = difference(ours, theirs, f"{path}.{name}")
        if found is not None:
            return found
    same_shape = _is_composite(partial) and _size(partial) == _size(full)
    return None if same_shape or partial == full else path


def _is_composite(value: Any) -> bool:
    return isinstance(value, (msgspec.Struct, tuple, dict))


def _size(value: Any) -> Any:
    return set(value) if isinstance(value, dict) else None if isinstance(value, msgspec.Struct) else len(value)


def _parts(partial: Any, full: Any) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(partial, msgspec.Struct):
        for name in partial.__struct_fields__:
            yield name, getattr(partial, name), getattr(full, name)
    elif isinstance(partial, tuple):
        for index, (ours, theirs) in enumerate(zip(partial, full, strict=False)):
            yield str(index), ours, theirs
    elif isinstance(partial, dict):
        for key in partial:
            yield str(key), partial[key], full.get(key)


def names_in(value: Any, vocabulary: frozenset[str]) -> set[str]:
    """Every name of `vocabulary` that stands anywhere in `value`, as a string, a key or a field."""
    if isinstance(value, str):
        return {value} & vocabulary
    if isinstance(value, msgspec.Struct):
        return _union([getattr(value, name) for name in value.__struct_fields__], vocabulary)
    if isinstance(value, dict):
        return _union([*value.keys(), *value.values()], vocabulary)
    if isinstance(value, (tuple, list, set, frozenset)):
        return _union(list(value), vocabulary)
    return set()


def _union(values: list[Any], vocabulary: frozenset[str]) -> set[str]:
    found: set[str] = set()
    for value in values:
        found |= names_in(value, vocabulary)
    return found
