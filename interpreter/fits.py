"""fits: in, a schema; out, a function that says whether a value keeps it, in a tenth of jsonschema's time.

It explains nothing: jsonschema is asked about a value only where this says that something is wrong. A schema with a word
that is not known here gives None, and jsonschema is asked always.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

Test = Callable[[Any], bool]

SILENT = {
    "$schema",
    "$id",
    "title",
    "description",
    "x-say",
    "definitions",
    "default",
    "examples",
    "markdownDescription",
}
CLASSES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
    "array": (list,),
    "object": (dict,),
}


class UnknownWord(Exception):
    """A word, or a value under one, that is left to jsonschema."""


def fitting(schema: dict[str, Any]) -> Test | None:
    """The test of a whole schema, or None. What it cannot judge it says is wrong."""
    try:
        whole = Compiler(schema).test(schema)
    except UnknownWord:
        return None

    def test(value: Any) -> bool:
        try:
            return whole(value)
        except UnknownWord:
            return False

    return test


def of_class(value: Any, classes: tuple[type, ...]) -> bool:
    """A bool is no number, and a number with a point no whole one."""
    return value.__class__ in classes


def alike(one: Any, other: Any) -> bool:
    """Equal, where true is not 1; only for values that are neither lists nor mappings."""
    return bool(one == other) and (one.__class__ is bool) == (other.__class__ is bool)


class Compiler:
    """Makes the tests of one schema; of what stands under `definitions`, one each."""

    def __init__(self, root: dict[str, Any]) -> None:
        self.root = root
        self.named: dict[str, list[Test]] = {}

    def test(self, schema: Any) -> Test:
        if isinstance(schema, bool):
            return lambda _: schema
        if "$ref" in schema:  # what stands beside it does not count in draft 7
            return self.reference(schema["$ref"])
        tests: list[Test] = []
        if {"properties", "additionalProperties"} & schema.keys():
            tests.append(self.fields(schema.get("properties", {}), schema.get("additionalProperties", True)))
        for word, said in schema.items():
            if word not in SILENT and word not in ("properties", "additionalProperties"):
                make = getattr(self, "of_" + word, None)
                if make is None:
                    raise UnknownWord(word)
                tests.append(make(said))
        if len(tests) == 1:
            return tests[0]
        return lambda value: all(test(value) for test in tests)

    def reference(self, name: str) -> Test:
        found = re.fullmatch(r"#/definitions/(\w+)", name)
        inner = self.root.get("definitions", {}).get(found[1]) if found else None
        if inner is None:
            raise UnknownWord(name)
        if name not in self.named:
            made = self.named[name] = []
            made.append(self.test(inner))
        tests = self.named[name]  # still empty where a definition names itself
        return lambda value: tests[0](value)

    def fields(self, properties: dict[str, Any], others: Any) -> Test:
        known = {name: self.test(inner) for name, inner in properties.items()}
        other = self.test(others)

        def test(value: Any) -> bool:
            if value.__class__ is not dict:
                return True
            return all(known.get(name, other)(inner) for name, inner in value.items())

        return test

    def of_type(self, said: Any) -> Test:
        names = [said] if isinstance(said, str) else said
        classes = tuple(one for name in names for one in CLASSES[name])
        return lambda value: of_class(value, classes)

    def of_items(self, said: Any) -> Test:
        if isinstance(said, list):
            raise UnknownWord("items")
        inner = self.test(said)
        return lambda value: value.__class__ is not list or all(inner(one) for one in value)

    def of_required(self, said: list[str]) -> Test:
        return lambda value: value.__class__ is not dict or all(name in value for name in said)

    def of_dependencies(self, said: dict[str, Any]) -> Test:
        if not all(isinstance(names, list) for names in said.values()):
            raise UnknownWord("dependencies")
        return lambda value: (
            value.__class__ is not dict
            or all(other in value for name, names in said.items() if name in value for other in names)
        )

    def of_enum(self, said: list[Any]) -> Test:
        if any(isinstance(one, (list, dict)) for one in said):
            raise UnknownWord("enum")
        return lambda value: any(alike(value, one) for one in said)

    def of_const(self, said: Any) -> Test:
        return self.of_enum([said])

    def of_pattern(self, said: str) -> Test:
        search = re.compile(said).search
        return lambda value: value.__class__ is not str or search(value) is not None

    def of_minimum(self, said: float) -> Test:
        return lambda value: value.__class__ not in (int, float) or value >= said

    def of_maximum(self, said: float) -> Test:
        return lambda value: value.__class__ not in (int, float) or value <= said

    def of_minLength(self, said: int) -> Test:
        return lambda value: value.__class__ is not str or len(value) >= said

    def of_maxLength(self, said: int) -> Test:
        return lambda value: value.__class__ is not str or len(value) <= said

    def of_minItems(self, said: int) -> Test:
        return lambda value: value.__class__ is not list or len(value) >= said

    def of_maxItems(self, said: int) -> Test:
        return lambda value: value.__class__ is not list or len(value) <= said

    def of_uniqueItems(self, said: bool) -> Test:
        def test(value: Any) -> bool:
            if not said or value.__class__ is not list:
                return True
            if any(one.__class__ is not str for one in value):
                raise UnknownWord("uniqueItems")
            return len(set(value)) == len(value)

        return test

    def of_allOf(self, said: list[Any]) -> Test:
        tests = [self.test(inner) for inner in said]
        return lambda value: all(test(value) for test in tests)

    def of_anyOf(self, said: list[Any]) -> Test:
        tests = [self.test(inner) for inner in said]
        return lambda value: any(test(value) for test in tests)

    def of_oneOf(self, said: list[Any]) -> Test:
        tests = [self.test(inner) for inner in said]
        return lambda value: sum(test(value) for test in tests) == 1

    def of_not(self, said: Any) -> Test:
        inner = self.test(said)
        return lambda value: not inner(value)
