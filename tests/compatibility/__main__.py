"""Renew the records of names, numbers and schemas: what later versions must keep.

    PYTHONPATH=tests .venv/bin/python -m compatibility

writes what is new. What users would lose, such as a removed argument or another number, is
printed and refused, unless ``--with-breaks`` says that it is meant.
"""

import argparse
import sys

from compatibility import names, results, schemas
from compatibility.records import NAMES, NUMBERS, Record


def main():
    """Renew each record, and return 1 if one of them would lose something."""
    parser = argparse.ArgumentParser(prog="python -m compatibility", description=__doc__)
    parser.add_argument("--with-breaks", action="store_true", help="also what users lose")
    may_break = parser.parse_args().with_breaks
    code = 0
    for path, made in ((NAMES, names), (NUMBERS, results)):
        recorded, lines = Record.read(path).lines, list(made.list_lines())
        breaks, additions = made.compare(recorded, lines)
        sys.stdout.writelines(f"{path.name}: {each}\n" for each in breaks)
        if breaks and not may_break:
            code = 1
            continue
        Record(keep_equal(recorded, lines, made)).write(path)
        sys.stdout.write(f"{path.name}: {len(additions)} new, {len(lines)} in all\n")
    losses = schemas.list_losses()
    sys.stdout.writelines(f"{each}\n" for each in losses)
    if losses and not may_break:
        return 1
    schemas.keep()
    return code


def keep_equal(recorded, lines, made):
    """Keep recorded lines whose numbers differ in the last digits only."""
    before = {made.find_key(line): line for line in recorded}
    pairs = ((before.get(made.find_key(line)), line) for line in lines)
    return [
        old if old and made.compare([old], [line]) == ([], []) else line
        for old, line in pairs
    ]


if __name__ == "__main__":
    sys.exit(main())
