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

Pair = tuple[str, str]
"""Two faces of a tile in alphabetical order, whichever is seen."""

PAIR_OF: dict[tuple[str, str], Pair] = {
    (one, other): (min(one, other), max(one, other)) for one, other in FACES.values()
}
"""The pair that two faces make."""

PAIRS = tuple(sorted(set(PAIR_OF.values())))
"""The 36 pairs of different characters."""

PAIRS_WITH = {face: tuple([pair for pair in PAIRS if face in pair]) for face in CHARACTERS}
"""The 8 pairs of each character."""


def turned(tile: str) -> str:
    """`tile` with its other face seen."""
    seen, back = FACES[tile]
    return f"{back}/{seen}"
