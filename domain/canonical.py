"""Canonical JSON: the bytes that are stored, hashed and served (RFC 8785 for what we put in it).

Keys are ASCII, numbers are integers within 53 bits, there are no floats; for such values the fast
encoder and RFC 8785 give the same bytes, and a test holds them together.
"""

from typing import Any

import msgspec
import orjson

_OPTIONS = orjson.OPT_SORT_KEYS | orjson.OPT_STRICT_INTEGER


def _plain(value: Any) -> Any:
    if isinstance(value, msgspec.Struct):
        return msgspec.structs.asdict(value)
    raise TypeError(f"{type(value).__name__} has no canonical form")


def dumps(value: Any) -> bytes:
    """Canonical UTF-8 bytes of `value`; `TypeError` for what has no canonical form."""
    return orjson.dumps(value, default=_plain, option=_OPTIONS)


def loads(data: bytes) -> Any:
    """The value that `data` (JSON bytes) holds; `ValueError` for anything else."""
    return orjson.loads(data)


def check(value: Any) -> None:
    """Raise `TypeError` if `value` holds a float or a key that is not ASCII: neither is canonical."""
    if isinstance(value, float):
        raise TypeError("a float has no canonical form")
    if isinstance(value, dict):
        for key, item in value.items():
            if not (isinstance(key, str) and key.isascii()):
                raise TypeError(f"key {key!r} is not ASCII")
            check(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            check(item)
    elif isinstance(value, msgspec.Struct):
        check(msgspec.structs.asdict(value))
