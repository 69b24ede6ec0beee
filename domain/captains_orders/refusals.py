"""What only this game refuses."""

from domain.refusals import Refusal, Refusals

_UNDER_ORDER = {"order": "string", "cards": "string[]"}

REFUSALS: Refusals = {
    "follow_too_low": Refusal(
        "That card does not follow the Order",
        "Follow with one of `cards`, those of your hand that rank high enough under `order`.",
        _UNDER_ORDER,
    ),
    "belay_too_high": Refusal(
        "That card does not belay the Order",
        "Belay with one of `cards`, those of your hand that rank low enough under `order`.",
        _UNDER_ORDER,
    ),
    "target_oneself": Refusal("You named yourself", "Name another seat, one of `seats`.", {"seats": "integer[]"}),
}
