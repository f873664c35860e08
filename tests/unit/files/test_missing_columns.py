"""A folder called `key=value` is no column, which the error says."""

from pathlib import Path

import polars as pl
import pytest

FRAME = pl.DataFrame({"y": [1, 0], "s": [0.5, 0.2]})


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_a_folder_called_as_the_column_is_named(refused, ending):
    for year in (2023, 2024):
        folder = Path(f"loans/year={year}")
        folder.mkdir(parents=True)
        write = FRAME.write_ndjson if ending == "jsonl" else None
        (write or getattr(FRAME, f"write_{ending}"))(folder / f"a.{ending}")
    pattern = f"loans/*/*.{ending}"
    assert refused(name=pattern, keys=["year"]).endswith(
        "has no column 'year'; its columns are 'y', 's'; a folder such as year=2023 is no "
        "column: write `year` into the files"
    )
    assert refused(name=pattern, keys=["month"]).endswith("its columns are 'y', 's'")


@pytest.mark.parametrize(("ending", "is_told"), [("csv", True), ("parquet", False)])
def test_a_header_that_may_be_missing_is_told(refused, ending, is_told):
    rows = pl.DataFrame({"1": [1, 0], "0.5": [0.5, 0.2]})
    getattr(rows, f"write_{ending}")(f"a.{ending}")
    told = "; these are numbers: if the header line is missing, add it"
    end = f"its columns are '1', '0.5'{told if is_told else ''}"
    assert refused(name=f"a.{ending}").endswith(end)


def test_names_of_columns_beside_numbers_are_a_header(refused):
    pl.DataFrame({"1": [1, 0], "year": [0.5, 0.2]}).write_csv("a.csv")
    assert refused(name="a.csv").endswith("its columns are '1', 'year'")
