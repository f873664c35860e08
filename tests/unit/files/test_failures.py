"""What DuckDB raises becomes one clear error, and an interrupt stays one."""

import errno
import gzip
import random
import subprocess
import sys
from pathlib import Path

import duckdb
import polars as pl
import pytest

from capcurve import CapcurveError
from capcurve._engines.query import wrap_engine_errors
from capcurve._files.delimited import Source
from capcurve._files.failures import explain_failures, find_broken_line, shorten_message
from capcurve._files.header import read_names
from capcurve._files.open import open_file, read_table
from capcurve._files.text_errors import explain_text_errors

N_MUTATIONS = 200


@pytest.mark.parametrize(
    "error",
    [
        duckdb.InterruptException("INTERRUPT Error: Interrupted!"),
        RuntimeError("Query interrupted"),
    ],
)
def test_an_interrupt_within_duckdb_is_an_interrupt(error):
    Path("f.csv").write_text("y,s\n1,2\n")
    with pytest.raises(KeyboardInterrupt), open_file(Source("f.csv", ["y"], ["s"])):
        raise error


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (RuntimeError("nanobind::str()"), "cannot read f: nanobind::str(); the file may b"),
        (duckdb.OutOfMemoryException("0 bytes"), "cannot read f: 0 bytes; allow this pr"),
        (
            duckdb.OutOfMemoryException("set max_temp_directory_size"),
            "cannot read f: the folder of temporary files has too little space; set TMPDIR",
        ),
        (
            RuntimeError("can't start new thread"),
            "cannot read f: can't start new thread; allow this program more threads or me",
        ),
        (
            duckdb.IOException("Permission denied"),
            "cannot read f: Permission denied; check the permissions of the file and its",
        ),
        (
            PermissionError(errno.EACCES, "Permission denied"),
            "cannot read f: Permission denied; check the permissions of the file and its",
        ),
        (
            duckdb.IOException("Could not read enough bytes from file"),
            "cannot read f: Could not read enough bytes from file; it may have been copied",
        ),
        (
            duckdb.InvalidInputException("No magic bytes found"),
            "cannot read f: No magic by",
        ),
        (duckdb.BinderException('no "interrupted"'), 'cannot read f: no "interrupted"'),
        (UnicodeDecodeError("utf-8", b"\xe9", 0, 1, "end"), "cannot read f: 'utf-8' codec"),
        (duckdb.IOException("IO Error: in /scratch/copy0.csv"), "cannot read f: in f"),
        (OSError(errno.ENOSPC, "No space"), "cannot read f: No space; set TMPDIR to a fo"),
        (OSError(errno.EIO, "Input/output error"), "cannot read f: Input/output error"),
        (OSError("odd"), "cannot read f: odd"),
        (CapcurveError("`s` in /scratch/stdin.csv is"), "`s` in f is"),
    ],
)
def test_errors_name_the_file(error, message):
    with pytest.raises(CapcurveError) as caught, explain_failures("f", Path("/scratch")):
        raise error
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("kind", [NotImplementedError, RecursionError, TypeError])
def test_bugs_stay_bugs(kind):
    with pytest.raises(kind), explain_failures("f", Path("/scratch")):
        raise kind


@pytest.fixture(scope="module")
def contents():
    """Return files with columns of many types, to be damaged."""
    rng = random.Random(1)  # noqa: S311 -- not cryptography
    n = 100
    frame = pl.DataFrame(
        {
            "y": [rng.random() < 0.2 for _ in range(n)],
            "s": [rng.random() for _ in range(n)],
            "g": [rng.choice(["a", "b", "Ünï", None]) for _ in range(n)],
            "t": pl.Series(range(n)).cast(pl.Datetime("us")),
            "d": pl.Series([str(i) for i in range(n)]).cast(pl.Decimal(20, 3)),
        }
    )
    files = {}
    for name, compression in (("f.parquet", "zstd"), ("g.parquet", "uncompressed")):
        frame.write_parquet(Path(name), compression=compression)
        files[name] = Path(name).read_bytes()
        Path(name).unlink()
    text = frame.write_csv().encode()
    return files | {"f.csv": text, "f.csv.gz": gzip.compress(text, mtime=0)}


def damage(content, rng):
    """Change, remove or insert bytes in a few places."""
    damaged = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 5])):
        place = rng.randrange(len(damaged))
        match rng.randrange(4):
            case 0:
                damaged[place] = rng.randrange(256)
            case 1:
                damaged[place] ^= 1 << rng.randrange(8)
            case 2:
                del damaged[place : place + rng.randrange(1, 20)]
            case _:
                damaged[place:place] = rng.randbytes(rng.randrange(1, 20))
    return bytes(damaged)


@pytest.mark.slow
def test_damaged_files_are_read_or_refused_in_one_line(contents):
    rng = random.Random(2)  # noqa: S311 -- not cryptography
    n_refused = 0
    for _ in range(N_MUTATIONS):
        name = rng.choice(sorted(contents))
        Path(name).write_bytes(damage(contents[name], rng))
        try:
            read_table(Source(name, ["y"], ["s"], ["g", "t", "d"]))
        except CapcurveError as error:
            n_refused += 1
            assert "\n" not in str(error)  # noqa: PT017
            assert len(str(error)) < 500  # noqa: PT017
    assert N_MUTATIONS / 4 < n_refused < N_MUTATIONS


@pytest.mark.parametrize("told", [2, 3])  # versions of DuckDB count lines from 1 or from 2
def test_the_broken_line_is_looked_up(told):
    Path("f.jsonl").write_text('{"y": 1}\n{oops\n{"y": 0}\n', encoding="utf-8")
    said = f'Malformed JSON in file "f.jsonl", at byte 2 in line {told}: unexpected end.'
    assert find_broken_line(said) == (
        "f.jsonl: line 2 must hold one JSON object, got an error at byte 2 (unexpected "
        "end); correct the line"
    )
    Path("f.jsonl").unlink()
    assert find_broken_line(said).startswith("f.jsonl: a line must hold one JSON object")


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet", ".jsonl"])
def test_of_several_files_the_one_that_cannot_be_read_is_named(ending, monkeypatch):
    """Root may read everything, so the system is asked to refuse."""
    paths = [f"{name}{ending}" for name in "abc"]
    rows = duckdb.sql("select i % 2 as y, i as s from range(4) t(i)")
    for path in paths:
        if ending == ".parquet":
            rows.write_parquet(path)
        elif ending == ".jsonl":
            duckdb.sql(f"copy rows to '{path}' (format json)")
        else:
            rows.write_csv(path, compression="gzip" if path.endswith("gz") else None)
    unchanged = Path.open

    def refuse(path, *arguments, **options):
        if path.name == paths[1]:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return unchanged(path, *arguments, **options)

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(CapcurveError, match=f"cannot read {paths[1]}: Permission denied"):
        read_table(Source(paths[0], ["y"], ["s"], others=paths[1:]))


def test_a_damaged_duckdb_file_is_named():
    Path("f.duckdb").write_bytes(b"x" * 20_000)
    with pytest.raises(CapcurveError, match=r"be a DuckDB database.*; check its name, or"):
        read_table(Source("f.duckdb", ["y"], ["s"]))


def test_a_duckdb_file_that_another_program_has_open_is_named():
    program = "import duckdb; c = duckdb.connect('f.duckdb'); print(flush=True); input()"
    with subprocess.Popen(  # noqa: S603 -- our own text
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as writer:
        writer.stdout.readline()
        with pytest.raises(CapcurveError, match=r"; close the program that has it open$"):
            read_table(Source("f.duckdb", ["y"], ["s"]))
        writer.communicate(b"\n")


@pytest.mark.parametrize(
    ("limit", "to_try"),
    [
        ("10MB", ", such as to 250MB"),
        ("200MB", ", such as to 400MB"),
        ("1.3 GiB", ", such as to 2792MB"),
        ("1%", ""),  # of the memory of the machine
    ],
)
def test_a_memory_limit_that_is_too_small_is_named(tmp_path, limit, to_try):
    with (
        pytest.raises(CapcurveError) as caught,
        explain_failures("f.csv", tmp_path, limit),
    ):
        raise duckdb.OutOfMemoryException("0 bytes")
    assert str(caught.value) == (
        f"cannot read f.csv: 0 bytes; --memory-limit {limit} is too little for this file: "
        f"raise it{to_try}"
    )


FULL_FOLDER = (
    "Out of Memory Error: failed to offload data block of size 256.0 KiB (7.0 MiB/7.1 MiB "
    "used).\nThis limit was set by the 'max_temp_directory_size' setting.\nBy default, this"
)


def test_too_little_space_without_a_limit_of_memory(tmp_path):
    with pytest.raises(CapcurveError) as caught, explain_failures("f.csv", tmp_path):
        raise duckdb.OutOfMemoryException(FULL_FOLDER)
    assert str(caught.value).endswith(
        " (7.0 MiB/7.1 MiB used); set TMPDIR to a folder with more, or allow this program "
        "more memory"
    )


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "Out of Memory Error: failed to allocate data of size 1.0 MiB\n\nPossible sol",
            (
                "Out of Memory Error: failed to allocate data of size 1.0 MiB; --memory-"
                "limit 10MB is too little for this file: raise it, such as to 250MB"
            ),
        ),
        (
            FULL_FOLDER,
            (
                "the folder of temporary files has too little space (7.0 MiB/7.1 MiB "
                "used); set TMPDIR to a folder with more, or raise --memory-limit"
            ),
        ),
    ],
)
def test_an_engine_without_memory_or_space_is_told_with_the_file(tmp_path, said, told):
    with (
        pytest.raises(CapcurveError) as caught,
        explain_failures("f.parquet", tmp_path, "10MB"),
        wrap_engine_errors(),
    ):
        raise duckdb.OutOfMemoryException(said)
    assert str(caught.value) == f"cannot read f.parquet: {told}"


@pytest.mark.slow
@pytest.mark.parametrize("plan", [(), ("--approx",)])
def test_commands_name_a_memory_limit_that_is_too_small(plan):
    rows = "select i % 2 as y, hash(i) % 1e9 as s from range(300_000) t(i)"
    duckdb.sql(rows).write_parquet("f.parquet")
    command = "score f.parquet --truth y --estimate s --memory-limit 5MB --quiet"
    done = subprocess.run(  # noqa: S603 -- our own program
        [sys.executable, "-m", "capcurve", *command.split(), *plan],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("capcurve: error: cannot read f.parquet: Out of Memory E")
    assert done.stderr.endswith(
        "; --memory-limit 5MB is too little for this file: raise it, such as to 250MB\n"
    )


def test_an_unknown_error_of_text_stays_what_it_is():
    error = duckdb.InvalidInputException("something else")
    with (
        pytest.raises(duckdb.InvalidInputException) as caught,
        explain_text_errors("f.csv", ()),
    ):
        raise error
    assert caught.value is error


def test_a_message_does_not_repeat_the_line_that_is_wrong():
    error = RuntimeError("too long\nOriginal Line: aaaa\n at 3")
    assert shorten_message(error) == "too long at 3"


def test_columns_of_a_damaged_database_are_refused():
    Path("f.sqlite").write_bytes(b"SQLite format 3\0" + bytes(range(100)) * 41)
    with pytest.raises(CapcurveError, match=r"f\.sqlite"):
        read_names(Source("f.sqlite", ["y"], ["s"]))
