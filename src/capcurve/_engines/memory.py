"""How much memory this process may take for the rows of a query."""

from pathlib import Path

MEMORY_FILE = Path("/proc/meminfo")
FREE_WHERE_UNKNOWN = 4 << 30


def measure_free_memory() -> int:
    """Return the free memory in bytes; 4 GB where the system does not say."""
    try:
        lines = MEMORY_FILE.read_text(encoding="ascii").splitlines()
    except OSError:
        return FREE_WHERE_UNKNOWN
    found = dict(line.split(":", 1) for line in lines)
    return int(found["MemAvailable"].split()[0]) << 10
