"""How a broken law is told."""


class LawBroken(AssertionError):
    """A ruleset broke law `law` (1 to 6); the message says where and how."""

    def __init__(self, law: int, message: str) -> None:
        # Both stay its arguments, so that it can cross from a worker process.
        super().__init__(law, message)
        self.law = law

    def __str__(self) -> str:
        return f"law {self.law}: {self.args[1]}"


def require(law: int, holds: bool, message: str) -> None:
    """Raise `LawBroken` unless `holds`."""
    if not holds:
        raise LawBroken(law, message)
