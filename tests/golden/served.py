"""A golden log as a server would serve it to everybody once the game is over, signed."""

from pathlib import Path

from domain import canonical, sealing
from domain.signing import Signer
from tests.golden.record import FOLDER
from tests.keys import SIGNER


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
    lines = path.read_bytes().splitlines(keepends=True)
    first, last = (canonical.loads(lines[place])["record"] for place in (0, -1))
    game = game_of(path)
    head = sealing.hash_of(canonical.dumps(last))
    header = {
        "format": 1,
        "game": game,
        "head": head,
        "observer": {"all": True},
        "rules_version": first["data"]["rules_version"],
        "ruleset": first["data"]["ruleset"],
        "status": "finished",
        "version": len(lines),
    }
    signed = signer.head(game, len(lines), head, last["at"])
    trailer = {"complete": True, "count": len(lines), "head": head, "signed": signed}
    return [canonical.dumps(header) + b"\n", *lines, canonical.dumps(trailer) + b"\n"]
