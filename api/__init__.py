"""The HTTP API: one application, made from a store."""

from flask import Flask

from eventstore.store import Store


def create_app(redis_url: str, queue_redis_url: str, *, allow_unsafe_store: bool = False) -> Flask:
    """The application of a web process; `UnsafeStore` if the store could lose logs and that is not allowed."""
    from domain.rulesets import REGISTRY

    return app_for(Store.open(redis_url, queue_redis_url, registry=REGISTRY, allow_unsafe=allow_unsafe_store))


def app_for(store: Store) -> Flask:
    """The application that answers from `store`."""
    from api.application import make

    return make(store)
