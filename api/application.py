"""Putting an application together."""

from functools import cache

import orjson
from flask import Blueprint, Flask, Response, request
from flask_swagger_ui import get_swaggerui_blueprint
from redis import Redis

from api import errors, meta, pages, problem_pages, problems, scraping, traffic
from api.answers import fixed
from api.bodies import MAX_BYTES
from api.disputes import fair_play
from api.document import documented, finished, yaml_of
from api.edge import Edge, register
from api.events import events
from api.exports import exports
from api.games import games
from api.invites import invites
from api.leaderboards import leaderboards
from api.live import beat_hearts
from api.metrics import LOCAL, Readers
from api.moves import moves
from api.players import players
from api.readiness import Readiness
from api.rematches import rematches
from api.replays import replays
from api.routing import Whole
from api.rulebook import Rulebook
from api.rulesets import rulesets
from api.seats import seats
from api.sockets import look_after
from api.state import State, attach
from api.streams import streams
from api.tokens import tokens
from domain.registry import Registry
from domain.signing import Keys
from eventstore.following import Following
from eventstore.store import Store


def make(
    store: Store | None,
    registry: Registry,
    keys: Keys | None = None,
    edge: Edge | None = None,
    *,
    queue: Redis | None = None,
    readers: Readers = LOCAL,
) -> Flask:
    """The application that answers from `store` and signs with `keys`; without them it can only be documented.

    Without an `edge` nobody is limited, and every web page may use it. `queue` is where jobs wait, which is only looked
    at; `readers` are those of `/metrics`.
    """
    app = Flask("api", static_folder=None)
    # One more than is allowed: a body without a length is cut there in silence, and `bodies` must see that it was.
    app.config["MAX_CONTENT_LENGTH"] = MAX_BYTES + 1
    app.url_map.merge_slashes = False
    app.url_map.strict_slashes = True
    app.url_map.converters["whole"] = Whole
    rulebook = Rulebook(registry)
    attach(app.extensions, _state(store, rulebook, keys, queue, readers))
    traffic.watch(app)
    app.extensions[problems.REFUSALS] = registry.refusals
    errors.register(app)
    register(app, edge or Edge())
    api = documented(app, rulebook)
    for resource in (
        players,
        tokens,
        rulesets,
        games,
        seats,
        invites,
        rematches,
        moves,
        events,
        streams,
        replays,
        fair_play,
        exports,
        leaderboards,
        meta.server,
    ):
        api.register_blueprint(resource)
    app.register_blueprint(meta.pages)
    app.register_blueprint(problem_pages.pages)
    app.register_blueprint(pages.pages)
    app.register_blueprint(scraping.pages)
    _serve_spec(app, finished(api, rulebook))
    return app


def _state(store: Store | None, rulebook: Rulebook, keys: Keys | None, queue: Redis | None, readers: Readers) -> State:
    if store is None:
        return State(None, rulebook, keys=keys)
    live = following(store)
    return State(store, rulebook, live, keys, Readiness(store, live, queue), readers)


def following(store: Store) -> Following:
    """What streams follow: once for all of this process."""
    made = Following(store.log, store.doorbell, store.presence)
    made.pulses += (look_after, beat_hearts)
    return made


def _serve_spec(app: Flask, document: dict[str, object]) -> None:
    """The spec as JSON and YAML, and a page to read it with, nothing of it from elsewhere."""
    app.extensions["openapi"] = document
    as_json = orjson.dumps(document)
    pages = Blueprint("spec", __name__)
    headers = {"Cache-Control": "public, max-age=60"}

    @pages.get("/openapi.json")
    def openapi_json() -> Response:
        return fixed(Response(as_json, mimetype="application/json", headers=headers))

    @cache
    def as_yaml() -> str:
        """Once, when somebody asks: to write it takes most of a second."""
        return yaml_of(document)

    @pages.get("/openapi.yaml")
    def openapi_yaml() -> Response:
        return fixed(Response(as_yaml(), mimetype="application/yaml", headers=headers))

    app.register_blueprint(pages)
    viewer = get_swaggerui_blueprint("/docs", "/openapi.json", config={"app_name": meta.NAME})
    viewer.before_request(_without_preconditions)
    app.register_blueprint(viewer)


def _without_preconditions() -> None:
    """Of files that only are read: Flask would answer 412 with the file as the body."""
    for name in ("HTTP_IF_MATCH", "HTTP_IF_UNMODIFIED_SINCE"):
        request.environ.pop(name, None)
