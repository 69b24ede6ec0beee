"""The HTTP API: one application, made from a store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from flask import Flask

from api.metrics import LOCAL, Readers
from domain.signing import Keys
from eventstore import connect
from eventstore.store import Store

if TYPE_CHECKING:
    from api.edge import Edge


def create_app(  # each is one thing that the process was told
    redis_url: str,
    queue_redis_url: str,
    keys: Keys,
    *,
    allow_unsafe_store: bool = False,
    metrics: Readers = LOCAL,
    edge: Mapping[str, Any] = {},
) -> Flask:
    """The application of a web process; `UnsafeStore` if the store could lose logs and that is not allowed.

    `metrics` says who may read `/metrics`. `edge` is what the operator decides: `rates` (changes of the rate limits by
    name, None: no limits), `trusted_proxies` and `origins`, see `api.edge.Edge`.
    """
    from api.application import make
    from api.edge import Edge
    from api.policies import changed

    rates, rest = edge.get("rates", {}), {name: value for name, value in edge.items() if name != "rates"}
    policies = None if rates is None else changed(rates)
    store = Store(redis_url, allow_unsafe=allow_unsafe_store)
    store.follow()
    return make(
        store,
        store.repository.registry,
        keys,
        Edge(policies, queue_redis_url, **rest),
        queue=connect.probing(queue_redis_url),
        readers=metrics,
    )


def end_waits(app: Flask) -> None:
    """Let every stream say that the server stops, and end; let long polls answer; new ones too. `/readyz` is 503."""
    from api.state import of

    state = of(app)
    state.live().stop()
    if state.store is not None:
        state.store.doorbell.stop()


def refusal(error: BaseException) -> bytes:
    """The whole answer to a request that broke the server or that cannot be read; close the connection after it."""
    from api.unreadable import answer

    return answer(error)


def app_for(store: Store, keys: Keys, edge: Edge | None = None) -> Flask:
    """The application that answers from `store` and signs with `keys`; without an `edge` nobody is limited."""
    from api.application import make

    return make(store, store.repository.registry, keys, edge)
