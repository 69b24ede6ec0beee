"""The games of the vectors: short, and chosen so that every draw and every way to seal something is in them."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

from domain.captain_bluff.moves import Close, Define, Peek, PlaceBags, PlayDelayedFlight
from domain.captains_orders.moves import Accuse
from domain.commands import Command, Create, Fault, GiveSeed, Leave, Play, Sit, Start
from domain.decide import decide
from domain.decisions import Asked
from domain.entropy import Rng, Stream, pick
from domain.events import Event
from domain.forms import Form
from domain.game import Game
from domain.laws.play import choose_from
from domain.moves import Challenge, Move, Pass
from domain.registry import REGISTRY
from domain.values import Value

START = 1_790_000_000_000

Choose = Callable[[tuple[Form, ...], Rng], Move]


def hexes(text: str) -> str:
    """64 hex digits that are the same in each run."""
    return hashlib.sha256(text.encode()).hexdigest()


class Played(Value, frozen=True):
    """A game that was played: its id, its server seed, its events and where its batches end."""

    id: str
    seed: str
    ruleset: str
    events: tuple[Event, ...]
    batches: tuple[int, ...]


class Player:
    """Plays a game by commands, then by chosen moves."""

    def __init__(self, key: str, game: str) -> None:
        self.rules = REGISTRY.newest(key)
        self.game = Game(id=game)
        self.seed = hexes(f"server seed of {game}")
        self.events: list[Event] = []
        self.batches: list[int] = []
        self.now = START

    def do(self, *commands: Command) -> "Player":
        for command in commands:
            decided = decide(self.rules, self.game, command, self.now)
            self.game = decided.game
            self.events += decided.events
            self.batches.append(len(self.events))
            self.now += 777
        return self

    def create(self, seats: int, **options: Any) -> "Player":
        return self.do(Create(self.rules.info.key, options, seats, "ANNE", self.seed))

    def play(self, choose: Choose, rng: Rng, most: int = 400) -> "Player":
        """Required decisions are answered until the game is over, or so many batches were made."""
        for _ in range(most):
            required = [asked for asked in self.game.asked if asked.decision.required]
            if not required:
                break
            self.answer(pick(rng, required), choose, rng)
        return self

    def answer(self, asked: Asked, choose: Choose, rng: Rng) -> None:
        seat = asked.decision.seat
        by: Literal["player", "bot"] = "bot" if self.game.seats[seat].controller == "bot" else "player"
        move = choose(self.rules.forms(self.game.table, asked.decision), rng)
        self.do(Play(seat, asked.id, move, by))

    def played(self) -> Played:
        return Played(self.game.id, self.seed, self.rules.info.key, tuple(self.events), tuple(self.batches))


def stream(label: str) -> Stream:
    return Stream(b"\x07" * 32, label)


def anything(forms: tuple[Form, ...], rng: Rng) -> Move:
    """Any legal move, a challenge now and then."""
    return choose_from(forms, rng)


def first_found(make: Callable[[int], Player], wanted: Callable[[Player], bool]) -> Played:
    """The first of many games that shows what is wanted."""
    for number in range(2000):
        player = make(number)
        if wanted(player):
            return player.played()
    raise AssertionError("no such game")


def types_of(player: Player) -> list[str]:
    return [event.type for event in player.events]


def _lobby(player: Player, seats: int) -> Player:
    """Players with and without seeds; one leaves and another one takes that seat; one gives its seed twice."""
    game = player.game.id
    player.do(Sit("BEN", 1, hexes(f"{game} BEN")), Leave("BEN"), Sit("CLEO", 1))
    player.do(GiveSeed("ANNE", hexes(f"{game} ANNE 1")), GiveSeed("ANNE", hexes(f"{game} ANNE 2")))
    for seat in range(2, seats):
        seed = hexes(f"{game} seat {seat}") if seat % 2 else None
        player.do(Sit(f"P{seat}", seat, seed))
    return player.do(Start("ANNE"))


def bluff_king() -> Played:
    """Three seats, answers one by one: a challenge, a pile taken, the turn limit."""

    def make(number: int) -> Player:
        player = Player("bluff_king", "01VECTORBLUFFKING000000001").create(3, max_turns=2)
        return _lobby(player, 3).play(anything, stream(f"king {number}"))

    return first_found(make, lambda p: "challenged" in types_of(p) and "passed" in types_of(p))


def bluff_king_votes() -> Played:
    """Five seats, two decks, vote windows: one closes without a challenge, another with one."""

    def make(number: int) -> Player:
        player = Player("bluff_king", "01VECTORBLUFFKING000000002").create(5, max_turns=2, adding="after_no_challenge")
        return _lobby(player, 5).play(anything, stream(f"votes {number}"))

    def wanted(player: Player) -> bool:
        types = types_of(player)
        return types.count("vote_closed") > 1 and "challenged" in types

    return first_found(make, wanted)


def captains_orders() -> Played:
    """Four seats, three rounds; cards passed, given, followed with and discarded."""

    def choose(forms: tuple[Form, ...], rng: Rng) -> Move:
        rare = tuple([form for form in forms if form.move is not Accuse])
        return choose_from(rare if rare and rng.randrange(5) else forms, rng)

    def make(number: int) -> Player:
        player = Player("captains_orders", "01VECTORCAPTAINSORDERS0001").create(4, max_turns=10, wins_needed=3)
        return _lobby(player, 4).play(choose, stream(f"orders {number}"))

    def wanted(player: Player) -> bool:
        types = types_of(player)
        seals = {"card_passed", "card_given", "order_followed", "card_discarded", "order_belayed"}
        return types.count("round_started") >= 3 and seals <= set(types)

    return first_found(make, wanted)


def captain_bluff() -> Played:
    """Five seats, belts closed as soon as may be, until the draw pile is renewed."""

    def choose(forms: tuple[Form, ...], rng: Rng) -> Move:
        by_move = {form.move: form for form in forms}
        for move in (PlayDelayedFlight, Close, Define, PlaceBags, Pass):
            if move in by_move and rng.randrange(12):
                return by_move[move].sample(rng)
        forms = tuple([form for form in forms if form.move not in (Challenge, Peek)]) or forms
        return choose_from(forms, rng)

    def make(number: int) -> Player:
        player = Player("captain_bluff", "01VECTORCAPTAINBLUFF000001").create(5, max_turns=40)
        return _lobby(player, 5).play(choose, stream(f"bluff {number}"), 600)

    def wanted(player: Player) -> bool:
        types = types_of(player)
        return "draw_pile_renewed" in types and types[-1] == "game_ended" and len(types) < 260

    return first_found(make, wanted)


def captain_flip() -> Played:
    """Two seats, a whole game."""
    player = Player("captain_flip", "01VECTORCAPTAINFLIP0000001").create(2, board="D")
    return _lobby(player, 2).play(anything, stream("flip")).played()


def resigned() -> Played:
    """Two seats; one resigns right after the deal, which ends the game."""
    player = Player("captain_flip", "01VECTORRESIGNED0000000001").create(2)
    return _lobby(player, 2).play(anything, stream("resigned"), 2).do(Leave("CLEO")).played()


def aborted() -> Played:
    """Everybody leaves the lobby: nothing is ever drawn, and the seed is opened."""
    player = Player("captain_bluff", "01VECTORABORTED00000000001").create(2)
    return player.do(Sit("BEN", None, hexes("BEN")), Leave("BEN"), Leave("ANNE")).played()


def faulted() -> Played:
    """Frozen by an error: no record opens the seed, but all may see it then."""
    player = Player("captains_orders", "01VECTORFAULTED00000000001").create(4)
    return _lobby(player, 4).do(Fault("AssertionError")).played()


def lobby() -> Played:
    """A lobby: nothing is opened yet."""
    return Player("captains_orders", "01VECTORLOBBY0000000000001").create(4).do(Sit("BEN", None, hexes("BEN"))).played()


def everything() -> Iterator[tuple[str, Played]]:
    makers: Sequence[Callable[[], Played]] = (
        bluff_king,
        bluff_king_votes,
        captains_orders,
        captain_bluff,
        captain_flip,
        resigned,
        aborted,
        faulted,
        lobby,
    )
    for make in makers:
        yield make.__name__, make()
