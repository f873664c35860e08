"""Schemas of the JSON that capcurve writes, a document for each name and version."""

import json
import re
from importlib.resources import files
from pathlib import Path

FOLDER = Path(__file__).parent / "schemas"


def list_documents():
    """Return the present schema of each document, such as 'score-1'."""
    answers = read_schema("_cli/schema.json")
    report = read_schema("_report/schema.json")
    summary = read_schema("_report/run_schema.json")
    documents = {
        f"report-{report['properties']['schema_version']['const']}": report,
        name_file(summary["properties"]["schema"]["const"]): summary,
    }
    for name in answers["properties"]["schema"]["enum"]:
        documents[name_file(name)] = choose_answer(answers, name)
    return documents


def read_schema(path):
    """Read a schema of the package."""
    return json.loads(files("capcurve").joinpath(path).read_text("utf-8"))


def name_file(name):
    """Turn 'capcurve.score/1' into 'score-1'."""
    return name.removeprefix("capcurve.").replace("/", "-")


def choose_answer(schema, name):
    """Return what a schema says of the answer of one command."""
    chosen = [
        each["then"]
        for each in schema["allOf"]
        if each["if"]["properties"]["schema"]["const"] == name
    ]
    properties = {**schema["properties"], "schema": {"const": name}}
    made = {**schema, "properties": properties, "allOf": chosen}
    used = set(find_references(made, schema["$defs"]))
    return {**made, "$defs": {key: schema["$defs"][key] for key in sorted(used)}}


def find_references(node, definitions, *, below="$defs"):
    """Yield the names of the definitions that a schema refers to, directly or not."""
    if isinstance(node, list):
        for each in node:
            yield from find_references(each, definitions)
    elif isinstance(node, dict):
        for key, each in node.items():
            if key == "$ref":
                name = each.rpartition("/")[2]
                yield name
                yield from find_references(definitions[name], definitions)
            elif key != below:
                yield from find_references(each, definitions)


# -- What a reader relies on ---------------------------------------------------------------


def describe(schema):
    """Return by the path of each value its types, constants, and whether it is required."""
    found = {}
    for path, types, is_required in walk(schema, schema):
        kept, was_required = found.get(path, (frozenset(), False))
        found[path] = kept | types, is_required or was_required
    return found


def walk(node, root, path="", *, is_required=True):
    """Yield path, types, and whether it is required, of a schema and of all below it."""
    if "$ref" in node:
        node = {**root["$defs"][node["$ref"].rpartition("/")[2]], **node}
    yield path, frozenset(read_types(node)), is_required
    for part in ("anyOf", "allOf", "oneOf"):
        for each in node.get(part, ()):
            yield from walk(each, root, path, is_required=is_required)
    for name, each in node.get("properties", {}).items():
        required = name in node.get("required", ())
        yield from walk(each, root, f"{path}.{name}", is_required=required)
    for part, sign in (("items", "[]"), ("additionalProperties", ".*")):
        if isinstance(node.get(part), dict):
            yield from walk(node[part], root, path + sign)


def read_types(node):
    """Yield the types of a value, and its constant."""
    types = node.get("type", ())
    yield from [types] if isinstance(types, str) else types
    if "const" in node:
        yield f"= {node['const']}"
    for word in node.get("enum", ()):
        yield "null" if word is None else {str: "string", bool: "boolean"}[type(word)]


def find_losses(kept, present):
    """Yield what a reader of a kept schema would miss, or could not read, today."""
    before, now = describe(kept), describe(present)
    for path, (types, is_required) in before.items():
        if path not in now:
            yield f"{path} is gone"
            continue
        types_now, is_required_now = now[path]
        wider = types_now - types - ({"integer"} if "number" in types else set())
        if wider and types:
            yield f"{path} may be {', '.join(sorted(wider))}"
        if is_required and not is_required_now:
            yield f"{path} may be missing"


# -- Kept copies ---------------------------------------------------------------------------


def read_kept():
    """Return the kept schemas by name."""
    return {
        path.stem: json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(FOLDER.glob("*.json"))
    }


def list_losses():
    """List what readers of kept documents lose, unless there is a later version."""
    kept, present = read_kept(), list_documents()
    losses = [
        f"{name}: {loss}"
        for name in sorted(kept.keys() & present.keys())
        for loss in find_losses(kept[name], present[name])
    ]
    newest = {split(name)[0]: split(name)[1] for name in present}
    losses += [
        f"{name}: is gone, without a later version"
        for name in sorted(kept.keys() - present.keys())
        if newest.get(split(name)[0], 0) <= split(name)[1]
    ]
    return losses


def split(name):
    """Split the name of a document from its version."""
    stem, version = re.fullmatch(r"(.+)-(\d+)", name).groups()
    return stem, int(version)


def keep():
    """Write the present schemas next to those of earlier versions."""
    FOLDER.mkdir(exist_ok=True)
    for name, schema in list_documents().items():
        text = json.dumps(schema, indent=1, ensure_ascii=False)
        (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")
