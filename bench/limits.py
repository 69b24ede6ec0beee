"""What counting costs: POSTs of a move with and without rate limits, taken by turns in one run.

Two applications in this process answer from one store that writes to disk at each append; the one counts, the other
does not. Run `python -m bench limits`.
"""

import tempfile
import time
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from api import app_for
from api.edge import Edge
from api.policies import POLICIES
from bench.moves import _dull, _long_game, _trips
from captain.store import EmbeddedStore
from eventstore.store import Store
from tests.keys import KEYS

MOVES = 600


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedStore(Path(folder)) as server:
        store = Store(server.url)
        store.follow()
        roomy = {name: one._replace(amount=10**6) for name, one in POLICIES.items()}
        edges = (Edge(), Edge(roomy, server.url))
        clients = [app_for(store, KEYS, edge).test_client() for edge in edges]

        def call(method: str, path: str, token: str = "", body: Any = None, by: int = 0) -> Any:
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            return clients[by].open(path, method=method, headers=headers, json=body)

        tokens = [call("POST", "/v1/players", body={"name": f"P{i}"}).json["token"] for i in range(2)]
        game, rng, chance = _long_game(call, tokens), Random(1), Random(2)
        times: tuple[list[float], list[float]] = ([], [])
        trips: tuple[list[int], list[int]] = ([], [])
        while min(map(len, times)) < MOVES:
            for token in tokens:
                view = call("GET", f"/v1/games/{game}", token).json
                if view["decision"]:
                    # By chance: leads and challenges alternate, and cost differently.
                    by, body = chance.randrange(2), _dull(view["decision"], rng)
                    began = time.perf_counter()
                    answer, sent = _trips(partial(call, "POST", f"/v1/games/{game}/moves", token, body, by))
                    times[by].append((time.perf_counter() - began) * 1000)
                    trips[by].append(sent)
                    assert answer.status_code == 201, answer.text
        store.close()
    without, with_ = (median(found[MOVES // 6 :]) for found in times)
    print(
        f"a move {without:.3f} ms without limits, {with_:.3f} ms with; {without / with_:.3f} of the rate; "
        f"round trips {median(trips[0]):.0f} and {median(trips[1]):.0f}; {len(times[0])} and {len(times[1])} of them"
    )


if __name__ == "__main__":
    main()
