"""docs/fair-play-vectors.json, as its readers use it."""

import json
from pathlib import Path
from typing import Any

Json = Any

VECTORS: Json = json.loads((Path(__file__).parents[2] / "docs" / "fair-play-vectors.json").read_bytes())
KNOWN_KEYS: Json = VECTORS["known_keys"]
LOGS: list[Json] = VECTORS["logs"] + VECTORS["broken_logs"]


def cases(name: str) -> list[Json]:
    """The vectors of one primitive; there are some."""
    found: list[Json] = VECTORS["primitives"][name]
    assert found
    return found


def expected(found: Json) -> Json:
    """What a verifier found, in the words of `expect`."""
    if found["failure"]:
        return {"verdict": found["verdict"], **{name: found["failure"][name] for name in ("check", "v")}}
    counts = {"head": found["head"], "entropy": found["entropy"], "counts": found["checked"]}
    return {"verdict": found["verdict"], **counts}
