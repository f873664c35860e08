"""Tests of differences between statistics: hypotheses and results."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import combinations
from math import inf
from typing import Any, NamedTuple, get_args

import numpy as np

from capcurve._inference.contrasts import adjust_holm, compare_pair, run_joint_test
from capcurve._inference.differences import Difference
from capcurve._inference.estimate import Comparison
from capcurve._inference.influence import compute_ratio_influence
from capcurve._inference.limits import t_cdf, two_sided_p_value
from capcurve._inference.options import Alternative, TestMethod, check_confidence_level
from capcurve._inference.wording import format_p_value
from capcurve._input.column import as_array, as_numbers
from capcurve._input.columns import Columns
from capcurve._input.options import check_word, is_real, show
from capcurve._public import public
from capcurve.exceptions import CapcurveError

LARGEST = 2.0  # difference of two accuracy ratios


class Hypothesis(NamedTuple):
    """Alternative hypothesis of a test, its margin, and the level of its interval."""

    alternative: Alternative = "two-sided"
    margin: float = 0.0
    confidence_level: float = 0.95

    @property
    def side(self) -> int:
        """-1 if the first is to be found below the second, otherwise 1."""
        return -1 if self.alternative == "less" else 1


def check_hypothesis(hypothesis: Hypothesis) -> None:
    """Raise if the level, alternative or margin is invalid, or they do not agree."""
    check_confidence_level(hypothesis.confidence_level)
    check_word(hypothesis.alternative, "alternative", get_args(Alternative))
    if not is_real(hypothesis.margin) or not 0 <= hypothesis.margin <= LARGEST:
        raise CapcurveError(
            f"`margin` must be a number from 0 to {LARGEST:g}, got "
            f"{show(hypothesis.margin)}; pass the loss that is acceptable"
        )
    if hypothesis.margin and hypothesis.alternative == "two-sided":
        raise CapcurveError(
            "`margin` requires a one-sided test or one of equivalence, got "
            "`alternative='two-sided'`; pass `alternative='greater'` to test that the "
            "first is not worse than the second by more than it"
        )
    if hypothesis.alternative == "equivalent" and not hypothesis.margin:
        raise CapcurveError(
            "`alternative='equivalent'` requires a `margin` above 0, got 0; pass the "
            "largest difference that does not matter"
        )


def make_comparison(difference: Difference, hypothesis: Hypothesis) -> Comparison:
    """Test a difference and compute its confidence limits."""
    statistic, p_value = compute_p_value(difference, hypothesis)
    low, high = find_difference_limits(difference, hypothesis)
    n_events, n_nonevents = difference.class_counts
    return Comparison(
        value=difference.value,
        standard_error=difference.standard_error,
        low=low,
        high=high,
        confidence_level=hypothesis.confidence_level,
        method=difference.method,
        n_events=n_events,
        n_nonevents=n_nonevents,
        p_value=p_value,
        statistic=statistic,
        degrees_of_freedom=difference.degrees_of_freedom,
        alternative=hypothesis.alternative,
        margin=hypothesis.margin,
        first=difference.first,
        second=difference.second,
        name=difference.name,
        n_effective=difference.n_effective,
        n_errors=inf if difference.is_identity else difference.n_errors,
    )


def compute_p_value(difference: Difference, hypothesis: Hypothesis) -> tuple[float, float]:
    """Compute the test statistic and p-value of a difference; nan if it has no variance.

    That two rankings that are identical differ by no more than the margin is certain.
    """
    margin, df = hypothesis.margin, difference.degrees_of_freedom
    if difference.is_identity:
        return (0.0, 0.0) if margin else (0.0, 1.0)
    above, below = difference.distance(-margin), difference.distance(margin)
    match hypothesis.alternative:
        case "two-sided":
            return above, two_sided_p_value(above, df)
        case "greater":
            return above, t_cdf(-above, df)
        case "less":
            return below, t_cdf(below, df)
    # Equivalence is shown if both one-sided tests reject (Schuirmann, 1987,
    # doi:10.1007/BF01068419).
    nearer = min(above, -below)
    return nearer, t_cdf(-nearer, df)


def find_difference_limits(
    difference: Difference, hypothesis: Hypothesis
) -> tuple[float, float]:
    """Compute the confidence limits of a difference.

    A one-sided test has one limit; the other is the end of the scale. A test of equivalence
    has both one-sided limits: it rejects if both lie within the margin.
    """
    level, alternative = hypothesis.confidence_level, hypothesis.alternative
    probability = (1 + level) / 2 if alternative == "two-sided" else level
    low, high = difference.limits(probability)
    if alternative == "less":
        low = -difference.largest
    if alternative == "greater":
        high = difference.largest
    return low, high


@public
@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class JointComparison:
    """Joint and pairwise tests of the accuracy ratios of several scores, read-only.

    Its ``repr`` is one line that can be pasted into a memo.

    Attributes
    ----------
    statistic : float
        F statistic of the joint test; nan if it is undefined.
    degrees_of_freedom : int
        Numerator degrees of freedom: the rank of the covariance of the contrasts.
    residual_degrees_of_freedom : float
        Denominator degrees of freedom: those of the covariance.
    p_value : float
        p-value of the hypothesis that all contrasts are 0. nan if a contrast has no
        variance but is not 0, and with a single event or non-event.
    ratios : mapping of str to float
        Accuracy ratio of each score, by name.
    pairs : mapping of (str, str) to Comparison
        Comparison of each pair of scores, with its unadjusted p-value.
    p_holm : mapping of (str, str) to float
        p-value of each pair, adjusted for the number of pairs by Holm's method; nan if the
        unadjusted one is.

    See Also
    --------
    accuracy_ratio_test_joint : Compares several scores of the same rows.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_test_joint
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> scores = {name: loans[f"{name}_pd"] for name in ("champion", "challenger")}
    >>> accuracy_ratio_test_joint(loans["default"], scores).ratios
    {'champion': 0.57..., 'challenger': 0.5...}
    """

    statistic: float
    degrees_of_freedom: int
    residual_degrees_of_freedom: float
    p_value: float
    ratios: Mapping[str, float]
    pairs: Mapping[tuple[str, str], Comparison]
    p_holm: Mapping[tuple[str, str], float]

    def __repr__(self) -> str:
        level = next(iter(self.pairs.values())).confidence_level
        ratios = ", ".join(f"{name} {ratio:.3f}" for name, ratio in self.ratios.items())
        return (
            f"AR {ratios}: F {self.statistic:.3f} on {self.degrees_of_freedom} and "
            f"{self.residual_degrees_of_freedom:.4g} degrees of freedom, "
            f"{format_p_value(self.p_value, level)}"
        )

    def _repr_html_(self) -> str:
        from capcurve._inference.notebook import view_joint

        return view_joint(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as a dictionary of plain Python values.

        Returns
        -------
        dict
            One entry per attribute. In ``pairs`` and ``p_holm`` the first score of a pair
            leads to a dictionary by the second one, as JSON has no pairs as keys;
            comparisons are dictionaries too. Infinite and nan values stay floats.

        Examples
        --------
        >>> from capcurve import accuracy_ratio_test_joint
        >>> from capcurve.datasets import make_portfolio
        >>> loans = make_portfolio()
        >>> scores = {name: loans[f"{name}_pd"] for name in ("champion", "challenger")}
        >>> found = accuracy_ratio_test_joint(loans["default"], scores).to_dict()
        >>> found["pairs"]["champion"]["challenger"]["value"]
        -0.020...
        """
        pairs = {names: pair.to_dict() for names, pair in self.pairs.items()}
        return {
            **{each.name: getattr(self, each.name) for each in fields(self)},
            "ratios": dict(self.ratios),
            "pairs": nest(pairs),
            "p_holm": nest(self.p_holm),
        }


@public
@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class InitialComparison:
    """Tests of the current AUC against the one at initial validation, read-only.

    Attributes
    ----------
    ecb : Comparison
        The ECB's one-sided test, which takes the initial AUC as known.
    two_sample : Comparison or None
        The same test with the variances of both periods; None if that of the initial AUC
        was not given.
    degrees_of_freedom : float
        Degrees of freedom of the standard error of the current AUC. The ECB's test takes
        the normal distribution whatever they are; below 10, warnings tell.

    See Also
    --------
    accuracy_ratio_test_initial : Makes both tests.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_interval, accuracy_ratio_test_initial
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> current = accuracy_ratio_interval(loans["default"], loans["champion_pd"])
    >>> round(accuracy_ratio_test_initial(current, initial_auc=0.8).ecb.statistic, 2)
    1.25
    """

    ecb: Comparison
    two_sample: Comparison | None
    degrees_of_freedom: float = inf

    def __repr__(self) -> str:
        tests = [self.ecb] if self.two_sample is None else [self.ecb, self.two_sample]
        return "\n".join(map(repr, tests))

    def _repr_html_(self) -> str:
        from capcurve._inference.notebook import view_initial

        return view_initial(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as a dictionary of plain Python values.

        Returns
        -------
        dict
            One entry per attribute; the tests are dictionaries too. Infinite and nan values
            stay floats.

        Examples
        --------
        >>> from capcurve import accuracy_ratio_interval, accuracy_ratio_test_initial
        >>> from capcurve.datasets import make_portfolio
        >>> loans = make_portfolio()
        >>> current = accuracy_ratio_interval(loans["default"], loans["champion_pd"])
        >>> found = accuracy_ratio_test_initial(current, initial_auc=0.8).to_dict()
        >>> found["ecb"]["method"], found["two_sample"]
        ('ECB', None)
        """
        return asdict(self)


def nest(by_pair: Mapping[tuple[str, str], Any]) -> dict[str, dict[str, Any]]:
    """Turn keys of two names into the first name, then the second."""
    nested: dict[str, dict[str, Any]] = {}
    for (first, second), value in by_pair.items():
        nested.setdefault(first, {})[second] = value
    return nested


def compare_jointly(
    names: Sequence[str],
    paired: Sequence[Columns],
    contrasts: Any,
    method: TestMethod,
    hypothesis: Hypothesis,
) -> JointComparison:
    """Test the accuracy ratios of scores of the same rows, jointly and in pairs.

    ``contrasts`` has one column per score; None stands for the differences between
    neighbouring scores.
    """
    n = len(names)
    factors = np.eye(n)[:-1] - np.eye(n)[1:]
    if contrasts is not None:
        given = as_numbers(as_array(contrasts, "contrasts"), "contrasts")
        factors = np.atleast_2d(given.astype(np.float64))
        if factors.shape != (len(factors), n) or not len(factors):
            raise CapcurveError(
                f"`contrasts` must have a column for each of the {n} scores, got shape "
                f"{factors.shape}; pass one row of {n} factors per contrast"
            )
    influence = compute_ratio_influence(paired)
    joint = run_joint_test(influence.apply_contrasts(factors))
    differences = {
        (names[i], names[j]): compare_pair(influence, paired, (i, j), method)
        for i, j in combinations(range(n), 2)
    }
    pairs = {
        names: make_comparison(difference, hypothesis)
        for names, difference in differences.items()
    }
    adjusted = adjust_holm([pair.p_value for pair in pairs.values()])
    return JointComparison(
        statistic=joint.statistic,
        degrees_of_freedom=joint.df,
        residual_degrees_of_freedom=joint.residual_df,
        p_value=joint.p_value,
        ratios=dict(zip(names, influence.value.tolist(), strict=True)),
        pairs=pairs,
        p_holm=dict(zip(pairs, adjusted, strict=True)),
    )
