"""Golden logs: whole games of every registered ruleset and rules version, to be replayed on every commit.

`make golden` records them anew (`ARGS=KEY` those of one game only); what is there for an older rules version is never
touched.
"""
