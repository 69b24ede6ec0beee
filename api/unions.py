"""From the types of domain values to schemas: moves as a union with a constant `type`, options, nested values.

Nothing here knows a game. The annotations of a class are the whole truth about its shape: `Literal`,
`Annotated[int, Meta(ge=, le=)]`, `tuple[X, ...]` with `Meta(min_length=, max_length=)`, `bool`, `str`, `X | None`,
nested structs, and unions of a string with a struct.
"""

import types
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import marshmallow
import msgspec
from marshmallow import RAISE, fields, post_load
from marshmallow.validate import Equal, Length, OneOf, Regexp
from marshmallow_oneofschema import OneOfSchema

from api.fields import Boolean, Either, Integer, Tuple
from domain.moves import Move

MAX_ITEMS = 1000
"""The most items of a list in a move whose class does not say."""

MAX_TEXT = 200
"""The longest string in a move whose class does not say."""


class Answer(NamedTuple):
    """A move as it came in, with the decision it answers."""

    decision: str
    move: Move


def schema_of(cls: type[msgspec.Struct], name: str, **extra: fields.Field) -> type[marshmallow.Schema]:
    """A schema that takes exactly the JSON form of `cls` and loads it as one; `extra` fields are loaded beside it."""
    made: dict[str, Any] = dict(extra)
    hints = get_type_hints(cls, include_extras=True)
    for info in msgspec.structs.fields(cls):
        if info.name in extra:
            raise TypeError(f"{cls.__name__}.{info.name} is a word of the API")
        made[info.encode_name] = _field(hints[info.name], f"{name}.{info.name}", **_default(info))

    def build(self: Any, data: dict[str, Any], **_: Any) -> Any:
        beside = {key: data.pop(key) for key in extra}
        return self.finish(cls(**data), beside)

    attributes = {
        "Meta": type("Meta", (), {"unknown": RAISE}),
        "build": post_load(build),
        "finish": lambda self, value, beside: value,
        "__doc__": cls.__doc__,
        **made,
    }
    return type(name, (marshmallow.Schema,), attributes)


def _default(info: msgspec.structs.FieldInfo) -> dict[str, Any]:
    if info.required:
        return {"required": True}
    if info.default is not msgspec.NODEFAULT:
        return {"load_default": info.default}
    return {"load_default": info.default_factory}


def _field(hint: Any, name: str, **kwargs: Any) -> fields.Field:
    """The field for one annotation."""
    meta = msgspec.Meta()
    if get_origin(hint) is Annotated:
        hint, *notes = get_args(hint)
        meta = next((note for note in notes if isinstance(note, msgspec.Meta)), meta)
    origin, args = get_origin(hint), get_args(hint)
    if meta.description:
        kwargs["metadata"] = {"description": meta.description}
    if origin in (Union, types.UnionType):
        return _union(args, meta, name, kwargs)
    if origin is Literal:
        return _choice(args, kwargs)
    if origin is tuple and len(args) == 2 and args[1] is Ellipsis:
        length = Length(meta.min_length, meta.max_length or MAX_ITEMS)
        return Tuple(_field(args[0], f"{name}.item"), validate=length, **kwargs)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return fields.Nested(_nested(hint), **kwargs)
    return _plain(hint, meta, name, kwargs)


@cache
def _nested(cls: type[msgspec.Struct]) -> type[marshmallow.Schema]:
    """One schema for each class, however often it is used, named by its package: two games may have a `Wild`."""
    package = cls.__module__.split(".")[-2:][0]
    return schema_of(cls, f"{package}.{cls.__name__}")


def _plain(hint: Any, meta: msgspec.Meta, name: str, kwargs: dict[str, Any]) -> fields.Field:
    if hint is bool:
        return Boolean(**kwargs)
    if hint is int:
        return Integer(*_bounds(meta), **kwargs)
    if hint is str:
        checks: list[Any] = [Length(meta.min_length, meta.max_length or MAX_TEXT)]
        if meta.pattern:
            checks.append(Regexp(meta.pattern))
        return fields.String(validate=checks, **kwargs)
    raise TypeError(f"{name}: no field for {hint!r}")


def _union(args: tuple[Any, ...], meta: msgspec.Meta, name: str, kwargs: dict[str, Any]) -> fields.Field:
    choices = [arg for arg in args if arg is not type(None)]
    if len(choices) < len(args):
        kwargs = {**kwargs, "allow_none": True}
    if len(choices) == 1:
        return _field(Annotated[choices[0], meta], name, **kwargs)
    return Either([_field(choice, name) for choice in choices], **kwargs)


def _choice(values: tuple[Any, ...], kwargs: dict[str, Any]) -> fields.Field:
    allowed = OneOf(values, error="Must be one of: {choices}.")
    if all(isinstance(value, str) for value in values):
        return fields.String(validate=allowed, **kwargs)
    if all(type(value) is int for value in values):
        return Integer(validate=[allowed], **kwargs)
    raise TypeError(f"a choice of {values!r} is neither of strings nor of whole numbers")


def _bounds(meta: msgspec.Meta) -> tuple[int | None, int | None]:
    low = meta.ge if meta.ge is not None else None if meta.gt is None else meta.gt + 1
    high = meta.le if meta.le is not None else None if meta.lt is None else meta.lt - 1
    return None if low is None else int(low), None if high is None else int(high)


def move_schema(move: type[Move]) -> type[marshmallow.Schema]:
    """The schema of one move: its fields, the constant `type`, and the `decision` it answers. Loads an `Answer`."""
    made = schema_of(
        move,
        f"move.{move.type}",
        # An Equal beside `required`: without it the variants of the union could not be told apart by a validator.
        type=fields.String(required=True, validate=Equal(move.type)),
        decision=fields.String(
            required=True,
            validate=Length(1, 40),
            metadata={"description": "The id of the decision or offer that this move answers."},
        ),
    )
    made.finish = lambda self, value, beside: Answer(beside["decision"], value)  # type: ignore[attr-defined]  # of a class that is made here
    return made


class Moves(OneOfSchema):
    """A union of moves by their `type`."""

    type_field_remove = False

    def __init__(self, variants: Mapping[str, marshmallow.Schema], **kwargs: Any) -> None:
        self.type_schemas: dict[str, marshmallow.Schema] = dict(variants)
        super().__init__(**kwargs)

    def read(self, data: Any) -> Answer:
        """The move in a body; marshmallow's `ValidationError` says what is wrong with it."""
        if not isinstance(data, dict):
            raise marshmallow.ValidationError("A move is an object.")
        kind = data.get("type")
        schema = self.type_schemas.get(kind) if isinstance(kind, str) else None
        if schema is None:
            wrong = "Missing data for required field." if kind is None else "Not a move of this game."
            raise marshmallow.ValidationError({"type": [f"{wrong} Must be one of: {', '.join(self.type_schemas)}."]})
        return schema.load(data)


def variants(moves: Iterable[type[Move]]) -> dict[str, marshmallow.Schema]:
    """One schema for each move type, in order of their names."""
    return {move.type: move_schema(move)() for move in sorted(moves, key=lambda m: m.type)}
