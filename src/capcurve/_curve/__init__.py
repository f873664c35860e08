"""CAP curves from rows, bins and streams, and every number computed from them."""
