"""What only this game refuses."""

from domain.refusals import Refusal, Refusals

_BELTS = {"belts": "integer[]"}
_ONE_OF = "Choose one of `belts`; if there is none, nothing of the kind can be done now."
_MOST = {"most": "integer"}
_FEWEST = {"min": "integer"}
_BETWEEN = {"min": "integer", "max": "integer"}
_ORDER = {"at_least": "integer?", "at_most": "integer?"}

REFUSALS: Refusals = {
    # --- the turn
    "no_turn_yet": Refusal(
        "There is no turn to keep open yet", "Send `end_turn` as this problem has it.", {"end_turn": "boolean"}
    ),
    "action_done": Refusal("You have had your action", "What is left of your turn is in `left`.", {"left": "string[]"}),
    "action_missing": Refusal("You have had no action yet", "Take at least `min` before you end the turn.", _FEWEST),
    "airport_already_played": Refusal(
        "You have played your Airport card", "At most `most` may be played in a turn.", _MOST
    ),
    # --- belts
    "unknown_belt": Refusal("There is no such belt", "Choose from `min` to `max`.", _BETWEEN),
    "no_origin": Refusal("No origin card lies above that belt", _ONE_OF, _BELTS),
    "origin_defined": Refusal("That belt has its origin card already", "Choose one of `free`.", {"free": "integer[]"}),
    "no_bags": Refusal("No bag lies on that belt", _ONE_OF, _BELTS),
    "belt_in_question": Refusal(
        "Bags were just placed there, and may be challenged", "Wait until all have answered.", {"belt": "integer"}
    ),
    "nothing_to_recover": Refusal("That belt has no bag to take back", _ONE_OF, _BELTS),
    "wrong_number_of_bags": Refusal(
        "So many bags cannot be taken back", "Take `min` to `max` from the end of the belt.", _BETWEEN
    ),
    "wrong_number_of_belts": Refusal(
        "So many belts cannot be looked at", "Name exactly `exactly`.", {"exactly": "integer"}
    ),
    "belt_named_twice": Refusal("A belt is named twice", "Name each belt once."),
    # --- the cards of a placement
    "no_cards": Refusal("No card was named", "Name at least `min` cards.", _FEWEST),
    "not_a_bag": Refusal(
        "That card is no bag",
        "Place bags only; the card in `declare` may stand for one, with a number within its bounds.",
        {"card": "string", "declare": "object"},
    ),
    "two_airport_cards": Refusal("More than one card stands for a bag", "At most `most` may.", _MOST),
    "bag_needed": Refusal(
        "Nothing but a card that stands for a bag",
        "Place at least one bag with it, or play it alone by the move in `alone`.",
        {"alone": "string"},
    ),
    "number_out_of_range": Refusal("No bag has that number", "Choose from `min` to `max`.", _BETWEEN),
    "mixed_cities": Refusal(
        "The bags are of several cities", "Place bags of one city; you named those in `cities`.", {"cities": "string[]"}
    ),
    "wrong_city": Refusal("The belt carries another city", "Place bags of `city`.", {"city": "string"}),
    "city_already_open": Refusal(
        "Another belt carries that city", "Place them on `belt`.", {"city": "string", "belt": "integer"}
    ),
    "run_not_closed": Refusal(
        "The bags are no run", "Each number is `step` beside the one before, all in one direction.", {"step": "integer"}
    ),
    "number_out_of_order": Refusal(
        "The run does not go on from the belt",
        "Begin at `at_least` or above, or at `at_most` or below; if both are null, nothing goes on there.",
        _ORDER,
    ),
    "wrong_direction": Refusal(
        "The belt runs the other way",
        "Begin at `at_least` or above, or at `at_most` or below; if both are null, nothing goes on there.",
        _ORDER,
    ),
}
