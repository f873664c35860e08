"""Engines that turn rows of arrays, data frames and queries into tallies and bins."""
