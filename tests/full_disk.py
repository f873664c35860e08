"""A disk that is full, as far as this process can tell."""

import sys
from contextlib import contextmanager


@contextmanager
def limit_file_size(n_bytes):
    """Let no file of this process become larger, as on a disk that is full.

    Python would cut off the bytecode of what is imported meanwhile, and keep the rest.
    """
    import resource  # not on Windows

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    writes_none, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        sys.dont_write_bytecode = writes_none
