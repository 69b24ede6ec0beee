"""The bounds of requests, in numbers: what /v1/server tells."""

from api import bodies
from api.fields import MAX_NAME
from api.requests import MOST_PAGE

LONGEST_WAIT_S = 25
"""How long a long poll may wait: below what most proxies allow."""

LIMITS = {
    "body_bytes": bodies.MAX_BYTES,
    "json_depth": bodies.MAX_DEPTH,
    "name_characters": MAX_NAME,
    "page_items": MOST_PAGE,
    "long_poll_s": LONGEST_WAIT_S,
}
