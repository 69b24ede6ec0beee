"""What one application holds: the store, and everything that is derived from its rulesets once, at the start."""

from dataclasses import dataclass
from typing import cast

from flask import Flask, current_app

from api.metrics import LOCAL, Readers
from api.readiness import Readiness
from api.rulebook import Rulebook
from domain.signing import Keys, Signer
from eventstore.following import Following
from eventstore.store import Store

_NAME = "captains-table"


@dataclass(frozen=True, slots=True)
class State:
    """The store that an application answers from, what is followed of it, its rulebook, its keys, and how it is."""

    store: Store | None
    rulebook: Rulebook
    following: Following | None = None
    keys: Keys | None = None
    readiness: Readiness | None = None
    readers: Readers = LOCAL

    def live(self) -> Following:
        """What is followed here: every application that answers has it."""
        return cast(Following, self.following)

    def health(self) -> Readiness:
        """Whether this process can serve: every application that answers knows."""
        return cast(Readiness, self.readiness)

    def signing_keys(self) -> Keys:
        """The keys of this server: every application that answers has them."""
        return cast(Keys, self.keys)

    def signer(self) -> Signer:
        """What signs receipts and logs."""
        return self.signing_keys().signer


def attach(extensions: dict[str, object], state: State) -> None:
    """Give an application its state."""
    extensions[_NAME] = state


def of(app: Flask) -> State:
    """The state of an application."""
    return cast(State, app.extensions[_NAME])


def state() -> State:
    """The state of the application that answers the present request."""
    return of(current_app)


def store() -> Store:
    """The store of the application that answers the present request."""
    return cast(Store, state().store)
