"""What comes in from the player: keys of a terminal, or lines of a pipe; and a bell that ends the waiting."""

from __future__ import annotations

import codecs
import contextlib
import os
import re
import select
import termios
import tty
from collections.abc import Iterator
from typing import Literal, NamedTuple

_ESCAPE = re.compile(r"\x1b(?:[\[O][0-9;]*[A-Za-z~])?")
_NAMES = {
    "\x1b[A": "up", "\x1b[B": "down", "\x1b[C": "right", "\x1b[D": "left", "\x1b[5~": "page up", "\x1b[6~": "page down",
    "\x1b[H": "home", "\x1b[F": "end", "\x1bOA": "up", "\x1bOB": "down", "\x1bOC": "right", "\x1bOD": "left",
    "\x1bOH": "home", "\x1bOF": "end", "\x1b[1~": "home", "\x1b[4~": "end", "\r": "enter", "\n": "enter",
    "\x7f": "backspace", "\b": "backspace", "\x15": "clear", "\x17": "word", "\x04": "eof",
}  # fmt: skip


class Entered(NamedTuple):
    """What the player did: a line, a key that is not text, or the end of the input."""

    kind: Literal["line", "key", "end"]
    text: str = ""


class Bell:
    """Wakes whoever waits for input, from another thread."""

    def __init__(self) -> None:
        self.fd, self._ring = os.pipe()
        os.set_blocking(self.fd, False)
        os.set_blocking(self._ring, False)

    def ring(self) -> None:
        """End the waiting, now or the next one."""
        with contextlib.suppress(BlockingIOError, OSError):
            os.write(self._ring, b".")

    def hush(self) -> None:
        """Take all rings as heard."""
        with contextlib.suppress(BlockingIOError):
            while os.read(self.fd, 4096):
                pass


def ready(bell: Bell, fd: int | None, seconds: float) -> bool:
    """Wait for input on `fd`, for the bell, or so long; whether there is input."""
    watched = [bell.fd] if fd is None else [bell.fd, fd]
    found, _, _ = select.select(watched, [], [], seconds)
    if bell.fd in found:
        bell.hush()
    return fd in found


@contextlib.contextmanager
def single_keys(fd: int) -> Iterator[None]:
    """Let a terminal give each key at once and unseen; Ctrl-C still interrupts."""
    before = termios.tcgetattr(fd)
    try:
        tty.setcbreak(fd, termios.TCSADRAIN)
        yield
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)


class Keys:
    """Bytes of a terminal as keys: a character each, or the name of a key that is not text."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def read(self) -> list[str]:
        """The keys that were pressed; `eof` among them if the terminal is gone."""
        try:
            got = os.read(self.fd, 4096)
        except OSError:
            got = b""
        return list(keys_of(self._decoder.decode(got))) if got else ["eof"]


def keys_of(text: str) -> Iterator[str]:
    """The keys in what a terminal sent; sequences that nobody needs are left out."""
    place = 0
    while place < len(text):
        found = _ESCAPE.match(text, place)
        key = found[0] if found else text[place]
        place += len(key)
        if key in _NAMES:
            yield _NAMES[key]
        elif key.isprintable():
            yield key


class Editor:
    """A line in the making."""

    def __init__(self) -> None:
        self.text = ""

    def press(self, key: str) -> Entered | None:
        """Take a key; what it completes, if anything."""
        if key == "enter":
            line, self.text = self.text, ""
            return Entered("line", line)
        if key == "eof":
            return None if self.text else Entered("end")
        if key == "backspace":
            self.text = self.text[:-1]
        elif key == "clear":
            self.text = ""
        elif key == "word":
            self.text = self.text.rstrip().rpartition(" ")[0]
        elif len(key) == 1:
            self.text += key
        else:
            return Entered("key", key)
        return None


class Lines:
    """Lines of a pipe or a file, as they come."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.ended = False
        self._rest = b""

    def read(self) -> list[Entered]:
        """The lines that are there by now; the last thing is the end."""
        got = os.read(self.fd, 65536)
        *whole, self._rest = (self._rest + got).split(b"\n")
        entered = [Entered("line", line.decode("utf-8", "replace").rstrip("\r")) for line in whole]
        if not got:
            self.ended = True
            if self._rest:
                entered.append(Entered("line", self._rest.decode("utf-8", "replace")))
            entered.append(Entered("end"))
        return entered
