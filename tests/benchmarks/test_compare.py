"""A slower commit is seen: by the judge, and by the script that runs two commits."""

import io
import json
import math
import shutil
import subprocess
import sys
import time

import pytest

import compare
from records import ROOT
from regression.jobs import JOBS
from regression.judging import Times, Verdict, judge
from regression.worker import Turns, answer


@pytest.mark.parametrize(
    ("base", "head", "name", "ratio", "is_fault"),
    [
        # One slow repeat is another process, not the commit.
        ([1.0, 1.1, 1.0], [1.0, 9.0, 1.2], "as fast", 1.0, False),
        ([1.0, 9.0], [1.25, 1.3], "as fast", 1.25, False),
        ([1.0, 9.0], [1.26, 1.3], "SLOWER", 1.26, True),
        ([2.0, 2.1], [1.0, 3.0], "faster", 0.5, False),
        ([1.25, 2.0], [1.0, 2.0], "as fast", 0.8, False),
    ],
)
def test_best_repeats_are_compared(base, head, name, ratio, is_fault):
    verdict = judge(Times(base), Times(head))
    assert verdict.name == name
    assert verdict.ratio == pytest.approx(ratio)
    assert verdict.is_fault == is_fault


def test_the_limit_can_be_given():
    times = Times([1.0]), Times([1.2])
    assert judge(*times, limit=1.1).is_fault
    assert not judge(*times, limit=1.3).is_fault


@pytest.mark.parametrize(
    ("base", "head", "name", "is_fault"),
    [
        (Times([], "AttributeError"), Times([1.0]), "new", False),
        (Times([1.0]), Times([], "AttributeError"), "BROKEN", True),
        (Times([], "ImportError"), Times([], "ImportError"), "RAN NOWHERE", True),
    ],
)
def test_jobs_that_do_not_run_are_told_apart(base, head, name, is_fault):
    verdict = judge(base, head)
    assert verdict.name == name
    assert math.isnan(verdict.ratio)
    assert verdict.is_fault == is_fault


def answers_of(*seconds):
    """Play a process that answers with these times, then with the last one."""
    left, asked = list(seconds), []

    def ask(job):
        asked.append(job)
        found = left.pop(0) if len(left) > 1 else left[0]
        return {"seconds": found} if isinstance(found, float) else {"error": found}

    return ask, asked


def test_commits_take_turns_and_begin_by_turns():
    order = []
    asks = [lambda _, side=side: order.append(side) or {"seconds": 1.0} for side in "bh"]
    base, head = compare.take_turns("AR", tuple(asks), 3)
    assert "".join(order) == "bhhbbh"
    assert base.seconds == head.seconds == [1.0] * 3


def test_a_job_that_seems_slower_is_repeated_before_it_counts():
    base, _ = answers_of(1.0)
    # A second process slowed the first repeats down.
    head, asked = answers_of(2.0, 2.0, 3.0, 1.1)
    found = compare.compare_job("AR", (base, head), 2, 1.25)
    assert found[2] == Verdict("as fast", 1.1)
    assert len(asked) == 4
    head, asked = answers_of(2.0)
    assert compare.compare_job("AR", (base, head), 2, 1.25)[2].name == "SLOWER"
    assert len(asked) == 6


def test_a_job_that_fails_is_not_asked_again():
    base, _ = answers_of(1.0)
    head, asked = answers_of("AttributeError: ks_interval")
    times = compare.compare_job("KS", (base, head), 5, 1.25)
    assert times[1].error == "AttributeError: ks_interval"
    assert times[2].name == "BROKEN"
    assert asked == ["KS"]


def test_the_worker_times_jobs_and_answers_errors():
    runs = []

    def prepare():
        runs.append("prepared")
        return lambda: runs.append("run") or time.sleep(0.11)

    def fail():
        raise AttributeError("no such function")

    answers = io.StringIO()
    names = io.StringIO("slow\nslow\nfails\nmissing\n")
    answer(Turns({"slow": prepare, "fails": fail}), names, answers)
    found = [json.loads(line) for line in answers.getvalue().splitlines()]
    assert all(one["seconds"] >= 0.11 for one in found[:2])
    assert found[2] == {"error": "AttributeError: no such function"}
    assert found[3]["error"].startswith("KeyError")
    # Two untimed runs, then one for each repeat.
    assert runs == ["prepared", *["run"] * 4]


def test_short_jobs_run_several_times_for_a_repeat():
    runs = []
    turns = Turns({"short": lambda: lambda: runs.append(time.sleep(0.001))})
    assert 0.001 <= turns.time("short") < 0.05
    assert 10 < len(runs) <= 102


def test_jobs_are_chosen_by_parts_of_their_names():
    assert compare.choose_jobs(list(JOBS), []) == list(JOBS)
    assert compare.choose_jobs(list(JOBS), ["100 rows", "sketch"]) == [
        "AR, 100 rows",
        "sketch",
        "sketch, batches",
    ]
    with pytest.raises(SystemExit, match="parts of the names of jobs, got"):
        compare.choose_jobs(list(JOBS), ["gini"])


SLOWED = "    import time; time.sleep(0.02)\n"
RAISES = "    raise RuntimeError('planted')\n"


def copy_with(line, clone):
    """Commit a copy of what is compared, and then a line planted into AR."""
    for folder in ("benchmarks", "src"):
        shutil.copytree(ROOT / folder, clone / folder)
    shutil.copy(ROOT / "pyproject.toml", clone)
    named = ["-c", "user.name=n", "-c", "user.email=e@f.g"]
    git("init", "--quiet", clone)
    git("-C", clone, "add", "--all")
    git("-C", clone, *named, "commit", "--quiet", "--message", "Copy")
    path = clone / "src" / "capcurve" / "_arrays" / "metrics.py"
    head, start, rest = path.read_text().partition("def accuracy_ratio_score(")
    body = rest.index('    """\n', rest.index('"""') + 3) + len('    """\n')
    path.write_text(head + start + rest[:body] + line + rest[body:])
    git("-C", clone, *named, "commit", "--quiet", "--all", "--message", "Plant a line")


def git(*arguments):
    command = [shutil.which("git"), *map(str, arguments)]
    return subprocess.check_output(command, text=True)  # noqa: S603 -- ours


@pytest.mark.slow
@pytest.mark.parametrize(("line", "word"), [(SLOWED, "SLOWER"), (RAISES, "BROKEN")])
def test_a_planted_fault_fails_the_comparison(line, word, tmp_path):
    clone, written = tmp_path / "clone", tmp_path / "compare.json"
    copy_with(line, clone)
    script = str(clone / "benchmarks" / "compare.py")
    options = ["--jobs", "AR, 100 rows", "--repeats", "2", "--json", str(written)]
    command = [sys.executable, script, "HEAD~1", "HEAD", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 -- ours
    assert done.returncode == 1, done.stderr
    assert word in done.stdout
    jobs = [one["job"].split()[0] for one in json.loads(written.read_text())["records"]]
    assert jobs == (["base", "head"] if word == "SLOWER" else ["base"])
    # Both folders are gone.
    assert len(git("-C", clone, "worktree", "list").splitlines()) == 1
