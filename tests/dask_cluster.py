"""Queries on a Dask whose workers are processes: what they gave.

    python dask_cluster.py ROWS.parquet MANY.parquet FOUND.json

Workers are children of this process, and the script ends no other process.
"""

import json
import os
import sys
import threading
import time
from pathlib import Path

import psutil

N_PARTITIONS = 4
LAST = N_PARTITIONS - 1
PATIENCE = 60  # seconds until a test gives up
WORKER_MEMORY = "512MB"


def start_dask():
    """Start two workers with a thread each, all on the loopback address."""
    import dask
    from distributed import Client, LocalCluster

    dask.config.set({"distributed.admin.log-format": "%(message)s"})
    cluster = LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address=None,
        memory_limit=WORKER_MEMORY,
        silence_logs="CRITICAL",
    )
    return Client(cluster)


def note(mark):
    """Note the process that reads a partition; tell how often it was read."""
    with mark.open("a") as notes:
        notes.write(f"{os.getpid()}\n")
    return len(mark.read_text().split())


def wait(frame, mark, partition_info=None):
    """Wait, at the first reading of the last partition, for this worker to be ended."""
    if partition_info and partition_info["number"] == LAST and note(mark) == 1:
        time.sleep(PATIENCE)
    return frame


def fail(frame, mark, times, partition_info=None):
    """Fail so many times in one partition."""
    if partition_info and partition_info["number"] == 1:
        attempts = len(mark.read_text().split()) if mark.exists() else 0
        if attempts < times:
            note(mark)
            raise OSError(f"this disk is gone, attempt {attempts}")
    return frame


def end_worker(mark, ended):
    """End the worker that waits, if it is one of this script's."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        notes = mark.read_text().split() if mark.exists() else []
        if notes:
            worker = int(notes[0])
            if worker in children():
                psutil.Process(worker).kill()
                ended.append(worker)
            return
        time.sleep(0.05)


def children():
    """Return the processes that this one started."""
    return {child.pid for child in psutil.Process().children(recursive=True)}


def spread(rows, read, *options):
    """Read rows in partitions that are not all well."""
    return rows.map_partitions(read, *options, meta=rows._meta)  # noqa: SLF001 -- has no other name


def ratio_of(rows):
    """Compute AR and its standard error."""
    from capcurve import gain_capture

    found = gain_capture(rows, "y", "s", confidence_level=0.95)
    return {
        name: found[name].to_list()[0] for name in ("estimate", "std_error", "n_events")
    }


def lose_a_process(rows):
    """End a worker in the middle of a query."""
    mark, ended = Path("waited by dask").absolute(), []
    ending = threading.Thread(target=end_worker, args=(mark, ended))
    ending.start()
    found = ratio_of(spread(rows, wait, mark))
    ending.join()
    left = set(ended) & children()
    read = len(mark.read_text().split())
    return found | {"ended": len(ended), "left": len(left), "read": read}


def fail_twice(rows):
    """Fail in a partition twice, where tasks are tried again."""
    import dask

    mark = Path("failed twice").absolute()
    with dask.annotate(retries=3), dask.config.set({"optimization.fuse.active": False}):
        found = ratio_of(spread(rows, fail, mark, 2))
    return found | {"failed": len(mark.read_text().split())}


def fail_always(rows):
    """Fail in a partition for good."""
    mark = Path("failed always").absolute()
    return ratio_of(spread(rows, fail, mark, 99))


def skew(rows):
    """Put nearly all rows into one partition, and nothing into another."""
    import dask.dataframe as dd

    nothing, most = rows[rows["s"] > 1], rows[rows["s"] <= 0.02]
    skewed = dd.concat([nothing, most.repartition(npartitions=1), rows[rows["s"] > 0.02]])
    sizes = skewed.map_partitions(len).compute().tolist()
    return ratio_of(skewed) | {"largest": max(sizes), "smallest": min(sizes)}


def count_many(many):
    """Count many different scores."""
    return ratio_of(many)


ON_MANY = (count_many,)
ON_ROWS = (fail_twice, fail_always, skew, lose_a_process)


def main(rows, many, found):
    """Run every scenario; an error is a result too."""
    import dask.dataframe as dd

    from capcurve import CapcurveError

    with start_dask() as client:
        results = {}
        for path, scenarios in ((many, ON_MANY), (rows, ON_ROWS)):
            frame = dd.read_parquet(Path(path).absolute()).repartition(
                npartitions=N_PARTITIONS
            )
            for scenario in scenarios:
                client.wait_for_workers(2, timeout=120)  # one may have been ended
                workers = len(client.scheduler_info()["workers"])
                start = time.perf_counter()
                try:
                    result = scenario(frame)
                except CapcurveError as error:
                    result = {"error": str(error)}
                result |= {"seconds": time.perf_counter() - start, "processes": workers}
                results[scenario.__name__] = result
        Path(found).write_text(json.dumps(results), encoding="utf-8")
        client.cluster.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
