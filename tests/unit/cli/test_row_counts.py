"""Rows of weight 0 are read and left out, and every door counts them."""

import json

import pytest

LINES = [f"{i % 3 == 0:d},{i % 7},{i % 5}" for i in range(60)]
ROWS = "y,s,w\n" + "\n".join([*LINES, "1,3,", "0,,0"]) + "\n"


@pytest.mark.parametrize("options", [(), ("--memory-limit", "1GB"), ("--approx",)])
def test_rows_of_weight_0_are_left_out_and_counted_whatever_they_lack(score, options):
    _, out, err = score(ROWS, "--weight", "w", *options)
    rows = json.loads(out)["rows"]
    assert (rows["read"], rows["used"], rows["left_out"]) == (62, 48, 14)
    found = [tuple(reason.values()) for reason in rows["reasons"]]
    assert found == [("missing weight", "w", 1), ("weight of 0", "w", 13)]
    assert "left out 13 of 62 rows whose weight is 0 (w)" in err


def test_a_report_notes_rows_of_weight_0(score, run):
    score(ROWS)
    command = ("report", "f.csv", "--truth", "y", "--estimate", "s", "--weight", "w")
    _, out, err = run(*command, "--format", "json")
    rows = json.loads(out)["rows"]
    assert (rows["read"], rows["used"], rows["left_out"]) == (62, 48, 14)
    assert err.count("left out 13 of 62 rows whose weight is 0 (w)") == 1


def test_no_note_without_rows_of_weight_0(score):
    text = ROWS.replace(",0\n", ",1\n")
    for options in ((), ("--memory-limit", "1GB")):
        _, _, err = score(text, "--weight", "w", *options)
        assert "whose weight is 0" not in err


def test_the_champion_is_no_challenger(score, run):
    score(ROWS)
    command = ("report", "f.csv", "--truth", "y", "--estimate", "s", "--compare", "s")
    code, _, err = run(*command, "--format", "json")
    assert code == 2
    assert "--compare must name other scores than --estimate, each once, got 's' tw" in err
