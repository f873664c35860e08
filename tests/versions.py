"""Marks of tests that newer versions of other packages are needed for."""

from importlib.metadata import version

import pytest
from packaging.version import Version


def needs(name, oldest, reason):
    """Skip a test with older versions of a package, as `make test-oldest` installs."""
    is_older = Version(version(name)) < Version(oldest)
    return pytest.mark.skipif(is_older, reason=f"{name} {oldest}: {reason}")
