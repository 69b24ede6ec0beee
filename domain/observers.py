"""Who looks at a log: a seat, a spectator, or everybody once a game is over."""

from domain.values import Value


class Observer(Value, frozen=True):
    """`seat` 0..n-1 for a player, neither for a spectator, `everything` for a finished game."""

    seat: int | None = None
    everything: bool = False

    def may_open(self, to: tuple[int, ...] | list[int]) -> bool:
        """Whether a field sealed to the seats `to` is open to this observer: never depends on later state."""
        return self.everything or (self.seat is not None and self.seat in to)

    def as_json(self) -> dict[str, object]:
        """Whose eyes, as logs and views say it: one of `seat`, `spectator`, `all`."""
        if self.everything:
            return {"all": True}
        return {"spectator": True} if self.seat is None else {"seat": self.seat}

    @property
    def tag(self) -> str:
        """A short word for cache keys and entity tags: `s2`, `spectator`, `all`."""
        if self.everything:
            return "all"
        return "spectator" if self.seat is None else f"s{self.seat}"


SPECTATOR = Observer()
EVERYTHING = Observer(everything=True)


def at_seat(seat: int) -> Observer:
    """The observer who sits at `seat`."""
    return Observer(seat=seat)
