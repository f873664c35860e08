"""Leave out members of classes about which the class itself says all there is to know."""

from typing import Any

from sphinx.application import Sphinx

FIELD = "Alias for field number"  # of a named tuple, whose attributes the class describes
KINDS = {"picture"}  # of displays, as whose attribute each class keeps its own
STEPS = {"describe", "draw"}  # of displays, on the way from curves to a picture


def leave_out(
    app: Sphinx, what: str, name: str, value: object, *others: Any
) -> bool | None:
    """Leave out a member; None lets others decide."""
    _ = app, what, others
    is_field = str(getattr(value, "__doc__", "")).startswith(FIELD)
    module = str(getattr(value, "__module__", ""))
    is_step = name in STEPS and module.startswith("capcurve._plot")
    return True if is_field or is_step or name in KINDS else None


def setup(app: Sphinx) -> dict[str, bool]:
    """Ask for each member."""
    app.connect("autodoc-skip-member", leave_out)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
