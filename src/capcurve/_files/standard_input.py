"""Copy standard input to a file, as a file is read more than once."""

import shutil
import sys
from pathlib import Path

from capcurve.exceptions import CapcurveError


def spool_stdin(folder: Path) -> str:
    """Copy standard input to a file whose ending is guessed from the first bytes."""
    if sys.stdin is None:
        raise CapcurveError(
            "stdin must hold the file, but it is closed; redirect the file to it"
        )
    source = sys.stdin.buffer
    start = source.read(4)
    endings = {
        b"PAR1": ".parquet",
        b"{": ".jsonl",
        b"\x1f\x8b": ".csv.gz",
        b"\x28\xb5\x2f\xfd": ".csv.zst",
    }
    matches = (ending for prefix, ending in endings.items() if start.startswith(prefix))
    path = folder / f"stdin{next(matches, '.csv')}"
    with path.open("wb") as file:
        file.write(start)
        shutil.copyfileobj(source, file)
    return str(path)
