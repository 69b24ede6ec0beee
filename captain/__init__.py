"""The command line of Captain's Table: settings, the embedded store, and the processes it starts."""

__version__ = "0.1.0"
