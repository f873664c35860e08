"""Former names and words: what to write instead, and until when they work."""

from typing import Final, NamedTuple

from capcurve.exceptions import warn_caller

LIFE = 2  # minor versions in which a former name works, with a warning


class Deprecation(NamedTuple):
    """What takes the place of a former name, and the version that says so first."""

    new: str
    since: tuple[int, int]

    @property
    def end(self) -> tuple[int, int]:
        """The version without the former name."""
        major, minor = self.since
        return major, minor + LIFE


# `CapSketch.curve` has what these were.
OF_SKETCH: Final = (
    *("best", "by_score", "by_target", "descending", "has_events", "interval"),
    *("plan", "tie_bounds", "worst"),
)
DEPRECATIONS: Final = {
    "groups": Deprecation("clusters", since=(0, 2)),
    "method='auto'": Deprecation("method='score'", since=(0, 2)),
    "CapCurve.tie_gain": Deprecation("CapCurve.tie_slack", since=(0, 2)),
    **{
        f"CapSketch.{name}": Deprecation(f"CapSketch.curve.{name}", since=(0, 2))
        for name in OF_SKETCH
    },
}


def warn_deprecated(old: str) -> None:
    """Warn whoever calls capcurve that a former name was used."""
    new, _ = found = DEPRECATIONS[old]
    major, minor = found.end
    warn_caller(
        f"`{old}` is now `{new}`, and version {major}.{minor} will remove it; "
        f"write `{new}`",
        DeprecationWarning,
    )
