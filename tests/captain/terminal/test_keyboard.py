"""Keys, lines, and what is made of them."""

from __future__ import annotations

import os

from captain.terminal.keyboard import Bell, Editor, Entered, Keys, Lines, keys_of, ready


def typed(editor: Editor, *keys: str) -> list[Entered]:
    return [entered for key in keys if (entered := editor.press(key)) is not None]


def test_keys_have_names_and_what_nobody_needs_is_left_out() -> None:
    assert list(keys_of("aß\r\x7f\x1b[A\x1b[5~\x1bOF\x1b[1;5C\x01\x1b")) == [
        "a", "ß", "enter", "backspace", "up", "page up", "end",
    ]  # fmt: skip


def test_a_character_that_comes_in_two_parts_is_one_key() -> None:
    reading, writing = os.pipe()
    keys = Keys(reading)
    os.write(writing, "ß".encode()[:1])
    assert keys.read() == []
    os.write(writing, "ß".encode()[1:])
    assert keys.read() == ["ß"]
    os.close(writing)
    assert keys.read() == ["eof"]
    os.close(reading)


def test_a_line_can_be_mended() -> None:
    editor = Editor()
    assert typed(editor, *"abx", "backspace", *"c de", "word", *"f", "enter") == [Entered("line", "abcf")]
    assert typed(editor, *"abc", "clear", *"d", "enter") == [Entered("line", "d")]
    assert typed(editor, "a", "left", "eof") == [Entered("key", "left")], "a line under way does not end the input"
    assert typed(editor, "clear", "eof") == [Entered("end")]


def test_lines_come_whole_and_the_end_last() -> None:
    reading, writing = os.pipe()
    lines = Lines(reading)
    os.write(writing, b"one\r\ntw")
    assert lines.read() == [Entered("line", "one")]
    os.write(writing, b"o\nthree")
    os.close(writing)
    assert lines.read() == [Entered("line", "two")]
    assert lines.read() == [Entered("line", "three"), Entered("end")]
    assert lines.ended
    os.close(reading)


def test_the_bell_ends_the_waiting_also_when_it_rang_before() -> None:
    bell = Bell()
    reading, writing = os.pipe()
    bell.ring()
    bell.ring()
    assert not ready(bell, reading, 60)
    assert not ready(bell, reading, 0)
    os.write(writing, b"x")
    assert ready(bell, reading, 60)
    os.close(reading)
    os.close(writing)
