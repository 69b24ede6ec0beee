"""Measurements, each a command."""
