"""What a position of Captain Flip is worth to one seat, in coins: what the better bot thinks with.

Everything here follows from one seat's fold. A back that nobody has seen is one of the faces that the tiles still
unseen allow; a column's bonus counts by how likely it is to be reached before the round ends.
"""

from domain.captain_flip.boards import COLUMNS, Bonus, Space
from domain.captain_flip.redeal import unseen
from domain.captain_flip.scoring import SWABBIES, TOO_MANY_GUNNERS, final, lost
from domain.captain_flip.state import State
from domain.captain_flip.tiles import CHARACTERS, PAIR_OF

Faces = tuple[tuple[str, ...], ...]
"""The visible faces of a board: by column, from the bottom up."""
Odds = dict[str, float]

EXTRA_TILE = 3.0
"""What a parrot's second tile brings on average."""
RUIN = -60.0
_REACH = 0.85
"""The chance to fill one more space of a column that one wants to fill."""
_SWABBY_LUCK, _NAVIGATOR_LUCK = 0.12, 0.1
"""How many more of them a turn brings."""


class Judge:
    """One seat's eyes on its fold: `board` are the faces as they lie, `turns` how many turns it may still have."""

    def __init__(self, fold: State, seat: int) -> None:
        self.fold = fold
        self.seat = seat
        self.spaces = fold.board
        self.coins = fold.captains[seat].purse.coins
        self.board: Faces = tuple([tuple([tile.face for tile in tiles]) for tiles in fold.captains[seat].columns])
        rivals = [other for other in range(len(fold.captains)) if other != seat]
        self.covered = {column for other in rivals for column in fold.full(other)}
        # An index into the turn order would be exact; the nearest end is near enough.
        self.turns = 0 if fold.triggered is not None else min(self._missing(s) for s in (seat, *rivals))
        self.rival = max((final(fold, other) for other in rivals if not lost(fold, other)), default=0)
        self._unseen = unseen(fold)

    def _missing(self, seat: int) -> int:
        """How many tiles `seat` lacks to complete its four nearest columns."""
        columns = self.fold.captains[seat].columns
        gaps = [space.height - len(tiles) for space, tiles in zip(self.spaces, columns, strict=True)]
        return sum(sorted(gaps)[:4])

    # --- chances --------------------------------------------------------------------------------------------------

    def odds(self, face: str, back: str | None) -> Odds:
        """How likely each face is to be the back of a tile that shows `face`."""
        if back is not None:
            return {back: 1.0}
        left = {other: self._unseen[PAIR_OF[face, other]] for other in CHARACTERS if other != face}
        total = sum(left.values())
        return {other: count / total for other, count in left.items() if count} if total else {}

    # --- what a move brings ---------------------------------------------------------------------------------------

    def best_place(self, face: str) -> tuple[float, int]:
        """The most that a tile showing `face` can bring, and in which column."""
        return max((self.placed(face, column), -column) for column in self.fold.legal_columns(self.seat))

    def placed(self, face: str, column: int) -> float:
        """What the seat has after placing `face` in `column`, all told."""
        space = self.spaces[column]
        tiles = (*self.board[column], face)
        board = (*self.board[:column], tiles, *self.board[column + 1 :])
        gain = -space.cost + 0.0
        if len(tiles) == space.height and space.bonus is not None:
            gain += self._bonus(board, column, space.bonus)
        return self.revealed(board, (column, space.low + len(tiles) - 1), gain, deep=True)

    def flipped(self, space: Space) -> float:
        """What the seat has, on average, after its monkey turned the tile at `space`."""
        return self._turned(self.board, space, 0.0)

    def revealed(self, board: Faces, space: Space, gain: float, deep: bool) -> float:
        """What the seat has once the face at `space` has taken effect; a monkey looks one flip ahead if `deep`."""
        column, row = space
        face = board[column][row - self.spaces[column].low]
        if face == "monkey":
            # What is only thought to lie there has the neighbours that lie there already.
            beside = self.fold.neighbours(self.seat, space) if deep else ()
            if beside:
                return max(self._turned(board, side, gain + 1) for side in beside)
            return self.worth(board, gain + (1.0 if deep else 2.0))
        return self.worth(board, gain + self._effect(board, row, face))

    def _turned(self, board: Faces, space: Space, gain: float) -> float:
        column, row = space
        place = row - self.spaces[column].low
        lying = self.fold.tile(self.seat, space)
        total = 0.0
        tiles = board[column]
        for face, chance in self.odds(tiles[place], lying.back if lying is not None else None).items():
            turned = (*tiles[:place], face, *tiles[place + 1 :])
            after = (*board[:column], turned, *board[column + 1 :])
            total += chance * self.revealed(after, space, gain, deep=False)
        return total

    def _effect(self, board: Faces, row: int, face: str) -> float:
        match face:
            case "gunner":
                return 5.0
            case "cook":
                return float(sum(1 for c in COLUMNS if 0 <= row - self.spaces[c].low < len(board[c])))
            case "navigator":
                return 2.0 * sum(tiles.count("cartographer") for tiles in board)
            case "cartographer":
                return self._map()
            case "parrot":
                return EXTRA_TILE if self.fold.left else 0.0
        return 0.0

    def _map(self) -> float:
        """The Map gives a coin now and for some turns more; from a rival it is worth another one."""
        if self.fold.map == self.seat:
            return 0.0
        return 1.0 + 0.5 * min(self.turns, 4) + (0.7 if self.fold.map is not None else 0.0)

    def _bonus(self, board: Faces, column: int, bonus: Bonus) -> float:
        match bonus.kind:
            case "map":
                return self._map()
            case "race":
                return float(bonus.later if column in self.covered else bonus.first)
            case "per_column":
                full = sum(len(board[c]) == self.spaces[c].height for c in COLUMNS)
                return float(bonus.first * max(full, 1))
            case "per_character":
                return float(bonus.first * len(set(board[column])))
            case "coins":
                return float(bonus.first)
        return 0.0

    # --- what a board is worth ------------------------------------------------------------------------------------

    def worth(self, board: Faces, gain: float) -> float:
        """Coins, what the faces promise for the end, and what the columns still may bring."""
        total = self.coins + gain
        for column, tiles in enumerate(board):
            total += self._column(board, column, tiles)
        total += self._swabbies(board) + self._gunners(board)
        total += _NAVIGATOR_LUCK * min(self.turns, 6) * 2 * sum(tiles.count("cartographer") for tiles in board)
        if sum(len(board[c]) == self.spaces[c].height for c in COLUMNS) >= 4 and self.fold.triggered is None:
            # Ending the game is good for who leads.
            total += max(-4.0, min(4.0, 0.5 * (total - self.rival)))
        return total

    def _column(self, board: Faces, column: int, tiles: tuple[str, ...]) -> float:
        space = self.spaces[column]
        gap = space.height - len(tiles)
        total = 0.0
        for place, face in enumerate(tiles):
            if face == "parrot":
                total -= 1.0
            elif face == "lookout" and place == len(tiles) - 1:
                total += 4.0 if not gap or not self.turns else 1.8
            elif face == "carpenter" and self._no_gunner(board, column, space.low + place):
                total += 3.0 if not self.turns else 2.6
        if space.bonus is not None and (gap or space.bonus.kind in ("identical", "different")):
            total += self._promise(board, column, space.bonus, gap)
        return total

    def _promise(self, board: Faces, column: int, bonus: Bonus, gap: int) -> float:
        """What a column's bonus is worth while `gap` spaces are empty."""
        if gap > self.turns:
            return 0.0
        kinds, count = len(set(board[column])), len(board[column])
        if bonus.kind == "identical":
            return bonus.first * 0.2**gap if kinds <= 1 else 0.0
        if bonus.kind == "different":
            return bonus.first * 0.75**gap if kinds == count else 0.0
        reward = self._bonus(board, column, bonus)
        if bonus.kind == "per_column":
            reward += 2.0
        elif bonus.kind == "per_character":
            reward += 0.8 * gap
        return reward * float(_REACH**gap)

    def _no_gunner(self, board: Faces, column: int, row: int) -> bool:
        if "gunner" in board[column]:
            return False
        for c in COLUMNS:
            place = row - self.spaces[c].low
            if 0 <= place < len(board[c]) and board[c][place] == "gunner":
                return False
        return True

    def _swabbies(self, board: Faces) -> float:
        columns = sum("swabby" in tiles for tiles in board)
        more = min(_SWABBY_LUCK * self.turns, 5.0 - columns)
        return SWABBIES[columns] + more * (2 * columns + 1)

    def _gunners(self, board: Faces) -> float:
        count = sum(tiles.count("gunner") for tiles in board)
        if count >= TOO_MANY_GUNNERS:
            return RUIN
        # With two of them a flip may ruin everything; the more turns are left, the more it costs not to flip.
        return -0.3 * self.turns if count == TOO_MANY_GUNNERS - 1 else 0.0
