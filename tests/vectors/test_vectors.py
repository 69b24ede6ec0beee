"""The vector file is what the domain writes today."""

from tests.vectors.make import FILE, vectors

MOST_BYTES = 1_500_000


def test_the_file_is_up_to_date() -> None:
    assert FILE.read_bytes() == vectors(), "python -m tests.vectors"


def test_the_file_can_be_read_by_anybody() -> None:
    written = FILE.read_bytes()
    assert written.isascii()
    assert len(written) < MOST_BYTES
