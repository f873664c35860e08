"""Tests of `capcurve._inference.root`."""

from math import atan, cos, exp, inf, log, nan

import pytest
from scipy.optimize import brentq

from capcurve._inference.root import find_root

ROOTS = {
    # name: function, ends, root in digits of the literature
    "Wallis, 1685": (lambda x: x**3 - 2 * x - 5, (2, 3), 2.0945514815423265915),
    "Dottie number": (lambda x: cos(x) - x, (0, 1), 0.73908513321516064166),
    "omega constant": (lambda x: x * exp(x) - 1, (0, 1), 0.56714329040978387300),
    "Delian number": (lambda x: x**3 - 2, (5, 0), 1.2599210498948731648),
    "log of a small number": (lambda x: exp(x) - 1e-300, (-745, 0), -690.77552789821370520),
    "flat": (lambda x: (x - 0.3) ** 9, (0, 1), 0.3),
    "decreasing": (lambda x: 2 - x**2, (1, 2), 1.4142135623730950488),
}


@pytest.mark.parametrize("name", ROOTS)
def test_roots_have_the_digits_of_the_literature(name):
    function, ends, root = ROOTS[name]
    for first, second in (ends, ends[::-1]):
        assert find_root(function, first, second) == pytest.approx(
            root, rel=5e-16, abs=5e-16
        )


HARD = {
    # name: function, ends
    "almost a step": (lambda x: atan(1e9 * (x - 0.1234)), (0, 1)),
    "a wall": (lambda x: min(1 / x if x else inf, 1e300) - 7, (0, 1)),
    "as high at two points": (lambda x: 1.0 if x < 0.7 else -1.0, (0, 1)),
    "entropy": (lambda x: min(-log(x) if x else inf, 1e300) - 30, (0, 1)),
}


@pytest.mark.parametrize("name", HARD)
def test_roots_are_those_of_scipy(name):
    function, ends = HARD[name]
    calls = []

    def counted(x):
        calls.append(x)
        return function(x)

    found = find_root(counted, *ends)
    expected = brentq(function, *ends, xtol=1e-15)
    assert found == pytest.approx(expected, rel=1e-15, abs=2e-15)
    assert len(calls) <= 75


@pytest.mark.parametrize(("ends", "root"), [((0, 4), 0), ((-3, 0), 0), ((-1, 1), 0)])
def test_a_point_that_is_the_root_is_returned(ends, root):
    assert find_root(lambda x: x, *ends) == root


@pytest.mark.parametrize("value", [1.0, nan, -1.0])
def test_a_function_without_change_of_sign_is_refused(value):
    with pytest.raises(ValueError, match=r"must change its sign between 0 and 1, got"):
        find_root(lambda _: value, 0, 1)
