"""``capcurve implied``: the numbers of the data-frame function, in the shell."""

import csv
import json
import warnings

import polars as pl
import pytest

from answers import read_results
from capcurve import CapcurveError, FewEventsWarning, compare_implied
from capcurve._cli.implied import NAMES
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(2_000))
COMMAND = ["implied", "loans.csv", "--truth", "default", "--estimate", "champion_pd"]


@pytest.fixture
def implied(run):
    LOANS.write_csv("loans.csv")

    def run_implied(*options, command=COMMAND):
        return run(*command, *options)

    return run_implied


def same(out, found):
    rows = read_results(out)
    assert len(rows) == len(found)
    for row, expected in zip(rows, found.iter_rows(named=True), strict=True):
        for name, value in expected.items():
            shown = row[NAMES.get(name, name)]
            if shown is None:  # the limit that a one-sided test lacks
                assert value in {-1, 1}
                continue
            assert shown == (pytest.approx(value) if isinstance(value, float) else value)


@pytest.mark.parametrize(
    ("alternative", "power", "side"), [("less", 0.3, "above"), ("greater", 3, "below")]
)
def test_a_ratio_on_the_side_that_the_test_does_not_look_at_is_told(
    run, alternative, power, side
):
    odds = (pl.col("champion_pd") / (1 - pl.col("champion_pd"))) ** power
    LOANS.with_columns(champion_pd=odds / (1 + odds)).write_csv("loans.csv")
    told = "probabilities were right, which a test of '{}' does not look for\n"
    _, _, err = run(*COMMAND, "--alternative", alternative)
    assert (
        f"capcurve: note: AR is {side} the implied one for champion_pd, further than most "
        f"samples would be if the {told.format(alternative)}"
    ) in err
    _, _, err = run(*COMMAND, "--alternative", alternative, "--by", "year")
    assert "the implied one for 2021, champion_pd; 2022, champion_pd" in err
    for other in {"less", "greater", "two-sided"} - {alternative}:
        assert "does not look for" not in run(*COMMAND, "--alternative", other)[2]


def test_it_prints_what_the_frame_function_finds(implied):
    for options, said in (
        ((), {}),
        (("--as-given", "--alternative", "less"), {"shift": False, "alternative": "less"}),
        (
            ("--score", "exposure", "--ascending"),
            {"score": "exposure", "descending": False},
        ),
        (
            ("--weight", "exposure", "--confidence", "0.9"),
            {"case_weights": "exposure", "confidence_level": 0.9},
        ),
        (("--cluster", "year", "--pos-label", "1"), {"clusters": "year"}),
        (("--by", "segment"), {"by": "segment"}),
    ):  # fmt: skip
        code, out, _ = implied(*options, "--format", "json")
        assert code == 0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FewEventsWarning)
            found = compare_implied(LOANS, "default", ["champion_pd"], **said)
        same(out, found.sort("segment") if "by" in said else found)


@pytest.mark.parametrize(
    ("side", "lacked"), [("less", "implied_high"), ("greater", "implied_low")]
)
def test_a_one_sided_test_lacks_a_limit(implied, side, lacked):
    _, out, _ = implied("--alternative", side, "--format", "ndjson")
    row = json.loads(out)
    limits = {name: row[name] for name in ("implied_low", "implied_high")}
    assert [name for name, limit in limits.items() if limit is None] == [lacked]
    _, out, _ = implied("--alternative", side, "--format", "csv")
    (printed,) = csv.DictReader(out.splitlines())
    assert printed[lacked] == ""


def test_a_table_of_grades(implied):
    scale = LOANS.group_by("grade").agg(
        defaults=pl.col("default").sum(), obligors=pl.len(), pd=pl.col("champion_pd").mean()
    )
    scale.write_csv("scale.csv")
    counted = [
        "--events",
        "defaults",
        "--counts",
        "obligors",
        "--estimate",
        "pd",
        "--format",
        "json",
    ]
    code, out, _ = implied(*counted, command=["implied", "scale.csv"])
    assert code == 0
    same(out, compare_implied(scale, None, ["pd"], events="defaults", counts="obligors"))


def test_what_it_prints_can_be_read(implied):
    code, out, err = implied("--by", "segment", "--by", "year")
    assert code == 0
    assert len(out.splitlines()) == 2 + 1 + 12
    assert "expected" in out
    assert err.startswith("capcurve: note: the test expects fewer than 2 rows")
    code, out, _ = implied("--help")
    assert (code, "Example: capcurve implied loans.csv" in out) == (0, True)


def test_a_missing_group_is_shown_as_such(run):
    frame = LOANS.with_columns(segment=pl.col("segment").replace("retail", None))
    frame.write_csv("gaps.csv")
    command = ["implied", "gaps.csv", *COMMAND[2:], "--by", "segment"]
    _, out, _ = run(*command)
    assert out.splitlines()[-1].startswith(" (missing)")
    _, out, _ = run(*command, "--format", "json")
    assert read_results(out)[-1]["segment"] is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--ascending",), "--ascending requires --score, which was not given"),
        (("--order", "A,B"), "--order requires --score, which was not given"),
        (("--target-type", "continuous"), "implied requires 0/1 events"),
        (
            ("--score", "exposur"),
            "loans.csv has no column 'exposur'; did you mean 'exposure'",
        ),
        (("--score", "champion_pd"), "--score must be a column other than --estimate, got"),
        (("--estimate", "exposure"), "`exposure` must hold probabilities from 0 to 1"),
        (("--confidence", "95"), "--confidence must lie between 0 and 1, got 95"),
    ],
)
def test_errors_are_one_line(implied, options, message):
    code, out, err = implied(*options)
    assert (code, out) == (2, "")
    assert err.startswith(f"capcurve: error: {message}")
    assert err.count("\n") == 1


def test_outcomes_that_are_all_equal_are_an_error(implied, run):
    code, _, _ = implied()
    LOANS.filter(pl.col("default") == 0).write_csv("good.csv")
    code, out, err = run("implied", "good.csv", *COMMAND[2:])
    assert (code, out) == (2, "")
    assert "error: the implied AR requires outcomes that differ, but within each" in err


def test_grades_in_words_rank_a_table_with_a_probability_for_each(implied):
    """The same rows ranked by the place of the grade, numbered here."""
    order = ["A", "B", "C", "D", "E", "F", "G", "H"]
    places = {grade: place for place, grade in enumerate(order)}
    scale = LOANS.group_by("grade").agg(
        defaults=pl.col("default").sum(), obligors=pl.len(), pd=pl.col("champion_pd").mean()
    )
    scale = scale.with_columns(place=pl.col("grade").replace_strict(places))
    scale.write_csv("scale.csv")
    counted = [
        "--events",
        "defaults",
        "--counts",
        "obligors",
        "--estimate",
        "pd",
        "--format",
        "json",
    ]
    command = ["implied", "scale.csv", *counted]
    code, out, _ = implied("--score", "grade", "--order", ",".join(order), command=command)
    assert code == 0
    table = {"events": "defaults", "counts": "obligors"}
    same(out, compare_implied(scale, None, ["pd"], score="place", **table))
    same(out, compare_implied(scale, None, ["pd"], score="grade", order=order, **table))
    code, _, err = implied("--order", "A,B", command=command)
    assert (code, err) == (
        2,
        (
            "capcurve: error: --order requires --score, which was not given, as "
            "probabilities are numbers; add the column of grades as --score\n"
        ),
    )
    with pytest.raises(CapcurveError, match="`order` requires `score`, got None"):
        compare_implied(scale, None, "pd", order=order, **table)
    _, _, err = implied("--score", "grade", "--order", "A,B", command=command)
    assert "--order must list every grade of `grade`, but it lacks" in err


def test_a_score_that_only_ranks_has_an_option_of_its_own(implied):
    _, _, err = implied("--estimate", "exposure")
    assert err.endswith("and pass scores that only rank as --score exposure\n")


def test_the_p_values_of_a_model_are_adjusted_for_its_groups(implied):
    """By Holm's method, by hand; a year without defaults is no test."""
    frame = LOANS.with_columns(
        default=pl.when(pl.col("year") == 2022).then(0).otherwise("default")
    )
    frame.write_csv("loans.csv")
    _, out, _ = implied(
        *("--estimate", "challenger_pd", "--by", "year", "--format", "json"),
        command=["implied", "loans.csv", *COMMAND[2:]],
    )
    rows = read_results(out)
    for model in ("champion_pd", "challenger_pd"):
        pairs = sorted(
            (row["p_value"], row["p_holm"])
            for row in rows
            if row["estimate"] == model and row["p_value"] is not None
        )
        smallest, middle, largest = (p for p, _ in pairs)
        expected = [min(3 * smallest, 1), min(max(3 * smallest, 2 * middle), 1)]
        expected.append(max(expected[1], largest))
        assert [p for _, p in pairs] == pytest.approx(expected)
    assert [row["p_holm"] for row in rows if row["year"] == "2022"] == [None, None]


def test_notes_name_groups_in_the_order_of_the_table(run):
    frame = pl.concat(
        LOANS.filter(pl.col("segment") == name).head(120).with_columns(band=pl.lit(band))
        for name, band in (("retail", 10), ("corporate", 9), ("small business", 2))
    )
    frame.write_csv("bands.csv")
    _, out, err = run("implied", "bands.csv", *COMMAND[2:], "--by", "band")
    assert [line.split()[0] for line in out.splitlines()[-3:]] == ["2", "9", "10"]
    assert err.strip().endswith("its level: band 2; band 9; band 10")
