"""Errors of engines are told by their cause."""

import pytest

from capcurve import CapcurveError
from capcurve._engines.query import wrap_engine_errors

# As Spark 4.3 writes them; most of the lines of both stacks are left out.
TOO_LARGE = """An error occurred while calling o302.getResult.
: org.apache.spark.SparkException: Exception thrown in awaitResult:\x20
\tat org.apache.spark.util.SparkThreadUtils$.awaitResult(SparkThreadUtils.scala:70)
\tat java.base/java.lang.Thread.run(Thread.java:840)
Caused by: org.apache.spark.SparkException: Job aborted due to stage failure: results of 2 \
tasks (11.7 MiB) are bigger than spark.driver.maxResultSize (8.0 MiB)
\tat org.apache.spark.scheduler.DAGScheduler.abortStage(DAGScheduler.scala:3122)
\t... 7 more
"""
ON_A_WORKER = """
  An exception was thrown from the Python worker:
Traceback (most recent call last):
  File "rows.py", line 20, in read
    raise OSError("this disk is gone")
OSError: this disk is gone

Driver stacktrace:
Caused by: org.apache.spark.api.python.PythonException: see above
"""
PLAIN = "Catalog Error: Table with name\n   rows does not exist!"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            TOO_LARGE,
            (
                "org.apache.spark.SparkException: Job aborted due to stage failure: "
                "results of 2 tasks (11.7 MiB) are bigger than "
                "spark.driver.maxResultSize (8.0 MiB)"
            ),
        ),
        (ON_A_WORKER, "OSError: this disk is gone"),
        # A stack that was cut off.
        ("Traceback (most recent call last):", "Traceback (most recent call last):"),
        (PLAIN, "Catalog Error: Table with name rows does not exist!"),
        ("", ""),
        ("word " * 100, ("word " * 60)),
    ],
    ids=["java", "worker", "cut off", "plain", "empty", "long"],
)
def test_errors_of_engines_are_told_by_their_cause(text, reason):
    with pytest.raises(CapcurveError) as raised, wrap_engine_errors():
        raise RuntimeError(text)
    assert str(raised.value) == f"the engine of `data` failed: {reason}"


def test_too_little_memory_is_told_with_advice():
    told = "Out of Memory Error: failed to allocate 32.0 MiB (90/95 MiB used)\nPossible "
    with pytest.raises(CapcurveError) as raised, wrap_engine_errors():
        raise RuntimeError(f"{told}solutions: SET threads=X")
    assert str(raised.value) == (
        "the engine of `data` requires more memory: failed to allocate 32.0 MiB (90/95 MiB "
        "used); raise its memory limit, or let scores be binned (approx)"
    )


def test_too_little_space_for_temporary_files_is_told_with_advice():
    told = (
        "Out of Memory Error: failed to offload data block of size 256.0 KiB (7.1 MiB/7.1 "
        "MiB used).\nThis limit was set by the 'max_temp_directory_size' setting.\nBy "
        f"default, this setting utilizes{' the available disk space' * 9}"
    )
    with pytest.raises(CapcurveError) as raised, wrap_engine_errors():
        raise RuntimeError(told)
    assert str(raised.value) == (
        "the engine of `data` requires more space for temporary files: failed to offload "
        "data block of size 256.0 KiB (7.1 MiB/7.1 MiB used); set its temp_directory to a "
        "folder with more, or raise its memory limit"
    )


def test_errors_of_the_package_stay():
    with pytest.raises(CapcurveError, match="expected a score"), wrap_engine_errors():
        raise CapcurveError("expected a score")
