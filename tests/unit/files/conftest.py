"""Write a file and read it back."""

from pathlib import Path

import pytest

from capcurve import CapcurveError
from capcurve._files.delimited import Source
from capcurve._files.open import read_table


@pytest.fixture
def read():
    """Read the columns y (any) and s (numeric) of a file, after writing its content.

    The result is a pair: values by column, and the missing words that were met.
    """

    def run(content=None, name="f.csv", **options):
        if content is not None:
            Path(name).write_bytes(
                content if isinstance(content, bytes) else content.encode()
            )
        options = {"outcomes": ["y"], "numbers": ["s"]} | options
        table, words, *_ = read_table(Source(name, **options))
        return table.to_pydict(), words

    return run


@pytest.fixture
def refused(read):
    """Read a file that must be refused, and give the message."""

    def run(*arguments, **options):
        with pytest.raises(CapcurveError) as caught:
            read(*arguments, **options)
        return str(caught.value)

    return run
