"""The laws that every game must hold, as functions that any ruleset runs: also a third party's.

`check_games(registry, key, games=200, seed="...")` plays random games and checks laws 1 to 6 at every batch end;
law 7 (golden logs) lives with the tests, since it needs files.
"""

from domain.laws.harness import LawBroken, Report, check_game, check_games

__all__ = ["LawBroken", "Report", "check_game", "check_games"]
