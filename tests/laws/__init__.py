"""The law harness on every registered game: `python -m tests.laws --games 5000` for the long run."""
