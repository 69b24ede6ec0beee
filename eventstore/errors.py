"""What the store raises; a refusal of an append is a reply (`replies.py`), not an error."""


class StoreError(Exception):
    """Base of all errors of the event store."""


class StoreUnavailable(StoreError):
    """The store could not be reached or its answer was lost: it is unknown whether anything was saved.

    Sending the same command again is always right.
    """


class StoreFull(StoreError):
    """The store's memory is full: nothing was written."""


class NotReplicated(StoreError):
    """Saved, but fewer replicas than demanded confirmed it in time: retry with the same command id."""

    def __init__(self, confirmed: int, demanded: int) -> None:
        super().__init__(f"{confirmed} of {demanded} replicas confirmed; retry with the same command id")
        self.confirmed = confirmed
        self.demanded = demanded


class UnsafeStore(StoreError):
    """The store's settings can lose events: names the setting, what it is, and what it must be."""

    def __init__(self, setting: str, value: str, wanted: str) -> None:
        super().__init__(
            f"the store has {setting} {value!r}, and would lose events; set it to {wanted} "
            f"(redis.conf, or CONFIG SET {setting} ...), or allow an unsafe store for development"
        )
        self.setting = setting
        self.value = value
        self.wanted = wanted
