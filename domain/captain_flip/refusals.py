"""What only this game refuses."""

from domain.refusals import Refusal, Refusals

_COLUMNS = {"columns": "integer[]"}
_NEIGHBOURS = {"neighbours": "integer[][]"}

REFUSALS: Refusals = {
    "already_flipped": Refusal(
        "The tile is flipped already", "Place it in one of `columns`: a drawn tile is flipped once.", _COLUMNS
    ),
    "no_such_column": Refusal("The board has no such column", "Choose one of `columns`.", _COLUMNS),
    "column_full": Refusal("That column is full", "Choose one of `columns`.", _COLUMNS),
    "cost_unpaid": Refusal(
        "You cannot pay for that column",
        "It takes `cost` coins and you have `coins`: choose one of `columns`.",
        {"cost": "integer", "coins": "integer", **_COLUMNS},
    ),
    "no_tile_there": Refusal(
        "No tile lies on that space", "Choose one of `neighbours`, each a column and a row.", _NEIGHBOURS
    ),
    "not_a_neighbour": Refusal(
        "That tile is not beside the monkey", "Choose one of `neighbours`, each a column and a row.", _NEIGHBOURS
    ),
}
