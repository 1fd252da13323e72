"""once and joins: emitted code before and after, as text, and that both say the same when they run."""

from __future__ import annotations

import ast
import textwrap
from types import SimpleNamespace
from typing import Any

import pytest

from interpreter.optimise.joins import joins
from interpreter.optimise.once import once

# (option, cell, other cell) of rows that go from six cells to three others each, by an index: both orders of options.
STEPS = tuple((10 + 6 * k + a, 20 + a, 20 + (a + k + 1) % 6) for k in range(3) for a in range(6))
TABLES: dict[str, Any] = {
    "ROWS0": ((), STEPS, STEPS[:12]),
    "ROWS1": ((), STEPS[6:], STEPS[6:12]),
    "ROWS2": tuple((i, a, b) for i, (_, a, b) in enumerate(sorted(STEPS, key=lambda row: row[1:]))),
    "ROWS3": STEPS[:6],
    "ROWS4": ((), *[tuple((10 + 6 * k + a, 20 + a, 20 + (a + k) % 6) for k in range(5) for a in range(6))] * 2),
    "ROWS5": ((), STEPS[6:12] + STEPS[13:], STEPS[6:]),
}
WALKS = {
    "the rows of a cell": (
        "o = [100 + i for i, a, b in ROWS0[y] if v[a] == x and v[b] < 0]",
        "o = sorted([i for a, rows in GROUPS0[y] if v[a] == x for i, b in rows if v[b] < 0])",
    ),
    "in the order of the options": (
        "o = [i for i, a, b in ROWS2 if v[a] == x if v[b] < 0]",
        "o = [i for a, rows in GROUPS0 if v[a] == x for i, b in rows if v[b] < 0]",
    ),
    "one row a cell": (
        "o = [i for i, a, b in ROWS3 if v[a] == x and v[b] < 0]",
        "o = [i for i, a, b in ROWS3 if v[a] == x and v[b] < 0]",
    ),
    "two lists in one walk": (
        "o = [100 + i for i, a, b in ROWS4[y] if v[a] == x and v[b] < 0]\n"
        "o += [200 + i for i, a, b in ROWS1[y] if v[a] == x and v[b] == (x + 1) % v[0]]",
        "once0 = (x + 1) % v[0]\n"
        "o = []\n"
        "for a_j1, rows_j1 in GROUPS0[y]:\n"
        "    if v[a_j1] == x:\n"
        "        for i_j1, i_k1, b_j1 in rows_j1:\n"
        "            if v[b_j1] < 0:\n"
        "                o.append(i_j1)\n"
        "            elif v[b_j1] == once0 and i_k1:\n"
        "                o.append(i_k1)\n"
        "o.sort()",
    ),
    "two lists after others, of few rows": (
        "o = [7]\n"
        "o += [100 + i for i, a, b in ROWS5[y] if v[a] == x and v[b] < 1]\n"
        "o += [200 + i for i, a, b in ROWS5[y] if v[a] == x and v[b] < 2]",
        "o = [7]\n"
        "o_j1 = []\n"
        "for a_j1, rows_j1 in GROUPS0[y]:\n"
        "    if v[a_j1] == x:\n"
        "        i_j1_0, i_k1_0, b_j1_0, i_j1_1, i_k1_1, b_j1_1 = rows_j1\n"
        "        if v[b_j1_0] < 1:\n"
        "            o_j1.append(i_j1_0)\n"
        "        if v[b_j1_0] < 2:\n"
        "            o_j1.append(i_k1_0)\n"
        "        if v[b_j1_1] < 1 and i_j1_1:\n"
        "            o_j1.append(i_j1_1)\n"
        "        if v[b_j1_1] < 2 and i_k1_1:\n"
        "            o_j1.append(i_k1_1)\n"
        "o_j1.sort()\n"
        "o += o_j1",
    ),
    "two lists whose options would mix": (
        "o = [100 + i for i, a, b in ROWS0[y] if v[a] == x and v[b] < 1]\n"
        "o += [100 + i for i, a, b in ROWS0[y] if v[a] == x and v[b] < 2]",
        "o = sorted([i for a, rows in GROUPS0[y] if v[a] == x for i, b in rows if v[b] < 1])\n"
        "o += sorted([i for a, rows in GROUPS0[y] if v[a] == x for i, b in rows if v[b] < 2])",
    ),
    "a test of the option": (
        "o = [i for i, a, b in ROWS0[y] if v[a] == x and v[b] < i]",
        "o = [i for i, a, b in ROWS0[y] if v[a] == x and v[b] < i]",
    ),
    "what is wanted depends on the row": (
        "o = [i for i, a, b in ROWS0[y] if v[a] == v[b]]",
        "o = [i for i, a, b in ROWS0[y] if v[a] == v[b]]",
    ),
    "a remainder for all": (
        "if x:\n    o = sum([1 for i in range(3) if v[i] == (x + 1) % v[0] or v[i] == (x + i) % v[0]])",
        "if x:\n    once0 = (x + 1) % v[0]\n"
        "    o = sum([1 for i in range(3) if v[i] == once0 or v[i] == (x + i) % v[0]])",
    ),
    "a remainder that is asked of one": ("o = [i for i in range(x % 3)]", "o = [i for i in range(x % 3)]"),
    "a loop over one": (
        "o = any((True for i in range(3) for k in ((x + 1) % v[0],) if k > 0 for j in (i, k) if v[j] == k))",
        "once0 = (x + 1) % v[0]\no = any((True for i in range(3) if once0 > 0 for j in (i, once0) if v[j] == once0))",
    ),
    "a name that is given inside": (
        "o = [i for k in (x,) for i in range(3) if k in [k for k in range(i)]]",
        "o = [i for k in (x,) for i in range(3) if k in [k for k in range(i)]]",
    ),
}


def changed(body: str) -> ast.Module:
    source = "def b1(s, x, y):\n    v = s.v\n    o = []\n" + textwrap.indent(body, "    ") + "\n    return o"
    tree = ast.parse(source)
    functions = [function for function in tree.body if isinstance(function, ast.FunctionDef)]
    tree.body[:0] = ast.parse("\n".join(f"{name} = None" for name in TABLES)).body
    for stm, value in zip(tree.body, TABLES.values()):
        stm.value = ast.Constant(value)  # type: ignore[attr-defined]
    once(tree, source)
    joins(tree, functions)
    return ast.fix_missing_locations(tree)


@pytest.mark.parametrize("name", WALKS)
def test_spelling(name: str) -> None:
    before, after = WALKS[name]
    function = changed(before).body[-1]
    assert isinstance(function, ast.FunctionDef)
    assert "\n".join(ast.unparse(stm) for stm in function.body[2:-1]) == after


@pytest.mark.parametrize("name", WALKS)
def test_the_same_is_said(name: str) -> None:
    said: list[list[Any]] = []
    source = "def b1(s, x, y):\n    v = s.v\n    o = []\n" + textwrap.indent(WALKS[name][0], "    ") + "\n    return o"
    for code in (ast.parse(source), changed(WALKS[name][0])):
        names = dict(TABLES)
        exec(compile(code, "<test>", "exec"), names)  # our own source
        said.append([])
        for shift in range(9):
            state = SimpleNamespace(v=[2, *[(7 * i * i + shift * i) % 4 - 1 for i in range(30)]])
            said[-1] += [names["b1"](state, x, y) for x in (0, 1) for y in range(3)]
    assert said[0] == said[1]
    assert any(said[0])


def test_tables_that_nobody_reads_go() -> None:
    body = changed(WALKS["the rows of a cell"][0]).body
    assert [stm.targets[0].id for stm in body if isinstance(stm, ast.Assign)] == ["GROUPS0"]  # type: ignore[attr-defined]
