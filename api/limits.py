"""The bounds of requests, in numbers: what /v1/server tells."""

from api import bodies
from api.fields import MAX_NAME
from api.requests import MOST_PAGE
from eventstore.following import TAIL
from eventstore.invites import MOST_INVITES
from eventstore.tickets import TICKET_S
from eventstore.tokens import MOST_TOKENS

LONGEST_WAIT_S = 25
"""How long a long poll may wait: below what most proxies allow."""

HEARTBEAT_S = 10
"""How long a stream is silent before it says that it is there."""

LIMITS = {
    "body_bytes": bodies.MAX_BYTES,
    "json_depth": bodies.MAX_DEPTH,
    "name_characters": MAX_NAME,
    "page_items": MOST_PAGE,
    "long_poll_s": LONGEST_WAIT_S,
    "stream_heartbeat_s": HEARTBEAT_S,
    "stream_events_behind": TAIL,
    "stream_ticket_s": TICKET_S,
    "game_invites": MOST_INVITES,
    "player_tokens": MOST_TOKENS,
}
