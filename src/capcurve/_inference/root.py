"""Find the root of a function of one number."""

from collections.abc import Callable
from sys import float_info

# A root is found to this width, plus four roundings of its size.
ABSOLUTE_WIDTH = 1e-15
ROUNDINGS = 4 * float_info.epsilon


def find_root(function: Callable[[float], float], first: float, second: float) -> float:
    """Find the root of a function that changes its sign between two points.

    The method of Chandrupatla (1997), doi:10.1016/s0965-9978(96)00051-8: inverse quadratic
    interpolation where it is safe, bisection elsewhere. Importing the root finders of SciPy
    takes longer than a command may take as a whole.
    """
    near, far = ((float(x), float(function(x))) for x in (first, second))
    if not min(near[1], far[1]) <= 0 <= max(near[1], far[1]):
        raise ValueError(
            f"a function must change its sign between {first} and {second}, "
            f"got {near[1]} and {far[1]}; choose points on both sides of its root"
        )
    part = 0.5
    while True:
        best = min(near, far, key=lambda point: abs(point[1]))
        gap, width = abs(far[0] - near[0]), ABSOLUTE_WIDTH + ROUNDINGS * abs(best[0])
        if best[1] == 0 or gap <= width:
            return best[0]
        least = width / gap / 2
        x = near[0] + min(max(part, least), 1 - least) * (far[0] - near[0])
        new = x, float(function(x))
        if (new[1] > 0) == (near[1] > 0):
            near, dropped = new, near
        else:
            near, far, dropped = new, near, far
        part = interpolate(near, far, dropped)


def interpolate(
    near: tuple[float, float], far: tuple[float, float], dropped: tuple[float, float]
) -> float:
    """Return how far on the way from near to far the next point lies.

    The bracket is cut in half unless the inverse parabola through the points is monotone.
    """
    (x1, f1), (x2, f2), (x3, f3) = near, far, dropped
    place, height = (x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2)
    if height**2 < place and (1 - height) ** 2 < 1 - place:
        slope = (x3 - x1) / (x2 - x1)
        return f1 / (f2 - f1) * f3 / (f2 - f3) + slope * f1 / (f3 - f1) * f2 / (f3 - f2)
    return 0.5
