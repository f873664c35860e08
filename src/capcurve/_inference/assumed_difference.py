"""Power of the tests of a sample, at a difference that is assumed instead of observed.

The error of AUC depends on AUC: it vanishes towards 0 and 1, so that of the sample is too
small for a lower AUC. Here each AUC counts as a share of ``K`` trials, of variance
``p (1 - p) / K``, whatever it is, as in the score test.
"""

from dataclasses import dataclass
from math import isnan, nan, sqrt

from capcurve._inference.comparison import Hypothesis
from capcurve._inference.differences import ScoreDistances
from capcurve._inference.limits import clip
from capcurve._inference.power import LEAST_DF, NEAR_ONE, Precision, compute_power
from capcurve._inference.share_limits import wilson_limits_t

WIDTH = 2.0  # of the scale of AR


@dataclass(frozen=True)
class KnownRatio:
    """An AR to be tested against a known one.

    Attributes
    ----------
    known : float
        The known AR.
    n_trials, degrees_of_freedom : float
        Those of the AUC of the sample.
    """

    known: float
    n_trials: float
    degrees_of_freedom: float

    def find_reach(self, hypothesis: Hypothesis) -> float:
        """Return the largest distance from the known AR in a direction that is tested."""
        below, above = NEAR_ONE + self.known, NEAR_ONE - self.known
        if hypothesis.alternative == "two-sided":
            return max(below, above)
        return below if hypothesis.side < 0 else above

    def find_power(self, difference: float, hypothesis: Hypothesis) -> float:
        """Return the probability that the test finds a true difference.

        Of a two-sided test it is the smaller one of both directions. Nan if no AR differs
        so much from the known one, or little is known.
        """
        if not self.degrees_of_freedom >= LEAST_DF:  # or nan
            return nan
        if hypothesis.alternative != "two-sided":
            side = hypothesis.side
            return self.find_power_towards(side, side * difference, hypothesis)
        found = [
            self.find_power_towards(side, abs(difference), hypothesis) for side in (-1, 1)
        ]
        return min((power for power in found if not isnan(power)), default=nan)

    def find_power_towards(
        self, side: int, distance: float, hypothesis: Hypothesis
    ) -> float:
        """Return the power if the true AR lies at a distance below or above."""
        truth = self.known + side * distance
        if abs(truth) > NEAR_ONE:
            return nan
        edge = self.find_edge(side, hypothesis)
        precision = Precision(
            self.error_of((1 + truth) / 2), self.error_of(edge), self.degrees_of_freedom
        )
        return compute_power(hypothesis.side * distance, precision, hypothesis)

    def find_edge(self, side: int, hypothesis: Hypothesis) -> float:
        """Return the AUC at which the test begins to reject.

        The test divides by the error of the sample, which is that of its AUC. So the edge
        is where the hypothesis is a limit of Wald's, and that is Wilson's limit of the
        hypothesis.
        """
        null = clip((1 + self.known - side * hypothesis.margin) / 2, 0, 1)
        level = hypothesis.confidence_level
        if hypothesis.alternative != "two-sided":
            level = 2 * level - 1
        low, high = wilson_limits_t(null, self.n_trials, level, self.degrees_of_freedom)
        return low if side < 0 else high

    def error_of(self, share: float) -> float:
        """Return the standard error of AR if this is the AUC."""
        return WIDTH * sqrt(share * (1 - share) / self.n_trials)


@dataclass(frozen=True)
class PairedRatios:
    """The AR of two scores of the same rows, to be tested by the score method.

    Attributes
    ----------
    observed : ScoreDistances
        Both AUC of the sample, their numbers of trials and their correlation.
    degrees_of_freedom : float
        Those of the variance of the difference.
    """

    observed: ScoreDistances
    degrees_of_freedom: float

    def find_reach(self, _: Hypothesis) -> float:
        """Return the largest distance of both AR."""
        return WIDTH * NEAR_ONE

    def find_power(self, difference: float, hypothesis: Hypothesis) -> float:
        """Return the probability that the test finds a true difference.

        Of a two-sided test it is the smaller one of both directions, so that the order of
        the scores does not matter.
        """
        power = self.find_power_of_signed(difference, hypothesis)
        if hypothesis.alternative != "two-sided":
            return power
        return min(power, self.find_power_of_signed(-difference, hypothesis))

    def find_power_of_signed(self, difference: float, hypothesis: Hypothesis) -> float:
        """Return the power if the first AR exceeds the second by the difference.

        Both lie about the mean of those observed, as far as the difference lets them.
        """
        observed, half = self.observed, difference / WIDTH / 2
        room = (1 - WIDTH * abs(half)) / 2
        centre = clip((observed.first + observed.second) / 2, 1 / 2 - room, 1 / 2 + room)
        first, second = centre + half, centre - half
        assumed = ScoreDistances(
            first, second, observed.trials, observed.correlation, WIDTH
        )
        null = -hypothesis.side * hypothesis.margin / WIDTH
        precision = Precision(
            WIDTH * assumed.error_of(first, second),
            WIDTH * assumed.find_error(null),
            self.degrees_of_freedom,
        )
        return compute_power(difference, precision, hypothesis)
