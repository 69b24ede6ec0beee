"""What one application holds: the store, and everything that is derived from its rulesets once, at the start."""

from dataclasses import dataclass
from typing import cast

from flask import current_app

from api.rulebook import Rulebook
from eventstore.store import Store

_NAME = "captains-table"


@dataclass(frozen=True, slots=True)
class State:
    """The store that an application answers from, and the rulebook of its registry."""

    store: Store | None
    rulebook: Rulebook


def attach(extensions: dict[str, object], state: State) -> None:
    """Give an application its state."""
    extensions[_NAME] = state


def state() -> State:
    """The state of the application that answers the present request."""
    return cast(State, current_app.extensions[_NAME])


def store() -> Store:
    """The store of the application that answers the present request."""
    return cast(Store, state().store)
