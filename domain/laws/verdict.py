"""How a broken law is told."""


class LawBroken(AssertionError):
    """A ruleset broke law `law` (1 to 6); the message says where and how."""

    def __init__(self, law: int, message: str) -> None:
        super().__init__(f"law {law}: {message}")
        self.law = law


def require(law: int, holds: bool, message: str) -> None:
    """Raise `LawBroken` unless `holds`."""
    if not holds:
        raise LawBroken(law, message)
