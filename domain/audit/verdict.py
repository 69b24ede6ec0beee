"""What an audit says: the verdict, what was found wrong and where, and how far the log is good."""

from typing import Any, Literal

from msgspec import to_builtins

from domain import canonical
from domain.values import Value

Name = Literal["sound", "sound_unsigned", "unsound"]

MOST_FINDINGS = 50
"""How many findings are told one by one; the rest is counted."""
MOST_TOLD = 1000
"""How long a value is that a finding tells, in bytes."""


class Unreadable(Exception):
    """What was given is not a log that this software can audit; the text says why."""


class Finding(Value, frozen=True):
    """One thing that is wrong: at which version (None: of the file as a whole), in which field, by which rule.

    Rules: `json`, `canonical` (bytes), `record` (shape), `version`, `chain`, `batch`, `time`, `seal` (digest), `salt`,
    `open` (what is opened, or is not), `event` (not one of the ruleset), `rules` (the rules make something else of the
    recorded move), `refused` (the rules do not accept it), `clock`, `credit`, `header`, `trailer`, `signature`,
    `receipt`.
    """

    version: int | None
    rule: str
    field: str
    expected: Any = None
    found: Any = None

    def short(self) -> "Finding":
        """The finding with values that have a canonical form and are not long, whatever stood in a line."""
        told = Finding(self.version, self.rule, self.field[:MOST_TOLD], _told(self.expected), _told(self.found))
        return self if told == self else told


def _told(value: Any) -> Any:
    """A value as a finding tells it: as a text, cut short, if it is long or has no canonical form."""
    try:
        canonical.check(value)
        if len(canonical.dumps(value)) <= MOST_TOLD:
            return value
        text = value if isinstance(value, str) else str(value)
    except (TypeError, ValueError):
        text = ascii(value)
    except RecursionError:
        text = f"a {type(value).__name__} that is nested too deeply"
    return text if len(text) <= MOST_TOLD else text[:MOST_TOLD] + "…"


class Checked(Value, frozen=True):
    """How much was checked: records in the chain, seals opened and still closed, salts and moves derived again."""

    records: int = 0
    seals: int = 0
    sealed: int = 0
    salts: int = 0
    moves: int = 0


class Verdict(Value, frozen=True):
    """The outcome of an audit.

    `good` is the version up to which, at a batch end, nothing was found wrong. `complete` says that everything was open
    and every recorded move was run again; of a log with closed seals only the rest could be checked. `key` is the id of
    the known key that signed the head, `at` the time of its record in ms. `more` counts findings beyond those listed.
    """

    verdict: Name
    game: str
    ruleset: str
    rules_version: int
    status: str
    observer: dict[str, Any]
    version: int
    head: str
    at: int
    good: int
    complete: bool
    key: str | None
    checked: Checked
    findings: tuple[Finding, ...] = ()
    more: int = 0

    def as_json(self) -> dict[str, Any]:
        """The verdict as JSON values, canonical ones whatever stood in the log."""
        made: dict[str, Any] = to_builtins(self)
        return made
