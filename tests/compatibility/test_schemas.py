"""Within a version a JSON document only gains keys: its readers lose nothing."""

import copy
import json
import warnings

import jsonschema
import pytest

from answers import KEPT as EXAMPLES
from compatibility import schemas
from compatibility.records import RENEW

SCHEMAS = schemas.read_kept()
REPORT = SCHEMAS["report-2"]


def test_readers_of_json_lose_nothing():
    assert schemas.list_losses() == [], "give the document a new version (docs/json.md)"


@pytest.mark.filterwarnings("default:schemas are not recorded")
def test_new_keys_are_recorded():
    present = schemas.list_documents()
    new = [name for name in present if present[name] != SCHEMAS.get(name)]
    if new:
        warnings.warn(f"schemas are not recorded: {new}: run `{RENEW}`", stacklevel=1)


def test_every_version_of_each_document_is_kept():
    versions = {}
    for name in SCHEMAS:
        stem, version = schemas.split(name)
        versions.setdefault(stem, []).append(version)
        jsonschema.Draft202012Validator.check_schema(SCHEMAS[name])
    assert {stem: len(found) for stem, found in versions.items()} == {
        stem: max(found) for stem, found in versions.items()
    }
    assert set(schemas.list_documents()) <= set(SCHEMAS)


def open_up(schema):
    """Let a schema accept keys that it does not know, as readers should."""
    if isinstance(schema, list):
        return [open_up(each) for each in schema]
    if isinstance(schema, dict):
        return {
            key: open_up(each)
            for key, each in schema.items()
            if key != "additionalProperties"
        }
    return schema


@pytest.mark.parametrize(
    "path", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.stem
)
def test_what_is_printed_fits_the_kept_schema(path):
    """`test_answer.py` compares these examples with what is printed today."""
    answer = json.loads(path.read_text(encoding="utf-8"))
    kept = SCHEMAS[schemas.name_file(answer["schema"])]
    jsonschema.validate(answer, open_up(kept))


# -- What counts as a loss -----------------------------------------------------------------


def find_losses(change):
    """Change a copy of the schema of reports; return what its readers lose."""
    changed = copy.deepcopy(REPORT)
    change(changed)
    return list(schemas.find_losses(REPORT, changed))


def test_a_key_that_is_gone_is_a_loss():
    found = find_losses(lambda schema: schema["properties"].pop("title"))
    assert found == [".title is gone"]


def test_a_key_that_may_be_missing_is_a_loss():
    found = find_losses(lambda schema: schema["required"].remove("title"))
    assert found == [".title may be missing"]


@pytest.mark.parametrize(
    ("types", "loss"),
    [(["string", "null"], "null"), ("number", "number"), ({"enum": ["a", None]}, "null")],
)
def test_a_wider_type_is_a_loss(types, loss):
    node = types if isinstance(types, dict) else {"type": types}
    found = find_losses(lambda schema: schema["properties"].update(title=node))
    assert found == [f".title may be {loss}"]


def test_a_loss_behind_a_reference_is_found():
    found = find_losses(lambda schema: schema["$defs"]["model"]["properties"].pop("curve"))
    assert ".models[].curve is gone" in found


def test_another_version_is_another_document():
    found = find_losses(
        lambda schema: schema["properties"]["schema_version"].update(const=3)
    )
    assert found == [".schema_version may be = 3"]


def grow(schema):
    schema["properties"]["more"] = {"type": "string"}
    schema["required"].append("more")
    schema["properties"]["title"] = {"enum": ["a", "b"]}
    schema["$defs"]["number"] = {"type": "integer"}


def test_keys_words_and_narrower_types_are_no_loss():
    assert find_losses(grow) == []


def test_an_old_version_may_go_and_the_newest_may_not(monkeypatch):
    present = schemas.list_documents()
    later = {**present, "score-2": present["score-1"]}
    monkeypatch.setattr(schemas, "list_documents", lambda: later)
    later.pop("score-1")
    assert schemas.list_losses() == []
    later.pop("score-2")
    assert schemas.list_losses() == ["score-1: is gone, without a later version"]
