"""Law 7: finished games replay to the same result for ever, and every game has some to show."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from domain import canonical, sealing
from domain.decide import decide
from domain.events import Codec, Event
from domain.game import Game, fold
from domain.reexecute import command_of
from domain.registry import REGISTRY
from domain.ruleset import Ruleset
from tests.golden.record import FOLDER
from tests.golden.served import game_of

LOGS = sorted(FOLDER.glob("*.ndjson"))


def read(path: Path) -> tuple[Ruleset, list[bytes], list[Event]]:
    """The rules, the record bytes and the events of a golden log."""
    rules, codec, lines = _lines(path)
    records = [canonical.dumps(line["record"]) for line in lines]
    return rules, records, [codec.event(line["record"], line["open"]) for line in lines]


def _lines(path: Path) -> tuple[Ruleset, Codec, list[dict[str, Any]]]:
    lines = [canonical.loads(line) for line in path.read_bytes().splitlines()]
    created = lines[0]["record"]["data"]
    key, version = created["ruleset"], created["rules_version"]
    return REGISTRY.at(key, version), REGISTRY.codec(key, version), lines


@pytest.mark.parametrize("rules", list(REGISTRY), ids=lambda rules: rules.info.key)
def test_every_registered_game_has_golden_logs(rules: Ruleset) -> None:
    prefix = f"{rules.info.key}-v{rules.info.rules_version}-"
    assert len([path for path in LOGS if path.name.startswith(prefix)]) >= 3


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_golden_log_replays_to_the_result_that_it_recorded(path: Path) -> None:
    rules, records, events = read(path)
    game = fold(rules, Game(id=game_of(path)), events)
    last = canonical.loads(records[-1])["data"]
    assert game.status == "finished"
    assert game.result is not None
    assert canonical.loads(canonical.dumps(game.result.ranking)) == last["ranking"]
    assert rules.result(game.table) == game.result


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_golden_log_runs_again_byte_for_byte(path: Path) -> None:
    """Each record on the recorded chain; one of an older schema as the newest one would have it, and no other byte."""
    rules, codec, lines = _lines(path)
    _, records, events = read(path)
    game = Game(id=game_of(path))
    hashes = [sealing.genesis(game.id)]
    seed = events[0].server_seed.value
    while events:
        size = events[0].left + 1
        batch, events = events[:size], events[size:]
        decided = decide(rules, game, command_of(rules, game, batch), batch[0].at)
        assert list(decided.events) == batch
        for event in decided.events:
            recorded = records[event.v - 1]
            newest = codec.newest(lines[event.v - 1]["record"])
            (made,) = sealing.seal(game.id, seed, [event], hashes)
            assert made.record == (recorded if newest is lines[event.v - 1]["record"] else canonical.dumps(newest))
            hashes.append(sealing.hash_of(recorded))
        game = decided.game
    assert game.version == len(records)


def test_of_the_golden_logs_only_their_first_record_may_be_of_an_older_schema() -> None:
    """Or comparing them would not be what it seems."""
    older = Counter[str]()
    for path in LOGS:
        _, codec, lines = _lines(path)
        older.update(line["record"]["type"] for line in lines if codec.newest(line["record"]) is not line["record"])
    assert set(older) == {"game_created"}


def test_there_are_games_whose_seeds_were_all_revealed_and_games_that_began_without_one() -> None:
    began = Counter[str]()
    for path in LOGS:
        for event in read(path)[2]:
            if event.type == "game_started" and "-committed-" in path.name:
                began[event.by] += 1
    assert set(began) == {"rules", "clock"}
    assert sum(began.values()) == sum("-committed-" in path.name for path in LOGS)
