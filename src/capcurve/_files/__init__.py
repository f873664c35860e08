"""Open files and standard input as relations of typed columns."""
