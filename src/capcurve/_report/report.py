"""Build a validation report and write it as HTML, JSON, Excel or PDF."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from capcurve._curve.binned_curve import BinnedCurve
from capcurve._curve.gains_table import BandSpec
from capcurve._curve.sketch import CapSketch
from capcurve._engines.rank import as_eager_frame
from capcurve._inference.options import IntervalMethod, Side
from capcurve._input.column import as_names
from capcurve._input.dtypes import EventLevel, Label, Names, TargetType
from capcurve._input.meaning import Meaning, as_order, make_roles
from capcurve._input.source import FrameLike
from capcurve._public import public
from capcurve._report.facts import make_facts
from capcurve._report.judged_facts import JudgedFacts
from capcurve._report.options import Facts, PeriodLength, PerModel, ReportOptions
from capcurve._report.provenance import make_plain, write_call
from capcurve._report.reading import (
    find_graded,
    make_binned_input,
    read_report_input,
    refuse_rows_only,
    refuse_several_estimates,
)
from capcurve._report.report_files import explain_missing_library, find_report_ending
from capcurve._report.writing import write_whole
from capcurve._view import make_frame
from capcurve.exceptions import MissingDependencyError


@public
@dataclass(frozen=True, eq=False)
class Report(JudgedFacts):
    """A validation report, to be written as HTML, JSON, Excel or PDF.

    Made by `report`. A notebook shows the page in a frame.

    Attributes
    ----------
    facts : dict
        All numbers and texts of the report, as nested dicts and lists that JSON can
        represent; undefined numbers are None. The JSON schema is the file
        ``capcurve/_report/schema.json``, its version ``facts["schema_version"]``.

    See Also
    --------
    report : Build a report from a data frame.

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

    def _repr_html_(self) -> str | None:
        try:
            return make_frame(self.to_html(), self.facts["title"])
        except MissingDependencyError:  # a notebook shows the line instead
            return None

    def to_json(self) -> str:
        """Return the facts as JSON.

        Returns
        -------
        str
            JSON text, indented, with undefined numbers as null.
        """
        return json.dumps(self.facts, indent=2, allow_nan=False) + "\n"

    def to_html(self) -> str:
        """Return the report as one HTML page without external resources.

        Returns
        -------
        str
            HTML with embedded styles, scripts and data; it needs no network.

        Raises
        ------
        MissingDependencyError
            If the libraries of ``capcurve[report]`` are not installed.
        """
        try:
            from capcurve._report.html import render_page

            return render_page(self.facts)
        except ModuleNotFoundError as error:
            raise explain_missing_library(error) from error

    def write(self, path: str | Path) -> None:
        """Write the report to a file; an existing file is replaced only when complete.

        The new file gets the permissions of the old one. A link is followed.

        Parameters
        ----------
        path : str or Path
            File name that ends in ``.html``, ``.json``, ``.xlsx`` or ``.pdf``. A PDF
            requires Chromium or Chrome on the PATH.

        Raises
        ------
        CapcurveError
            If the file name has another ending; if its folder does not exist, or a folder
            or a device is there; if an Excel sheet cannot hold all rows; or if a PDF cannot
            be written because there is no browser or it fails.
        MissingDependencyError
            If the libraries of ``capcurve[report]`` are not installed, except for
            ``.json``.
        """
        path = Path(path)
        try:
            write_whole(path, self._writer(path))
        except ModuleNotFoundError as error:
            raise explain_missing_library(error) from error

    def _writer(self, path: Path) -> Callable[[Path], Any]:
        """Return the function that writes files with this ending."""
        from capcurve._report.page_parts import name_pdf, read_time
        from capcurve._report.pdf import write_pdf
        from capcurve._report.workbook import write_workbook

        writers: dict[str, Callable[[Path], Any]] = {
            ".html": lambda draft: draft.write_text(self.to_html(), encoding="utf-8"),
            ".json": lambda draft: draft.write_text(self.to_json(), encoding="utf-8"),
            ".xlsx": lambda draft: write_workbook(self.facts, draft),
            ".pdf": lambda draft: write_pdf(
                self.to_html(), draft, name_pdf(self.facts), read_time(self.facts)
            ),
        }
        return writers[find_report_ending(path)]


@public
def report(  # noqa: PLR0913 -- the arguments of the functions on frames, by keyword
    data: FrameLike | BinnedCurve | CapSketch,
    truth: str | None,
    estimate: str,
    *,
    compare: Names | None = None,
    by: Names | None = None,
    period: str | None = None,
    period_by: PeriodLength | None = None,
    case_weights: str | None = None,
    counts: str | None = None,
    events: str | None = None,
    clusters: str | None = None,
    event_level: EventLevel | None = None,
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
    order: Sequence[str] | None = None,
    na_rm: bool = True,
    confidence_level: float = 0.95,
    bands: BandSpec = 10,
    initial_auc: PerModel = None,
    initial_variance: PerModel = None,
    method: IntervalMethod = "beta",
    seed: int = 0,
    implied: Names | None = None,
    implied_side: Side = "two-sided",
    green: float | None = None,
    amber: float | None = None,
    meta: Mapping[str, str] | None = None,
    limitations: Names | None = None,
    title: str | None = None,
) -> Report:
    """Build a validation report of a score, with challengers, segments and a trend.

    The report holds AR with its confidence interval, AUC, KS, the CAP curve with its
    confidence band, lift, the gains table, AR by segment and by period, tests against
    challengers and against initial validation, and the number of rows left out. Needs
    SciPy (``pip install "capcurve[report]"``).

    Parameters
    ----------
    data : data frame or query, BinnedCurve or CapSketch
        A data frame of pandas, Polars, PyArrow or another library that narwhals reads; of
        a query, all rows are fetched. A `BinnedCurve` or a `CapSketch` gives a report
        without challengers, segments and trend.
    truth : str or None
        Column of the outcome. 0/1, -1/1 and booleans are events, the event being 1 or
        True. Other numbers are amounts, which must not be negative; whole numbers of an
        integer type, or of at most ten values, which may be labels or counts, are refused
        until ``pos_label`` or ``target_type`` is passed. Text requires ``pos_label``. Of a
        categorical with two levels, the first is the event.
    estimate : str
        Column of the champion's score. Tied scores form one straight part of the curve.
    compare : str or sequence of str, default=None
        Columns of the challengers' scores, tested against the champion on the same rows.
    by : str or sequence of str, default=None
        Columns of segments. Each column gives its own section, in which every value is a
        segment; a null is a segment too.
    period : str, default=None
        Column of dates or periods, for the trend. Dates are cut to months, or to years if
        there are more than 40 months. At most 40 periods. Text that need not sort by time,
        such as 'Q1 2024' (but not '2024-Q1'), warns and has no trend.
    period_by : {'month', 'quarter', 'year'}, default=None
        What the dates of ``period`` are cut to, for at most 120 periods.
    case_weights : str, default=None
        Column of weights that are not negative: a weight of 2 means the same as two equal
        rows, 0 as no row. Intervals treat them as sampling weights.
    counts, events : str, default=None
        Columns of the number of rows and of events that each row stands for, as in
        `gain_curve`.
    clusters : str, default=None
        Column that names the rows that are not independent, such as the loans of one
        borrower; intervals and tests allow for it. Not with ``counts``. None: all rows are
        independent.
    event_level : {'first', 'second'}, default=None
        Which of two declared levels of ``truth`` is the event. None: 1 of 0/1 and True of
        booleans, and the first level otherwise, unless it is the first by the alphabet of
        categories without an order. The score is not reversed for 'second'.
    pos_label : int, float, bool or str, default=None
        The class label that is the event; all other labels are non-events.
    target_type : {'auto', 'binary', 'continuous'}, default='auto'
        Whether a numeric ``truth`` holds events or amounts.
    descending : bool, default=True
        Whether high scores are ranked first. False for a scorecard on which a low score
        means high risk.
    order : sequence of str, default=None
        Grades of text scores from the lowest score to the highest; beside one, scores that
        hold numbers stay numbers. An ordered categorical needs none; thresholds keep the
        names of grades.
    na_rm : bool, default=True
        Whether to leave out rows with a missing value in the outcome, a score or the
        weights, with a `DroppedRowsWarning`. If False, missing values are an error.
    confidence_level : float, default=0.95
        Confidence level of all intervals and of the band, between 0 and 1.
    bands : int, sequence of float or 'scores', default=10
        Bands of the gains table: their number, for bands of equal weight; their cumulative
        population shares, between 0 and 1; or ``'scores'`` for one per distinct score.
    initial_auc : float or mapping of str to float, default=None
        AUC at initial validation, from 0 to 1; adds the ECB's test of a decrease. A plain
        number is the champion's; a mapping of score columns to numbers has one for each
        model, which is tested against its own.
    initial_variance : float or mapping of str to float, default=None
        Variance of the initial AUC, the square of its standard error; adds a two-sample
        test. A plain number is the champion's. Ignored without ``initial_auc``.
    method : str, default='beta'
        Method of the intervals of AR, as in `accuracy_ratio_interval`. Tests, the interval
        of Somers' D and other limits do not depend on it.
    seed : int, default=0
        Seed of the methods 'bootstrap' and 'bca'.
    implied : str or sequence of str, default=None
        Columns of probabilities of the event, such as PDs. AR is compared with the one that
        they imply, as by `accuracy_ratio_test_implied`: that of the same column if it is a
        score of the report, and that of the champion, such as a grade, otherwise. A row
        without one is left out of that test only. ``order`` is not about them.
    implied_side : {'two-sided', 'less', 'greater'}, default='two-sided'
        Its side; 'less' if PDs are through the cycle (not in recessions or years together).
    green, amber : float, default=None
        AR from which the finding on AR is green, and from which it is amber; red below.
        None: it has no colour.
    meta : mapping of str to str, default=None
        Names and texts to show at the head, such as ``{"model id": "PD-7"}``.
    limitations : str or sequence of str, default=None
        Limitations to list besides those that every report has.
    title : str, default=None
        Title of the report. None: ``'<estimate> against <truth>'``.

    Returns
    -------
    Report
        Its ``facts`` are a dict; ``write("report.html")`` writes a page, and other endings
        write ``.json``, ``.xlsx`` or ``.pdf``.

    Raises
    ------
    CapcurveError
        If a column is unknown, named twice or of the wrong type; if the outcome has more
        than two class labels and ``pos_label`` is None; if all outcomes are equal, or no
        rows are left; if values are missing and ``na_rm`` is False; if there are more than
        40 periods; if an option is invalid; or if ``data`` is a curve and ``compare``,
        ``by`` or ``period`` is given.
    MissingDependencyError
        If SciPy is not installed.

    Warns
    -----
    DroppedRowsWarning
        If rows with a missing value are left out.
    UserWarning
        If periods are text that need not sort by time.

    See Also
    --------
    gain_capture : AR by group and model as a data frame.
    compare_models : Tests of differences in AR as a data frame.
    accuracy_ratio_test_initial : Test against the AUC at initial validation.

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
    arguments = dict(locals())
    del arguments["data"]
    refuse_several_estimates(estimate)
    options = ReportOptions(
        title=title or f"{estimate} against {truth or events}",
        period=period,
        period_by=period_by,
        bands=bands,
        confidence_level=confidence_level,
        initial_auc=initial_auc,
        initial_variance=initial_variance,
        method=method,
        seed=seed,
        implied=tuple(as_names(implied)),
        implied_side=implied_side,
        green=green,
        amber=amber,
        meta=dict(meta or {}),
        limitations=tuple(as_names(limitations)),
    )
    if isinstance(data, BinnedCurve | CapSketch):
        binned = data.curve if isinstance(data, CapSketch) else data
        clashing = {"compare": compare, "by": by, "period": period, "implied": implied}
        refuse_rows_only([name for name, value in clashing.items() if value])
        described = describe_arguments(arguments)
        binned_input = make_binned_input(binned, estimate, options, described)
        return Report(make_facts(binned_input))
    roles = make_roles(
        truth,
        [estimate, *as_names(compare)],
        case_weights=case_weights,
        counts=counts,
        events=events,
        clusters=clusters,
    )
    meaning = Meaning(
        pos_label=pos_label,
        event_level=event_level,
        target_type=target_type,
        estimator="binary",
        descending=descending,
        order=as_order(order),
        ordered=find_graded(roles.estimates, options.implied),
        na_rm=na_rm,
    )
    frame = as_eager_frame(data)
    report_input = read_report_input(
        frame,
        roles,
        meaning,
        options,
        segments=as_names(by),
        provenance=describe_arguments(arguments)
        | {"libraries": [frame.implementation.value]},
    )
    return Report(make_facts(report_input))


def describe_arguments(arguments: Mapping[str, Any]) -> Facts:
    """Describe the arguments of a call of `report`, and write the call."""
    parameters = inspect.signature(report).parameters.values()
    defaults = {
        each.name: each.default for each in parameters if each.default is not each.empty
    }
    return {"call": write_call(arguments, defaults), "options": make_plain(arguments)}
