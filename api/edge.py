"""The edge of the API: what an operator decides about who may ask how much, from where, through what."""

from collections.abc import Mapping
from dataclasses import dataclass

from flask import Flask

from api import cors, throttle
from api.counters import Counters
from api.policies import Policy


@dataclass(frozen=True, slots=True)
class Edge:
    """`policies` limit how often one may ask: without any, nobody is limited. Counted in `counters_url`, if given.

    `trusted_proxies` is how many proxies stand in front and append to `X-Forwarded-For`. `origins` are the web pages
    that may use the API from a browser; None: all.
    """

    policies: Mapping[str, Policy] | None = None
    counters_url: str | None = None
    trusted_proxies: int = 0
    origins: frozenset[str] | None = None


def register(app: Flask, edge: Edge) -> None:
    """Put the edge around an application."""
    cors.register(app, edge.origins)
    policies = edge.policies or {}
    throttle.register(app, policies, Counters(edge.counters_url if policies else None), edge.trusted_proxies)
