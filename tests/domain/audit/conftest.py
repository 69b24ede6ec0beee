"""The log that one thing is made wrong in."""

import pytest

from tests.domain.audit.logs import CLAIM, game
from tests.mutations.draft import Draft


@pytest.fixture
def draft() -> Draft:
    made = Draft(game().served())
    assert made.entries[CLAIM - 1].record["type"] == "cards_claimed"
    return made
