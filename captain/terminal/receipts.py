"""The server's word for what one did, kept for `captain audit`: a file a game, one signed head a line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click

Json = dict[str, Any]
_GAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Receipts:
    """What the servers signed for this user."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = (folder or Path(click.get_app_dir("captain"))) / "receipts"

    def path(self, game: str) -> Path:
        """The file of a game."""
        return self.folder / f"{game}.ndjson"

    def keep(self, answer: Json) -> None:
        """Keep the signed head of a receipt; an answer without one is none."""
        signed = answer.get("signed")
        # The name of a file must be no more than a name, whatever a server says.
        game = signed.get("game") if isinstance(signed, dict) else None
        if isinstance(game, str) and _GAME.fullmatch(game):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self.path(game).open("a") as file:
                file.write(json.dumps(signed) + "\n")
