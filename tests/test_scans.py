"""inline and scans: emitted code before and after, as text, and that both say the same when they run."""

from __future__ import annotations

import ast
import textwrap
from types import SimpleNamespace
from typing import Any

import pytest

from interpreter.optimise.inline import inline
from interpreter.optimise.scans import scans

TABLES: dict[str, Any] = {
    "F1": (-1, -1, 3, 4, 5, 2, -1),
    "F2": ((), (), (2, 3), (3, 4), (4, 5), (5, 2), ()),
    "BY3": ((2, 3), (), (2, 3, 4, 5)),
}
CASES = {
    "cells of a run": (
        "n = [i for i in range(2, 12) if v[8 + i] < 0]",
        "n = [i for i, i_s1 in enumerate(v[10:20], 2) if i_s1 < 0]",
    ),
    "cells of a run in two ways": (
        "n = sum([v[8 + i] for i in range(2, 12) if v[20 + i] == y])",
        "n = sum([v[8 + i] for i in range(2, 12) if v[20 + i] == y])",
    ),
    "whether a cell has a value": ("n = any([True for i in range(2, 12) if v[8 + i] == y])", "n = y in v[10:20]"),
    "how many cells have a value": ("n = sum([1 for i in range(2, 12) if v[8 + i] == y])", "n = v[10:20].count(y)"),
    "all that lies in a run": ("n = sum([v[8 + i] for i in range(2, 12)])", "n = sum(v[10:20])"),
    "a short run": ("n = [i for i in range(2, 5) if v[8 + i] < 0]", "n = [i for i in range(2, 5) if v[8 + i] < 0]"),
    "a printed field": (
        "n = [i for i in BY3[x] if v[8 + F1[i]] == y]",
        "n = [i for i, i_s1 in ROWS0[x] if v[i_s1] == y]",
    ),
    "printed fields of each": (
        "n = any([True for i in BY3[x] if all([v[8 + j] == y for j in F2[i]])])",
        "n = any([True for i_s1, i_s2 in ROWS0[x] if v[i_s1] == y and v[i_s2] == y])",
    ),
    "one that is asked": (
        "n = 0\nif any([True for i in z[1] if v[i] == y]):\n    return 1\nreturn 2",
        "n = 0\nfor i_s1 in z[1]:\n    if v[i_s1] == y:\n        return 1\nreturn 2",
    ),
    "one that is not": (
        "n = 0\nif not any([True for i in z[1] if v[i] == y]):\n    n = 1",
        "n = 0\nfor i_s1 in z[1]:\n    if v[i_s1] == y:\n        break\nelse:\n    n = 1",
    ),
    "one or none": (
        "n = 0\nif any([True for i in z[1] if v[i] == y]):\n    n = 1\nelse:\n    n = 2",
        "n = 0\nfor i_s1 in z[1]:\n    if v[i_s1] == y:\n        n = 1\n        break\nelse:\n    n = 2",
    ),
    "after another test": (
        "n = 0\nif x == 2 and (not any([True for i in z[1] if v[i] == y])):\n    n = 1",
        "n = 0\nif x == 2:\n    for i_s1 in z[1]:\n        if v[i_s1] == y:\n            break\n    else:\n        n = 1",
    ),
    "one of several lists": (
        "n = 0\nif x == 2 and any([True for j in BY3[x] for i in z[F1[j] % 2] if v[i] == y]) and v[3] > 0:\n    n = 1",
        "n = 0\nif x == 2:\n    for j_s1 in BY3[x]:\n        for i_s2 in z[F1[j_s1] % 2]:\n            if v[i_s2] == y:\n"
        "                if v[3] > 0:\n                    n = 1\n                break\n        else:\n            continue\n"
        "        break",
    ),
    "none of several lists": (
        "n = 0\nif not any([True for j in BY3[x] for i in z[F1[j] % 2] if v[i] == y]):\n    n = 1\nelse:\n    n = 2",
        "n = 0\nfor j_s1 in BY3[x]:\n    for i_s2 in z[F1[j_s1] % 2]:\n        if v[i_s2] == y:\n            n = 2\n"
        "            break\n    else:\n        continue\n    break\nelse:\n    n = 1",
    ),
    "the first": (
        "n = one([i for i in z[1] if v[i] == y][:1])",
        "n = -1\nfor i_s1 in z[1]:\n    if v[i_s1] == y:\n        n = i_s1\n        break",
    ),
    "the first of several lists": (
        "n = one((i for j in BY3[x] if v[j] != y for i in z[F1[j] % 2]))",
        "n = -1\nfor j_s1 in BY3[x]:\n    if v[j_s1] != y:\n        for i_s2 in z[F1[j_s1] % 2]:\n            n = i_s2\n"
        "            break\n        else:\n            continue\n        break",
    ),
    "the first of what lies on the places of a list": (
        "w = tuple([i for i in z[1] if i > 3])\nn = one((k for j in w for k in z[j % 2]))",
        "n = -1\nfor j_s1 in z[1]:\n    if j_s1 > 3:\n        for k_s2 in z[j_s1 % 2]:\n            n = k_s2\n"
        "            break\n        else:\n            continue\n        break",
    ),
    "a list that is read again": (
        "w = tuple([i for i in z[1] if i > 3])\nn = one((k for j in w if j for k in z[j % 2]))\nn += len(w)",
        "w = tuple([i for i in z[1] if i > 3])\nn = -1\nfor j_s1 in w:\n    if j_s1:\n        for k_s2 in z[j_s1 % 2]:\n"
        "            n = k_s2\n            break\n        else:\n            continue\n        break\nn += len(w)",
    ),
    "the first of those that depend on the last": (
        "n = 5\nn = one([i for i in z[1] if v[i] == n])",
        "n = 5\nn = one([i for i in z[1] if v[i] == n])",
    ),
}


def function(body: str) -> str:
    return "def b1(s, x, y):\n    v = s.v\n    z = s.z\n" + textwrap.indent(body, "    ")


def changed(body: str) -> ast.Module:
    source = function(body)
    tree = ast.parse(source)
    scans(tree, TABLES, source)
    return ast.fix_missing_locations(tree)


@pytest.mark.parametrize("name", CASES)
def test_spelling(name: str) -> None:
    before, after = CASES[name]
    made = changed(before).body[-1]
    assert isinstance(made, ast.FunctionDef)
    assert "\n".join(ast.unparse(stm) for stm in made.body[2:]) == after


@pytest.mark.parametrize("name", CASES)
def test_the_same_is_said(name: str) -> None:
    body = CASES[name][0] + ("\nreturn n" if "n" in CASES[name][0] else "")
    cells = [(7 * i) % 5 - 1 for i in range(40)]
    state = SimpleNamespace(v=cells, z=[(), (3, 9, 12)])
    said = []
    for code in (ast.parse(function(body)), changed(body)):
        names: dict[str, Any] = {**TABLES, "one": lambda things: next(iter(things), -1)}
        exec(compile(code, "<test>", "exec"), names)  # our own source
        said.append([names["b1"](state, x, y) for x in (0, 2) for y in range(-1, 5)])
    assert said[0] == said[1]


ASKED = """
def is_open(s, x0, x1):
    v = s.v
    z = s.z
    return v[8 + x1] == x0

def is_ready(s, x0, x1):
    v = s.v
    z = s.z
    return any([True for i in z[x1] if is_open(s, x0, i)])

def again(s, x0):
    return again(s, x0)

def b1(s, c):
    st = s.st
    n = BODY
    return n
"""
ASKING = {
    "a variable": ("is_open(s, x, y)", "v[8 + y] == x"),
    "an argument that is asked once": ("is_open(s, x, F[y])", "v[8 + F[y]] == x"),
    "one that asks another": ("is_ready(s, x, y)", "any([True for i in z[y] if v[8 + i] == x])"),
    "a loop variable of the same name": (
        "[i for i in z[1] if is_ready(s, x, i)]",
        "[i for i in z[1] if any([True for i_1 in z[i] if v[8 + i_1] == x])]",
    ),
    "an argument that would be worked out for each": ("is_ready(s, x, F[y])", "is_ready(s, x, F[y])"),
    "an argument that calls": ("is_open(s, x, own(s, y))", "is_open(s, x, own(s, y))"),
    "one that asks itself": ("again(s, x)", "again(s, x)"),
}


@pytest.mark.parametrize("name", ASKING)
def test_what_is_asked_is_written(name: str) -> None:
    before, after = ASKING[name]
    source = ASKED.replace("BODY", before)
    tree = ast.parse(source)
    told, _ = inline(tree, source)
    made = tree.body[-1]
    assert isinstance(made, ast.FunctionDef)
    assert f"n = {after}" in [ast.unparse(stm) for stm in made.body]
    assert "b1" in told or before == after
    names = {n.id for n in ast.walk(made) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    assert "v" in names or "v[" not in after
