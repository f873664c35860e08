"""`compare --against`: the numbers of `compare_samples`, from one file or two."""

import json
from operator import itemgetter
from pathlib import Path

import polars as pl
import pytest

from answers import read_results
from capcurve import compare_samples
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(4_000)).filter(pl.col("year").is_in([2021, 2024]))
COLUMNS = ("--truth", "default", "--estimate", "champion_pd")
WORSE = ("--against", "2021", "--fail-if-worse-than-initial")
NAMES = {"estimate_a": "ar_a", "estimate_b": "ar_b"}


@pytest.fixture
def files():
    """Write one file of both samples, and one of each."""
    LOANS.write_csv("all.csv")
    LOANS.write_parquet("all.parquet")
    for year, part in LOANS.group_by("year"):
        part.write_csv(f"{year[0]}.csv")


def compare(run, *arguments):
    code, out, err = run("compare", *arguments, "--format", "json")
    assert code == 0, err
    return read_results(out), err


def expect(rows, expected):
    assert len(rows) == len(expected)
    for row, other in zip(rows, expected.to_dicts(), strict=True):
        named = {NAMES.get(key, key): value for key, value in other.items()}
        for name in ("sample_a", "sample_b"):
            named[name] = str(named[name])
        own = {"estimate": row["estimate"], "p_holm": row["p_holm"]}
        assert row == pytest.approx({**named, **own})


@pytest.mark.parametrize("name", ["all.csv", "all.parquet"])
@pytest.mark.usefixtures("files")
def test_a_column_that_splits(run, name):
    rows, err = compare(run, name, *COLUMNS, "--sample", "year", "--against", "2021")
    assert err == ""
    expect(rows, compare_samples(LOANS, "default", "champion_pd", "year", 2021))
    assert rows[0]["estimate"] == "champion_pd"


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
@pytest.mark.usefixtures("files")
def test_two_files(run):
    options = ("--by", "segment", "--estimate", "challenger_pd", "--confidence", "0.9")
    rows, _ = compare(run, "2024.csv", "--against", "2021.csv", *COLUMNS, *options)
    expected = compare_samples(
        LOANS,
        "default",
        ["champion_pd", "challenger_pd"],
        "year",
        2021,
        by="segment",
        confidence_level=0.9,
    ).sort("segment", maintain_order=True)
    assert [row["estimate"] for row in rows] == expected["model"].to_list()
    expect(rows, expected.drop("model"))
    smallest = min(rows, key=itemgetter("p_value"))
    assert smallest["p_holm"] == pytest.approx(6 * smallest["p_value"])  # of all six


@pytest.mark.usefixtures("files")
def test_one_sided_tests_have_one_limit(run):
    given = ("all.csv", *COLUMNS, "--sample", "year", "--against", "2021")
    for alternative, hidden, shown in (("less", "low", "high"), ("greater", "high", "low")):
        rows, _ = compare(run, *given, "--alternative", alternative, "--margin", "0.05")
        assert rows[0][hidden] is None
        assert rows[0]["margin"] == 0.05
        expected = compare_samples(
            LOANS,
            "default",
            "champion_pd",
            "year",
            2021,
            alternative=alternative,
            margin=0.05,
        )
        assert rows[0][shown] == pytest.approx(expected[shown][0])


@pytest.mark.usefixtures("files")
def test_capture_rates(run):
    given = ("all.csv", *COLUMNS, "--sample", "year", "--against", "2021")
    rows, _ = compare(run, *given, "--share", "0.2")
    expected = compare_samples(LOANS, "default", "champion_pd", "year", 2021, fraction=0.2)
    assert rows[0]["capture_a"] == pytest.approx(expected["estimate_a"][0])


@pytest.mark.usefixtures("files")
def test_files_of_the_same_name_and_stdin(run, monkeypatch):
    Path("old").mkdir()
    Path("old/2024.csv").write_bytes(Path("2021.csv").read_bytes())
    rows, _ = compare(run, "2024.csv", "--against", "old/2024.csv", *COLUMNS)
    assert (rows[0]["sample_a"], rows[0]["sample_b"]) == ("2024.csv", "old/2024.csv")
    with Path("2021.csv").open(encoding="utf-8") as rows_of_2021:
        monkeypatch.setattr("sys.stdin", rows_of_2021)
        again, _ = compare(run, "2024.csv", "--against", "-", *COLUMNS)
    assert (again[0]["sample_a"], again[0]["sample_b"]) == ("2024", "stdin")
    assert again[0]["p_value"] == rows[0]["p_value"]


@pytest.mark.usefixtures("files")
def test_words_for_missing_values_are_told(run):
    text = Path("2024.csv").read_text(encoding="utf-8")
    Path("2024.csv").write_text(f"{text}{'n/a,' * 8}1\n", encoding="utf-8")
    _, err = compare(run, "2024.csv", "--against", "2021.csv", *COLUMNS)
    assert "n/a" in err


@pytest.mark.usefixtures("files")
def test_a_gate_on_the_decrease_since_the_reference(run):
    flipped = LOANS.with_columns(champion_pd=1 - pl.col("champion_pd"))
    both = flipped.filter(pl.col("year") == 2024), LOANS.filter(pl.col("year") == 2021)
    pl.concat(both).write_csv("all.csv")
    command = ("compare", "all.csv", *COLUMNS, *WORSE, "0.05", "--sample", "year")
    code, out, err = run(*command, "--format", "json")
    assert code == 1
    (gate,) = json.loads(out)["gates"]
    assert (gate["gate"], gate["passed"]) == ("fail_if_worse_than_initial", False)
    assert gate["value"] == json.loads(out)["results"][0]["p_holm"]
    assert err.startswith(
        "capcurve: failed: champion_pd, 2024 against 2021: difference in AR -1."
    )
    LOANS.write_csv("all.csv")
    assert run(*command)[0] == 0


@pytest.mark.usefixtures("files")
def test_what_is_refused(run):
    LOANS.with_columns(default=pl.lit("x")).write_csv("labels.csv")
    for options, message in (
        (("--sample", "year"), "--against with a value of 'year' (2021, 2024), got none"),
        (("--sample", "year", "--against", "1999"), "got '1999'"),
        (("--against", "all.csv"), "got all.csv for both samples"),
        (("--against", "./all.csv"), "got ./all.csv for both samples"),
        (("--against", "none.csv"), "cannot read none.csv"),
        (("--against", "n*"), "no file matches this pattern"),
        (
            ("--against", "2021"),
            "got '2021', which is no file; to compare with a value, name its column as --s",
        ),
        (("--against", "labels.csv"), "all and labels must hold the same kind of values"),
        (("--against", "2021.csv", "--initial-auc", "0.8"), "are different tests"),
        (("--against", "2021.csv", "--method", "delong"), "got --method delong; leave it"),
        (
            ("--against", "2021.csv", "--fail-if-challenger-better", "0.05"),
            "about pairs of scores, got --against",
        ),
        (
            ("--sample", "year", *WORSE, "0.05", "--alternative", "greater"),
            "without a margin, got --alternative greater; leave it out",
        ),
        (
            ("--sample", "year", *WORSE, "0.1", "--alternative", "less", "--margin", "0.1"),
            "without a margin, got --margin 0.1; leave it out",
        ),
        (("--sample", "nope", "--against", "2021"), "nope"),
        ((), "two or more scores, --against or --initial-auc"),
    ):
        code, out, err = run("compare", "all.csv", *COLUMNS, *options)
        assert (code, out) == (2, ""), options
        assert message in err, options
        assert err.count("\n") == 1


def test_an_initial_gauc_is_not_that_of_classes(run):
    pl.DataFrame(make_portfolio(1_000)).write_csv("loans.csv")
    command = ("compare", "loans.csv", "--estimate=champion_pd", "--initial-auc=0.8")
    told = "one of classes, such as LGD grades, is another number"
    assert told in run(*command, "--truth=loss")[2]
    assert told not in run(*command, "--truth=default")[2]


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("parts/*.csv", "parts/*.csv"),
        ("./parts/2021*.csv", "2021*"),
        ("*/*.csv", "*/*.csv"),
        ("./parts/[!?]*.csv", "parts/[!?]*.csv"),
    ],
)
@pytest.mark.usefixtures("files")
def test_files_of_a_pattern_are_named_with_their_folder(run, pattern, name):
    Path("parts").mkdir()
    Path("2021.csv").rename("parts/2021.csv")
    rows, _ = compare(run, "2024.csv", "--against", pattern, *COLUMNS)
    assert (rows[0]["sample_a"], rows[0]["sample_b"]) == ("2024", name)


@pytest.mark.usefixtures("files")
def test_a_file_without_rows_is_named(run):
    header = Path("all.csv").read_text(encoding="utf-8").splitlines()[0]
    Path("empty.csv").write_text(f"{header}\n", encoding="utf-8")
    skip = (*WORSE[2:], "0.05", "--on-undefined", "skip")
    for command in (
        ("compare", "all.csv", "--against", "empty.csv"),
        ("compare", "empty.csv", "--against", "all.csv"),
        ("compare", "all.csv", "--against", "empty.csv", *skip),
        ("compare", "empty.csv", "--against", "2021", "--sample", "year"),
        ("compare", "empty.csv", "--against", "all.csv", "--counts", "exposure"),
        ("change", "empty.csv", "--sample", "year", "--bands", "5"),
    ):
        code, out, err = run(*command, *COLUMNS)
        assert (code, out) == (2, ""), command
        expected = "capcurve: error: empty.csv must have rows, got none; check the file\n"
        assert err == expected, command


@pytest.mark.usefixtures("files")
def test_a_sample_without_a_complete_row_is_named(run):
    lost = LOANS.filter(pl.col("year") == 2021).with_columns(champion_pd=None)
    lost.write_csv("lost.csv")
    command = ("2024.csv", "--against", "lost.csv", *COLUMNS)
    rows, err = compare(run, *command)
    assert "'2024' against 'lost' (no row of 'lost' is complete)\n" in err
    assert rows[0]["ar_a"] == pytest.approx(0.6, abs=0.2)
    assert rows[0]["ar_b"] is None
    assert rows[0]["difference"] is None
    _, _, err = run("compare", *command, WORSE[2], "0.05")
    assert "is undefined (lost has no complete row, or all its outcomes are equal)" in err
    lost.write_csv("gone.csv")
    gone = ("gone.csv", *command[1:], WORSE[2], "0.05")
    expected = "(gone and lost have no complete row, or all their outcomes are equal)"
    assert expected in run("compare", *gone)[2]
