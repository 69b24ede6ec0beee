"""Whether an OpenAPI document keeps what an earlier one promised: nothing removed, nothing narrowed.

What clients send must be taken as before (`in`), what they read must be there as before (`out`). New operations,
optional parameters, fields, codes, values and branches of unions in answers may come: clients are told to tolerate
them.
"""

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from api.operations import operations

Json = dict[str, Any]
Way = Literal["in", "out"]
LOWER = ("minimum", "minLength", "minItems", "minProperties")
UPPER = ("maximum", "maxLength", "maxItems", "maxProperties")
_UNIONS = ("oneOf", "anyOf")


def breaks(old: Json, new: Json) -> list[str]:
    """What `new` takes away from those who rely on `old`, in words; empty if nothing."""
    found: list[str] = []
    for path, method, _ in operations(old):
        name = f"{method.upper()} {path}"
        if method not in new["paths"].get(path, {}):
            found.append(f"{name} is gone")
        else:
            told = _operation(Pair(old, new), _whole(old, path, method), _whole(new, path, method))
            found += [f"{name}: {what}" for what in told]
    return found


class Pair(NamedTuple):
    """Both documents."""

    old: Json
    new: Json


def _whole(document: Json, path: str, method: str) -> Json:
    """An operation with the parameters that it shares with the others of its address."""
    item = document["paths"][path]
    return {**item[method], "parameters": [*item.get("parameters", ()), *item[method].get("parameters", ())]}


def _operation(pair: Pair, old: Json, new: Json) -> Iterator[str]:
    if old["operationId"] != new["operationId"]:
        yield f"its operationId was {old['operationId']}"
    if _open(old) and not _open(new):
        yield "a token is needed"
    yield from (f"the code {code} is gone" for code in sorted({*old["x-problems"]} - {*new["x-problems"]}))
    yield from _parameters(pair, _by_name(old), _by_name(new))
    yield from _body(pair, old.get("requestBody"), new.get("requestBody"))
    for status, response in old["responses"].items():
        if status not in new["responses"]:
            yield f"the status {status} is gone"
        else:
            yield from _response(pair, status, response, new["responses"][status])


def _open(operation: Json) -> bool:
    return not operation.get("security") or {} in operation["security"]


def _by_name(operation: Json) -> dict[tuple[str, str], Json]:
    return {(one["in"], one["name"]): one for one in operation["parameters"]}


def _parameters(pair: Pair, old: dict[tuple[str, str], Json], new: dict[tuple[str, str], Json]) -> Iterator[str]:
    for name, told in old.items():
        if name not in new:
            yield f"the parameter {name[1]} is gone"
        else:
            yield from _schema(pair, told["schema"], new[name]["schema"], "in", name[1])
    for name, told in new.items():
        if told.get("required") and not old.get(name, {}).get("required"):
            yield f"the parameter {name[1]} is required"


def _body(pair: Pair, old: Json | None, new: Json | None) -> Iterator[str]:
    if old is None:
        if new and new.get("required"):
            yield "a body is required"
        return
    if new is None:
        yield "it takes no body"
        return
    if new.get("required") and not old.get("required"):
        yield "the body is required"
    for media, content in old["content"].items():
        if media not in new["content"]:
            yield f"it takes no {media}"
        else:
            yield from _schema(pair, content["schema"], new["content"][media]["schema"], "in", "body")


def _response(pair: Pair, status: str, old: Json, new: Json) -> Iterator[str]:
    yield from (
        f"{status} has no header {name}" for name in sorted({*old.get("headers", ())} - {*new.get("headers", ())})
    )
    for media, content in old.get("content", {}).items():
        if media not in new.get("content", {}):
            yield f"{status} gives no {media}"
        else:
            yield from _schema(pair, content["schema"], new["content"][media]["schema"], "out", status)


# --- schemas ---------------------------------------------------------------------------------------------------------


def _schema(pair: Pair, old: Json, new: Json, way: Way, at: str, seen: frozenset[Any] = frozenset()) -> Iterator[str]:
    pairs = (old.get("$ref"), new.get("$ref"))
    if None not in pairs:
        if pairs in seen:
            return
        seen |= {pairs}
    old, new = _flat(pair.old, old), _flat(pair.new, new)
    if any(word in old or word in new for word in _UNIONS):
        yield from _union(pair, old, new, way, at, seen)
        return
    yield from _type(old, new, way, at)
    yield from _values(old, new, way, at)
    if way == "in":
        yield from _bounds(old, new, at)
    yield from _members(pair, old, new, way, at, seen)
    for word, place in (("items", "[]"), ("additionalProperties", ".*")):
        before, after = old.get(word), new.get(word)
        if isinstance(before, dict) and isinstance(after, dict):
            yield from _schema(pair, before, after, way, at + place, seen)
        elif way == "in" and before is not False and after is False:
            yield f"{at}: unknown fields are refused"


def _flat(document: Json, schema: Json) -> Json:
    """A schema with references followed, and what it must be besides (`allOf`) joined in."""
    if "$ref" in schema:
        return _flat(document, document["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    made = {word: value for word, value in schema.items() if word != "allOf"}
    for part in schema.get("allOf", ()):
        other = _flat(document, part)
        made = {
            **other, **made,
            "properties": {**other.get("properties", {}), **made.get("properties", {})},
            "required": [*other.get("required", ()), *made.get("required", ())],
        }  # fmt: skip
    return made


def _kinds(schema: Json) -> set[str]:
    kind = schema.get("type", [])
    return {kind} if isinstance(kind, str) else set(kind)


def _type(old: Json, new: Json, way: Way, at: str) -> Iterator[str]:
    before, after = _kinds(old), _kinds(new)
    narrow, wide = (after, before) if way == "in" else (before, after)
    # Without a type everything goes: a request may become that, an answer may not.
    if (narrow and not wide) or (narrow and wide - narrow):
        yield f"{at}: it was {_words(before)} and is {_words(after)}"


def _words(kinds: set[str]) -> str:
    return " or ".join(sorted(kinds)) or "anything"


def _values(old: Json, new: Json, way: Way, at: str) -> Iterator[str]:
    before, after = _enumerated(old), _enumerated(new)
    if before is not None and after is not None:
        yield from (f"{at}: {value!r} is gone" for value in before if value not in after)
    elif before is None and after is not None and way == "in":
        yield f"{at}: only some values are taken"


def _enumerated(schema: Json) -> list[Any] | None:
    return [schema["const"]] if "const" in schema else schema.get("enum")


def _bounds(old: Json, new: Json, at: str) -> Iterator[str]:
    for word in LOWER:
        if new.get(word, float("-inf")) > old.get(word, 0 if word != "minimum" else float("-inf")):
            yield f"{at}: {word} is {new[word]}"
    for word in UPPER:
        if new.get(word, float("inf")) < old.get(word, float("inf")):
            yield f"{at}: {word} is {new[word]}"
    for word in ("pattern", "format"):
        if word in new and new[word] != old.get(word):
            yield f"{at}: {word} is {new[word]}"
    yield from _exclusions(old, new, at)


def _exclusions(old: Json, new: Json, at: str) -> Iterator[str]:
    """Fields that may not stand together; what excludes only fields that are new takes nothing away."""
    if "not" in new:
        known = old.get("not", {}).get("anyOf", [old.get("not")])
        for pair in new["not"].get("anyOf", [new["not"]]):
            fields = {*pair.get("required", ())}
            if pair not in known and not (fields and fields - old.get("properties", {}).keys()):
                yield f"{at}: it may not be {pair}"


def _members(pair: Pair, old: Json, new: Json, way: Way, at: str, seen: frozenset[Any]) -> Iterator[str]:
    before, after = old.get("properties", {}), new.get("properties", {})
    for name, told in before.items():
        if name not in after:
            yield f"{at}: {name} is gone"
        else:
            yield from _schema(pair, told, after[name], way, f"{at}.{name}", seen)
    was, required = {*old.get("required", ())}, {*new.get("required", ())}
    if way == "in":
        yield from (f"{at}: {name} is required" for name in sorted(required - was))
    else:
        yield from (f"{at}: {name} may be missing" for name in sorted((was - required) & after.keys()))


def _branches(document: Json, schema: Json) -> list[Json]:
    for word in _UNIONS:
        if word in schema:
            return [leaf for branch in schema[word] for leaf in _branches(document, _flat(document, branch))]
    return [schema]


def _constant(schema: Json) -> Any:
    """What tells a branch apart: the constants of its fields."""
    fields = schema.get("properties", {})
    return {name: one for name, told in fields.items() if len(one := _enumerated(told) or []) == 1}


def _union(pair: Pair, old: Json, new: Json, way: Way, at: str, seen: frozenset[Any]) -> Iterator[str]:
    """Each branch goes on in one of the new ones: that with the same constants, or any that fits."""
    before, after = _branches(pair.old, old), _branches(pair.new, new)
    for branch in before:
        same = [other for other in after if _constant(branch) and _constant(other) == _constant(branch)]
        outcomes = [[*_schema(pair, branch, other, way, at, seen)] for other in same or after]
        if [] not in outcomes:
            named = [outcome for outcome in outcomes if same]
            yield from (
                named[0] if named else [f"{at}: a branch is gone ({_constant(branch) or _words(_kinds(branch))})"]
            )
    if (
        way == "out"
        and not any("null" in _kinds(one) for one in before)
        and any("null" in _kinds(one) for one in after)
    ):
        yield f"{at}: it may be null"


# --- releases --------------------------------------------------------------------------------------------------------

_WORDS = ("description", "summary", "example", "examples", "tags", "links", "discriminator", "title", "externalDocs")


def skeleton(document: Json) -> Json:
    """A document as it is kept for comparisons: what is promised, without words and examples."""
    kept = {"paths": document["paths"], "components": {"schemas": document["components"]["schemas"]}}
    made: Json = _without(kept)
    return {"openapi": document["openapi"], "info": {"title": document["info"]["title"]}, **made}


def _without(value: Any, names: bool = False) -> Any:
    """Without words; where keys are names (of properties, say), all of them stay."""
    if isinstance(value, list):
        return [_without(one) for one in value]
    if not isinstance(value, dict):
        return value
    named = ("properties", "schemas", "paths", "responses", "headers", "content", "const", "enum")
    return {
        key: _without(one, not names and key in named)
        for key, one in value.items()
        if names or (key not in _WORDS and (not key.startswith("x-") or key == "x-problems"))
    }
