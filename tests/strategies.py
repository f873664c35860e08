"""Rankings for the laws: few distinct scores, so many ties, and odd values among them."""

import numpy as np
from hypothesis import strategies as st

SCORES = st.sampled_from(
    [-np.inf, -2.5, -0.0, 0.0, 1e-300, 0.3, 0.1 + 0.2, 1.0, 7e8, np.inf]
)
# Fractions, so that a few of them are never taken for class labels.
AMOUNTS = st.sampled_from([0.0, 0.0, 1.1, 1.5, 2.2, 250.5])
WEIGHTS = st.sampled_from([0.25, 0.5, 1.0, 3.0])


@st.composite
def rankings(draw, kinds=("events", "amounts"), max_size=25):
    """Draw outcomes that are not all equal, and a score for each."""
    are_events = draw(st.sampled_from(kinds)) == "events"
    values = st.integers(0, 1) if are_events else AMOUNTS
    y = draw(
        st.lists(values, min_size=2, max_size=max_size).filter(lambda y: len(set(y)) > 1)
    )
    scores = st.lists(SCORES, min_size=len(y), max_size=len(y))
    # Amounts that events rank look swapped.
    s = draw(scores.filter(lambda s: are_events or {*s} not in ({0, 1}, {-1, 1})))
    return np.array(y), np.array(s)


@st.composite
def weighted_rankings(draw, **options):
    """Draw a ranking with a positive weight for each row."""
    y, s = draw(rankings(**options))
    return y, s, np.array(draw(st.lists(WEIGHTS, min_size=len(y), max_size=len(y))))
