"""The table of every ruleset is what its schema says: nothing more, nothing less, whoever looks, and whenever."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema_rs
import msgspec
import orjson
import pytest

from api.application import make
from api.rulebook import whole
from api.tables import table_schemas
from domain.events import redact
from domain.game import Game, fold
from domain.laws.play import random_game
from domain.observers import EVERYTHING, SPECTATOR, at_seat
from domain.values import Value
from tests.api import all_rulesets
from tests.api.all_rulesets import ALL, KEYS, begun
from tests.api.client import Client
from tests.document import Document
from tests.probe import PROBE

Json = dict[str, Any]
MOST_GAMES = 60
"""In so many random games all that a table can hold must be seen; as a rule the first few show it."""
FEWEST_GAMES = 5


app = all_rulesets.app


@cache
def document() -> Document:
    return Document(make(None, ALL).extensions["openapi"])


def schema_of(key: str) -> Json:
    """The schema of a table, whole in itself."""
    parts = document().whole["components"]["schemas"]
    return whole(parts[f"{key}.Table"], parts)


def closed(node: Any) -> Any:
    """A schema in which no object may have a member that it does not name."""
    if isinstance(node, list):
        return [closed(item) for item in node]
    if not isinstance(node, dict):
        return node
    made = {word: closed(value) for word, value in node.items()}
    return {**made, "additionalProperties": False} if made.get("type") == "object" else made


class Told:
    """All that a schema tells: each member, each branch (null is one), each phase; and what of it was seen."""

    def __init__(self, schema: Json) -> None:
        self.parts = schema.get("$defs", {})
        self.told: set[tuple[str, Any]] = set()
        self.seen: set[tuple[str, Any]] = set()
        self._tell(schema, "")

    def _tell(self, schema: Json, at: str) -> None:
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            if not any(where.startswith(name + "/") for where, _ in self.told):
                self._tell(self.parts[name], name)
        if at.endswith("/phase"):
            self.told |= {(at, value) for value in schema["enum"]}
        for branch in schema.get("anyOf", ()):
            self.told.add((at, _kind(branch)))
            self._tell(branch, at)
        if "items" in schema:
            self._tell(schema["items"], f"{at}[]")
        for name, inner in schema.get("properties", {}).items():
            self.told.add((f"{at}/", name))
            self._tell(inner, f"{at}/{name}")

    def see(self, schema: Json, value: Any, at: str = "") -> None:
        """Take note of what is in a value that fits."""
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            self.see(self.parts[name], value, name)
        elif "anyOf" in schema:
            branch = next(one for one in schema["anyOf"] if _is(one, value))
            self.seen.add((at, _kind(branch)))
            self.see(branch, value, at)
        elif at.endswith("/phase"):
            self.seen.add((at, value))
        elif "items" in schema:
            for item in value:
                self.see(schema["items"], item, f"{at}[]")
        elif "properties" in schema:
            for name, item in value.items():
                self.seen.add((f"{at}/", name))
                self.see(schema["properties"][name], item, f"{at}/{name}")


def _is(branch: Json, value: Any) -> bool:
    """Whether a value, which fits one branch, can be of this one: they differ in their types."""
    if "enum" in branch:
        return value in branch["enum"]
    return type(value) is _TYPES[branch.get("type", "object")]


_TYPES = {"null": type(None), "integer": int, "array": list, "object": dict, "string": str}


def _kind(schema: Json) -> str:
    return str(schema.get("$ref") or schema.get("type") or "enum")


@pytest.mark.parametrize("key", KEYS)
def test_tables_of_random_games_hold_what_is_documented_and_all_of_it(key: str):
    """Each seat looks, a spectator, and whoever may look as `all`, after every batch."""
    rules, schema = ALL.newest(key), schema_of(key)
    told, strict = Told(schema), jsonschema_rs.validator_for(closed(schema))
    for number in range(MOST_GAMES):
        folds: dict[Any, Game] = {}
        for step in random_game(ALL, key, f"tables-{number}"):
            folds = folds or {eyes: Game(id=step.before.id) for eyes in (EVERYTHING, SPECTATOR, *seats(step))}
            shown = set()
            for eyes in folds:
                folds[eyes] = game = fold(rules, folds[eyes], [redact(event, eyes) for event in step.decided.events])
                if game.table is not None:
                    seen = rules.view(game.table, eyes, game.over)
                    assert type(seen) is rules.info.table
                    shown.add((msgspec.json.encode(seen), game.over))
            for body, over in shown:
                table = orjson.loads(body)
                strict.validate(table)
                told.see(schema, table)
                assert (table.get("phase") == "over") == (over and "phase" in table)
                assert not over or table.get("turn") is None
        if number + 1 >= FEWEST_GAMES and told.told == told.seen:
            break
    assert told.told - told.seen == set()


def seats(step: Any) -> list[Any]:
    return [at_seat(seat) for seat in range(len(step.decided.game.seats))]


@pytest.mark.parametrize("key", KEYS)
def test_a_member_that_is_no_member_is_found_and_one_that_is_never_there(key: str):
    """The test above would fail: on a member too many, on one too few, and on one that it never met."""
    schema = schema_of(key)
    table = next(tables(key))
    strict, told = jsonschema_rs.validator_for(closed(schema)), Told(schema)
    assert strict.is_valid(table)
    assert not strict.is_valid({**table, "no such member": 1})
    inner = next(
        name for name, value in table.items() if value and isinstance(value, list) and isinstance(value[0], dict)
    )
    assert not strict.is_valid({**table, inner: [{**table[inner][0], "no such member": 1}]})
    for name in table:
        assert not strict.is_valid({other: table[other] for other in table if other != name})
    told.see(schema, table)
    assert told.told - told.seen, "one table shows not all"


def tables(key: str) -> Iterator[Json]:
    rules = ALL.newest(key)
    for step in random_game(ALL, key, "tables-0"):
        game = step.decided.game
        if game.table is not None:
            yield orjson.loads(msgspec.json.encode(rules.view(game.table, EVERYTHING, game.over)))


@pytest.mark.parametrize("key", KEYS)
def test_every_class_explains_each_of_its_fields(key: str):
    for name, schema in table_schemas(ALL.newest(key).info).items():
        named = set(re.findall(r"`(\w+)`", schema["description"]))
        assert schema["properties"].keys() <= named, name


@pytest.mark.parametrize("key", KEYS)
def test_a_ruleset_tells_the_schema_of_its_table_whole_in_itself(anybody: Client, key: str):
    told = anybody.get(f"/v1/rulesets/{key}").json["table"]
    assert told == schema_of(key)
    jsonschema_rs.meta.validate(told)
    assert "components" not in orjson.dumps(told).decode()
    assert document().whole["x-rulesets"][key]["table"] == {"$ref": f"#/components/schemas/{key}.Table"}


@pytest.mark.parametrize("key", KEYS)
def test_a_view_whose_table_is_wrong_is_not_what_the_document_says(anybody: Client, key: str):
    """What holds every answer of all tests against the document looks into the table, and wants that of the ruleset."""
    game, _ = begun(anybody, key)
    answer = anybody.get(f"/v1/games/{game}")
    view, path = answer.json, f"/v1/games/{game}"

    def check(table: Json) -> None:
        document().check("GET", path, 200, answer.headers, orjson.dumps({**view, "table": table}))

    check(view["table"])
    check({**view["table"], "what a later version tells": 1})
    wrong = [{other: view["table"][other] for other in view["table"] if other != name} for name in view["table"]]
    wrong += [{**view["table"], "turn": "nobody"}, *[next(tables(other)) for other in KEYS if other != key]]
    for table in wrong:
        with pytest.raises(jsonschema_rs.ValidationError):
            check(table)


@pytest.mark.parametrize("key", KEYS)
def test_a_game_that_all_have_left_is_over_and_it_is_nobodys_turn(anybody: Client, key: str):
    """The state of the ruleset stays as it was: that the game is over is not its own to know."""
    game, seated = begun(anybody, key)
    before = anybody.view(game)
    assert before["asked"]
    assert before["table"].get("phase") != "over"
    for client in seated:
        if anybody.view(game)["status"] == "playing":
            assert client.delete(f"/v1/games/{game}/seats/me").status_code == 200
    for after in (anybody.view(game), seated[0].get(f"/v1/games/{game}/replay?as=all").json):
        assert (after["status"], after["asked"], after["table"].get("turn")) == ("finished", [], None)
        assert after["table"].get("phase", "over") == "over"
    then = anybody.get(f"/v1/games/{game}/replay?at={before['version']}").json
    assert then["table"] == before["table"]


class PartView(Value, frozen=True):
    """A part, with its `number`."""

    number: int


class Part(Value, frozen=True):
    """Another part, with its `number`."""

    number: int


class TwoPartsView(Value, frozen=True):
    """A table with the parts `one` and `other`."""

    one: PartView
    other: Part


def test_two_classes_of_a_table_cannot_be_called_the_same():
    info = msgspec.structs.replace(PROBE.info, table=TwoPartsView)
    with pytest.raises(ValueError, match="two classes"):
        table_schemas(info)
