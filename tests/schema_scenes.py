#!/usr/bin/env python3
"""usage: schema_scenes.py SCHEMA SCENE...

Every scene validates against the schema, and mistakes do not: by a small validator of the keywords that
the schema has, and by jsonschema where it is installed. Exits 77 (skipped) where there is no yaml.
"""
import copy
import json
import sys

try:
    import yaml
except ImportError:
    sys.exit(77)
try:
    from jsonschema import Draft202012Validator
except ImportError:
    Draft202012Validator = None

# As scenes and YAML 1.2 have it, `on`, `yes` and their like are texts.
for letter, resolvers in list(yaml.SafeLoader.yaml_implicit_resolvers.items()):
    if letter in "yYnNoO":
        yaml.SafeLoader.yaml_implicit_resolvers[letter] = [r for r in resolvers if r[0] != "tag:yaml.org,2002:bool"]

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
}


def is_type(value, name):
    if isinstance(value, bool) and name != "boolean":
        return False
    return isinstance(value, TYPES[name])


def number_errors(rules, value):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return []
    wrong = (
        value < rules.get("minimum", value)
        or value > rules.get("maximum", value)
        or ("exclusiveMinimum" in rules and value <= rules["exclusiveMinimum"])
    )
    return ["out of range"] if wrong else []


def structure_errors(rules, value):
    found = []
    if isinstance(value, dict):
        known = rules.get("properties", {})
        other = rules.get("additionalProperties", {})
        for key, item in value.items():
            rule = known.get(key, other)
            found += [f"{key}: unknown"] if rule is False else errors(rule, item)
        found += [f"{key}: missing" for key in rules.get("required", []) if key not in value]
        if not rules.get("minProperties", 0) <= len(value) <= rules.get("maxProperties", 10**9):
            found.append("number of keys")
    if isinstance(value, list):
        for item in value:
            found += errors(rules.get("items", {}), item)
        if not rules.get("minItems", 0) <= len(value) <= rules.get("maxItems", 10**9):
            found.append("number of items")
    return found


def errors(rules, value):
    """What is wrong with a value, by the keywords that the schema has."""
    found = number_errors(rules, value) + structure_errors(rules, value)
    if "$ref" in rules:
        found += errors(schema["$defs"][rules["$ref"].rsplit("/", 1)[1]], value)
    types = rules.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(is_type(value, name) for name in types):
        found.append(f"{value!r} is not {' or '.join(types)}")
    if "enum" in rules and value not in rules["enum"]:
        found.append(f"{value!r} is not one of {rules['enum']}")
    if "const" in rules and value != rules["const"]:
        found.append(f"{value!r} is not {rules['const']}")
    for keyword, most in (("oneOf", 1), ("anyOf", 10**9)):
        if keyword in rules:
            good = sum(not errors(rule, value) for rule in rules[keyword])
            if not 1 <= good <= most:
                found.append(f"{value!r} fits {good} of {keyword}")
    return found


def check(scene):
    """What is wrong with a scene by either validator; both must agree whether anything is."""
    own = errors(schema, scene)
    if Draft202012Validator:
        other = [e.json_path + ": " + e.message for e in Draft202012Validator(schema).iter_errors(scene)]
        assert bool(own) == bool(other), (own, other)
    return own


if Draft202012Validator:
    Draft202012Validator.check_schema(schema)
wrong = 0
for path in sys.argv[2:]:
    with open(path, encoding="utf-8") as file:
        for error in check(yaml.safe_load(file)):
            print(f"{path}: {error}")
            wrong += 1

good = {
    "cordage": 1,
    "strands": [{
        "name": "a",
        "repeat": {"count": "$n"},
        "shape": {"line": {"from": [0, 0, 0], "to": [1, 0, "2 cm"], "vertices": 11}},
        "section": {"circle": {"radius": "5 mm"}},
    }],
}


def spoiled(change):
    scene = copy.deepcopy(good)
    change(scene, scene["strands"][0])
    return scene


if check(good):
    print("the schema refuses a good scene")
    wrong += 1
for change in (
    lambda scene, strand: scene.update(titel="x"),
    lambda scene, strand: scene.pop("strands"),
    lambda scene, strand: strand.pop("section"),
    lambda scene, strand: strand["shape"].update(ring={"radius": 1, "vertices": 4}),
    lambda scene, strand: strand["shape"]["line"].update(vertices=1),
    lambda scene, strand: strand["shape"]["line"].update(to=[0, 0]),
    lambda scene, strand: strand["section"]["circle"].update(radius=-1),
    lambda scene, strand: strand.update(model="dre"),
    lambda scene, strand: strand.update(material="stele"),
):
    if not check(spoiled(change)):
        print("the schema accepts a mistake:", json.dumps(spoiled(change)))
        wrong += 1
sys.exit(1 if wrong else 0)
