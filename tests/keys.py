"""Signing keys for tests: the same each time, and so worth nothing."""

import tempfile
from functools import cache
from pathlib import Path

from captain.keys import new
from domain.signing import Keys, Signer

SIGNER = Signer(bytes(range(32)))
KEYS = Keys(SIGNER, [Signer(bytes(32)).public])


@cache
def key_file() -> Path:
    """A file of keys for the processes that a test run starts."""
    path = Path(tempfile.mkdtemp(prefix="captain-keys-")) / "keys.json"
    new(path)
    return path
