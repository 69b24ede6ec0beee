"""marshmallow fields that take what JSON holds and nothing that merely looks like it."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from marshmallow import ValidationError, fields
from marshmallow.validate import Length, Range, Regexp

MAX_NAME = 40
_UNSEEN = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs of which nothing is seen: fillers of Hangul, the empty cell of Braille."""

# What joins signs to one (a woman and a rocket); between letters it would only make two names of one.
_JOINER = re.compile(r"(?<=[^\w\s])\u200d(?=[^\w\s])")
_NUMBER = re.compile(r"[0-9]{1,9}")


class Boolean(fields.Boolean):
    """`true` or `false`; not 1, not "yes"."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid")
        return value


class Integer(fields.Integer):
    """A whole number; not a string of digits, not 1.0."""

    def __init__(self, low: int | None = None, high: int | None = None, **kwargs: Any) -> None:
        checks = list(kwargs.pop("validate", ()))
        if low is not None or high is not None:
            checks.append(Range(low, high))
        super().__init__(strict=True, validate=checks, **kwargs)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> int:
        if type(value) is not int:
            raise self.make_error("invalid")
        return value


class QueryInteger(Integer):
    """A whole number in a query string: plain digits."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> int:
        if not isinstance(value, str) or not _NUMBER.fullmatch(value):
            raise self.make_error("invalid")
        return int(value)


class Tuple(fields.List):
    """An array of alike items, as a tuple."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, list):
            raise self.make_error("invalid")
        return tuple(super()._deserialize(value, attr, data, **kwargs))


class Either(fields.Field):
    """A value that fits one of several fields, told apart by their JSON type."""

    def __init__(self, choices: Sequence[fields.Field], **kwargs: Any) -> None:
        self.choices = tuple(choices)
        super().__init__(**kwargs)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        failures = []
        for choice in self.choices:
            try:
                return choice.deserialize(value, attr, data, **kwargs)
            except ValidationError as error:
                failures.append(error)
        # The choice that takes an object has told most about one that is nearly right.
        best = next((e for e in failures if isinstance(e.messages, dict)), failures[-1])
        raise ValidationError(best.messages)


class Exactly(Regexp):
    """The whole of a string fits: `$` alone would let a line end pass, and clients' expressions know no other end."""

    def __call__(self, value: Any) -> Any:
        """The value, if it fits."""
        if not re.fullmatch(self.regex.pattern, value):
            raise ValidationError(self._format_error(value))
        return value


class Words(fields.String):
    """A line that people read: NFC, no control, format or private characters, something visible in it."""

    def __init__(self, longest: int, **kwargs: Any) -> None:
        super().__init__(validate=Length(1, longest), **kwargs)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> str:
        text = unicodedata.normalize("NFC", super()._deserialize(value, attr, data, **kwargs))
        kinds = {unicodedata.category(c) for c in _JOINER.sub("", text)}
        if any(kind[0] == "C" or kind in ("Zl", "Zp") for kind in kinds) or not _UNSEEN.isdisjoint(text):
            raise ValidationError("No control, format or unassigned characters.")
        if not any(kind[0] in "LNPS" for kind in kinds):
            raise ValidationError("At least one visible character.")
        return text.strip()


class Name(Words):
    """A player's name."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(MAX_NAME, **kwargs)


def hex64(**kwargs: Any) -> fields.String:
    """32 bytes as 64 hex digits, lower case."""
    wrong = "64 hex digits, lower case."
    return fields.String(validate=[Exactly(r"^[0-9a-f]{64}$", error=wrong), Length(equal=64, error=wrong)], **kwargs)
