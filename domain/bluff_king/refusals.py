"""What only this game refuses."""

from domain.refusals import Refusal, Refusals

REFUSALS: Refusals = {
    "no_cards": Refusal("No card was named", "Name at least `min` cards.", {"min": "integer"}),
    "unknown_rank": Refusal("There is no such rank", "Claim one of `ranks`.", {"ranks": "string[]"}),
}
