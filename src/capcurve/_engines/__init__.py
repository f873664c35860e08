"""Engines: each turns rows into a tally."""
