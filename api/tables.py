"""The schemas of what a ruleset's views are made of: one component for each class."""

from typing import Any

import msgspec

from domain.ruleset import RulesetInfo

JsonSchema = dict[str, Any]

_COMPONENT = "#/components/schemas/"
_SUFFIX = "View"


def table_schemas(info: RulesetInfo) -> dict[str, JsonSchema]:
    """The components of a ruleset's tables by name: `<ruleset>.Table` first, then those of the classes in it.

    Each is called as its class is, without a `View` at the end; `ValueError` where two would be called the same.
    """
    (table,), parts = msgspec.json.schema_components([info.table], ref_template=_COMPONENT + "{name}")
    root = table["$ref"].removeprefix(_COMPONENT)
    names = {part: f"{info.key}.{'Table' if part == root else part.removesuffix(_SUFFIX)}" for part in parts}
    if len(set(names.values())) < len(names):
        raise ValueError(f"two classes of {info.key}'s table have one name: {sorted(names.values())}")
    order = sorted(parts, key=lambda part: part != root)
    return {names[part]: _own(parts[part], names) for part in order}


def _own(node: Any, names: dict[str, str]) -> Any:
    """A schema that refers to components by these names; without titles, which would be those of classes."""
    if isinstance(node, list):
        return [_own(item, names) for item in node]
    if not isinstance(node, dict):
        return node
    made = {word: _own(value, names) for word, value in node.items()}
    if isinstance(made.get("$ref"), str):
        made["$ref"] = _COMPONENT + names[made["$ref"].removeprefix(_COMPONENT)]
    if isinstance(made.get("title"), str):
        del made["title"]
    return made
