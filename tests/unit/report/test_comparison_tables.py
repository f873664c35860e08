"""Tables of a page on tests and gates."""

import pytest

from capcurve._report.comparison_tables import tabulate_gates
from capcurve._report.prose import write_prose

GATE = {
    "gate": "fail_if_worse_than_initial",
    "subject": "pd",
    "limit": 0.05,
    "passed": False,
    "text": "too low",
}


@pytest.mark.parametrize(
    ("value", "told"), [(1e-8, "<0.0001"), (0.04, "0.0400"), (None, "–")]
)
def test_the_value_of_a_gate_is_no_p_value_of_0(value, told):
    table = tabulate_gates([GATE | {"value": value}], write_prose)
    (column,) = (each for each in table.columns if each.name == "Value")
    assert column.write(value) == told
