"""Law 7: finished games replay to the same result for ever, and every game has some to show."""

from pathlib import Path

import pytest

from domain import canonical, sealing
from domain.decide import decide
from domain.events import Codec, Event
from domain.game import Game, fold
from domain.reexecute import command_of
from domain.registry import REGISTRY
from domain.ruleset import Ruleset
from tests.golden.record import FOLDER

LOGS = sorted(FOLDER.glob("*.ndjson"))


def read(path: Path) -> tuple[Ruleset, list[bytes], list[Event]]:
    """The rules, the record bytes and the events of a golden log."""
    lines = [canonical.loads(line) for line in path.read_bytes().splitlines()]
    created = lines[0]["record"]["data"]
    key, version = created["ruleset"], created["rules_version"]
    codec: Codec = REGISTRY.codec(key, version)
    events = [codec.event(line["record"], line["open"]) for line in lines]
    return REGISTRY.at(key, version), [canonical.dumps(line["record"]) for line in lines], events


@pytest.mark.parametrize("rules", list(REGISTRY), ids=lambda rules: rules.info.key)
def test_every_registered_game_has_golden_logs(rules: Ruleset) -> None:
    prefix = f"{rules.info.key}-v{rules.info.rules_version}-"
    assert len([path for path in LOGS if path.name.startswith(prefix)]) >= 3


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_golden_log_replays_to_the_result_that_it_recorded(path: Path) -> None:
    rules, records, events = read(path)
    game = fold(rules, Game(id=_game(path, events)), events)
    last = canonical.loads(records[-1])["data"]
    assert game.status == "finished"
    assert game.result is not None
    assert canonical.loads(canonical.dumps(game.result.ranking)) == last["ranking"]
    assert rules.result(game.table) == game.result


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_golden_log_runs_again_byte_for_byte(path: Path) -> None:
    rules, records, events = read(path)
    game = Game(id=_game(path, events))
    hashes = [sealing.genesis(game.id)]
    seed = events[0].server_seed.value  # type: ignore[attr-defined]
    while events:
        size = events[0].left + 1
        batch, events = events[:size], events[size:]
        decided = decide(rules, game, command_of(rules, game, batch), batch[0].at)
        sealed = sealing.seal(game.id, seed, decided.events, hashes)
        assert [one.record for one in sealed] == records[:size]
        records = records[size:]
        hashes += [one.hash for one in sealed]
        game = decided.game


def _game(path: Path, events: list[Event]) -> str:
    """The game id, which the first record's `prev` is the hash of."""
    _, kind, number = path.stem.rsplit("-", 2)
    key = path.stem.split("-", 1)[0]
    return f"golden-{key}-{number}" if kind == "bots" else f"law-golden-{number}"
