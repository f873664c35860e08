"""Queries on a Spark whose executors are processes, in a driver of 1 GB: what they gave.

    python spark_cluster.py ROWS.parquet MANY.parquet FOUND.json

A process holds one Spark only, so this is a script and has a process of its own. Executors
are children of the Java that the script starts, and the script ends no other process.
"""

import json
import os
import sys
import threading
import time
from pathlib import Path

import psutil

from java import SHORT_LIVED, java_home

N_PARTITIONS = 4
LAST = N_PARTITIONS - 1
PATIENCE = 60  # seconds until a test gives up
MAX_DIRECT_ROWS = 40_000  # beyond, pairs are counted in bins
RESULT_LIMIT = "8m"  # the driver accepts no larger result of a query


def start_spark():
    """Start two executors with a core each, all on the loopback address."""
    import pyspark

    if java := java_home():
        os.environ["JAVA_HOME"] = java
    os.environ["SPARK_HOME"] = str(link_home(Path(pyspark.__file__).parent))
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_SUBMIT_OPTS"] = SHORT_LIVED
    options = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.maxResultSize": RESULT_LIMIT,
        "spark.driver.memory": "1g",
        "spark.executor.extraJavaOptions": SHORT_LIVED,
        "spark.executor.memory": "768m",
        "spark.sql.shuffle.partitions": N_PARTITIONS,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = pyspark.sql.SparkSession.builder.master("local-cluster[2,1,1024]")
    session = builder.config(map=options).getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def link_home(package):
    """Link the files of Spark into this folder, as executors write into a folder there."""
    home = Path("spark").absolute()
    home.mkdir()
    for path in package.iterdir():
        (home / path.name).symlink_to(path)
    return home


def executors_of(session):
    """Find the executors among the children of the Java that this script started."""
    java = psutil.Process(session.sparkContext._gateway.proc.pid)  # noqa: SLF001 -- shown nowhere else
    return {child.pid for child in java.children() if is_executor(child)}


def is_executor(process):
    """Whether a process runs tasks; one that just ended does not."""
    try:
        return any("CoarseGrainedExecutorBackend" in word for word in process.cmdline())
    except psutil.Error:
        return False


def waiting(mark, at):
    """Make a partition that waits, the time that it is read, for its executor to be ended.

    It notes the process of the Python that waits, whose parent's parent is the executor.
    """

    def pass_on(batches):
        from pyspark import TaskContext

        if TaskContext.get().partitionId() == LAST:
            with mark.open("a") as notes:
                notes.write(f"{os.getppid()}\n")
            if len(mark.read_text().splitlines()) == at:
                time.sleep(PATIENCE)
        yield from batches

    return pass_on


def failing(mark, times):
    """Make a partition whose task fails so many times, and notes it."""

    def pass_on(batches):
        from pyspark import TaskContext

        task = TaskContext.get()
        attempt = task.attemptNumber()
        if task.partitionId() == 1 and attempt < times:
            mark.with_name(f"{mark.name} {attempt}").touch()
            raise OSError(f"this disk is gone, attempt {attempt}")
        yield from batches

    return pass_on


def end_executor(session, mark, at, ended):
    """End the executor on which the partition waits, if it is one of this script's."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        notes = mark.read_text().split() if mark.exists() else []
        if len(notes) == at:
            executor = psutil.Process(int(notes[-1])).parent()
            if executor.pid in executors_of(session):
                executor.kill()
                ended.append(executor.pid)
            return
        time.sleep(0.05)


def ratio_of(rows):
    """Compute AR and its standard error in the engine."""
    from capcurve import gain_capture

    found = gain_capture(rows, "y", "s", confidence_level=0.95)
    names = "estimate", "std_error", "n_events"
    return {name: found[name].to_pylist()[0] for name in names}


def lose_a_process(rows):
    """End an executor in the middle of the query that counts pairs, the second one."""
    mark, ended = Path("waited").absolute(), []
    session = rows.sparkSession
    ending = threading.Thread(target=end_executor, args=(session, mark, 2, ended))
    ending.start()
    found = ratio_of(spread(rows, waiting(mark, 2)))
    ending.join()
    read = len(mark.read_text().split())
    left = len(set(ended) & executors_of(session))
    return found | {"ended": len(ended), "left": left, "read": read}


def spread(rows, pass_on):
    """Read rows in partitions that are not all well."""
    return rows.repartition(N_PARTITIONS).mapInArrow(pass_on, rows.schema)


def fail_twice(rows):
    """Fail in a partition twice; the third attempt succeeds."""
    mark = Path("failed").absolute()
    found = ratio_of(spread(rows, failing(mark, 2)))
    return found | {"failed": len(list(mark.parent.glob("failed [01]")))}


def fail_always(rows):
    """Fail in a partition for good."""
    return ratio_of(spread(rows, failing(Path("lost").absolute(), 99)))


def skew(rows):
    """Put equal scores, most of the rows, into one partition, and nothing into others."""
    from pyspark.sql.functions import col, spark_partition_id

    skewed = rows.repartition(9, col("s") == 0.02)
    sizes = [row["count"] for row in skewed.groupBy(spark_partition_id()).count().collect()]
    empty = skewed.rdd.getNumPartitions() - len(sizes)
    sizes += [0] * empty
    return ratio_of(skewed) | {"largest": max(sizes), "smallest": min(sizes)}


def count_many(many):
    """Count rows whose distinct scores do not fit into the results of the driver."""
    return ratio_of(many)


def fetch_many(many):
    """Fetch the distinct scores that do not fit."""
    from capcurve import gain_curve

    return {"rows": len(gain_curve(many, "y", "s"))}


ON_ROWS = (fail_twice, fail_always, skew, lose_a_process)
ON_MANY = (count_many, fetch_many)


def main(rows, many, found):
    """Run every scenario; an error is a result too."""
    from capcurve import CapcurveError
    from capcurve._engines import plan

    plan.MAX_DIRECT_ROWS = MAX_DIRECT_ROWS
    session = start_spark()
    results = {}
    # The executor is lost last, as a new one has to start.
    for path, scenarios in ((many, ON_MANY), (rows, ON_ROWS)):
        frame = session.read.parquet(str(Path(path).absolute()))
        for scenario in scenarios:
            start, executors = time.perf_counter(), executors_of(session)
            try:
                result = scenario(frame)
            except CapcurveError as error:
                result = {"error": str(error)}
            result |= {"seconds": time.perf_counter() - start, "processes": len(executors)}
            results[scenario.__name__] = result
    Path(found).write_text(json.dumps(results), encoding="utf-8")
    session.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
