"""What the rules answer to a command that they do not accept."""


class Refused(Exception):
    """A command was refused: a `code` that names the reason and `facts` that say what would be right.

    Nothing is appended for a refused command. Facts never tell what the refused seat may not know.
    """

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts

    def __str__(self) -> str:
        return f"{self.code} {self.facts}" if self.facts else self.code


class Corrupt(Exception):
    """A log that cannot be what this software wrote: unknown type, broken chain, missing upcaster."""
