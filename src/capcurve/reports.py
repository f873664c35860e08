"""A report to file: the numbers, pictures and provenance of a ranking on one page."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from capcurve._input import Label, TargetType, refuse_unknown
from capcurve._ranked_bins import RankedBins
from capcurve._report.content import Facts, Material, facts_of
from capcurve._report.groups import by_label, by_period
from capcurve._request import RankedRows
from capcurve._roles import Names, as_names, missing_rows, read_frame, read_roles
from capcurve._truth import TruthOptions
from capcurve.binned_curve import BinnedCurve
from capcurve.exceptions import CapcurveError, MissingDependencyError
from capcurve.files import write_whole
from capcurve.table import Bands

__all__ = ["Report", "report"]

ENDINGS = (".html", ".json", ".xlsx", ".pdf")


@dataclass(frozen=True, eq=False)
class Report:
    """Everything that a report says, ready to be written.

    Make one with `report`.

    Attributes
    ----------
    facts : dict
        As the JSON has them; described by a schema, ``capcurve/_report/schema.json``,
        whose version is ``facts["schema_version"]``.

    Examples
    --------
    >>> import polars as pl
    >>> from capcurve import report
    >>> from capcurve.datasets import make_portfolio
    >>> found = report(pl.DataFrame(make_portfolio()), "default", "champion_pd")
    >>> found
    Report('champion_pd against default', AR 0.573, 10,000 rows)
    """

    facts: Facts

    def __repr__(self) -> str:
        ratio = self.facts["models"][0]["accuracy_ratio"]["value"]
        n_rows = self.facts["rows"]["used"]
        return f"Report({self.facts['title']!r}, AR {ratio:.3f}, {n_rows:,} rows)"

    def to_json(self) -> str:
        """Write the facts as JSON.

        Returns
        -------
        str
        """
        return json.dumps(self.facts, indent=2, allow_nan=False) + "\n"

    def to_html(self) -> str:
        """Write one page that needs nothing else, not even a network.

        Returns
        -------
        str

        Raises
        ------
        MissingDependencyError
            ``pip install "capcurve[report]"`` is missing.
        """
        try:
            from capcurve._report.html import page_of

            return page_of(self.facts)
        except ModuleNotFoundError as error:
            raise missing_library(error) from error

    def write(self, path: str | Path) -> None:
        """Write a file; what stood there is intact until the new one is whole.

        Parameters
        ----------
        path : str or Path
            Ends in ``.html``, ``.json``, ``.xlsx`` or ``.pdf``; the last needs a Chromium.

        Raises
        ------
        CapcurveError
            Another ending; no Chromium for a PDF.
        MissingDependencyError
            ``pip install "capcurve[report]"`` is missing.
        """
        path = Path(path)
        try:
            write_whole(path, self._writer(path))
        except ModuleNotFoundError as error:
            raise missing_library(error) from error

    def _writer(self, path: Path) -> Callable[[Path], Any]:
        """Choose how to write by the ending of a name."""
        from capcurve._report.pdf import write_pdf
        from capcurve._report.workbook import write_workbook

        writers: dict[str, Callable[[Path], Any]] = {
            ".html": lambda draft: draft.write_text(self.to_html(), encoding="utf-8"),
            ".json": lambda draft: draft.write_text(self.to_json(), encoding="utf-8"),
            ".xlsx": lambda draft: write_workbook(self.facts, draft),
            ".pdf": lambda draft: write_pdf(self.to_html(), draft),
        }
        return writers[ending_of(path)]


def ending_of(path: Path) -> str:
    """Check that the ending of a name says what to write."""
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise CapcurveError(
            f"a report must end in one of {', '.join(ENDINGS)}, got {str(path)!r}"
        )
    return ending


def missing_library(error: ModuleNotFoundError) -> MissingDependencyError:
    """Name what a report needs."""
    return MissingDependencyError(str(error.name), extra="report", purpose="reports")


def report(  # noqa: PLR0913 -- the arguments of the functions on frames, by keyword
    data: Any,
    truth: str,
    estimate: str,
    *,
    compare: Names | None = None,
    by: Names | None = None,
    period: str | None = None,
    case_weights: str | None = None,
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
    na_rm: bool = True,
    confidence_level: float = 0.95,
    bands: Bands = 10,
    initial_auc: float | None = None,
    initial_variance: float | None = None,
    title: str | None = None,
) -> Report:
    """Gather what a validator files of a ranking; needs SciPy.

    Parameters
    ----------
    data, truth, case_weights, pos_label, target_type, descending, na_rm
        As in `gain_curve`; a `CapSketch` or another `BinnedCurve` will do, of which there
        are no groups and no challengers.
    estimate : str
        Column of the champion's score.
    compare : str or sequence of str, default=None
        Columns of challengers, tested against the champion on the same rows.
    by : str or sequence of str, default=None
        Columns of segments; each is a part of the report.
    period : str, default=None
        Column of dates or periods, for the trend. Dates are cut to months, or to years
        where there are more than 40 months.
    confidence_level : float, default=0.95
        Of all intervals and of the band.
    bands : int, sequence of float or 'scores', default=10
        Of the gains table, as in `gains_table`.
    initial_auc, initial_variance : float, default=None
        AUC at initial validation and its variance, as in `accuracy_ratio_test_initial`.
    title : str, default=None
        Of the report.

    Returns
    -------
    Report
        ``write("report.html")`` writes it; also ``.json``, ``.xlsx`` and ``.pdf``.

    Raises
    ------
    CapcurveError
        As `gain_curve`, and of more than two labels without ``pos_label``.
    MissingDependencyError
        SciPy is not installed.

    Examples
    --------
    >>> import polars as pl
    >>> from capcurve import report
    >>> from capcurve.datasets import make_portfolio
    >>> loans = pl.DataFrame(make_portfolio())
    >>> found = report(
    ...     loans, "default", "champion_pd", compare="challenger_pd", by="segment"
    ... )
    >>> round(found.facts["challengers"][0]["value"], 3)
    0.02
    >>> found.write("report.json")
    """
    gathered = partial(
        Material,
        title=title or f"{estimate} against {truth}",
        bands=bands,
        confidence_level=confidence_level,
        initial_auc=initial_auc,
        initial_variance=initial_variance,
    )
    if isinstance(data, BinnedCurve):
        if compare or by or period:
            raise CapcurveError(
                "`data` is binned: without rows there are no `compare`, `by` and `period`"
            )
        material = gathered(
            whole=[RankedBins({}, estimate, None, data)],
            segments={},
            periods={},
            rows_read=data.n_rows,
            missing={},
            options={"truth": truth, "estimate": estimate, "plan": data.plan},
        )
        return Report(facts_of(material))
    segments, periods = as_names(by), as_names(period)
    arguments = {
        "truth": truth,
        "estimate": estimate,
        "compare": ", ".join(as_names(compare)),
        "weights": case_weights,
        "event": pos_label,
        "ranked first": "high scores" if descending else "low scores",
    }
    frame, estimates = read_frame(data), [estimate, *as_names(compare)]
    refuse_unknown([*segments, *periods], frame.columns, "`data`")
    roles = read_roles(
        frame.to_native(),
        truth,
        estimates,
        by=None,
        case_weights=case_weights,
        na_rm=na_rm,
        descending=descending,
        options=TruthOptions("first", pos_label, target_type, "binary"),
    )
    missing = {
        name: int(missing_rows(frame.get_column(name)).sum())
        for name in (truth, *estimates, *as_names(case_weights))
    }
    whole = [RankedRows({}, name, None, columns) for name, columns in roles.rankings]
    keys = {name: roles.frame.get_column(name).to_list() for name in (*segments, *periods)}
    material = gathered(
        whole=whole,
        segments={name: by_label(whole, name, keys[name]) for name in segments},
        periods={name: by_period(whole, name, keys[name]) for name in periods},
        rows_read=len(frame),
        missing={name: count for name, count in missing.items() if count},
        options={name: each for name, each in arguments.items() if each},
    )
    return Report(facts_of(material))
