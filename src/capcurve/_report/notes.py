"""What a report says of its methods."""

from capcurve._precision import FEW_EVENTS

CELLS = 250  # of each axis, in which a drawn curve keeps two points at most

NOTES = (
    ("A score that is higher is ranked earlier, unless low scores first are asked for."),
    ("Tied rows are one straight segment of the curve: the mean over all their orders."),
    (
        "Accuracy ratio (AR): the area between the curve and the diagonal, as a share"
        " of that of a perfect ranking; for 0/1 events AR = 2 AUC - 1 (Engelmann et "
        "al. 2003)."
    ),
    (
        "Intervals: variance of DeLong et al. (1988) on the logit scale, with "
        "Student's t, which keeps its level with few events."
    ),
    "Band: pointwise; it holds the true curve at one share chosen in advance.",
    ("Challengers: paired, on the same rows; p-values after Holm where there are several."),
    (
        "Initial validation: S = (AUC initial - AUC current) / s, one-sided (ECB "
        "2019); the two-sample test adds the variance of the initial AUC and keeps "
        "its level."
    ),
    (
        f"Fewer than {FEW_EVENTS} events or non-events are marked: an interval that "
        "rests on so few may hold the true AR less often than it says."
    ),
    (
        f"Drawn curves keep the first and the last point in each of {CELLS} cells of "
        f"either axis, so that no line is off by more than 1/{CELLS}; numbers are "
        "those of all rows."
    ),
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
