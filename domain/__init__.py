"""The pure heart of the server: rules, sealing, views, bots. No I/O, no clock, no chance of its own."""
