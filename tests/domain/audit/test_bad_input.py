"""Whatever is given as a log: a verdict, or `Unreadable`; never another exception, never much time or memory."""

import gzip
import re
import resource
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import canonical
from domain.audit import MOST_BYTES, Unreadable, Verdict, audit
from domain.observers import EVERYTHING, SPECTATOR, Observer, at_seat
from tests.domain.audit.logs import Made, forged, started
from tests.keys import SIGNER
from tests.mutations.draft import Draft
from tests.mutations.sources import source

KEYS = [SIGNER.public]
GAMES = ["bluff_king", "captains_orders", "captain_bluff", "captain_flip"]


def split(data: bytes) -> list[bytes]:
    """The lines of a file, as reading it gives them."""
    return re.findall(rb"[^\n]*\n|[^\n]+", data)


def told(lines: list[bytes]) -> Verdict | str:
    """The verdict, as JSON too; or why there is none."""
    try:
        verdict = audit(lines, keys=KEYS)
    except Unreadable as unreadable:
        return str(unreadable)
    assert canonical.loads(canonical.dumps(verdict.as_json()))["verdict"] == verdict.verdict
    return verdict


def unsound(lines: list[bytes]) -> Verdict:
    verdict = told(lines)
    assert isinstance(verdict, Verdict)
    assert verdict.verdict == "unsound"
    return verdict


@pytest.fixture(scope="module")
def log() -> bytes:
    return b"".join(_log())


@pytest.fixture(autouse=True)
def bounded() -> Iterator[None]:
    """No test here may take long, or much more memory than was there."""
    before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    yield
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400_000, "KiB"
    assert time.process_time() - began < 30


# --- files ---------------------------------------------------------------------------------------------------------


def test_cut_at_every_line_end(log: bytes) -> None:
    lines = split(log)
    assert told(lines[:0]) == "The file is empty."
    for count in range(1, len(lines)):
        verdict = unsound(lines[:count])
        assert {f.rule for f in verdict.findings} & {"trailer", "batch", "record"}
        assert verdict.version == count - 1


def test_cut_within_every_line(log: bytes) -> None:
    lines = split(log)
    for number, line in enumerate(lines):
        for at in (1, len(line) // 2, len(line) - 1):
            if number == 0 and at < len(line) - 1:
                assert isinstance(told([line[:at]]), str)
            else:
                assert [f.rule for f in unsound([*lines[:number], line[:at]]).findings if f.rule == "json"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"\n\n\n",
        bytes(range(256)) * 100,
        b"\0" * 100_000,
        b"Not a log.\n",
        b"{}\n",
        b"[]\n",
        b"null\n",
        b'{"format":1}\n',
        b'{"format":1,"game":5}\n',
        b'{"format":1,"game":["G"]}\n',
        b'{"format":2,"game":"G"}\n',
        b'{"format":1.0,"game":"G"}\n',
        b'{"format":true,"game":"G"}\n',
        b'{"format":"1","game":"G"}\n',
        b'{"format":1,"game":"\xff"}\n',
        b'{"format":1,"game":"\\ud800"}\n',
        b'{"format":1,"game":"G","version":1%b}\n' % (b"0" * 30),
        b'{"format":1,"game":"G","version":' + b"[" * 1000 + b"]" * 1000 + b"}\n",
        b'{"format":1,"game":"G","version":' + b"[" * 10**6 + b"]" * 10**6 + b"}\n",
    ],
)
def test_what_is_no_log(data: bytes) -> None:
    assert isinstance(told(split(data)), str) or unsound(split(data)).version == 0


def test_a_zipped_log_is_none(log: bytes) -> None:
    assert isinstance(told(split(gzip.compress(log))), str)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b'"format":1', b'"format":2', 1),
        lambda data: data.replace(b'"ruleset":"bluff_king"', b'"ruleset":"bluff_queen"'),
        lambda data: data.replace(b'"rules_version":1', b'"rules_version":99'),
    ],
)
def test_a_log_that_cannot_be_audited(log: bytes, change: Callable[[bytes], bytes]) -> None:
    assert change(log) != log
    assert isinstance(told(split(change(log))), str)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data + data,
        lambda data: data + b"\n",
        lambda data: data[: data.rindex(b"\n", 0, -1) + 1] * 2,
        lambda data: data.replace(b'"sv":1', b'"sv":NaN'),
        lambda data: data.replace(b'"sv":1', b'"sv":1e400'),
        lambda data: data.replace(b'"sv":1', b'"sv":1.0'),
        lambda data: data.replace(b'"sv":1', b'"sv":1' + b"0" * 30),
        lambda data: data.replace(b'"sv":1', b'"sv":9007199254740993'),
        lambda data: data.replace(b'"sv":1', b'"sv":1,"sv":1'),
        lambda data: data.replace(b'"by":"player"', b'"by":"\xff"'),
        lambda data: data.replace(b'"open":{}', b'"open":' + b"[" * 1000 + b"]" * 1000),
        lambda data: data.replace(b'"open":{}', b'"open":' + b'{"a":' * 500 + b"1" + b"}" * 500),
        lambda data: data.replace(b'{"complete":true', b'{"a":' + b"[" * 1000 + b"]" * 1000 + b',"complete":true'),
        lambda data: data.replace(b'{"complete":true', b'{"a":1e30,"complete":true'),
        lambda data: data.replace(b'{"complete":true', b'{"a":1' + b"0" * 25 + b',"complete":true'),
        lambda data: data.replace(b'{"complete":true', b'{"\xc3\xa4":1,"complete":true'),
        lambda data: data.replace(b'"complete":true', b'"complete":[[[{}]]]'),
        lambda data: data.replace(b'"observer":{"all":true}', b'"observer":{"seat":1000000000}'),
        lambda data: data.replace(b'"observer":{"all":true}', b'"observer":[[[[1.5]]]]'),
    ],
)
def test_a_file_that_something_was_done_to(log: bytes, change: Callable[[bytes], bytes]) -> None:
    assert change(log) != log
    unsound(split(change(log)))


def test_a_line_that_is_too_long(log: bytes) -> None:
    lines = split(log)
    long = b" " * (MOST_BYTES + 1)
    for number in range(1, len(lines)):
        if number in (1, 5, len(lines) - 1):
            changed = lines[number][:-2] + long + b"}\n"
            finding = unsound([*lines[:number], changed, *lines[number + 1 :]]).findings[0]
            assert (finding.rule, finding.field, finding.found) == ("json", "line", len(changed))
    assert told([lines[0][:-1] + long + b"\n", *lines[1:]]) == "The first line is too long for the header of a log."


def test_many_lines_of_nothing(log: bytes) -> None:
    lines = split(log)
    verdict = unsound([*lines[:4], *[b'{"record":}\n'] * 50_000])
    assert verdict.more > 49_000
    assert unsound([*lines, *lines[1:] * 100]).more > 1000


# --- values --------------------------------------------------------------------------------------------------------

HUGE: list[Any] = [10**9, 2**53 - 1, -1, -(2**53 - 1), "", "x" * 100_000, [], {}, None, True, [[[[]]]], ["A"] * 10_000]


def leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a JSON value: what holds it, and under which key."""
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from leaves(value[key])


@pytest.mark.slow
@pytest.mark.parametrize("observer", [EVERYTHING, at_seat(1)], ids=lambda who: who.tag)
@pytest.mark.parametrize("key", GAMES)
def test_huge_and_strange_values_everywhere(key: str, observer: Observer) -> None:
    # One place of each kind of event and each kind of value, sealed and chained anew: it comes as far as the rules.
    lines = source(key, "anything", 150).lines
    seen = set()
    draft = Draft(lines)
    for number, entry in enumerate(draft.entries):
        for part in ("data", "open"):
            holder = entry.record["data"] if part == "data" else entry.open
            for place, (_, name) in enumerate(leaves(holder)):
                kind = (entry.record["type"], part, name if isinstance(name, str) else "")
                if kind in seen:
                    continue
                seen.add(kind)
                changed(Draft(lines), number, part, place, HUGE[len(seen) % len(HUGE)], observer)
    assert len(seen) > 20


def changed(draft: Draft, number: int, part: str, place: int, value: Any, observer: Observer) -> None:
    entry = draft.entries[number]
    holder, name = list(leaves(entry.record["data"] if part == "data" else entry.open))[place]
    same = holder[name] == value and type(holder[name]) is type(value)
    holder[name] = value
    try:
        lines = forged(draft, observer)
    except (AttributeError, KeyError, TypeError, ValueError):
        # The server seed, or a secret, is no longer there to seal with: then as it stands.
        lines = draft.lines()
    verdict = told(lines)
    assert same or part == "open" or isinstance(verdict, str) or verdict.version


# --- anything ------------------------------------------------------------------------------------------------------

anything = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=6,
)


@given(st.lists(st.binary(max_size=200), max_size=5), st.booleans(), st.integers(0, 40))
def test_any_bytes(data: list[bytes], after: bool, count: int) -> None:
    lines = _log()[:count] if after else []
    assert told([*lines, *[one + b"\n" for one in data]])
    assert told([*lines, *data])


@given(anything, anything, st.integers(0, 60), st.booleans())
def test_any_json_in_place_of_a_line(record: Any, opened: Any, number: int, whole: bool) -> None:
    lines = list(_log())
    made = b'{"record":%b,"open":%b}\n' % (canonical.dumps(record), canonical.dumps(opened))
    lines[number % len(lines)] = canonical.dumps(record) + b"\n" if whole else made
    assert told(lines)


@given(st.data())
def test_any_json_in_place_of_a_part_of_a_record(data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(GAMES))
    draft = Draft(source(key, "anything", 150).lines)
    entry = draft.entries[data.draw(st.integers(0, len(draft.entries) - 1))]
    places = [*leaves(entry.record), *leaves(entry.open)]
    holder, name = places[data.draw(st.integers(0, len(places) - 1))]
    holder[name] = data.draw(anything)
    observer = data.draw(st.sampled_from([EVERYTHING, SPECTATOR, at_seat(0)]))
    try:
        assert told(forged(draft, observer))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        assert told(draft.lines())


@given(anything, st.sampled_from(["format", "game", "head", "observer", "status", "version", "ruleset", "x"]))
def test_any_json_in_the_header(value: Any, name: str) -> None:
    draft = Draft(_log())
    draft.header[name] = value
    assert told(draft.lines())


@given(anything, st.sampled_from(["complete", "count", "head", "signed", "x"]), st.booleans())
def test_any_json_in_the_trailer(value: Any, name: str, deeper: bool) -> None:
    draft = Draft(_log())
    assert draft.trailer is not None
    if deeper:
        draft.trailer["signed"][name if name in ("head", "x") else "at"] = value
    else:
        draft.trailer[name] = value
    assert told(draft.lines())


def _log() -> list[bytes]:
    return source("bluff_king", "anything", 40).lines


def test_a_running_game_with_a_claim_of_a_billion_cards() -> None:
    table: Made = started(4)
    draft = Draft(table.plays().served())
    draft.entries[-1].record["data"]["count"] = 10**9
    dealt = next(e for e in draft.entries if e.record["type"] == "hand_dealt")
    dealt.record["data"]["count"] = 10**9
    told(forged(draft, SPECTATOR, upto=len(draft.entries)))
