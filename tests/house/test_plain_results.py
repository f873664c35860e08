"""Every public result gives its numbers as a dictionary, or is listed with a reason."""

import inspect

import pytest

import capcurve

PICTURES = [
    *(name for name in capcurve.__all__ if name.endswith("Display")),
    "SummaryPage",
]
NAMED_TUPLES = ("Bounded", "BoundedCurve", "BoundedTable", "Profile", "TieBounds")
WITHOUT = {
    **dict.fromkeys(PICTURES, "it is a picture; the curve that it shows has the numbers"),
    **dict.fromkeys(NAMED_TUPLES, "a named tuple has `_asdict`"),
    **dict.fromkeys(("Band", "Bins", "Tally"), "its attributes are arrays of one length"),
    "BinnedCurve": "its numbers are named tuples, most of them of a share",
    "CapSketch": "`to_bytes` keeps it whole",
    "Gate": '`Report.facts["gates"]` has it as a dictionary',
    "Report": "its `facts` are a dictionary",
    "Scorer": "it makes scores, and is none",
}
PUBLIC = {name: getattr(capcurve, name) for name in capcurve.__all__}


def list_without(public):
    """List the results that have no `to_dict`."""
    return [
        name
        for name, value in public.items()
        if inspect.isclass(value) and not issubclass(value, Exception)
        if not callable(getattr(value, "to_dict", None))
    ]


def test_every_result_is_a_dictionary_too_or_has_a_reason_not_to_be():
    assert sorted(list_without(PUBLIC)) == sorted(WITHOUT)


def test_a_new_result_without_a_dictionary_is_found():
    planted = {"Planted": type("Planted", (), {}), "Odd": ValueError, "score": len}
    assert "Planted" in list_without(PUBLIC | planted)
    assert not {"Odd", "score"} & set(list_without(PUBLIC | planted))


@pytest.mark.parametrize("name", NAMED_TUPLES)
def test_named_tuples_are_what_the_list_says(name):
    assert callable(PUBLIC[name]._asdict)
