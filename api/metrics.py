"""What is measured of requests and streams, and who may read it."""

from typing import Final, Literal, NamedTuple

from prometheus_client import Counter, Gauge, Histogram

REQUEST_S: Final = Histogram(
    "captain_request_seconds",
    "From the first byte to the last of requests; a long poll and a stream last as long as they wait.",
    ("route", "method", "status"),
    buckets=(0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30),
)
PROBLEMS: Final = Counter("captain_problems", "Requests that were refused or failed, by code.", ("code",))
STREAMS: Final = Gauge("captain_open_streams", "Streams that are open now.", multiprocess_mode="livesum")
STREAM_EVENTS: Final = Counter("captain_stream_events", "Events that were told on streams.")
STREAM_ENDS: Final = Counter(
    "captain_stream_ends", "Streams that were told why they end (`slow_consumer`, ...).", ("reason",)
)


class Readers(NamedTuple):
    """Who may read the figures; `token` is looked at only if `who` says so."""

    who: Literal["local", "token", "all", "off"]
    token: str | None = None


LOCAL: Final = Readers("local")
"""The default: whoever is on this machine."""
