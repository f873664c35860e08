"""Mathematics of estimates: intervals, tests and bands."""
