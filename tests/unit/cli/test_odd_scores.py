"""The shell notes scores that are infinite, or one number far from all the others."""

import pytest

INFINITE, FINITE = "y,s,n\n1,inf,2\n0,2,1\n1,3,1\n0,-inf,1\n", "y,s,n\n1,4,2\n0,2,1\n"
END = " first or last; if that means a missing value, leave {} out (of text "


@pytest.mark.parametrize(
    ("options", "rows"),
    [
        ((), "2 rows, which rank"),
        (("--counts", "n"), "3 rows, which rank"),
        (("--na", "inf"), "1 row, which ranks"),
        (("--approx",), "some rows, which rank"),
        (("--memory-limit", "300MB"), "2 rows, which rank"),
        (("--approx", "--weight", "n"), "some rows, which rank"),
    ],
)
def test_their_rows_are_counted(score, options, rows):
    _, _, err = score(INFINITE, *options)
    these = "this row" if rows == "1 row, which ranks" else "these rows"
    assert f"capcurve: note: 's' is infinite in {rows}{END.format(these)}" in err


def test_they_are_told_where_they_share_a_bin_with_others(score):
    rows = "".join(f"{i % 5 // 4},{i / 9000:.4f},1\n" for i in range(9000))
    _, _, err = score(f"y,s,n\n1,inf,1\n0,inf,1\n{rows}", "--approx")
    assert "'s' is infinite in some rows, which rank" in err


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_scores_that_are_all_infinite_are_alike(score):
    code, _, err = score("y,s,n\n1,inf,2\n0,inf,1\n")
    assert (code, "'s' is the same in all rows" in err) == (0, True)


@pytest.mark.parametrize("options", [(), ("--approx",)])
def test_finite_scores_need_no_note(score, options):
    assert "infinite" not in score(FINITE, *options)[2]


def test_the_note_says_how_to_leave_them_out(score):
    _, out, err = score(INFINITE, "--na", "inf", "--na=-inf")
    assert '"left_out": 2' in out
    assert "infinite" not in err


SENTINEL = "y,s,n\n1,0.5,1\n0,0.25,1\n1,0,1\n0,0.1,1\n0,-9999.0,2\n1,-9999.0,2\n"


@pytest.mark.parametrize(
    ("options", "rows", "place"),
    [
        ((), 2, "last"),
        (("--counts", "n"), 4, "last"),
        (("--ascending",), 2, "first"),
        (("--memory-limit", "300MB"), 2, "last"),
        (("--approx",), 2, "last"),
        (("--approx", "--ascending"), 2, "first"),
    ],
)
def test_a_number_among_probabilities_is_told(score, options, rows, place):
    _, _, err = score(SENTINEL, *options)
    assert (
        f"capcurve: note: 's' is -9999 in {rows} rows and from 0 to 0.5 in all others, so "
        f"these rank {place}; if that means a missing value, leave these rows out (of "
        "text files by --na=-9999)\n"
    ) in err


@pytest.mark.parametrize("options", [(), ("--memory-limit", "300MB"), ("--approx",)])
def test_a_single_one_is_told(score, options):
    _, _, err = score(SENTINEL.replace("0,-9999.0,2\n", ""), *options)
    assert (
        "capcurve: note: 's' is -9999 in 1 row and from 0 to 0.5 in all others, so it "
        "ranks last; if that means a missing value, leave this row out (of text files by "
        "--na=-9999)\n"
    ) in err


def test_bins_of_weights_do_not_know_its_rows(score):
    _, _, err = score(SENTINEL, "--approx", "--weight", "n")
    assert "'s' is -9999 in some rows and from 0 to 0.5 in all others" in err


def test_groups_of_equal_outcomes_have_no_bins_to_look_at(score):
    rows = SENTINEL.replace("y,s,n", "y,s,k").replace(",1\n", ",a\n")
    rows = rows.replace(",2\n", ",a\n") + "1,0.3,b\n"
    _, _, err = score(rows, "--approx", "--by", "k")
    assert "'s' is -9999 in 2 rows and from 0 to 0.5 in all others" in err


def test_its_remedy_leaves_it_out(score):
    _, out, err = score(SENTINEL, "--na=-9999")
    assert '"left_out": 2' in out
    assert "in all others" not in err


AMOUNT = "y,s,n\n" + "".join(f"{i % 2}.0,{i % 7},1\n" for i in range(49)) + "0.5,3,1\n"


@pytest.mark.parametrize("options", [(), ("--approx",), ("--counts", "n")])
def test_an_outcome_that_makes_amounts_of_events_is_told_once(score, options):
    _, _, err = score(AMOUNT, *options)
    told = "capcurve: note: `y` is taken as amounts: 1 of 50 outcomes is neither 0 nor 1 ("
    assert err.count(told) == 1
    assert "correct it, or pass --target-type continuous if outcomes are amounts\n" in err
    assert "taken as" not in score(AMOUNT, *options, "--target-type", "continuous")[2]


POINTS = "y,s,n\n" + "".join(f"{i * 7.5},{i % 2},1\n" for i in range(20))


@pytest.mark.parametrize("options", [(), ("--approx",), ("--counts", "n")])
def test_a_score_as_outcome_that_the_outcome_ranks_is_told(score, options):
    _, _, err = score(POINTS, *options)
    told = "capcurve: note: `y` holds amounts up to 142.5 and `s` only 0 and 1, so outcome"
    assert err.count(told) == 1
    assert "first or, if outcomes are amounts, pass --target-type continuous\n" in err
    assert "swapped" not in score(POINTS, *options, "--target-type", "continuous")[2]


ALIKE = "y,s,g,n\n" + "1,0.5,a,2\n0,0.5,a,1\n" * 20


@pytest.mark.parametrize(
    "options",
    [(), ("--approx",), ("--memory-limit", "300MB"), ("--counts", "n"), ("--weight", "n")],
)
def test_a_score_that_is_the_same_in_all_rows_is_told(score, options):
    note = "capcurve: note: 's' is the same in all rows{}, so that its AR is 0; check it\n"
    assert note.format("") in score(ALIKE, *options)[2]
    differs = f"{ALIKE}1,0.6,b,1\n0,0.5,b,1\n"
    assert "is the same in all rows" not in score(differs, *options)[2]
    if "--counts" not in options:
        assert note.format(" of a") in score(differs, *options, "--by", "g")[2]


def test_a_score_without_a_curve_is_not_told_to_be_the_same_in_all_rows(score):
    assert "is the same" not in score("y,s,g\n1,1,a\n1,2,b\n0,1,b\n", "--by", "g")[2]
