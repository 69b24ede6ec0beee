"""The base of every immutable value: states, events, moves, settings."""

from typing import Any

import msgspec


class Value(msgspec.Struct, frozen=True):
    """A frozen, slotted value. Its `repr` shows numbers and counts only, so no log line can print a card."""

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={_shape(getattr(self, name))}" for name in self.__struct_fields__)
        return f"{type(self).__name__}({fields})"


def _shape(value: Any) -> str:
    if value is None or isinstance(value, (bool, int, Value)):
        return repr(value)
    if isinstance(value, (tuple, list, dict, set, frozenset)):
        return f"<{len(value)}>"
    return "…"


def frozen(value: Any) -> Any:
    """`value` with every list made a tuple, so that what is read back equals what was written."""
    if isinstance(value, (list, tuple)):
        return tuple([frozen(item) for item in value])
    if isinstance(value, dict):
        return {key: frozen(item) for key, item in value.items()}
    return value


def snake(name: str) -> str:
    """`CardsClaimed` -> `cards_claimed`: the word of a class in the log and in the API."""
    return "".join(f"_{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))
