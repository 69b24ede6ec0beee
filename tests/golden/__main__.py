"""`python -m tests.golden [RULESET ...]` records the golden logs anew: of the games named, or of all."""

import sys

from tests.golden.record import main

main(sys.argv[1:])
