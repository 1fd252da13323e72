"""shared: emitted code before and after, as text, and that both say the same when they run."""

from __future__ import annotations

import ast
import itertools
import textwrap

import pytest

from interpreter.optimise.shared import shared

CASES = {
    "tests joined by or": ("return v[0] and x or v[0] and y or z", "return v[0] and (x or y) or z"),
    "one that is asked alone": ("return x or (x and y) or z", "return x or (x and y) or z"),
    "deeper": (
        "return x and y and v[0] or x and y and v[1] or x and z",
        "return x and (y and (v[0] or v[1]) or z)",
    ),
    "a sum": (
        "return (v[0] if x else 0) + (v[1] if x else 0) + (y if z else 0) - 1",
        "return (v[0] + v[1] if x else 0) + (y if z else 0) - 1",
    ),
    "a sum that calls": (
        "return (x if f(y) else 0) + (z if f(y) else 0) + (z if f(y) else 0)",
        "return (x if f(y) else 0) + (z if f(y) else 0) + (z if f(y) else 0)",
    ),
    "a call is made as often": ("return f(x) and y or (f(x) and z)", "return f(x) and y or (f(x) and z)"),
    "ifs": (
        "if x == 1 and v[0]:\n    o.append(1)\nif x == 1 and v[1]:\n    o.append(2)\nif y and z:\n    o.append(3)",
        "if x == 1:\n    if v[0]:\n        o.append(1)\n    if v[1]:\n        o.append(2)\nif y and z:\n    o.append(3)",
    ),
    "ifs of which one changes what is asked": (
        "if x and y:\n    x = 0\nif x and z:\n    o.append(2)",
        "if x and y:\n    x = 0\nif x and z:\n    o.append(2)",
    ),
    "ifs that ask what one may change": (
        "if v[0] and y:\n    v[0] = 0\nif v[0] and z:\n    o.append(2)",
        "if v[0] and y:\n    v[0] = 0\nif v[0] and z:\n    o.append(2)",
    ),
    "ifs with something between": (
        "if x and y:\n    o.append(1)\nz = 0\nif x and z:\n    o.append(2)",
        "if x and y:\n    o.append(1)\nz = 0\nif x and z:\n    o.append(2)",
    ),
    "an if with an else": (
        "if x and y:\n    o.append(1)\nelse:\n    o.append(3)\nif x and z:\n    o.append(2)",
        "if x and y:\n    o.append(1)\nelse:\n    o.append(3)\nif x and z:\n    o.append(2)",
    ),
}


def whole(body: str) -> str:
    return f"def b1(v, o, x, y, z, f):\n{textwrap.indent(body, '    ')}"


def changed(body: str) -> ast.Module:
    source = whole(body)
    tree = ast.parse(source)
    shared(tree, source)
    return ast.fix_missing_locations(tree)


@pytest.mark.parametrize("name", CASES)
def test_spelling(name: str) -> None:
    before, after = CASES[name]
    made = changed(before).body[0]
    assert isinstance(made, ast.FunctionDef)
    assert "\n".join(ast.unparse(stm) for stm in made.body) == after


@pytest.mark.parametrize("name", CASES)
def test_the_same_is_said(name: str) -> None:
    told = []
    for tree in (ast.parse(whole(CASES[name][0])), changed(CASES[name][0])):
        names: dict[str, object] = {}
        exec(compile(tree, "<test>", "exec"), names)  # our own source
        said = []
        for a, b, x, y, z in itertools.product((0, 1), repeat=5):
            options: list[int] = []
            asked: list[int] = []
            cells = [a, b]
            f = lambda x, asked=asked: asked.append(x) or x  # noqa: E731
            said.append((names["b1"](cells, options, x, y, z, f), options, asked, cells))  # type: ignore[operator]
        told.append(said)
    assert told[0] == told[1]
