"""Each line of the scripts is needed: without it some test of the contract fails (on fakeredis)."""

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from eventstore.scripts import Script, Scripts, scripts
from tests.eventstore import server, test_append, test_owed
from tests.eventstore.conftest import fake_client
from tests.eventstore.world import World

Case = Callable[[World], None]

# Changes that no caller can see, each with the reason.
HARMLESS = {
    ("if #page < 2 * most or #found >= 2 * most then break end", ""): "it only saves reading on",
    ("if ARGV[7] ~= '' or ARGV[8] ~= '' then", "if true then"): "it only saves reading the mark",
}


def mutants(source: str) -> Iterator[tuple[str, str]]:
    """Give a description and the text of each script with one thing missing."""
    lines = source.split("\n")
    for number, line in enumerate(lines):
        statement = line.split(" -- ")[0].strip()
        if not statement or statement.startswith(("--", "#!")):
            continue
        opens = re.fullmatch(r"(if|for|local function) .*(then|do|\))", statement)
        if opens:
            kind = opens.group(1)
            instead = {"if": ["if false then", "if true then"], "for": ["for _ = 1, 0 do"]}.get(kind, [])
        elif statement in ("end", "else"):
            instead = []
        else:
            instead = [""]
        for other in instead:
            if (statement, other) in HARMLESS:
                continue
            text = "\n".join([*lines[:number], other, *lines[number + 1 :]])
            yield f"line {number + 1}: {statement!r} -> {other!r}", text


def cases(module: Any) -> list[Case]:
    """Give all tests of a module that need a world and nothing else, parameters filled in."""
    found: list[Case] = []
    for name, test in vars(module).items():
        names = set(inspect.signature(test).parameters) if name.startswith("test_") else set()
        if "world" not in names:
            continue
        filled: list[dict[str, Any]] = [{}]
        for mark in getattr(test, "pytestmark", ()):
            if mark.name == "parametrize":
                keys, values = mark.args
                rows = [{keys: v} if isinstance(keys, str) else dict(zip(keys, v, strict=True)) for v in values]
                filled = [a | b for a, b in product(filled, rows)]
        found += [lambda world, t=test, f=fields: t(world=world, **f) for fields in filled]
    return found


def fails(case: Case, lua: Scripts) -> bool:
    client = fake_client()
    try:
        case(World(client, lua))
    except (Exception, pytest.fail.Exception):
        return True
    finally:
        client.close()
    return False


def survivors(name: str, module: Any, part: slice) -> list[str]:
    whole = scripts().without_shebang()
    order = cases(module)
    assert not any(fails(case, whole) for case in order)
    alive = []
    for description, text in list(mutants(getattr(whole, name).source))[part]:
        lua = replace(whole, **{name: Script.of(text)})
        killer = next((case for case in order if fails(case, lua)), None)
        if killer is None:
            alive.append(description)
        else:  # what found this one may well find the next
            order.remove(killer)
            order.insert(0, killer)
    return alive


SCRIPTS = [("append", test_append), ("claim", test_owed), ("complete", test_owed)]


@pytest.mark.long
@pytest.mark.parametrize(("name", "module"), SCRIPTS)
def test_with_any_line_of_a_script_removed_some_test_fails(name, module, monkeypatch) -> None:
    monkeypatch.setattr(server, "PATIENCE_S", 0.3)
    assert survivors(name, module, slice(None)) == []


@pytest.mark.parametrize(("name", "module"), SCRIPTS[:1])
def test_with_one_line_in_twelve_removed_some_test_fails(name, module, monkeypatch) -> None:
    monkeypatch.setattr(server, "PATIENCE_S", 0.3)
    assert survivors(name, module, slice(3, None, 12)) == []
