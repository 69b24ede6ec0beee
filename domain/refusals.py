"""What a ruleset says of the refusals that are its own: for documentation and for people, pure data.

Codes that every game shares (`card_not_held`, `illegal_move` ...) are explained once, by the API.
"""

from collections.abc import Mapping

from domain.values import Value

Facts = Mapping[str, str]
"""Facts by name: `integer`, `string`, `boolean`, `object`; `[]` after it is a list of such, `?` or null."""


class Refusal(Value, frozen=True):
    """One code: a short `title`, `advice` on what to do instead, and the facts that come with it."""

    title: str
    advice: str
    facts: Facts = {}


Refusals = Mapping[str, Refusal]
