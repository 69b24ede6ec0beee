"""`python -m captain`."""

from captain.cli import main

main(prog_name="captain")
