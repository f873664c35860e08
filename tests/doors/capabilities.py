"""What each door can do: the names there, or why it cannot."""

from __future__ import annotations

from typing import NamedTuple


class Capability(NamedTuple):
    """A capability, by the names that give it at each door.

    Text in backticks is a public name, or a command of the shell; a cell that starts with
    "no" says why the door lacks it.
    """

    name: str
    arrays: str
    frames: str
    shell: str
    report: str


CAPABILITIES = (
    Capability(
        "AR with its interval",
        "`accuracy_ratio_score`, `accuracy_ratio_interval`",
        "`gain_capture`",
        "`score`",
        "yes",
    ),
    Capability(
        "AR of several class labels",
        "`accuracy_ratio_score`, `accuracy_ratio_interval`",
        "`gain_capture`, `gain_capture_vec`",
        "`score`",
        "no: a report is about one event; pass it as `pos_label`",
    ),
    Capability(
        "Somers' D and gAUC of amounts",
        "`somers_d_score`, `somers_d_interval`, `somers_d_from_table`",
        "no: `gain_capture` gives AR; pass the columns to `somers_d_interval`",
        "`score`",
        "yes",
    ),
    Capability(
        "CAP curve",
        "`cap_curve`, `perfect_cap_curve`, `CapCurve`",
        "`gain_curve`, `CapCurve`",
        "`plot`",
        "yes",
    ),
    Capability(
        "Lift curve",
        "`lift_curve`, `CapCurve`",
        '`gains_table(bands="scores")`',
        "`plot`",
        "yes",
    ),
    Capability(
        "KS with its interval",
        "`ks_interval`",
        'KS without an interval: `gains_table(bands="scores")`',
        "KS without an interval: `score`",
        "KS without an interval",
    ),
    Capability(
        "Gains table with intervals",
        "`CapCurve`, `capture_rate_score`, `capture_rate_interval`, `lift_score`, "
        "`lift_interval`, `response_rate_score`, `response_rate_interval`",
        "`gains_table`",
        "`table`",
        "yes",
    ),
    Capability(
        "Cut-offs: what a score selects and captures",
        "`CapCurve`",
        "`gain_cut_offs`",
        "`cut-offs`",
        "at the shares of `bands`",
    ),
    Capability(
        "Tests of scores on the same rows",
        "`accuracy_ratio_test`, `accuracy_ratio_test_joint`, `capture_rate_test`",
        "`compare_models`",
        "`compare`",
        "challengers",
    ),
    Capability(
        "Tests of two samples without common rows",
        "`accuracy_ratio_test_independent`",
        "`compare_samples`",
        "`compare`",
        "no: a report is about one sample; `period` compares its periods",
    ),
    Capability(
        "Test against the AUC at initial validation",
        "`accuracy_ratio_test_initial`",
        "no: pass the interval of each group to `accuracy_ratio_test_initial`",
        "`compare`",
        "yes",
    ),
    Capability(
        "AR that probabilities imply",
        "`implied_accuracy_ratio_score`, `accuracy_ratio_test_implied`",
        "`compare_implied`",
        "`implied`",
        "yes",
    ),
    Capability(
        "Segments and trend",
        "`accuracy_ratio_test_segments`, `pooled_accuracy_ratio_score`, "
        "`pooled_accuracy_ratio_interval`",
        "`compare_segments`, `summarize_segments`",
        "`segments`",
        "yes",
    ),
    Capability(
        "Change of AR by mix and ranking",
        "`accuracy_ratio_change`",
        "`gain_capture_change`",
        "`change`",
        "no: a report is about one sample",
    ),
    Capability(
        "AR with the grades of another portfolio",
        "`accuracy_ratio_at_reference`",
        "`gain_capture_at_reference`",
        "`reference`",
        "no: a report is about the rows as they are",
    ),
    Capability(
        "Sample size and power",
        "`plan_interval`, `plan_test`, `plan_from_sample`",
        "`plan_models`",
        "`plan`",
        "as a finding",
    ),
    Capability(
        "Pictures",
        "`CAPCurveDisplay`, `LiftCurveDisplay`, `KSDisplay`, `GainsTableDisplay`, "
        "`LorenzCurveDisplay`, `DoubleLiftDisplay`",
        "`plot_gain_curve`, `plot_panels`, `plot_summary`",
        "`plot`",
        "CAP, lift, KS and ROC",
    ),
    Capability(
        "Band of random rankings",
        "`random_band`",
        "no: pass the columns to `random_band`",
        "`plot`",
        "no: the interval of AR says it",
    ),
    Capability(
        "Sketches with guaranteed bounds",
        "`CapSketch`",
        "`BinnedCurve`, `CapSketch`",
        "`sketch`",
        "of a sketch",
    ),
    Capability(
        "Limit of the memory for rows",
        "no: arrays are in memory",
        "`gain_capture` and the others: memory_limit",
        "`score`, `table`, `plot`",
        "no: it reads all rows into memory",
    ),
    Capability(
        "Scores in cross-validation",
        "`accuracy_ratio_scorer`, `scorers`",
        "no: scikit-learn hands over arrays",
        "no: it fits no models",
        "no: it fits no models",
    ),
    Capability("Report to file", "`report` of a data frame", "`report`", "`report`", "yes"),
    Capability(
        "Reports of many portfolios in one run",
        "no: call `report` for each",
        "no: call `report` for each",
        "`run`",
        "links from a summary page",
    ),
)
