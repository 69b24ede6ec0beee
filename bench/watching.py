"""What logs, metrics and request ids cost: moves through one application with them and one without, in turns.

The store is a real one that writes nothing to disk, so that what is compared is not lost in the time of fsync. Figures
are kept as `captain up` has them kept, in files shared by all processes. The time of the processor is told as well: it
is the steadier one on a machine that does other things besides.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from typing import Any
from unittest import mock

from captain import figures, logs
from captain.store import EmbeddedStore

ROUNDS = 40
MOVES = 25

Times = tuple[float, float]
"""Milliseconds by the clock, and of the processor."""


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        figures.prepare(Path(folder))
        with open(os.devnull, "w") as nowhere, mock.patch.object(sys, "stderr", nowhere):
            logs.set_up("bench", "json", "info")
            with EmbeddedStore(Path(folder, "store"), durable=False) as server:
                pairs = _pairs(server.url)
    for number, what in enumerate(("by the clock", "of the processor")):
        watched, bare = [one[number] for one, _ in pairs], [other[number] for _, other in pairs]
        ratio = median(one / other for one, other in zip(watched, bare, strict=True))
        print(
            f"a move with logs, figures and a request id: {median(watched):.2f} ms {what}, without {median(bare):.2f}; "
            f"{ratio:.3f} times (median of {ROUNDS} rounds of {MOVES} moves)"
        )


def _pairs(url: str) -> list[tuple[Times, Times]]:
    """For each round the ms of a move with all of it, and without."""
    # Imported here, when the environment names the folder of the figures.
    from api import app_for, traffic
    from eventstore.store import Store
    from tests.keys import KEYS

    store = Store(url, allow_unsafe=True)
    watched = _table(app_for(store, KEYS))
    with mock.patch.object(traffic, "watch"):
        bare = _table(app_for(store, KEYS))
    pairs = []
    for number in range(ROUNDS + 2):
        # By turns the first: what the one leaves behind in caches is to the other's good.
        if number % 2:
            with_all, without = _time(watched), _time_bare(bare)
        else:
            without, with_all = _time_bare(bare), _time(watched)
        if number >= 2:  # the first rounds warm up
            pairs.append((with_all, without))
    store.close()
    return pairs


def _table(app: Any) -> Callable[[], Times]:
    """A game for two that goes on for ever: plays one move and gives the ms that its request took."""
    from bench.moves import _dull, _long_game

    client, rng = app.test_client(), Random(1)

    def call(method: str, path: str, token: str = "", body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return client.open(path, method=method, headers=headers, json=body, buffered=True)

    tokens = [call("POST", "/v1/players", body={"name": f"P{seat}"}).json["token"] for seat in range(2)]
    game = _long_game(call, tokens)

    def move() -> Times:
        for token in tokens:
            decision = call("GET", f"/v1/games/{game}", token).json["decision"]
            if decision:
                body = _dull(decision, rng)
                began, worked = time.perf_counter(), time.thread_time()
                made = call("POST", f"/v1/games/{game}/moves", token, body)
                took = (time.perf_counter() - began) * 1000, (time.thread_time() - worked) * 1000
                if made.status_code != 201:
                    raise RuntimeError(made.text)
                return took
        raise RuntimeError("nobody is asked")

    return move


def _time_bare(move: Callable[[], Times]) -> Times:
    from prometheus_client import Counter, Histogram

    with mock.patch.object(Counter, "inc", _nothing), mock.patch.object(Histogram, "observe", _nothing):
        return _time(move)


def _nothing(*_: object) -> None:
    """What is not measured."""


def _time(move: Callable[[], Times]) -> Times:
    times = [move() for _ in range(MOVES)]
    return median(clock for clock, _ in times), median(processor for _, processor in times)
