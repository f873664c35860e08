"""Show characters that control a terminal, or the direction of text, as escapes."""

import re
from collections.abc import Mapping
from typing import Any

# C0 and C1, ends of lines, changes of direction, and what UTF-8 or XML lacks.
CONTROLS = re.compile(
    "[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def escape_controls(text: str) -> str:
    r"""Write each control character as Python does, such as ``\x1b``."""
    return CONTROLS.sub(lambda found: ascii(found[0])[1:-1], text)


def escape_all_controls(value: Any) -> Any:
    """Escape the control characters of all texts in nested facts, names included."""
    if isinstance(value, str):
        return escape_controls(value)
    if isinstance(value, Mapping):
        return {
            escape_controls(name): escape_all_controls(each) for name, each in value.items()
        }
    return (
        [escape_all_controls(each) for each in value] if isinstance(value, list) else value
    )
