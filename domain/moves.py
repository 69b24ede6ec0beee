"""Moves: what a seat submits. The field types of a class are the whole truth about a move's shape.

Use `Literal` for named choices, `Annotated[int, msgspec.Meta(ge=, le=)]` for numbers, `tuple[X, ...]` with
`Meta(min_length=, max_length=)` for lists. The API derives its schemas from them.
"""

from typing import Any, ClassVar

from domain.values import Value, snake


class Move(Value, frozen=True):
    """The base of all moves; `type` is the class name in snake case, an imperative."""

    type: ClassVar[str]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.type = snake(cls.__name__)


class Pass(Move, frozen=True):
    """Do nothing now."""


class Challenge(Move, frozen=True):
    """Call the claim on the table a lie."""
