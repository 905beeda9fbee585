#!/usr/bin/env python3
"""usage: schema_scenes.py SCHEMA SCENE...

Every scene validates against the schema, and mistakes do not. With jsonschema and yaml where they are
installed; exits 77 (skipped) where they are not.
"""
import copy
import json
import sys

try:
    import yaml
    from jsonschema import Draft202012Validator
except ImportError:
    sys.exit(77)

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
wrong = 0
for path in sys.argv[2:]:
    with open(path, encoding="utf-8") as file:
        scene = yaml.safe_load(file)
    for error in validator.iter_errors(scene):
        print(f"{path}: {error.json_path}: {error.message}")
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


if list(validator.iter_errors(good)):
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
    if not list(validator.iter_errors(spoiled(change))):
        print("the schema accepts a mistake:", json.dumps(spoiled(change)))
        wrong += 1
sys.exit(1 if wrong else 0)
