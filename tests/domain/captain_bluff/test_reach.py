"""Random games get far enough for the laws to mean something."""

from collections import Counter

import pytest

from domain.captain_bluff import CAPTAIN_BLUFF
from domain.captain_bluff.events import AirportPlayed, OriginPeeked
from domain.laws.play import random_game
from domain.registry import Registry


@pytest.mark.slow
def test_random_games_reach_every_event_every_airport_card_and_both_ends() -> None:
    seen: Counter[str] = Counter()
    for number in range(60):
        for step in random_game(Registry([CAPTAIN_BLUFF]), "captain_bluff", f"reach-{number}"):
            for event in step.decided.events:
                seen[event.type] += 1
                if isinstance(event, AirportPlayed):
                    seen[event.card] += 1
                if isinstance(event, OriginPeeked) and event.end_turn is None:
                    seen["shown"] += 1
            if step.decided.game.result is not None:
                seen[step.decided.game.result.reason] += 1
    assert {event.type for event in CAPTAIN_BLUFF.info.events} <= set(seen)
    assert min(seen[card] for card in ("AROUND_THE_WORLD", "REVERSE", "NOTICE_BOARD", "DELAYED_FLIGHT", "shown")) >= 5
    assert min(seen["emptied"], seen["turn_limit"]) >= 10
    assert min(seen["draw_pile_renewed"], seen["challenged"], seen["bags_recovered"]) >= 3
