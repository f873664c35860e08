"""Notes on methods, and references, that every report prints."""

from capcurve._inference.options import FEW_EVENTS

CHART_CELLS = 250  # per axis; a plotted curve keeps at most two points in each
NOTES = (
    "Rows with a higher score are ranked first, unless the options say otherwise.",
    (
        "Tied rows form one straight segment of the curve: the average over all orders of "
        "these rows."
    ),
    (
        "Accuracy ratio (AR): the area between the curve and the diagonal, divided by the "
        "same area for a perfect ranking. For 0/1 events, AR = 2 AUC - 1 (Engelmann et al. "
        "2003)."
    ),
    (
        "Confidence intervals: the variance of DeLong et al. (1988) after a quarter of an "
        "event and of a non-event were added at both ends of the ranking, and limits of "
        "the beta distribution. In simulations of 20 events and more, intervals of 95 % "
        "covered in 94 % of samples or more."
    ),
    (
        "Confidence band: pointwise. It covers the true curve, at its confidence level, at "
        "a single population share chosen in advance. There is none for amounts and "
        "weighted rows."
    ),
    (
        "Challengers: paired score tests on the same rows. p-values are also adjusted by "
        "Holm's method for the number of pairs."
    ),
    (
        "Initial validation: S = (initial AUC - current AUC) / s, one-sided (ECB 2019). "
        "The two-sample test allows for the variance of the initial AUC too, under the "
        "hypothesis that AUC has not changed."
    ),
    (
        f"Results with fewer than {FEW_EVENTS} events or non-events in effect are marked: "
        "the coverage of their intervals may fall below the confidence level."
    ),
    (
        "Plotted curves keep the first and the last point in each of "
        f"{CHART_CELLS} cells per axis, so a line is off by at most 1/{CHART_CELLS}. All "
        "numbers are computed from all rows."
    ),
)
WHOLE_WEIGHTS = (
    "Weights: the whole numbers were taken as sampling weights. If each row stands for "
    "that many equal rows, pass them as counts; intervals are then narrower."
)
REFERENCES = (
    (
        "Engelmann, B., Hayden, E., Tasche, D. (2003). Testing rating accuracy. Risk "
        "16(1), 82-86."
    ),
    (
        "DeLong, E. R., DeLong, D. M., Clarke-Pearson, D. L. (1988). Comparing the "
        "areas under two or more correlated receiver operating characteristic curves."
        " Biometrics 44(3), 837-845. doi:10.2307/2531595"
    ),
    (
        "European Central Bank (2019). Instructions for reporting the validation "
        "results of internal models: IRB Pillar I models for credit risk."
    ),
)
