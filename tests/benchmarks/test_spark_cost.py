"""Costs are added up from the events that Spark writes."""

import json

import spark_cost


def task(stage, **metrics):
    """Write the end of a task as Spark 4.3 does."""
    return {
        "Event": "SparkListenerTaskEnd",
        "Stage ID": stage,
        "Task Metrics": {
            "Executor CPU Time": metrics.get("nanoseconds", 0),
            "Peak Execution Memory": metrics.get("memory", 0),
            "Result Size": metrics.get("result", 0),
            "Input Metrics": {"Records Read": metrics.get("rows", 0)},
            "Shuffle Write Metrics": {"Shuffle Bytes Written": metrics.get("shuffled", 0)},
        },
    }


class Heap:
    """A Java without memory pools."""

    def __getattr__(self, name):
        return self

    def __call__(self):
        return self

    def __iter__(self):
        return iter(())


def test_tasks_of_the_second_run_are_added_up(tmp_path):
    log = tmp_path / "log"
    log.mkdir()
    runs = [
        [task(0, nanoseconds=9e9, rows=10, shuffled=100, result=50, memory=10**9)],
        [
            task(1, nanoseconds=1e9, rows=4, shuffled=30, result=5, memory=70),
            task(1, nanoseconds=1e9, rows=6, shuffled=10, result=5, memory=90),
            {"Event": "SparkListenerJobEnd"},
            task(2, nanoseconds=5e8, result=7),
        ],
    ]

    def job():
        with (log / "app").open("a") as written:
            written.writelines(json.dumps(event) + "\n" for event in runs.pop(0))
        return "found"

    found, cost = spark_cost.measure(Heap(), log, job)
    assert found == "found"
    assert cost[1:] == (2.5, 10, 40, 17, 90, 1, 0)


def test_costs_are_shown_in_their_units():
    assert spark_cost.show("processor time", 2.04) == "2.0 s"
    assert spark_cost.show("shuffled", 21_400_000) == "21.4 MB"
    assert spark_cost.show("rows read", 2_000_000) == "2,000,000"
