"""Facts that several pages repeat are those of the page that they come from."""

import inspect
import re

import duckdb
import numpy as np
import pytest
from scipy import stats
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.tree import DecisionTreeClassifier

import capcurve
from capcurve._report.interval_methods import SIMULATED
from docs.pages import ROOT, code_of, list_pages, read

PAGES = [name for name in list_pages() if not name.startswith("decisions/")]


def flat(text):
    return " ".join(text.split())


def test_a_table_of_counts_has_the_realised_classes_in_its_rows():
    names = {}
    for code in code_of("howto/somers_d.md"):
        exec(code.text, names)  # noqa: S102 -- the code of our own page
    rows, columns = names["counts"].shape
    assert rows != columns  # a square table looks the same if it is transposed
    assert repr(names["of_table"]) == repr(names["of_rows"])
    assert "a row for each *realised* class" in flat(read("howto/somers_d.md"))


@pytest.mark.parametrize("unit", [1e-15, 5e-7, 1e-3, 1.0, 1e12])
@pytest.mark.parametrize(
    "text",
    [
        read("howto/normalised_gini_insurance.md"),
        read("guide/ties.md"),
        inspect.getdoc(capcurve.LorenzCurveDisplay),
    ],
    ids=["howto", "guide", "LorenzCurveDisplay"],
)
def test_relativities_are_rounded_whatever_their_unit(text, unit):
    (code,) = set(re.findall(r"`(np\.round\([^`]+)`", text))
    rng = np.random.default_rng(0)
    true = rng.integers(20, 200, 5_000) / 100
    weight = rng.lognormal(0, 0.4, true.size)
    loss = rng.poisson(0.3 * true) / 1
    computed = true * weight * unit / weight
    assert len(set(computed)) > len(set(true))
    computed, weight = np.append(computed, np.inf), np.append(weight, 0)  # premium 0
    loss, true = np.append(loss, np.nan), np.append(true, np.inf)
    rounded = eval(code, {"np": np, "relativity": computed, "ratio": computed})  # noqa: S307
    assert len(set(rounded)) == len(set(true))
    options = {"sample_weight": weight, "target_type": "continuous"}
    found, kept = (
        capcurve.CapCurve.from_predictions(loss, each, **options).gini_index
        for each in (rounded, true)
    )
    assert found == pytest.approx(kept, abs=1e-12)


# Which label of text is the event of an estimator, and what becomes of scorers without one.

FITTED = np.array([[0.1], [0.3], [0.2], [0.9], [0.8], [0.4], [0.7], [0.6]] * 5)
NAMES = np.array(["good", "good", "bad", "bad", "bad", "good", "good", "bad"] * 5)


@pytest.mark.parametrize(
    "page",
    [
        "tutorials/cap_curve_in_python.md",
        "howto/cumulative_gains_sklearn.md",
        "howto/cross_validation_gini.md",
    ],
)
def test_the_event_of_an_estimator_is_the_last_label_by_the_alphabet(page):
    assert "the last of the two `classes_`" in flat(read(page))
    model = DecisionTreeClassifier(max_depth=1, random_state=0).fit(FITTED, NAMES)
    folds = cross_validate(
        model, FITTED, NAMES, cv=2, return_estimator=True, return_indices=True
    )
    draw = capcurve.CAPCurveDisplay
    for found in (
        draw.from_estimator(model, FITTED, NAMES),
        draw.from_cv_results(folds, FITTED, NAMES),
    ):
        assert found.pos_label == model.classes_[1] == "good"
        assert "good" in found.ax_.get_ylabel()
    asked = draw.from_estimator(model, FITTED, NAMES, pos_label="bad")
    assert asked.pos_label == "bad"


@pytest.mark.filterwarnings("ignore:One or more of the test scores:UserWarning")
def test_a_scorer_without_its_event_gives_nan_and_the_first_candidate():
    page = flat(read("howto/scorer_gridsearchcv.md"))
    assert "turns a failure into nan, with a warning" in page
    assert "takes the first candidate as the best" in page
    model, depths = DecisionTreeClassifier(random_state=0), {"max_depth": [3, 1, 2]}
    options = {"scoring": capcurve.Scorer("lift", fraction=0.1), "cv": 2}
    with pytest.warns(UserWarning, match="Scoring failed"):
        search = GridSearchCV(model, depths, **options).fit(FITTED, NAMES)
    assert search.best_params_ == {"max_depth": 3}
    assert np.isnan(search.best_score_)
    with pytest.raises(capcurve.CapcurveError, match="without `pos_label`"):
        GridSearchCV(model, depths, error_score="raise", **options).fit(FITTED, NAMES)


@pytest.mark.parametrize("page", ["reference/from_yardstick.md", "howto/missing_scores.md"])
def test_duckdb_reads_yes_and_no_as_booleans_where_na_is_missing(page, tmp_path):
    assert "nullstr" in read(page)
    assert "as true and false" in flat(read(page))
    path = tmp_path / "labels.csv"
    path.write_text("y\nyes\nno\nNA\n", encoding="utf-8")
    for option, values in (
        ("", ["yes", "no", "NA"]),
        (", nullstr = 'NA'", [True, False, None]),
    ):
        rows = duckdb.sql(f"select y from read_csv('{path}'{option})").fetchall()  # noqa: S608
        assert [value for (value,) in rows] == values


# Where the intervals of AR are said to cover, so is the design in which they do not.
SAY_EXCEPTION = {
    "guide/intervals.md": read("guide/intervals.md"),
    "howto/bootstrap_interval.md": read("howto/bootstrap_interval.md"),
    "howto/confidence_interval.md": read("howto/confidence_interval.md"),
    "tutorials/validate_a_pd_model.md": read("tutorials/validate_a_pd_model.md"),
    "accuracy_ratio_interval": inspect.getdoc(capcurve.accuracy_ratio_interval),
    "the report": SIMULATED,
}


@pytest.mark.parametrize("text", SAY_EXCEPTION.values(), ids=SAY_EXCEPTION)
def test_two_hidden_events_are_not_covered_whatever_the_number_of_events(text):
    (said,) = re.findall(r"86 to 92\b.*?no warning is possible", flat(text))
    for words in (
        "nearly perfect otherwise",
        "ranks about two events below nearly all non-events",
        "be it two of 20 or two of 200",
        "ne sample in eight",
    ):
        assert words in said
    assert not re.search(r"\b87\b|one event in ten|one design", flat(text))


def test_the_coverage_with_hidden_events_is_that_of_the_table():
    cells = re.findall(
        r"^\| \d+ of \d+, \d+ % \| [\d.]+ \| ([\d.]+) \| ([\d.]+) \|$",
        read("inference.md"),
        re.MULTILINE,
    )
    found = [float(cell) for row in cells for cell in row]
    assert len(found) == 8
    assert (int(min(found)), int(max(found))) == (86, 92)
    assert "covers in 86 to 92 %" in flat(read("coverage.md"))


@pytest.mark.parametrize("name", [*(f"docs/{page}" for page in PAGES), "README.md"])
def test_events_like_non_events_are_not_said_to_be_the_exception(name):
    text = flat((ROOT / name).read_text(encoding="utf-8"))
    assert not re.search(r"ranked no better than non-events|cannot be told from", text)


def test_the_size_of_the_initial_test_is_that_of_the_page():
    cells = re.findall(
        r"^\| normal AR .+, 100 events then, (\d+) now \| ([\d.]+) ± .*? \| ([\d.]+) ±",
        read("coverage.md"),
        re.MULTILINE,
    )
    doc = flat(inspect.getdoc(capcurve.accuracy_ratio_test_initial))
    found = re.search(
        r"rejected (\d+) to (\d+) % of samples at a level of 5 % with 100 defaults in each "
        r"period, and (\d+) to (\d+) % with 100 defaults initially and (\d+) now; .*? "
        r"rejected (\d+) to (\d+) %",
        doc,
    )
    assert found, doc
    then, now = found[5], sorted({size for size, *_ in cells} - {"100"})
    assert [then] == now
    of = {size: [float(ecb) for n, _, ecb in cells if n == size] for size in ("100", then)}
    both = [float(two) for _, two, _ in cells]
    said = [of["100"], of[then], both]
    limits = [round(limit(each)) for each in said for limit in (min, max)]
    assert [int(found[i]) for i in (1, 2, 3, 4, 6, 7)] == limits


def test_the_design_of_weights_that_cost_coverage_has_the_ar_that_is_named():
    text = flat(read("guide/intervals.md"))
    found = re.search(
        r"exp\(-0\.5 score \+ 0\.5 noise\).*? at an AR of ([\d.]+), or ([\d.]+) with", text
    )
    assert found, text
    spread, b = 2, -0.5  # weights exp(b score) move the mean by b times the variance
    distance = stats.norm.ppf((1 + float(found[1])) / 2) * np.hypot(1, spread)
    moved = (distance + b * (spread**2 - 1)) / np.hypot(1, spread)
    assert float(found[2]) == round(2 * stats.norm.cdf(moved) - 1, 2)


def test_the_tests_against_few_events_then_reject_as_often_as_on_the_page():
    cells = re.findall(
        r"^\| normal AR .+, (\d+) events then, 500 now \| \**([\d.]+) ±.*?(?: w (\d+))? "
        r"\| ([\d.]+) ±",
        read("coverage.md"),
        re.MULTILINE,
    )
    text = flat(read("howto/drop_since_validation.md"))
    found = re.search(
        r"with 20 defaults then and 500 now in (\d+) to (\d+) % .*? did so in "
        r"(\d+) to (\d+) %, and warned nearly always; with 100 then it rejected in "
        r"(\d+) to (\d+) %",
        text,
    )
    assert found, text
    of = {size: [row for row in cells if row[0] == size] for size in ("20", "100")}
    assert min(int(warned) for _, _, warned, _ in of["20"]) > 90
    said = [
        [float(ecb) for *_, ecb in of["20"]],
        *([float(two) for _, two, *_ in of[size]] for size in of),
    ]
    limits = [round(limit(each)) for each in said for limit in (min, max)]
    assert [int(number) for number in found.groups()] == limits


@pytest.mark.parametrize(
    "name", ["howto/lgd_ranking.md", "guide/amounts.md", "tutorials/lgd_and_insurance.md"]
)
def test_gauc_of_the_template_is_said_to_be_that_of_classes(name):
    text = flat(read(name))
    assert re.search(r"template[^.]* table of classes", text)
    assert re.search(r"higher or lower|mostly higher.* may be lower", text)


def test_the_how_to_has_the_template_s_gauc_of_an_lgd():
    names = {}
    for code in code_of("howto/lgd_ranking.md"):
        exec(code.text, names)  # noqa: S102 -- the code of our own page
    classes = [np.digitize(names[each], names["limits"]) for each in ("lgd", "estimate")]
    assert names["counts"].shape == (12, 12)
    expected = capcurve.somers_d_interval(*classes).to_auc()
    assert repr(names["of_classes"].to_auc()) == repr(expected)
    own = capcurve.somers_d_interval(names["lgd"], names["estimate"]).to_auc()
    assert expected.value > own.value


def test_the_guide_has_the_simulated_sizes_of_several_years():
    simulated = {}
    for years, _, cell in re.findall(
        r"^\| (.+?) \| (?:as one|by year) \| (.+?) \| (.+?) \|",
        read("inference.md"),
        re.MULTILINE,
    ):
        two_sided, less, _ = (f"{float(each):.0f} %" for each in cell.split(" / "))
        simulated.setdefault(years, []).extend([two_sided, less])
    section = read("guide/tests.md").split("### Several years at once")[1]
    said = re.findall(r"^\| (?!---|years)(.+?) \| (.+) \|$", section, re.MULTILINE)
    assert sorted(numbers.split(" | ") for _, numbers in said) == sorted(simulated.values())


def card(name):
    """Return the part of the page of metrics below a heading."""
    below = read("reference/metrics.md").split(f"\n## {name}\n")[1]
    return below.split("\n## ")[0]


def test_the_card_of_the_pooled_ar_tells_the_two_weights_apart():
    own = dict(re.findall(r"^\| ([\w ]+) \| (.+) \|$", card("Pooled AR"), re.MULTILINE))
    assert "covariate" not in own["other names"]
    assert re.search(r'segment_weights="events"`.*Janes and Pepe', own["source"])
    assert "covariate-adjusted AUC" in flat(card("Pooled AR"))


def test_ks_of_amounts_is_defined():
    """It is the largest distance from the diagonal, as a share of the perfect curve's."""
    rng = np.random.default_rng(3)
    amounts, score = rng.lognormal(size=50), rng.normal(size=50)
    curve = capcurve.CapCurve.from_predictions(amounts, score)
    own, best = (
        np.abs(captured - share).max()
        for share, captured in (
            capcurve.cap_curve(amounts, score)[:2],
            capcurve.perfect_cap_curve(amounts),
        )
    )
    assert curve.ks == pytest.approx(own / best)
    for text in (card("KS"), read("reference/glossary.md")):
        assert re.search(
            r"amounts[^.]*distance of the CAP curve from the diagonal[^.]* perfect curve",
            flat(text),
        )


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("howto/how_many_defaults.md", "minimum number of defaults"),
        ("howto/imbalanced_classes.md", "class imbalance"),
        ("howto/imbalanced_classes.md", "class_weight"),
        ("howto/imbalanced_classes.md", "oversampled"),
        ("howto/interactive_chart.md", "Plotly"),
        ("howto/lift_at_ten_percent.md", "capture at 20"),
        ("howto/lift_at_ten_percent.md", "top 10%"),
        ("howto/normalised_gini_insurance.md", "regression target"),
        ("howto/scorer_gridsearchcv.md", "RandomizedSearchCV"),
        ("howto/cap_by_segment.md", "group by"),
        ("howto/report_to_file.md", "excel"),
        ("tutorials/cap_curve_in_python.md", "accuracy at 50"),
        ("howto/somers_d.md", "somers2"),
        ("reference/from_proc.md", "roc.test"),
        ("reference/from_yardstick.md", "pivot_longer"),
        ("howto/rating_grades.md", "notches"),
        ("howto/counts_per_grade.md", "homogeneity"),
        ("guide/scope.md", "homogeneity"),
        *(
            ("guide/scope.md", words)
            for words in (
                "binomial test",
                "CalibrationDisplay",
                "probability calibration",
                "Brier",
                "Hosmer-Lemeshow",
                "Jeffreys",
                "PSI",
                "migration matrix",
                "concentration",
                "overrides",
                "CIER",
                "margin of conservatism",
            )
        ),
    ],
)
def test_words_that_readers_search_for_are_found(name, words):
    assert words in flat(read(name))


def test_pages_lead_to_what_is_not_assessed():
    assert "(../guide/scope.md" in read("tutorials/validate_a_pd_model.md")
    assert "\nscope\n" in read("guide/index.md")


def test_numbers_of_events_of_proc_are_those_of_its_formula():
    """Those of Obuchowski and McClish (1997), with and without a term of its variance."""
    kappa, correlation, delta = 49, 0.6, 0.05
    z_level, z_power = stats.norm.ppf([0.975, 0.8])

    def slopes(a):  # of the area with respect to both parameters of the curve, at b = 1
        f = np.exp(-(a**2) / 4) / np.sqrt(4 * np.pi)
        return np.array([f, -f * a / 2])

    def moments(a, other, r):  # covariances of the parameters of two curves
        both = r**2 / 2
        return np.array(
            [
                [r + r / kappa + both * a * other, both * a],
                [both * other, both * (1 + 1 / kappa)],
            ]
        )

    def find_events(first, second, *, with_term):
        a, b = np.sqrt(2) * stats.norm.ppf([first, second])
        own = [moments(each, each, 1.0) for each in (a, b)]
        if not with_term:
            own = [np.diag(np.diag(each)) for each in own]
        variances = [slopes(x) @ m @ slopes(x) for x, m in zip((a, b), own, strict=True)]
        covariance = slopes(a) @ moments(a, b, correlation) @ slopes(b)
        null, alternative = 2 * variances[0], sum(variances)
        errors = np.sqrt(np.array([null, alternative]) - 2 * covariance)
        return (errors @ [z_level, z_power]) ** 2 / delta**2

    told = flat(read("reference/from_proc.md"))
    texts = []
    for with_term in (False, True):
        each = [find_events(*p, with_term=with_term) for p in ((0.8, 0.75), (0.75, 0.8))]
        texts.append(f"{each[0]:.2f} or {each[1]:.2f}")
    assert f"gives {texts[0]} (with that term {texts[1]})" in told
