"""fits: it and jsonschema agree about every value; a schema with another word is left to jsonschema."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
import yaml

from interpreter.fits import fitting
from interpreter.schema import _validator, load_schema

ROOT = Path(__file__).resolve().parent.parent
PLACES = {"scenario": "content/**/scenarios/*.yaml", "rules": "content/**/rules.yaml", "mod": "tests/**/mod.yaml"}
STRANGE: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    1.0,
    2.5,
    -3,
    "",
    "do",
    "Pass",
    "ME-001",
    [],
    ["a", "a"],
    {},
    {"do": "x"},
]


def samples(name: str) -> list[Any]:
    paths = sorted(path for path in ROOT.glob(PLACES[name]) if name == "scenario" or path.parent.name != "scenarios")
    assert paths
    return [yaml.safe_load(path.read_text(encoding="utf-8")) for path in paths[:12]]


def spoilt(value: Any, draw: random.Random) -> Any:
    """The value with one place in it changed, left out or put in twice."""
    if isinstance(value, dict) and value and draw.random() < 0.85:
        key = draw.choice(list(value))
        copy = dict(value)
        roll = draw.random()
        if roll < 0.1:
            del copy[key]
        elif roll < 0.2:
            copy[draw.choice(["as", "do", "choose", "where", "not shown", "strange"])] = draw.choice(STRANGE)
        else:
            copy[key] = spoilt(value[key], draw)
        return copy
    if isinstance(value, list) and value and draw.random() < 0.85:
        place = draw.randrange(len(value))
        if draw.random() < 0.15:
            return [*value, value[place]]
        return [*value[:place], spoilt(value[place], draw), *value[place + 1 :]]
    return draw.choice(STRANGE)


def small(value: Any) -> Any:
    """The first entries of long lists: jsonschema is slow."""
    if isinstance(value, dict):
        return {key: small(inner) for key, inner in value.items()}
    return [small(inner) for inner in value[:3]] if isinstance(value, list) else value


@pytest.mark.parametrize("name", PLACES)
def test_it_agrees_with_jsonschema_on_content_and_on_what_is_spoilt(name: str) -> None:
    schema = load_schema(name)
    assert schema is not None
    test, judge = fitting(schema), _validator()(schema)
    assert test is not None
    draw = random.Random(7)
    fine = wrong = 0
    for sample in samples(name):
        assert test(sample) and judge.is_valid(sample)
        for _ in range(25):
            value = spoilt(small(sample), draw)
            said = test(value)
            assert said == judge.is_valid(value) or not_judged(value), json.dumps(value, default=str)
            fine += said
            wrong += not said
    assert wrong > 15, (fine, wrong)


def not_judged(value: Any) -> bool:
    """A list under uniqueItems that holds other things than words is left to jsonschema."""
    lists = [value] if isinstance(value, list) else []
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(any(not isinstance(one, str) for one in found) for found in lists) or any(map(not_judged, inner))


@pytest.mark.parametrize(
    ("schema", "right", "wrong"),
    [
        ({"type": "integer"}, [3, -1], [True, 1.0, "1", None]),
        ({"type": ["number", "null"]}, [1, 0.5, None], [False, "1"]),
        ({"enum": [1, "a", False]}, [1, "a", False], [True, 0, "b", [1]]),
        ({"const": 1}, [1], [True, 2]),
        ({"minimum": 1, "maximum": 3}, [1, 3, "x", True], [0, 4, 3.5]),
        ({"required": ["a"], "additionalProperties": False, "properties": {"a": {"minLength": 2}}},
          [{"a": "xy"}, 4], [{}, {"a": "x"}, {"b": 1}]),
        ({"additionalProperties": {"type": "string"}}, [{}, {"x": "y"}], [{"x": 1}]),
        ({"items": {"$ref": "#/definitions/one"}, "maxItems": 2, "definitions": {"one": {"maxLength": 1}}},
          [[], ["a", 2]], [["ab"], [1, 2, 3]]),
        ({"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, [{"a": 1}, {"b": 1}], [{}, {"a": 1, "b": 1}]),
        ({"anyOf": [{"type": "string"}, {"minItems": 1}], "not": {"const": "no"}}, ["x", [1], 3], ["no", []]),
        ({"allOf": [{"pattern": "a"}, {"pattern": "b$"}]}, ["cab", 1], ["a", "bba"]),
        ({"uniqueItems": True}, [["a", "b"]], [["a", "a"]]),
        ({"dependencies": {"as": ["do"]}}, [{"do": 1}, {"as": 1, "do": 2}], [{"as": 1}]),
    ],
)  # fmt: skip
def test_each_word(schema: dict[str, Any], right: list[Any], wrong: list[Any]) -> None:
    test, judge = fitting(schema), _validator()(schema)
    assert test is not None
    assert [value for value in right if not (test(value) and judge.is_valid(value))] == []
    assert [value for value in wrong if test(value) or judge.is_valid(value)] == []


def test_what_is_not_known_is_left_to_jsonschema() -> None:
    assert fitting({"type": "string", "format": "date"}) is None
    assert fitting({"properties": {"a": {"patternProperties": {}}}}) is None
    assert fitting({"items": [{"type": "string"}]}) is None
    assert fitting({"$ref": "other.json"}) is None
    unsure = fitting({"not": {"uniqueItems": True}})
    assert unsure is not None and not unsure([1, 1])
