"""The generated portfolio is the same every time, and what it says it is."""

import numpy as np

from capcurve import accuracy_ratio_score
from capcurve.datasets import make_portfolio


def test_the_same_arguments_give_the_same_loans():
    first, second, other = (
        make_portfolio(50),
        make_portfolio(50),
        make_portfolio(50, random_state=1),
    )
    assert all(np.array_equal(first[name], second[name]) for name in first)
    assert not np.array_equal(first["champion_pd"], other["champion_pd"])


def test_its_columns():
    loans = make_portfolio(4_000)
    assert {len(column) for column in loans.values()} == {4_000}
    assert set(loans["grade"]) == set("ABCDEFGH")
    assert set(loans["default"]) == {0, 1}
    assert np.all((loans["loss"] > 0) <= (loans["default"] == 1))
    champion, challenger = (
        accuracy_ratio_score(loans["default"], loans[f"{name}_pd"])
        for name in ("champion", "challenger")
    )
    assert 0.4 < champion < challenger < 0.8
    by_grade = accuracy_ratio_score(
        loans["default"], [ord(grade) for grade in loans["grade"]]
    )
    assert by_grade < champion
