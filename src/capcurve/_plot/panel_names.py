"""Names of the curves of panels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from capcurve._input.column import as_list
from capcurve._input.options import show
from capcurve._plot.panel_grid import refuse_many_panels
from capcurve._plot.request import IN_PANELS, Curve, check_curves, check_keys, read_names
from capcurve.exceptions import CapcurveError


def name_curves(
    curves: Mapping[str, Curve] | Sequence[Curve] | Curve, name: Sequence[str] | None
) -> dict[str, Curve]:
    """Return curves by their names; raise for too many, or for names that are no names."""
    check_curves(curves, IN_PANELS)
    if isinstance(curves, Mapping):
        if name is not None:
            raise CapcurveError(
                "`name` must be None for curves by their names, got a list too; pass the "
                "names in one way"
            )
        check_keys(curves, "curves")
        listed, names = list(curves.values()), list(curves)
    else:
        listed = list(curves) if isinstance(curves, Sequence) else [curves]
        names = [str(i + 1) for i in range(len(listed))]
        if name is not None:
            names = as_list(name) or [name]
    check_curves(listed, IN_PANELS)
    refuse_many_panels(len(listed))
    read_names(names, len(listed))
    if len(set(names)) < len(names):
        raise CapcurveError(
            f"`name` must have distinct names, got {show(names)}; rename the curves"
        )
    return dict(zip(names, listed, strict=True))
