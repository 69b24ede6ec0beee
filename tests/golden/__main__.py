"""`python -m tests.golden [KEY ...]` records the golden logs anew, of all games or of those named."""

from tests.golden.record import main

main()
