"""The deck of Bluff King. Rules: bluff_king, Cards."""

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("S", "H", "D", "C")
JOKER = "JOKER"

ONE_DECK = (*(rank + suit for suit in SUITS for rank in RANKS), JOKER, JOKER)
"""One deck in the order before shuffling: spades A to K, hearts, diamonds, clubs, two Jokers."""

CARDS = tuple(dict.fromkeys(ONE_DECK))
"""The 53 different cards."""

RANK_OF = {card: card[:-1] for card in CARDS if card != JOKER}
"""The rank of each card but the Joker, which has none of its own."""


def deck(decks: int) -> tuple[str, ...]:
    """All cards of a game with so many decks, in the order before shuffling."""
    return ONE_DECK * decks


def fits(card: str, rank: str) -> bool:
    """Whether `card` makes a claim of `rank` true: it is of that rank, or a Joker."""
    return card == JOKER or RANK_OF[card] == rank
