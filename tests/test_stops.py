"""empty and stops: emitted code before and after, as text, and that both say the same when they run."""

from __future__ import annotations

import ast
import textwrap
from types import SimpleNamespace
from typing import Any

import pytest

from interpreter.emitted import stretch_to
from interpreter.optimise.empty import empty
from interpreter.optimise.stops import stops

# Six spaces on a line, and the lines that go up and down from each.
RAYS = tuple(tuple(ray for ray in (tuple(range(i + 1, 6)), tuple(range(i - 1, -1, -1))) if ray) for i in range(6))
TABLES: dict[str, Any] = {"RAYS": RAYS, "BY2": ((), (), RAYS), "ROWS0": ((1, 2), (3,), (), (4, 5), (0,), (2,))}
EMPTY = {
    "none is asked about first": (
        "if not any([True for i in range(6) if v[i] == x]):\n    del st[-2:]\n    return 0\n"
        "o = [i2 for i2 in range(6) if v[i2] == x]",
        "o = [i2 for i2 in range(6) if v[i2] == x]\nif not o:\n    del st[-2:]\n    return 0",
    ),
    "none is asked about afterwards": (
        "o = [7 + i for i in range(6) if v[i] == x]\nif not any([True for j in range(6) if v[j] == x]):\n    o.append(y)",
        "o = [7 + i for i in range(6) if v[i] == x]\nif not o:\n    o.append(y)",
    ),
    "one is asked about afterwards": (
        "o = [7 + i for i in range(6) if v[i] == x]\nif any([True for j in range(6) if v[j] == x]):\n    o.append(y)",
        "o = [7 + i for i in range(6) if v[i] == x]\nif o:\n    o.append(y)",
    ),
    "another test": (
        "o = [7 + i for i in range(6) if v[i] == x]\nif not any([True for j in range(6) if v[i] == y]):\n    o.append(y)",
        "o = [7 + i for i in range(6) if v[i] == x]\nif not any([True for j in range(6) if v[i] == y]):\n    o.append(y)",
    ),
    "one that does not leave": (
        "if not any([True for i in range(6) if v[i] == x]):\n    v[2] = x\no = [i for i in range(6) if v[i] == x]",
        "if not any([True for i in range(6) if v[i] == x]):\n    v[2] = x\no = [i for i in range(6) if v[i] == x]",
    ),
    "the list as it was": (
        "if not any([True for i in range(6) if v[i] == x]):\n    return o\no = [i for i in range(6) if v[i] == x]",
        "if not any([True for i in range(6) if v[i] == x]):\n    return o\no = [i for i in range(6) if v[i] == x]",
    ),
}
STOPS = {
    "any of a row": (
        "o = [9 + i for i in range(6) if v[i] < 1 if any((True for j in ROWS0[i] if v[j] == x))]",
        "o = []\n"
        "for i_l1 in range(6):\n"
        "    if v[i_l1] < 1:\n"
        "        for j_l2 in ROWS0[i_l1]:\n"
        "            if v[j_l2] == x:\n"
        "                o.append(9 + i_l1)\n"
        "                break",
    ),
    "after others, of all": (
        "o = [8]\no += [i for i in range(6) if any((True for j in ROWS0[i] if v[j] == x))]",
        "o = [8]\n"
        "for i_l1 in range(6):\n"
        "    for j_l2 in ROWS0[i_l1]:\n"
        "        if v[j_l2] == x:\n"
        "            o.append(i_l1)\n"
        "            break",
    ),
    "any of two loops": (
        "o = [i for i in range(6) if any((True for j in ROWS0[i] for k in ROWS0[j] if v[k] == x))]",
        "o = [i for i in range(6) if any((True for j in ROWS0[i] for k in ROWS0[j] if v[k] == x))]",
    ),
    "asked in a loop": (
        "for i in range(6):\n"
        "    if v[i] < 1 and any((True for i in ROWS0[i] if v[i] == x)):\n"
        "        break\n"
        "else:\n    o = y",
        "for i in range(6):\n"
        "    if v[i] < 1:\n"
        "        for i_l1 in ROWS0[i]:\n"
        "            if v[i_l1] == x:\n"
        "                break\n"
        "        else:\n"
        "            continue\n"
        "        break\n"
        "else:\n    o = y",
    ),
    "asked before something else": (
        "for i in range(6):\n    if any((True for j in ROWS0[i] if v[j] == x)):\n        o = o + [i]\n    o = o + [y]",
        "for i in range(6):\n    if any((True for j in ROWS0[i] if v[j] == x)):\n        o = o + [i]\n    o = o + [y]",
    ),
    "a run that is ended": (
        "o = [i for i in range(6) if any((True for r in BY2[2][i] if v[10 + r[0]] == x if stretch_to(v, r, 10, x, y)))]",
        "o = []\n"
        "for i_l1 in range(6):\n"
        "    for r_l2_first, r_l2_rest in LINES0[i_l1]:\n"
        "        if v[r_l2_first] == x:\n"
        "            for r_l2_cell in r_l2_rest:\n"
        "                if v[r_l2_cell] != x:\n"
        "                    break\n"
        "            else:\n"
        "                continue\n"
        "            if v[r_l2_cell] == y:\n"
        "                o.append(i_l1)\n"
        "                break",
    ),
    "a run that another cell begins": (
        "for r in RAYS[y]:\n    if v[12 + r[0]] == x and stretch_to(v, r, 10, x, y):\n        o = [r]",
        "for r in RAYS[y]:\n    if v[12 + r[0]] == x and stretch_to(v, r, 10, x, y):\n        o = [r]",
    ),
}


def function(body: str) -> str:
    return (
        "def b1(s, x, y):\n    v = s.v\n    st = s.st\n    o = []\n" + textwrap.indent(body, "    ") + "\n    return o"
    )


def changed(body: str) -> ast.Module:
    source = function(body)
    tree = ast.parse(source)
    empty(tree, source)
    stops(tree, TABLES, source)
    return ast.fix_missing_locations(tree)


@pytest.mark.parametrize("name", [*EMPTY, *STOPS])
def test_spelling(name: str) -> None:
    before, after = {**EMPTY, **STOPS}[name]
    made = changed(before).body[-1]
    assert isinstance(made, ast.FunctionDef)
    assert "\n".join(ast.unparse(stm) for stm in made.body[3:-1]) == after


@pytest.mark.parametrize("name", [*EMPTY, *STOPS])
def test_the_same_is_said(name: str) -> None:
    before = {**EMPTY, **STOPS}[name][0]
    said: list[list[Any]] = []
    for code in (ast.parse(function(before)), changed(before)):
        names: dict[str, Any] = {**TABLES, "stretch_to": stretch_to, "i": 1}
        exec(compile(code, "<test>", "exec"), names)  # our own source
        said.append([])
        for shift in range(40):
            for x in range(3):
                state = SimpleNamespace(v=[(shift * i * i + shift // 7 + i) % 3 for i in range(20)], st=[1, 2, 3])
                said[-1].append((names["b1"](state, x, (x + shift) % 3), state.v, state.st))
    assert said[0] == said[1]
    assert len({str(one) for one in said[0]}) > 4
