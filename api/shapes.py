"""What the shapes of answers are made of: fields that are always there, and the base of all answers.

Answers are open: a client must tolerate more fields and values of enumerations that it does not know.
"""

from typing import Any

from marshmallow import EXCLUDE, Schema, fields
from marshmallow.validate import Regexp


def text(**kwargs: Any) -> fields.String:
    """A string that is always there."""
    return fields.String(required=True, **kwargs)


def whole(**kwargs: Any) -> fields.Integer:
    """A whole number that is always there."""
    return fields.Integer(required=True, strict=True, **kwargs)


def flag(**kwargs: Any) -> fields.Boolean:
    """A truth value that is always there."""
    return fields.Boolean(required=True, **kwargs)


def time() -> fields.DateTime:
    """A time, RFC 3339 in UTC with milliseconds."""
    return fields.DateTime(required=True)


def nested(schema: Any, **kwargs: Any) -> fields.Nested:
    """A value of another shape that is always there."""
    return fields.Nested(schema, required=True, **kwargs)


def many(inner: Any) -> fields.List:
    """A list that is always there."""
    return fields.List(fields.Nested(inner) if isinstance(inner, type) else inner, required=True)


def anything(note: str) -> fields.Dict:
    """An object whose shape is told elsewhere."""
    return fields.Dict(required=True, metadata={"description": note})


def cursor() -> fields.String:
    """A place in a game's history."""
    return text(validate=Regexp(r"^[0-9]+-[0-9a-f]{8}$"))


class Answer(Schema):
    """The base of all answers."""

    class Meta:
        unknown = EXCLUDE
