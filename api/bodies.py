"""JSON as it comes in: strict, bounded, and refused with a code."""

import json
import math
from typing import Any, NoReturn

from flask import Request

from api.problems import Problem

MAX_BYTES = 64 * 1024
MAX_DEPTH = 16
MAX_INT = 2**53 - 1
_MAX_DIGITS = 17


def read(request: Request) -> Any:
    """The JSON value of a request's body; `{}` for an empty one. `Problem` for anything that is not strict JSON."""
    if request.content_length is not None and request.content_length > MAX_BYTES:
        raise Problem("body_too_large", max=MAX_BYTES)
    data = request.get_data(cache=True)
    if len(data) > MAX_BYTES:
        raise Problem("body_too_large", max=MAX_BYTES)
    if not data:
        return {}
    if not _is_json(request.mimetype):
        raise Problem("unsupported_media_type")
    if request.headers.get("Content-Encoding", "identity").strip().lower() not in ("", "identity"):
        raise Problem("unsupported_media_type", detail="Send the body as it is, without Content-Encoding.")
    return parse(data)


def parse(data: bytes) -> Any:
    """The value that strict JSON holds: UTF-8, no key twice, no number that is not exact, not nested too deeply."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Problem("not_utf8", offset=error.start) from None
    try:
        value = _decoder.decode(text)
    except json.JSONDecodeError as error:
        told = "Leave the byte order mark out." if text.startswith("\ufeff") else error.msg
        raise Problem("malformed_json", detail=told, line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise Problem("too_nested", max=MAX_DEPTH) from None
    _check(value, 0)
    return value


def _is_json(mimetype: str) -> bool:
    return mimetype == "application/json" or (mimetype.startswith("application/") and mimetype.endswith("+json"))


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                # The key itself may be no Unicode text; then it cannot be told.
                raise Problem("duplicate_key", key=key.encode("utf-8", "replace").decode())
            seen.add(key)
    return found


def _constant(name: str) -> NoReturn:
    raise Problem("bad_number", number=name)


def _integer(digits: str) -> int:
    if len(digits) > _MAX_DIGITS or abs(number := int(digits)) > MAX_INT:
        raise Problem("bad_number", max=MAX_INT)
    return number


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number) or abs(number) > MAX_INT:
        raise Problem("bad_number", max=MAX_INT)
    return number


def _check(value: Any, depth: int) -> None:
    """Refuse deep nesting and strings that no UTF-8 can carry."""
    if isinstance(value, str):
        if not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value):
            raise Problem("bad_string")
    elif isinstance(value, (dict, list)):
        if depth >= MAX_DEPTH:
            raise Problem("too_nested", max=MAX_DEPTH)
        for item in value.values() if isinstance(value, dict) else value:
            _check(item, depth + 1)
        if isinstance(value, dict):
            for key in value:
                _check(key, depth + 1)


_decoder = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant, parse_int=_integer, parse_float=_float)
