"""Write data into a page."""

import json
from typing import Any


def write_json(data: Any) -> str:
    """Write data as JSON that is safe inside a script element."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    return text.translate({ord(each): f"\\u{ord(each):04x}" for each in "<>&"})
