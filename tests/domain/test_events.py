"""Events, what of them is sealed, and their way to records and back."""

import re
from typing import Any

import msgspec
import pytest

from domain import canonical, sealing
from domain.errors import Corrupt
from domain.events import Codec, Event, Open, Record, Seal, data_of, layout, redact, redact_line, seals_of
from domain.laws.play import random_game
from domain.lifecycle import SHARED
from domain.observers import EVERYTHING, SPECTATOR, Observer, at_seat
from domain.registry import Registry
from tests.domain.tables import CODEC, SEED, lines, sealed
from tests.probe import PROBE

REGISTRY = Registry([PROBE])


@pytest.fixture(scope="module")
def log() -> list[Event]:
    """A whole game of three seats with everything in it."""
    events: list[Event] = []
    for number in range(100):
        events = [event for step in random_game(REGISTRY, "probe", f"log-{number}") for event in step.decided.events]
        types = {event.type for event in events}
        if {"cargo_challenged", "card_swapped", "card_slipped", "cards_laid", "hand_shown"} <= types:
            break
    return events


def test_an_event_read_back_from_bytes_and_fully_opened_is_the_event(log: list[Event]) -> None:
    game = "G"
    for event, (record, secrets) in zip(log, lines(game, log), strict=True):
        assert CODEC.event(record, secrets) == event


@pytest.mark.parametrize("observer", [SPECTATOR, at_seat(0), at_seat(1), at_seat(3), EVERYTHING])
def test_redacting_an_event_and_redacting_its_line_are_the_same(log: list[Event], observer: Observer) -> None:
    for event, (record, secrets) in zip(log, lines("G", log), strict=True):
        line = redact_line(record, secrets, observer)
        assert CODEC.event(line["record"], line["open"]) == redact(event, observer)


def test_a_record_is_the_same_for_every_observer(log: list[Event]) -> None:
    for record, secrets in lines("G", log):
        assert redact_line(record, secrets, SPECTATOR)["record"] == record


def test_a_spectator_opens_nothing(log: list[Event]) -> None:
    assert all(redact_line(r, s, SPECTATOR)["open"] == {} for r, s in lines("G", log))


def test_everything_is_opened_for_a_finished_game(log: list[Event]) -> None:
    assert all(redact(event, EVERYTHING) is event for event in log)


class Whispered(Event, frozen=True, kw_only=True):
    """Something sealed to two seats, something sealed to nobody, and something public."""

    word: Seal[str]
    omen: Seal[tuple[int, ...]]
    loud: int


WHISPER = Whispered(seat=1, v=1, word=Seal((0, 1), "owl"), omen=Seal((), (3, 4)), loud=7)


def test_an_event_tells_its_public_fields_from_its_sealed_ones() -> None:
    assert (layout(Whispered).public, layout(Whispered).sealed) == (("loud",), ("word", "omen"))
    assert data_of(WHISPER) == {"loud": 7}
    assert set(seals_of(WHISPER)) == {"word", "omen"}


@pytest.mark.parametrize(("seat", "word"), [(0, "owl"), (1, "owl"), (2, None), (None, None)])
def test_only_the_seats_named_may_open_a_seal(seat: int | None, word: str | None) -> None:
    seen = redact(WHISPER, Observer(seat=seat))
    assert seen == msgspec.structs.replace(WHISPER, word=Seal((0, 1), word), omen=Seal(()))


def test_an_event_with_nothing_to_hide_is_not_copied() -> None:
    seen = redact(WHISPER, SPECTATOR)
    assert redact(seen, SPECTATOR) is seen


def test_the_type_of_an_event_is_its_name_in_snake_case() -> None:
    assert Whispered.type == "whispered"
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", cls.type) for cls in (*SHARED, *PROBE.info.events))


@pytest.mark.parametrize(
    "hint", [Seal[str] | None, tuple[Seal[str], ...], dict[str, Seal[int]], tuple[Seal[tuple[str, ...]], int]]
)
def test_a_seal_inside_another_type_is_refused(hint: Any) -> None:
    # It once counted as public, so that the value stood in the body for all to read.
    leaky = msgspec.defstruct("Leaky", [("hidden", hint)], bases=(Event,), frozen=True, kw_only=True)
    with pytest.raises(TypeError, match="hidden"):
        Codec([leaky])


def test_an_unknown_type_of_event_is_corrupt() -> None:
    record, secrets = lines("G", [WHISPER])[0]
    with pytest.raises(Corrupt, match="whispered"):
        CODEC.event(record, secrets)


@pytest.mark.parametrize("change", [{"loud": "7"}, {}, {"loud": None}])
def test_a_record_of_the_wrong_shape_is_corrupt(change: dict[str, Any]) -> None:
    record, secrets = lines("G", [WHISPER])[0]
    with pytest.raises(Corrupt, match="version 1"):
        Codec([Whispered]).event(record | {"data": change}, secrets)


def test_a_record_without_one_of_its_seals_is_corrupt() -> None:
    record, secrets = lines("G", [WHISPER])[0]
    with pytest.raises(Corrupt):
        Codec([Whispered]).event(record | {"seals": {"omen": record["seals"]["omen"]}}, secrets)


def test_two_event_classes_of_one_name_are_refused() -> None:
    twin = msgspec.defstruct("Whispered", [("loud", int)], bases=(Event,), frozen=True, kw_only=True)
    with pytest.raises(Corrupt, match="whispered"):
        Codec([Whispered, twin])
    Codec([Whispered, Whispered])


def test_an_opened_value_reads_back_as_it_was() -> None:
    opener = Whispered(
        v=2,
        word=Seal((), "x"),
        omen=Seal((), ()),
        loud=1,
        opens=(Open(1, "omen", (3, 4)), Open(1, "word", "owl")),
    )
    record, secrets = lines("G", [WHISPER, opener])[1]
    assert Codec([Whispered]).event(record, secrets) == opener


# --- older schemas ------------------------------------------------------------------------------------------


class Renamed(Event, frozen=True, kw_only=True):
    """Its third schema: 1 had `n`, 2 had `count`, 3 has `count` and `unit`."""

    sv = 3
    upcasts = {
        1: lambda data: {"count": data["n"]},
        2: lambda data: {**data, "unit": "card"},
    }
    count: int
    unit: str


def _record(sv: int, data: dict[str, Any]) -> Record:
    head = canonical.loads(sealing.seal("G", SEED, [Renamed(v=1, count=0, unit="")], [sealing.genesis("G")])[0].record)
    return head | {"sv": sv, "data": data}


@pytest.mark.parametrize(
    ("sv", "data", "unit"),
    [(1, {"n": 4}, "card"), (2, {"count": 4}, "card"), (3, {"count": 4, "unit": "tile"}, "tile")],
)
def test_older_schemas_are_read_through_every_upcaster_from_theirs_on(sv: int, data: dict[str, Any], unit: str) -> None:
    assert Codec([Renamed]).event(_record(sv, data), {}) == Renamed(v=1, count=4, unit=unit)


def test_a_gap_among_the_upcasters_is_refused_when_the_codec_is_made() -> None:
    class Gapped(Event, frozen=True, kw_only=True):
        sv = 3
        upcasts = {1: lambda data: data}

    with pytest.raises(Corrupt, match=r"gapped.*\[2\]"):
        Codec([Gapped])


def test_a_schema_newer_than_the_software_is_corrupt() -> None:
    # It was once read as if it were the newest known one.
    with pytest.raises(Corrupt, match="newer"):
        Codec([Renamed]).event(_record(4, {"count": 4, "unit": "tile"}), {})


def test_a_record_says_its_own_schema_version() -> None:
    assert canonical.loads(sealed("G", [Renamed(v=1, count=0, unit="")])[0].record)["sv"] == 3
