"""`python -m tests.golden` records the golden logs anew."""

from tests.golden.record import main

main()
