"""Tallies, pair counts, bins and sort orders: values that import no other package."""
