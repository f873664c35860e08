"""What all displays share: drawing on axes, the drawn data as a frame, and one line."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from capcurve._curve.points import Backend
from capcurve._input.options import check_flags
from capcurve._plot.axes import OwnStyles, check_axes, draw_picture, new_axes
from capcurve._plot.drawn_frame import make_frame
from capcurve._plot.interactive import Interactive
from capcurve._plot.options import Style
from capcurve._plot.picture import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

LONGEST = 100  # letters of a display shown as text


class Display(Interactive, ABC):
    """A picture with the habits of scikit-learn's displays."""

    picture_: Picture
    ax_: Axes
    figure_: Figure
    line_: Any  # Line2D, or a list of them for several curves; None without any
    mean_line_: Any  # of folds: Line2D, or a list of them for several names
    chance_level_: Line2D | None
    perfect_level_: Line2D | None

    @abstractmethod
    def summarize(self) -> str:
        """Return names and numbers as one short line."""

    def draw(self, ax: Axes | None, picture: Picture, own: OwnStyles) -> Self:
        """Draw a picture on axes and keep its artists."""
        self.ax_ = new_axes() if ax is None else check_axes(ax)
        drawn = draw_picture(self.ax_, picture, own)
        self.picture_ = picture
        self.figure_ = drawn.figure
        lines = [*drawn.lines, *([] if drawn.mean is None else [drawn.mean])]
        roles = [layer.role for layer in picture.layers if layer.role in {"curve", "fold"}]
        split: dict[str, list[Any]] = {"curve": [], "fold": []}
        for role, line in zip(roles, lines, strict=True):
            split[role].append(line)
        means = split["curve"] if split["fold"] else []
        self.line_ = unwrap(split["fold"] or split["curve"])
        self.mean_line_ = unwrap(means)
        self.chance_level_, self.perfect_level_ = drawn.chance, drawn.perfect
        return self

    def frame(self, backend: Backend = "pandas") -> Any:
        """Return the data that were drawn as a tidy data frame.

        Parameters
        ----------
        backend : {'pandas', 'polars', 'pyarrow'}, default='pandas'
            Library of the data frame.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
            A row for each point, in the order of drawing, with the columns ``curve`` (name
            in the legend; null for reference lines of all curves), ``role`` ('curve',
            'fold', 'chance', 'perfect', 'band', 'bars', ...), the two axes, such as
            ``population_share`` and ``capture_rate``, and ``upper``: the upper edge of an
            area or the upper limit of a bar, nan for lines. Long curves are thinned, as in
            ``plot``.

        Raises
        ------
        CapcurveError
            ``backend`` is another library.
        MissingDependencyError
            The library is not installed.
        """
        drawn = getattr(self, "picture_", None)
        return make_frame(self.describe() if drawn is None else drawn, backend)

    def __repr__(self) -> str:
        shown = self.summarize()
        if len(shown) > LONGEST:
            shown = f"{shown[:LONGEST]}..."
        return f"{type(self).__name__}({shown})"


def make_styles(
    curve_kwargs: Style | Sequence[Style] | None,
    chance_level_kwargs: Style | None,
    perfect_level_kwargs: Style | None,
    *,
    despine: bool,
) -> OwnStyles:
    """Check and gather the styles of the caller."""
    check_flags(despine=despine)
    return OwnStyles(curve_kwargs, chance_level_kwargs, perfect_level_kwargs, despine)


def unwrap(artists: list[Any]) -> Any:
    """Return the only artist, a list of several, or None."""
    if not artists:
        return None
    return artists[0] if len(artists) == 1 else artists
