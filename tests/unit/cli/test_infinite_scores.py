"""The shell notes infinite scores, as they rank first or last whatever the others are."""

import pytest

INFINITE, FINITE = "y,s,n\n1,inf,2\n0,2,1\n1,3,1\n0,-inf,1\n", "y,s,n\n1,4,2\n0,2,1\n"
END = " first or last; if it stands for a missing value, leave these rows out (of text "


@pytest.mark.parametrize(
    ("options", "rows"),
    [
        ((), "2 rows, which rank"),
        (("--counts", "n"), "3 rows, which rank"),
        (("--na", "inf"), "1 row, which ranks"),
        (("--approx",), "some rows, which rank"),
    ],
)
def test_their_rows_are_counted(score, options, rows):
    _, _, err = score(INFINITE, *options)
    assert f"capcurve: note: 's' is infinite in {rows}{END}" in err


@pytest.mark.parametrize("options", [(), ("--approx",)])
def test_finite_scores_need_no_note(score, options):
    assert "infinite" not in score(FINITE, *options)[2]


def test_the_note_says_how_to_leave_them_out(score):
    _, out, err = score(INFINITE, "--na", "inf", "--na=-inf")
    assert '"left_out": 2' in out
    assert "infinite" not in err
