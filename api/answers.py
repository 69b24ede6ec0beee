"""Responses: JSON made fast, and the headers that go with it."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

import orjson
from flask import Response, request

from api.state import store

PRIVATE = {"Cache-Control": "private, no-cache", "Vary": "Authorization, Accept"}


def answer(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON response, not to be kept by shared caches."""
    made = Response(orjson.dumps(body), status, mimetype="application/json")
    made.headers.update(PRIVATE)
    if headers:
        made.headers.update(headers)
    return made


def unchanged(tag: str) -> Response | None:
    """304 if the request holds the entity tag `tag` already, also when a proxy weakened it; else None."""
    if not request.if_none_match.contains_weak(tag):
        return None
    made = Response(status=304, headers=PRIVATE)
    made.set_etag(tag)
    del made.headers["Content-Type"]
    return made


def conditional(tag: str) -> dict[str, str]:
    """The headers of an answer that can be asked for again by its entity tag; the time is not part of it."""
    return {"ETag": f'"{tag}"', "Server-Time": rfc3339(store().repository.now())}


def rfc3339(ms: int) -> str:
    """A time in ms since 1970 as clients read it: UTC with milliseconds."""
    seconds, rest = divmod(ms, 1000)
    return f"{_second(seconds)}.{rest:03}Z"


@lru_cache(maxsize=1024)
def _second(seconds: int) -> str:
    """Kept, since thousands of streams are told the time at once."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}"


def next_address(cursor: str) -> str:
    """The address of the next page: the present one from `cursor` on."""
    query = {**request.args.to_dict(), "after": cursor}
    return f"{request.path}?{urlencode(query)}"
