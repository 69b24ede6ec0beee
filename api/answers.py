"""Responses: JSON made fast, and the headers that go with it."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode

import orjson
from flask import Response, request

from api.state import state, store
from eventstore.cache import Entry
from eventstore.stored import cursor

# What one player may know stands beside what another chose (a name): who sees the sizes of packed answers and may
# choose again and again could guess at it. So they are not packed here, and proxies are asked not to (`no-transform`).
PRIVATE = {"Cache-Control": "private, no-cache, no-transform", "Vary": "Authorization, Accept"}
FOR_EVER = "public, max-age=31536000, immutable"
_PACKED = re.compile(r"-(?:gzip|br|zstd|deflate)$")


def answer(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON response, not to be kept by shared caches."""
    made = Response(orjson.dumps(body), status, mimetype="application/json")
    made.headers.update(PRIVATE)
    if headers:
        made.headers.update(headers)
    return made


def nothing(status: int, headers: Mapping[str, str]) -> Response:
    """A response without a body, and so without a type, which would be that of a page."""
    made = Response(status=status, headers=dict(headers))
    del made.headers["Content-Type"]
    return made


def unchanged(tag: str, headers: Mapping[str, str] | None = None) -> Response | None:
    """304 with the headers of the answer if the request holds the entity tag `tag` already; else None.

    Without `headers` it is a private answer, which tells the time.

    Also if a proxy that packs answers weakened the tag (nginx) or wrote the coding into it (Apache, Caddy: `-gzip`):
    that names another coding of the same representation, which is as good as long as ours is.
    """
    held = request.if_none_match
    names = {_PACKED.sub("", one) for one in held.as_set(include_weak=True) if one}
    if not held.star_tag and tag not in names:
        return None
    made = nothing(304, {**PRIVATE, **conditional(tag)} if headers is None else headers)
    made.set_etag(tag)
    return made


def fixed(made: Response) -> Response:
    """An answer that is the same for everybody until the server is another, or 304; its tag is made from its bytes."""
    tag = sha256(made.get_data()).hexdigest()[:16]
    headers = {name: made.headers[name] for name in ("Cache-Control", "Vary") if name in made.headers}
    made.set_etag(tag)
    return unchanged(tag, headers) or made


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


def of_log(entry: Entry, what: str) -> tuple[str, dict[str, str]]:
    """The tag of an answer that follows from a game's log and the server's key alone, and its headers.

    `what` tells such answers apart. Those about a public game that is over never change.
    """
    tag = f"{cursor(entry.game.version, entry.head)}.{what}.{state().signer().public.kid[:8]}"
    headers = {**PRIVATE, **conditional(tag)}
    if entry.game.over and entry.game.visibility == "public":
        headers["Cache-Control"] = FOR_EVER
    return tag, headers


def next_page(after: str | None) -> tuple[str | None, dict[str, str]]:
    """The address of the next page (the present one from `after` on), and the header with it; of the last page none."""
    if after is None:
        return None, {}
    address = f"{request.path}?{urlencode({**request.args.to_dict(), 'after': after})}"
    return address, {"Link": f'<{address}>; rel="next"'}
