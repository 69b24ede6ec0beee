"""The HTTP API: one application, made from a store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from flask import Flask

from domain.signing import Keys
from eventstore.store import Store

if TYPE_CHECKING:
    from api.edge import Edge


def create_app(
    redis_url: str, queue_redis_url: str, keys: Keys, *, allow_unsafe_store: bool = False, edge: Mapping[str, Any] = {}
) -> Flask:
    """The application of a web process; `UnsafeStore` if the store could lose logs and that is not allowed.

    `edge` is what the operator decides: `rates` (changes of the rate limits by name, None: no limits),
    `trusted_proxies` and `origins`, see `api.edge.Edge`.
    """
    from api.edge import Edge
    from api.policies import changed

    rates, rest = edge.get("rates", {}), {name: value for name, value in edge.items() if name != "rates"}
    policies = None if rates is None else changed(rates)
    store = Store(redis_url, allow_unsafe=allow_unsafe_store)
    store.follow()
    return app_for(store, keys, Edge(policies, queue_redis_url, **rest))


def end_streams(app: Flask) -> None:
    """Let every stream say that the server stops, and end; new ones too."""
    from api.state import of

    of(app).live().stop()


def app_for(store: Store, keys: Keys, edge: Edge | None = None) -> Flask:
    """The application that answers from `store` and signs with `keys`; without an `edge` nobody is limited."""
    from api.application import make

    return make(store, store.repository.registry, keys, edge)
