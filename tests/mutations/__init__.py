"""Forgeries by the thousand: served logs are changed in every way that we could think of, and audited.

`python -m tests.mutations` (`make audit-mutations`) reports how many were found, kind by kind; docs/audit.md explains.
"""
