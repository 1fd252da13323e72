"""onward: a block that takes an answer before and after, as text; a long chain of forced answers comes back to the machine."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path
from typing import Any

import pytest

from interpreter import load_game
from interpreter.optimise.onward import FEW, onward

DRIVER = """
    def b0(s, c):
        st = s.st
        v = s.v
        st[-1] = 1
        st += (v[1],) + R2
        return 0
    def b1(s, c):
        st = s.st
        v = s.v
        v[3] += 1
        st[-1] = 0
        return 0
"""
ASKED = """
    def b5(s, c):
        st = s.st
        x0 = st[-2]
        o = [x0, 7]
        if len(o) < 2:
            return b6(s, -1)
        s.opts = o
        st[-1] = 6
        return 1
    def q6(s):
        return 0
"""
TABLES: dict[str, Any] = {
    "R1": (0,),
    "R2": (5,),
    "R3": (-1, 8),
    "STEPS": (2,),
    "ROUTINES": (1, 2),
    "KEPT": (),
    "GIVEN": 9,
}
# the lines of the block that takes the answer, before and after; what is changed of the tables
CASES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "a step ends": (
        """
        st = s.st
        z[3] = c
        del st[-2:]
        return 0""",
        """
        st = s.st
        z[3] = c
        v = s.v
        v[3] += 1
        x0 = st[-2] = v[1]
        o = [x0, 7]
        if len(o) < 2:
            st[-1] = 6
            st += (-1, 9)
            return 0
        s.opts = o
        st[-1] = 6
        return 1""",
        {},
    ),
    "a step whose frame is not known to be followed by one block": (
        "del st[-2:]\nreturn 0",
        "del st[-2:]\nreturn 0",
        {"STEPS": ()},
    ),
    "a step ends, and what follows is not written in": (
        "st = s.st\nz[3] = c\ndel st[-2:]\nreturn 0",
        "st = s.st\nz[3] = c\nv = s.v\nv[3] += 1\nst[-2] = v[1]\nst[-1] = 5\nreturn 0",
        {"KEPT": (5,)},
    ),
    "a block that somebody may replace": ("del st[-2:]\nreturn 0", "del st[-2:]\nreturn 0", {"KEPT": (1,)}),
    "the turn is ended": (
        "st = s.st\nif c:\n    del st[4:]\n    st[-1] = 1\n    return 0\nreturn 1",
        """
        st = s.st
        if c:
            v = s.v
            v[3] += 1
            x0 = st[-2] = v[1]
            o = [x0, 7]
            if len(o) < 2:
                st[-1] = 6
                st += (-1, 9)
                return 0
            s.opts = o
            st[-1] = 6
            return 1
        return 1""",
        {},
    ),
    "another pass": (
        "st = s.st\nx0 = st[-2]\nst[-1] = 5\nreturn 0",
        """
        st = s.st
        x0 = st[-2]
        st[-1] = 5
        o = [x0, 7]
        if len(o) < 2:
            st[-1] = 6
            st += (-1, 9)
            return 0
        s.opts = o
        st[-1] = 6
        return 1""",
        {},
    ),
    "a text that is not written in": (
        "st[-1] = 7\nst += (c,) + R3\nreturn 0",
        "st[-1] = 7\nst += (c,) + R3\nreturn 0",
        {},
    ),
    "a call of the block's own stays": (
        "if c:\n    return b5(s, 0)\nreturn 1",
        "if c:\n    return b5(s, 0)\nreturn 1",
        {},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_text(name: str) -> None:
    before, after, tables = CASES[name]
    block = "def b6(s, c):\n" + textwrap.indent(textwrap.dedent(before).strip(), "    ")
    tree = ast.parse("\n".join([textwrap.dedent(DRIVER), textwrap.dedent(ASKED), block, "def b8(s, c):\n    return 1"]))
    onward(tree, {**TABLES, **tables})
    made = next(f for f in tree.body if isinstance(f, ast.FunctionDef) and f.name == "b6")
    assert "\n".join(ast.unparse(stm) for stm in made.body) == textwrap.dedent(after).strip()


def test_a_long_block_is_written_in_once_where_it_is_nearest() -> None:
    """Both ways lead to block 7, which is long: one through block 5, one at once."""
    lines = "\n".join(f"    v[{i}] = 1" for i in range(FEW))
    source = f"""
def b5(s, c):
    v[9] = 0
    st[-1] = 7
    return 0
def b6(s, c):
    if c:
        st[-1] = 5
        return 0
    st[-1] = 7
    return 0
def q6(s):
    return 0
def b7(s, c):
{lines}
    return 1
"""
    tree = ast.parse(source)
    onward(tree, TABLES)
    made = next(ast.unparse(f) for f in tree.body if isinstance(f, ast.FunctionDef) and f.name == "b6")
    assert made.count("v[0] = 1") == 1
    assert made.endswith("return 1") and "v[9] = 0\n        st[-1] = 7\n        return 0" in made


FORCED = """
language: 1
name: Long Walk
version: 1.0.0
players: 2
counters:
  - {counter: Pace, plural: Paces, on: player, most: 2000}
phrases:
  - phrase: walk on
    text: |
      Gain 1 Pace.
      If you have %s Paces, you win the game.
turn:
  - step: Walk
    text: |
      Choose one:
        walk on.
"""


@pytest.mark.parametrize(("paces", "outcome"), [(1800, "won"), (2001, "endless")])
def test_forced_answers_do_not_pile_up(tmp_path: Path, paces: int, outcome: str) -> None:
    (tmp_path / "game.yaml").write_text(FORCED % paces, encoding="utf-8")
    state = load_game(str(tmp_path)).new(players=2, seed=1)
    assert (state.over, state.outcome) == (True, outcome)
