"""The probe: an invented card game, small, that uses every hard thing of the ruleset contract at once."""

from tests.probe.rules import PROBE, Probe

__all__ = ["PROBE", "Probe"]
