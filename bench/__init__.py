"""Measurements. `python -m bench` lists them; figures are of this machine, in one run, and noisy."""
