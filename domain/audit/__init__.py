"""Auditing a log: from its bytes alone, whoever kept them, to a verdict with findings.

`audit(lines)` takes a served log (a header, a line a record, a trailer), line by line, and needs memory for its hashes
only. Checked are the bytes, the chain, every opened seal and every salt; with everything open also every recorded move:
it is run again by the game's own rules and with the game's own chance, and must give the recorded batch byte for byte,
so that the deal, the result and the ranking are derived anew, and no timeout came early, no move late.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from domain.audit.chain import Chain
from domain.audit.lines import FORMAT, MOST_BYTES, Broken, Line, header_of, is_record, record_line, whole_line
from domain.audit.play import Play
from domain.audit.verdict import MOST_FINDINGS, Checked, Finding, Name, Unreadable, Verdict
from domain.game import OVER
from domain.observers import EVERYTHING, SPECTATOR, Observer, at_seat
from domain.registry import REGISTRY, Registry
from domain.signing import Public, SignedHead

__all__ = ["FORMAT", "MOST_BYTES", "Auditor", "Checked", "Finding", "Unreadable", "Verdict", "audit"]

_HEADER = {"format", "game", "head", "observer", "rules_version", "ruleset", "status", "version"}
_TRAILER = {"complete", "count", "head"}


def audit(
    lines: Iterable[bytes],
    *,
    keys: Iterable[Public] = (),
    receipts: Sequence[SignedHead] = (),
    registry: Registry = REGISTRY,
) -> Verdict:
    """Audit a log, each of its lines with its line end. `Unreadable` if it is none.

    With `keys` the head must be signed by one of them; without, a sound log is `sound_unsigned`. `receipts` are signed
    heads that somebody was given while the game went on: the log must agree with each.
    """
    auditor = Auditor(keys=keys, receipts=receipts, registry=registry)
    for line in lines:
        auditor.feed(line)
    return auditor.verdict()


class Auditor:
    """An audit under way: `feed` it the lines, then ask for the `verdict`."""

    def __init__(
        self, *, keys: Iterable[Public] = (), receipts: Sequence[SignedHead] = (), registry: Registry = REGISTRY
    ) -> None:
        self._registry = registry
        self._keys = {key.kid: key for key in keys}
        self._receipts = receipts
        self._times = dict.fromkeys([receipt.version for receipt in receipts], 0)
        self._findings: list[Finding] = []
        self._more = 0
        self._first: int | None = None
        self._header: dict[str, Any] | None = None
        self._trailer: dict[str, Any] | None = None
        self._batch: list[Line] = []
        self._play: Play | None = None
        self._ends = [0]
        self._signer: str | None = None
        self._receipted: dict[tuple[str, int], str] = {}

    # --- reading ---------------------------------------------------------------------------------------------------

    def feed(self, line: bytes) -> None:
        """Take the next line, with its line end. `Unreadable` if this cannot be a log."""
        if self._header is None:
            self._begin(line)
        elif self._trailer is not None:
            self._tell(Finding(None, "trailer", "line", "nothing after the trailer", "another line"))
        elif is_record(line):
            self._record(line)
        else:
            self._end(line)

    def _begin(self, line: bytes) -> None:
        if len(line) > MOST_BYTES:
            raise Unreadable("The first line is too long for the header of a log.")
        self._header = header_of(line)
        try:
            whole_line(line, "header")
        except Broken as broken:
            self._tell(broken.at(None))
        observer = _observer(self._header.get("observer"))
        if observer is None:
            self._tell(Finding(None, "header", "observer", "all, spectator or a seat", self._header.get("observer")))
        self._observer = observer or SPECTATOR
        self._chain = Chain(str(self._header["game"]), self._observer, self._tell)
        if self._header.keys() != _HEADER:
            self._tell(Finding(None, "header", "members", sorted(_HEADER), sorted(self._header)))

    def _record(self, text: bytes) -> None:
        try:
            line = record_line(text)
        except Broken as broken:
            self._tell(broken.at(self._chain.version + 1))
            self._chain.broken()
            self._lost()
            return
        self._chain.add(line)
        if self._chain.version in self._times:
            self._times[self._chain.version] = line.record.at
        if self._chain.version == 1:
            self._play = self._playing(line)
        if self._first is None:
            # After a finding nothing is played any more, and need not be kept.
            self._batch.append(line)
        if self._chain.left == 0:
            self._whole()

    def _playing(self, first: Line) -> Play | None:
        data = first.record.data
        key, version = data.get("ruleset"), data.get("rules_version")
        if first.record.type != "game_created" or not isinstance(key, str) or not isinstance(version, int):
            self._tell(Finding(1, "event", "type", "game_created", first.record.type))
            return None
        try:
            rules, codec = self._registry.at(key, version), self._registry.codec(key, version)
        except KeyError:
            raise Unreadable(f"This software does not know {key[:40]} by rules version {version}.") from None
        return Play(rules, codec, str(self._told("game")), self._tell)

    def _whole(self) -> None:
        """A batch has come to its end."""
        batch, self._batch = self._batch, []
        if self._play is not None and self._first is None:
            self._play.add(batch, self._chain.hashes, self._chain.seed if self._observer.everything else None)
        elif self._play is not None:
            self._play.stopped = True
        self._ends.append(self._chain.version)

    def _lost(self) -> None:
        """A line was no record: its batch cannot be played."""
        self._batch = []
        if self._play is not None:
            self._play.stopped = True

    def _end(self, line: bytes) -> None:
        self._trailer = {}
        try:
            self._trailer = whole_line(line, "trailer")
        except Broken as broken:
            self._tell(broken.at(None))

    # --- judging ---------------------------------------------------------------------------------------------------

    def verdict(self) -> Verdict:
        """What there is to say, once all lines were fed. `Unreadable` if there was none."""
        if self._header is None:
            raise Unreadable("The file is empty.")
        chain, play = self._chain, self._play
        chain.end()
        if chain.left:
            self._tell(Finding(chain.version, "batch", "left", 0, chain.left))
        if not chain.version:
            self._tell(Finding(None, "record", "line", "at least one record", "none"))
        self._judge_header()
        self._judge_trailer()
        for receipt in self._receipts:
            self._judge_receipt(receipt)
        status = play.game.status if play is not None else "unknown"
        played = play is not None and not play.stopped
        return Verdict(
            verdict=self._name(),
            game=str(self._told("game")),
            ruleset=play.game.ruleset if play is not None else "",
            rules_version=play.game.rules_version if play is not None else 0,
            status=status,
            observer=self._observer.as_json(),
            version=chain.version,
            head=chain.head,
            at=chain.at,
            good=self._good(),
            complete=played and self._observer.everything and chain.seed is not None,
            key=self._signer,
            checked=chain.checked(play.moves if play is not None else 0),
            findings=tuple(self._findings),
            more=self._more,
        )

    def _good(self) -> int:
        """The last batch end before the first finding."""
        ends = self._ends
        return ends[-1] if self._first is None else ends[max(0, bisect_left(ends, self._first) - 1)]

    def _name(self) -> Name:
        if self._findings:
            return "unsound"
        return "sound" if self._signer else "sound_unsigned"

    def _told(self, name: str) -> Any:
        return (self._header or {}).get(name)

    def _judge_header(self) -> None:
        """The header says in short what stands in the log."""
        facts: dict[str, Any] = {"head": self._chain.head, "version": self._chain.version}
        if self._play is not None and not self._play.stopped:
            game = self._play.game
            facts |= {"ruleset": game.ruleset, "rules_version": game.rules_version, "status": game.status}
        for name, fact in facts.items():
            told = self._told(name)
            if told != fact or isinstance(told, bool):
                self._tell(Finding(None, "header", name, fact, told))
        self._judge_observer(facts.get("status"))

    def _judge_observer(self, status: str | None) -> None:
        """Everything is opened once a game is over, and to no seat that there is not."""
        told, seats = self._told("observer"), self._chain.seats
        if self._observer.everything and status is not None and status not in OVER:
            self._tell(Finding(None, "header", "observer", "not all: the game is not over", told))
        if self._observer.seat is not None and self._observer.seat >= seats:
            self._tell(Finding(None, "header", "observer", f"seats 0 to {seats - 1}", told))

    def _judge_trailer(self) -> None:
        trailer = self._trailer
        if trailer is None:
            self._tell(Finding(None, "trailer", "line", "a trailer", "the log is cut short"))
            return
        facts = {"complete": True, "count": self._chain.version, "head": self._chain.head}
        for name, fact in facts.items():
            told = trailer.get(name)
            if told != fact or type(told) is not type(fact):
                self._tell(Finding(None, "trailer", name, fact, told))
        if trailer.keys() - {"signed"} != _TRAILER:
            self._tell(Finding(None, "trailer", "members", sorted({*_TRAILER, "signed"}), sorted(trailer)))
        if "signed" in trailer:
            self._judge_signature(trailer["signed"])
        elif self._keys:
            self._tell(Finding(None, "signature", "signed", "a signed head", "none"))

    def _judge_signature(self, told: Any) -> None:
        head = _signed(told)
        facts = {"game": self._told("game"), "version": self._chain.version, "hash": self._chain.head}
        if head is None or {**facts, "at": self._chain.at}.items() - msgspec.structs.asdict(head).items():
            self._tell(Finding(None, "signature", "signed", {**facts, "at": self._chain.at}, told))
            return
        self._signer = self._signed_by(head)

    def _signed_by(self, head: SignedHead) -> str | None:
        """The known key that made the signature; a finding if there are keys and none did."""
        if self._holds(head):
            return head.key
        if self._keys:
            expected = "a signature that holds" if head.key in self._keys else f"one of {sorted(self._keys)}"
            self._tell(Finding(None, "signature", "key", expected, head.key))
        return None

    def _holds(self, head: SignedHead) -> bool:
        """Whether a known key made the signature."""
        key = self._keys.get(head.key)
        return key is not None and key.holds(head.signature, head.statement)

    def _judge_receipt(self, head: SignedHead) -> None:
        """A log that disagrees with what the server signed before is not the one that the player played."""
        if self._keys and not self._holds(head):
            self._tell(Finding(head.version, "receipt", "signature", "a receipt of a known key", head.key))
            return
        told = self._receipted.setdefault((head.game, head.version), head.hash)
        if told != head.hash:
            # Two signatures of one server that cannot both be true: proof of two histories, whatever the log says.
            self._tell(Finding(head.version, "receipt", "histories", told, head.hash))
        if head.game != self._told("game"):
            self._tell(Finding(head.version, "receipt", "game", self._told("game"), head.game))
        elif not 0 < head.version <= self._chain.version:
            self._tell(Finding(head.version, "receipt", "version", f"at most {self._chain.version}", head.version))
        elif self._chain.hashes[head.version] != head.hash:
            found = self._chain.hashes[head.version]
            self._tell(Finding(head.version, "receipt", "hash", head.hash, found))
        elif self._times[head.version] != head.at:
            self._tell(Finding(head.version, "receipt", "at", head.at, self._times[head.version]))

    def _tell(self, finding: Finding) -> None:
        if finding.version is not None:
            # A link that does not fit does not tell which of its two records was changed.
            wrong = finding.version - (finding.rule == "chain")
            self._first = wrong if self._first is None else min(self._first, wrong)
        if len(self._findings) < MOST_FINDINGS:
            self._findings.append(finding.short())
        else:
            self._more += 1


def _observer(told: Any) -> Observer | None:
    """Whose eyes the header says that the log was read with."""
    if told == {"all": True} and told["all"] is True:
        return EVERYTHING
    if told == {"spectator": True} and told["spectator"] is True:
        return SPECTATOR
    if isinstance(told, dict) and told.keys() == {"seat"} and type(told["seat"]) is int and told["seat"] >= 0:
        return at_seat(told["seat"])
    return None


def _signed(told: Any) -> SignedHead | None:
    """A signed head, all its members and no other."""
    if not isinstance(told, dict) or told.keys() != set(SignedHead.__struct_fields__):
        return None
    try:
        return msgspec.convert(told, SignedHead)
    except msgspec.ValidationError:
        return None
