"""Validate input columns and decide what they mean; no query is run and no file is read."""
