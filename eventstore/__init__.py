"""The event store: one append-only log a game in Redis, and the work that hangs on it."""
