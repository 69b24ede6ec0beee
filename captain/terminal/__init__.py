"""A client for the terminal, of any server and every ruleset: it knows the public API and forms, and no game."""
