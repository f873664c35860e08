"""Functions on data frames and queries that return tidy data frames."""
