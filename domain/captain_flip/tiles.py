"""The 72 tiles. Rules: captain_flip, Tiles."""

CHARACTERS = (
    "cartographer",
    "monkey",
    "parrot",
    "navigator",
    "gunner",
    "cook",
    "lookout",
    "carpenter",
    "swabby",
)

TILES = tuple(f"{front}/{back}" for front in CHARACTERS for back in CHARACTERS if front != back)
"""All tiles in the order before shuffling. In the bag a tile is written with the face that will be seen first."""

FACES = {tile: (tile.partition("/")[0], tile.partition("/")[2]) for tile in TILES}
"""The seen face and the back of a tile as it lies in the bag."""

COPIES = 2
"""How many tiles there are of each pair of characters: they differ in nothing once they can be turned."""

PAIRS = tuple(sorted({(min(pair), max(pair)) for pair in FACES.values()}))
"""The 36 pairs of different characters, each pair in alphabetical order."""


def turned(tile: str) -> str:
    """`tile` with its other face seen."""
    seen, back = FACES[tile]
    return f"{back}/{seen}"


def pair_of(one: str, other: str) -> tuple[str, str]:
    """Two faces of a tile, whichever is seen."""
    return (one, other) if one < other else (other, one)
