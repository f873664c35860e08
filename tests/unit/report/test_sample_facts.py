"""Facts on the sample, counted by hand."""

import polars as pl

from capcurve import BinnedCurve, report

ROWS = pl.DataFrame(
    {
        "y": [1, 1, 0, 0, 0, 1],
        "s": [6, 5, 4, 3, 2, 1],
        "b": ["x", "x", "x", "y", "z", "z"],
        "w": [0.5, 1.5, 2.0, 1.0, 1.0, 1.0],
        "n": [2, 1, 3, 4, 5, 1],
        "loss": [10.5, 1.5, 0.0, 0.0, 2.5, 0.0],
    }
)


def describe(truth="y", **options):
    return report(ROWS, truth, "s", **options).facts["sample"]


def test_rows_events_and_weights_are_counted():
    plain = describe()
    assert (plain["n_rows"], plain["n_events"], plain["n_non_events"]) == (6, 3, 3)
    assert (plain["weights"], plain["weights_column"]) == ("none", None)
    assert (plain["clusters"], plain["period"]) == (None, None)
    weighted = describe(case_weights="w")
    assert (weighted["weights"], weighted["weights_column"]) == ("sampling", "w")
    assert (weighted["n_rows"], weighted["n_events"]) == (6, 3)
    counted = describe(counts="n")
    assert (counted["weights"], counted["weights_column"]) == ("counts", "n")
    assert (counted["n_rows"], counted["n_events"], counted["n_non_events"]) == (16, 4, 12)


def test_clusters_are_counted_and_those_with_an_event():
    found = describe(clusters="b")["clusters"]
    assert found == {"column": "b", "n": 3, "n_event_clusters": 2}


def test_events_of_amounts_are_rows_above_zero():
    found = describe("loss")
    assert (found["n_rows"], found["n_events"], found["n_non_events"]) == (6, 3, 3)


def test_bins_count_events_only():
    binned = BinnedCurve.from_frame(ROWS, "y", "s")
    found = report(binned, "y", "s").facts["sample"]
    assert (found["n_rows"], found["n_events"], found["n_non_events"]) == (6, 3, 3)
    amounts = BinnedCurve.from_frame(ROWS, "loss", "s")
    found = report(amounts, "loss", "s").facts["sample"]
    assert (found["n_rows"], found["n_events"]) == (6, None)
