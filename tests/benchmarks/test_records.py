"""Benchmarks write what they measured as JSON with one schema."""

import json
import re
import subprocess

import jsonschema
import pytest

from records import ROOT, Records, commit_of

SCRIPTS = ROOT / "benchmarks"


def test_records_follow_the_schema(tmp_path):
    records = Records("accuracy_ratio")
    records.keep("AR", 100, {"capcurve": 1e-5, "numpy.sort": 2e-6})
    records.keep("memory", None, {"capcurve": 800}, unit="B")
    path = tmp_path / "new" / "folder.json"
    records.write(path)
    written = json.loads(path.read_text())
    schema = json.loads((SCRIPTS / "records.schema.json").read_text())
    jsonschema.validate(written, schema)
    assert [(one["job"], one["value"], one["unit"]) for one in written["records"]] == [
        ("capcurve", 1e-5, "s"),
        ("numpy.sort", 2e-6, "s"),
        ("capcurve", 800, "B"),
    ]
    assert "numpy" in written["packages"]
    written["records"][0]["unit"] = "hours"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(written, schema)


def test_nothing_is_written_without_a_path(tmp_path):
    Records("grouped").write(None)
    assert not list(tmp_path.iterdir())


def test_a_number_that_json_lacks_is_refused(tmp_path):
    records = Records("grouped")
    records.keep("AR", 1, {"capcurve": float("nan")})
    with pytest.raises(ValueError, match="not JSON compliant"):
        records.write(tmp_path / "nan.json")


def test_every_script_that_make_runs_writes_its_records():
    makefile = (ROOT / "Makefile").read_text()
    ran = re.findall(r"benchmarks/(\w+)\.py --json build/bench/(\w+)\.json", makefile)
    names = ["accuracy_ratio", "grouped", "inference", "scale", "spark_cost"]
    assert [own for own, _ in ran] == names
    for own, written in ran:
        text = (SCRIPTS / f"{own}.py").read_text()
        assert own == written
        assert f'Records("{own}")' in text
        assert "records.write(" in text


def test_a_commit_is_named_and_a_folder_without_git_is_not(tmp_path):
    assert commit_of(tmp_path) == ""
    git = ["git", "-C", str(tmp_path), "-c", "user.name=n", "-c", "user.email=e@f.g"]
    for command in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run([*git, *command], check=True)  # noqa: S603 -- ours
    assert re.fullmatch("[0-9a-f]{12}", commit_of(tmp_path))
