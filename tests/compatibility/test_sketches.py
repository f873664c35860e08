"""Sketches of every released format load, merge, and give the numbers that they gave."""

import pytest

from capcurve import BinnedCurve, CapCurve, CapcurveError, CapSketch
from capcurve._curve.sketch_bytes import FORMS, VERSION
from compatibility import results, sketches
from compatibility.sketches import FOLDER, KEPT, REST, SKETCHES, read_file

EXACT = ("grades", "scores", "signed", "labels")
VERSIONS = sorted(FORMS)
of_all = pytest.mark.parametrize(
    ("version", "name"), [(version, name) for version in VERSIONS for name in SKETCHES]
)


def rank_all(name):
    """Rank the rows of a sketch and those that are added to it, without bins."""
    outcome, score, weight, arguments = SKETCHES[name]
    options = {key: value for key, value in arguments.items() if key != "max_bins"}
    return CapCurve.from_predictions(outcome, score, sample_weight=weight, **options)


def test_there_are_sketches_of_every_format():
    """A new format requires files of its own: `python -m compatibility.sketches`."""
    assert {path.name for path in FOLDER.glob("*")} == {f"format-{v}" for v in VERSIONS}
    for version in VERSIONS:
        for name in SKETCHES:
            assert int.from_bytes(read_file(version, name)[8:10], "little") == version


@of_all
def test_a_kept_sketch_gives_the_numbers_that_it_gave(version, name):
    lines = (FOLDER / f"format-{version}" / sketches.NUMBERS).read_text().splitlines()
    recorded = [line for line in lines if results.find_key(line) == name]
    present = sketches.describe(name, CapSketch.from_bytes(read_file(version, name)))
    assert results.compare(recorded, [present]) == ([], [])
    assert len(recorded) == 1


@of_all
def test_a_kept_sketch_is_merged_with_a_new_one(version, name):
    kept = CapSketch.from_bytes(read_file(version, name))
    new = sketches.make_sketch(name, REST)
    for merged in (kept.merge(new), new.merge(kept)):
        assert merged.n_rows == kept.n_rows + new.n_rows
        if name != "empty":
            _, low, high = merged.accuracy_ratio
            assert low - 1e-12 <= rank_all(name).accuracy_ratio <= high + 1e-12
        if name in EXACT:
            assert high - low < 1e-12
    assert CapSketch.from_bytes(merged.to_bytes()).n_rows == merged.n_rows


@pytest.mark.parametrize("name", SKETCHES)
def test_sketches_of_all_formats_are_merged(name):
    first, *others = (
        CapSketch.from_bytes(read_file(version, name)) for version in VERSIONS
    )
    for other in others:
        merged = first.merge(other)
        assert merged.n_rows == 2 * first.n_rows
        if name in EXACT:  # the same rows twice
            found = results.compare(
                [f"AR{results.GAP}= {first.accuracy_ratio.value!r}"],
                [f"AR{results.GAP}= {merged.accuracy_ratio.value!r}"],
            )
            assert found == ([], [])


@pytest.mark.parametrize("name", SKETCHES)
def test_the_present_format_is_written_as_before(name):
    """Other bytes of the same rows are another format, which has a number of its own."""
    assert sketches.make_sketch(name, KEPT).to_bytes() == read_file(VERSION, name)


@pytest.mark.parametrize("version", [0, max(VERSIONS) + 1])
def test_an_unknown_format_is_refused(version):
    data = bytearray(read_file(VERSION, "grades"))
    data[8:10] = version.to_bytes(2, "little")
    with pytest.raises(
        CapcurveError, match=f"format version 1 or 2, got version {version}"
    ):
        CapSketch.from_bytes(data)


def test_few_bins_hold_several_scores():
    """The files are worth keeping: bounds are open where bins are."""
    for version in VERSIONS:
        curve = CapSketch.from_bytes(read_file(version, "few-bins")).curve
        assert isinstance(curve, BinnedCurve)
        assert curve.accuracy_ratio.high - curve.accuracy_ratio.low > 0.05
