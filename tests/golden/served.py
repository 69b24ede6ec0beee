"""A golden log as a server would serve it to everybody once the game is over, signed."""

from pathlib import Path

from domain.signing import Signer
from tests.golden.record import FOLDER
from tests.keys import SIGNER
from tests.served import serve


def golden(name: str) -> Path:
    """The file of a golden log, as `bluff_king-v1-bots-0`."""
    return FOLDER / f"{name}.ndjson"


def game_of(path: Path) -> str:
    """The game id, which the first record's `prev` is the hash of."""
    _, kind, number = path.stem.rsplit("-", 2)
    key = path.stem.split("-", 1)[0]
    return {"bots": f"golden-{key}-{number}", "random": f"law-golden-{number}"}.get(kind, f"law-{kind}-{number}")


def served(path: Path, signer: Signer = SIGNER) -> list[bytes]:
    """The lines of the log: header, records, trailer."""
    return serve(game_of(path), path.read_bytes().splitlines(), signer=signer)
