"""Laws 1 to 6, checked at every batch end of randomly played games."""

import hashlib
from collections.abc import Iterator
from typing import Any

from domain import canonical, entropy, sealing
from domain.decide import decide
from domain.errors import Corrupt, Refused
from domain.events import Event, redact, redact_line
from domain.game import Game, fold, forms
from domain.laws.knowledge import difference, names_in
from domain.laws.offers import check_offers
from domain.laws.play import Step, random_game
from domain.laws.secrecy import check_secrecy
from domain.laws.verdict import LawBroken, require
from domain.observers import EVERYTHING, SPECTATOR, Observer, at_seat
from domain.reexecute import command_of
from domain.registry import Registry
from domain.ruleset import Ruleset
from domain.values import Value

__all__ = ["LawBroken", "Report", "check_game", "check_games"]


class Report(Value, frozen=True):
    """What a run of the laws has seen: games, batches, events, the longest game, largest forms in bytes."""

    games: int = 0
    batches: int = 0
    events: int = 0
    longest: int = 0
    largest_forms: int = 0


class _Run:
    """One game under the laws: the full fold's log, and every observer's own fold of what it may read."""

    def __init__(self, registry: Registry, key: str, seed: str) -> None:
        self.rules: Ruleset = registry.newest(key)
        self.codec = registry.codec(key, self.rules.info.rules_version)
        self.rng = entropy.Stream(hashlib.sha256(seed.encode()).digest(), "secrecy")
        self.hashes: list[str] = []
        self.log: list[tuple[bytes, bytes]] = []
        self.folds: dict[Observer, Game] = {}
        self.seed: str = ""
        self.largest_forms = 0

    def step(self, step: Step) -> None:
        before, after, events = step.before, step.decided.game, step.decided.events
        if not self.hashes:
            self._begin(before.id, after)
        sealed = sealing.seal(after.id, self.seed, events, self.hashes)
        lines = [(canonical.loads(s.record), canonical.loads(s.secrets or b"{}")) for s in sealed]
        self._reads_back(lines, events)
        self._runs_again(step, [s.record for s in sealed])
        fitting: list[Game] = []
        for observer, before_it in list(self.folds.items()):
            known = self.folds[observer] = self._observed(observer, before_it, lines, events)
            if known not in fitting:
                where = difference(known, after)
                require(1, where is None, f"the fold of {observer.tag} differs at {where}, version {after.version}")
                # Where all know the same, one comparison does for all.
                fitting.append(known)
            self._law_offered(observer, known, after)
        if after.revealing:
            require(6, bool(after.asked), f"no seed is asked for, and the game does not start, version {after.version}")
        if after.table is not None:
            self._law_bounds(after)
            self._law_offers(after)
            check_secrecy(self.rules, self.folds, after, self.rng)
        self.hashes += [s.hash for s in sealed]
        self.log += [(s.record, s.secrets) for s in sealed]

    def _begin(self, game: str, created: Game) -> None:
        self.seed = created.seed or ""
        self.hashes = [sealing.genesis(game)]
        observers = [SPECTATOR, *map(at_seat, range(len(created.seats)))]
        self.folds = {observer: Game(id=game) for observer in observers}

    def _reads_back(self, lines: list[tuple[Any, Any]], events: tuple[Event, ...]) -> None:
        for (record, secrets), event in zip(lines, events, strict=True):
            canonical.check(record)
            line = redact_line(record, secrets, EVERYTHING)
            require(4, self.codec.event(record, line["open"]) == event, f"{event.type} reads back otherwise")

    def _runs_again(self, step: Step, recorded: list[bytes]) -> None:
        command = command_of(self.rules, step.before, step.decided.events)
        again = decide(self.rules, step.before, command, step.at)
        sealed = sealing.seal(again.game.id, self.seed, again.events, self.hashes)
        require(5, [s.record for s in sealed] == recorded, f"{step.command!r} makes another batch when run again")

    def _observed(
        self, observer: Observer, known: Game, lines: list[tuple[Any, Any]], events: tuple[Event, ...]
    ) -> Game:
        """The observer's fold after these lines, which must name nothing that it may not know."""
        seen = []
        for (record, secrets), event in zip(lines, events, strict=True):
            line = redact_line(record, secrets, observer)
            read = self.codec.event(line["record"], line["open"])
            require(1, read == redact(event, observer), f"{event.type} is redacted in two ways")
            self._canary(observer, known, event, line)
            seen.append(read)
            known = fold(self.rules, known, [read])
        return known

    def _canary(self, observer: Observer, known: Game, event: Event, line: dict[str, Any]) -> None:
        record = line["record"]
        hidden = {name: value for name, value in record["data"].items() if name not in event.reveals}
        vocabulary = self.rules.info.vocabulary
        named = names_in([hidden, record["seals"]], vocabulary)
        named -= names_in([line["open"], record["opens"]], vocabulary)
        if named:
            named -= names_in(known.table, vocabulary)
        require(2, not named, f"{event.type} names {sorted(named)} to {observer.tag}")

    def _law_offered(self, observer: Observer, known: Game, full: Game) -> None:
        require(1, known.asked == full.asked, f"{observer.tag} sees other decisions, version {full.version}")
        for asked in known.open_for(observer.seat):
            own = forms(self.rules, known, asked)
            require(
                1,
                own == forms(self.rules, full, asked),
                f"{observer.tag} is offered other moves than it has, version {full.version}",
            )
            self.largest_forms = max(self.largest_forms, len(canonical.dumps([f.as_json() for f in own])))

    def _law_offers(self, game: Game) -> None:
        """Law 3: a guessed move of the right type is accepted exactly if some form holds it."""
        check_offers(self.rules, game, self.rng)

    def _law_bounds(self, game: Game) -> None:
        try:
            self.rules.check(game.table)
        except Corrupt as corrupt:
            raise LawBroken(6, f"{corrupt}, version {game.version}") from corrupt
        waits = game.result is not None or any(asked.decision.required for asked in game.asked)
        ids = [(asked.decision.seat, asked.id) for asked in game.asked]
        require(3, len(ids) == len(set(ids)), f"two questions to one seat have one id, version {game.version}")
        require(6, waits, f"nobody is asked and nobody has won, version {game.version}")

    def end(self, game: Game) -> None:
        info = self.rules.info
        require(6, len(self.log) <= info.most_events, f"{len(self.log)} events")
        require(6, game.result is not None, "no result")
        if game.result is not None:
            ranks = sorted(r.rank for r in game.result.ranking)
            seats = sorted(r.seat for r in game.result.ranking)
            require(6, seats == list(range(len(game.seats))), "a seat without a rank")
            fair = all(r == 1 + sum(1 for o in ranks if o < r) for r in ranks)
            require(6, fair, f"ranks {ranks}")
        read = []
        for record, secrets in self.log:
            line = redact_line(canonical.loads(record), canonical.loads(secrets or b"{}"), EVERYTHING)
            read.append(self.codec.event(line["record"], line["open"]))
        folded = fold(self.rules, Game(id=game.id), read)
        require(4, folded == game, f"the log folds to another game: {difference(folded, game)}")


def _play(run: _Run, steps: Iterator[Step]) -> int:
    """Put every batch of a game under the laws; how many there were. Each way to stumble is some law's."""
    batches = 0
    game = Game(id="")
    try:
        for step in steps:
            try:
                run.step(step)
            except Refused as refused:
                raise LawBroken(5, f"version {step.before.version}: {refused}") from refused
            game = step.decided.game
            batches += 1
    except Refused as refused:
        raise LawBroken(3, f"version {game.version}: a move was offered and refused: {refused}") from refused
    except Corrupt as corrupt:
        raise LawBroken(6, f"version {game.version}: {corrupt}") from corrupt
    run.end(game)
    return batches


def check_game(registry: Registry, key: str, seed: str) -> Report:
    """Play one random game of `key` under all laws; `LawBroken` names the law and what was seen."""
    run = _Run(registry, key, seed)
    try:
        batches = _play(run, random_game(registry, key, seed))
    except LawBroken as broken:
        broken.add_note(f"{key}, seed {seed!r}")
        raise
    return Report(1, batches, len(run.log), len(run.log), run.largest_forms)


def check_games(registry: Registry, key: str, games: int, seed: str = "laws") -> Report:
    """Play `games` random games of `key` under all laws and sum up what was seen."""
    total = Report()
    for number in range(games):
        one = check_game(registry, key, f"{seed}-{number}")
        total = Report(
            total.games + 1,
            total.batches + one.batches,
            total.events + one.events,
            max(total.longest, one.longest),
            max(total.largest_forms, one.largest_forms),
        )
    return total
