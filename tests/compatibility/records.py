"""Files of one line per name or number, which say of which version they are."""

from dataclasses import dataclass
from pathlib import Path

import capcurve

FOLDER = Path(__file__).parent
NAMES = FOLDER / "names.txt"
NUMBERS = FOLDER / "numbers.txt"
HEAD = "# capcurve "
RENEW = "PYTHONPATH=tests .venv/bin/python -m compatibility"


@dataclass(frozen=True)
class Record:
    """Lines of a version of capcurve."""

    lines: list[str]
    version: str = capcurve.__version__

    @classmethod
    def read(cls, path):
        """Read a record; one that is not yet written has no lines."""
        if not path.exists():
            return cls([])
        head, *lines = path.read_text(encoding="utf-8").splitlines()
        return cls(lines, head.removeprefix(HEAD))

    def write(self, path):
        """Write the record."""
        text = "\n".join([HEAD + self.version, *self.lines])
        path.write_text(text + "\n", encoding="utf-8")
