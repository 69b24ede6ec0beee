"""Full tables that fit what a seat knows, and the laws that no tile and no coin comes from nowhere.

Nobody knows more than the others: every face that was ever seen was seen by all.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from domain.captain_flip.boards import Bonus
from domain.captain_flip.state import Captain, State, Tile
from domain.captain_flip.tiles import COPIES, FACES, PAIR_OF, PAIRS, PAIRS_WITH, Pair
from domain.entropy import Rng, pick, shuffled
from domain.errors import Corrupt


def tiles_out(state: State) -> Iterator[Tile]:
    """Every tile out of the bag: seat by seat, column by column, from the bottom up, and the drawn one."""
    for captain in state.captains:
        for tiles in captain.columns:
            yield from tiles
    if state.drawn is not None:
        yield state.drawn


def unseen(state: State) -> dict[Pair, int]:
    """How many tiles of each pair there are less those of which both faces are known."""
    left = dict.fromkeys(PAIRS, COPIES)
    for tile in tiles_out(state):
        if tile.back is not None:
            left[PAIR_OF[tile.face, tile.back]] -= 1
    return left


class Dealer:
    """Finds backs for the tiles of which only one face is known, so that no pair is used too often.

    At random, one tile after the other; where a tile finds all its pairs used up, another one gives way.
    """

    def __init__(self, faces: list[str], left: dict[Pair, int], rng: Rng) -> None:
        self._faces = faces
        self._left = left
        self._rng = rng
        self._users: dict[Pair, list[int]] = {pair: [] for pair in PAIRS}

    def backs(self) -> list[str]:
        """A back for each tile, in the order of the faces."""
        for number in shuffled(self._rng, range(len(self._faces))):
            if not self._give(number, set()):
                raise Corrupt("the fold knows tiles that do not exist")
        found = {number: pair for pair, users in self._users.items() for number in users}
        return [pair[0] if pair[1] == face else pair[1] for face, pair in _in_order(self._faces, found)]

    def rest(self) -> list[Pair]:
        """The pairs that nobody uses: they are in the bag."""
        return [pair for pair in PAIRS for _ in range(self._left[pair] - len(self._users[pair]))]

    def _give(self, number: int, tried: set[Pair]) -> bool:
        """Give tile `number` a pair; `tried` are the pairs that no tile can be made to give up."""
        face = self._faces[number]
        pairs = PAIRS_WITH[face]
        free = [pair for pair in pairs for _ in range(self._left[pair] - len(self._users[pair]))]
        if free:
            # A pair of which two are left is twice as likely.
            self._users[pick(self._rng, free)].append(number)
            return True
        for pair in shuffled(self._rng, pairs):
            if pair in tried:
                continue
            tried.add(pair)
            for place, user in enumerate(tuple(self._users[pair])):
                if self._give(user, tried):
                    self._users[pair][place] = number
                    return True
        return False


def _in_order(faces: list[str], found: dict[int, Pair]) -> Iterator[tuple[str, Pair]]:
    for number, face in enumerate(faces):
        yield face, found[number]


def redeal(fold: State, rng: Rng) -> State:
    """`fold` with every unknown back and the order of the bag filled in at random."""
    dealer = Dealer([tile.face for tile in tiles_out(fold) if tile.back is None], unseen(fold), rng)
    backs = iter(dealer.backs())

    def whole(tile: Tile) -> Tile:
        return tile if tile.back is not None else Tile(tile.face, next(backs), tile.v)

    captains = tuple(
        [replace(c, columns=tuple([tuple([whole(t) for t in tiles]) for tiles in c.columns])) for c in fold.captains]
    )
    drawn = None if fold.drawn is None else whole(fold.drawn)
    bag = fold.bag
    if bag is None:
        sides = [pair if rng.randrange(2) else pair[::-1] for pair in dealer.rest()]
        bag = shuffled(rng, [f"{seen}/{back}" for seen, back in sides])
    return replace(fold, captains=captains, drawn=drawn, bag=bag)


def check(state: State) -> None:
    """Raise `Corrupt` unless a full table holds each pair of characters twice and every coin has a source."""
    left = unseen(state)
    for tile in state.bag or ():
        left[PAIR_OF[FACES[tile]]] -= 1
    if any(left.values()) or any(tile.back is None for tile in tiles_out(state)):
        raise Corrupt("tiles appeared or vanished")
    if state.left != len(state.bag or ()):
        raise Corrupt("the bag holds another number of tiles than it says")
    for seat, captain in enumerate(state.captains):
        _check_coins(state, seat, captain)


def _check_coins(state: State, seat: int, captain: Captain) -> None:
    """Each kind of income must be one that this board can have brought."""
    purse = captain.purse
    cost = sum(column.cost * len(tiles) for column, tiles in zip(state.board, captain.columns, strict=True))
    waiting = state.bonuses if seat == state.turn else ()
    taken = [state.board[column].bonus for column in state.full(seat) if column not in waiting]
    bounds = [_bounds(bonus) for bonus in taken if bonus is not None]
    sound = (
        purse.gunner % 5 == 0
        and purse.navigator % 2 == 0
        and 0 <= purse.map <= state.turns + 1
        and purse.paid == cost
        and sum(low for low, _ in bounds) <= purse.bonus <= sum(high for _, high in bounds)
        and purse.scored == sum(line.count for line in captain.lines or ())
        and purse.coins >= 0
    )
    if not sound:
        raise Corrupt(f"coins of seat {seat} have no source")


def _bounds(bonus: Bonus) -> tuple[int, int]:
    """The fewest and the most coins that an immediate bonus brings."""
    match bonus.kind:
        case "race":
            return min(bonus.first, bonus.later), max(bonus.first, bonus.later)
        case "per_column" | "per_character":
            return bonus.first, 5 * bonus.first
        case "coins":
            return bonus.first, bonus.first
    return 0, 0
