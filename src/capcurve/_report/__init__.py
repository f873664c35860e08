"""The report: facts, charts, and the files that hold them."""
