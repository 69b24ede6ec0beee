"""The Lua scripts, run by their hash and loaded again when the server has forgotten them."""

from dataclasses import dataclass, field
from functools import cache
from hashlib import sha1
from importlib.resources import files
from typing import Any

from redis.exceptions import NoScriptError

from eventstore.wire import Executes, Word, send


@dataclass(frozen=True, slots=True)
class Script:
    """One script; its replies are documented at the top of its file."""

    source: str = field(repr=False)
    sha: str

    @classmethod
    def of(cls, source: str) -> "Script":
        """Make a script from its text."""
        return cls(source, sha1(source.encode(), usedforsecurity=False).hexdigest())

    def without_shebang(self) -> "Script":
        """Give the same script for fakeredis, whose Lua stumbles over the first line."""
        first, _, rest = self.source.partition("\n")
        return Script.of("--\n" + rest) if first.startswith("#!") else self

    def call(self, keys: tuple[str, ...], args: tuple[Word, ...]) -> tuple[Word, ...]:
        """Give the words of the command that runs this script by its hash."""
        return ("EVALSHA", self.sha, len(keys), *keys, *args)

    def load(self, client: Executes) -> None:
        """Make the server know this script."""
        send(client, "SCRIPT LOAD", self.source)

    def run(self, client: Executes, keys: tuple[str, ...], args: tuple[Word, ...]) -> Any:
        """Run the script; loads it if the server does not know it (first use, restart, SCRIPT FLUSH)."""
        command = self.call(keys, args)
        for _ in range(3):
            try:
                return send(client, *command)
            except NoScriptError:
                self.load(client)
        return send(client, *command)


@dataclass(frozen=True, slots=True)
class Scripts:
    """All scripts of the event store."""

    append: Script
    claim: Script
    complete: Script
    release: Script
    repair: Script
    accept: Script

    def without_shebang(self) -> "Scripts":
        """Give the same scripts for fakeredis."""
        return Scripts(*(getattr(self, name).without_shebang() for name in self.__slots__))


@cache
def scripts() -> Scripts:
    """Read the scripts beside this module."""
    folder = files(__package__)
    return Scripts(*(Script.of((folder / f"{name}.lua").read_text()) for name in Scripts.__slots__))
