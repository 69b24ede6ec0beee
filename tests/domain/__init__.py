"""The domain's unit tests: given a game, when a command comes, then these events or this refusal."""
