"""What stands in an address."""

from typing import Any

from werkzeug.routing import BaseConverter


class Whole(BaseConverter):
    """A number from 1 on, written in the one way: digits of ASCII, no zero before them, few enough to be read fast."""

    regex = "[1-9][0-9]{0,30}"

    def to_python(self, value: str) -> int:
        """The number."""
        return int(value)


def parameter(_: Any) -> dict[str, Any]:
    """The schema of such a number in the spec."""
    return {"type": "integer", "minimum": 1}
