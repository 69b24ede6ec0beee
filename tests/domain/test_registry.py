"""The registry: collisions are found when it is made."""

from typing import Annotated, Any

import msgspec
import pytest
from msgspec import Meta
from msgspec.structs import replace

from domain.errors import Corrupt, Refused
from domain.events import Event
from domain.moves import Move
from domain.refusals import Refusal
from domain.registry import REGISTRY, Registry
from tests.probe import PROBE, Probe


def variant(**changes: Any) -> Probe:
    """The probe, declaring other things of itself."""
    rules = Probe()
    rules.info = replace(rules.info, **changes)
    return rules


def move(name: str, **fields: Any) -> type[Move]:
    """A move class of this name."""
    return msgspec.defstruct(name, list(fields.items()), bases=(Move,), frozen=True)


def test_a_ruleset_is_found_by_its_key_and_version() -> None:
    registry = Registry([PROBE])
    assert registry.newest("probe") is registry.at("probe", 1) is PROBE
    assert list(registry) == [PROBE]


def test_an_unknown_ruleset_is_refused_with_those_there_are() -> None:
    with pytest.raises(Refused) as refused:
        Registry([PROBE]).newest("poker")
    assert (refused.value.code, refused.value.facts) == ("unknown_ruleset", {"rulesets": ["probe"]})


@pytest.mark.parametrize("order", [1, -1])
def test_new_games_are_played_by_the_newest_rules_and_old_ones_by_theirs(order: int) -> None:
    second = variant(rules_version=2)
    registry = Registry([PROBE, second][::order])
    assert registry.newest("probe") is second
    assert registry.at("probe", 1) is PROBE
    assert list(registry) == [second]


def test_the_same_version_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        Registry([PROBE, variant()])


def test_moves_of_one_name_and_different_shape_are_refused() -> None:
    other = variant(key="other", moves=(move("Fetch", count=int),))
    with pytest.raises(ValueError, match="fetch"):
        Registry([PROBE, other])


def test_moves_of_one_name_and_other_bounds_are_refused() -> None:
    one = variant(key="one", moves=(move("Bid", height=Annotated[int, Meta(ge=1)]),))
    two = variant(key="two", moves=(move("Bid", height=Annotated[int, Meta(ge=2)]),))
    with pytest.raises(ValueError, match="bid"):
        Registry([one, two])


def test_moves_of_one_name_and_the_same_shape_may_be_shared() -> None:
    shape = {"height": Annotated[int, Meta(ge=1)]}
    one, two = (variant(key=key, moves=(move("Bid", **shape),)) for key in ("one", "two"))
    assert set(Registry([one, two]).moves) == {"bid"}


def test_events_of_one_name_in_a_game_are_refused() -> None:
    twin = msgspec.defstruct("TurnEnded", [("next", int)], bases=(Event,), frozen=True, kw_only=True)
    with pytest.raises(Corrupt, match="turn_ended"):
        Registry([variant(events=(*PROBE.info.events, twin))])


def test_an_event_named_like_a_shared_one_is_refused() -> None:
    twin = msgspec.defstruct("VoteCast", [("vote", str)], bases=(Event,), frozen=True, kw_only=True)
    with pytest.raises(Corrupt, match="vote_cast"):
        Registry([variant(events=(twin,))])


def test_two_games_may_have_events_of_one_name() -> None:
    twin = msgspec.defstruct("TurnEnded", [("next", str)], bases=(Event,), frozen=True, kw_only=True)
    registry = Registry([PROBE, variant(key="other", events=(twin,))])
    assert registry.codec("other", 1).classes["turn_ended"] is twin
    assert registry.codec("probe", 1).classes["turn_ended"] is not twin


def test_the_games_of_this_server_go_together() -> None:
    assert Registry([*REGISTRY, PROBE])


def test_every_game_has_the_bot_that_stands_in_for_a_player() -> None:
    assert all("standard" in rules.info.bots for rules in REGISTRY)


def test_the_events_of_a_game_are_the_shared_ones_and_its_own() -> None:
    events = Registry([PROBE]).events("probe")
    assert events[-len(PROBE.info.events) :] == PROBE.info.events
    assert len({event.type for event in events}) == len(events)


def test_two_games_may_share_a_refusal_only_if_it_means_the_same():
    one, other = Refusal("No card", "Name one.", {"min": "integer"}), Refusal("No card", "Name two.")
    first = variant(refusals={"no_card": one})
    assert Registry([first, variant(key="other", refusals={"no_card": one})]).refusals == {"no_card": one}
    with pytest.raises(ValueError, match="two different refusals are called no_card"):
        Registry([first, variant(key="other", refusals={"no_card": other})])
