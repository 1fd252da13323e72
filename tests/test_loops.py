"""loops: emitted code before and after, as text, and that both say the same when they run."""

from __future__ import annotations

import ast
import textwrap
from types import SimpleNamespace
from typing import Any

import pytest

from interpreter import load_game
from interpreter.optimise.loops import loops

LIMIT = 20
CASES = {
    "a log in a loop": (
        "for i in range(3):\n    v[i] += 1\n    if s.lg is not None:\n        s.lg.append(i)",
        "lg = s.lg\nfor i in range(3):\n    v[i] += 1\n    if lg is not None:\n        lg.append(i)",
    ),
    "a loop in a loop": (
        "if v[0]:\n    for i in range(2):\n        for j in range(2):\n            if s.lg is not None:\n                s.lg.append(j)",
        "if v[0]:\n    lg = s.lg\n    for i in range(2):\n        for j in range(2):\n            if lg is not None:\n                lg.append(j)",
    ),
    "a log outside of loops": (
        "if s.lg is not None:\n    s.lg.append(1)",
        "if s.lg is not None:\n    s.lg.append(1)",
    ),
    "passes": (
        "bound(s, v[0])\nfor i in range(v[0]):\n    v[1] += i",
        "v[7] += v[0]\nif v[7] > 20:\n    bound(s, 0)\nfor i in range(v[0]):\n    v[1] += i",
    ),
    "each pass": (
        "while v[1] < 30:\n    bound(s)\n    v[1] += 1",
        "while v[1] < 30:\n    v[7] += 1\n    if v[7] > 20:\n        bound(s, 0)\n    v[1] += 1",
    ),
}


class TooMany(Exception):
    pass


def bound(s: Any, passes: int = 1) -> None:
    s.v[7] += passes
    if s.v[7] > LIMIT:
        raise TooMany


def whole(body: str) -> str:
    return f"def b1(s):\n    v = s.v\n{textwrap.indent(body, '    ')}"


def changed(body: str) -> ast.Module:
    tree = ast.parse(whole(body))
    loops(tree, whole(body), LIMIT)
    return ast.fix_missing_locations(tree)


@pytest.mark.parametrize("name", CASES)
def test_spelling(name: str) -> None:
    before, after = CASES[name]
    made = changed(before).body[0]
    assert isinstance(made, ast.FunctionDef)
    assert "\n".join(ast.unparse(stm) for stm in made.body[1:]) == after


@pytest.mark.parametrize("name", CASES)
def test_the_same_is_said(name: str) -> None:
    said = []
    for tree in (ast.parse(whole(CASES[name][0])), changed(CASES[name][0])):
        names: dict[str, Any] = {"bound": bound}
        exec(compile(tree, "<test>", "exec"), names)  # our own source
        for log in (None, []):
            for first in (0, 5, 25):
                s = SimpleNamespace(v=[first, 3, 0, 0, 0, 0, 0, 0], lg=log)
                try:
                    names["b1"](s)
                    ended = False
                except TooMany:
                    ended = True
                said.append((s.v, s.lg and s.lg[:], ended))
    assert said[: len(said) // 2] == said[len(said) // 2 :]


def test_without_the_cells_at_hand_the_call_stays() -> None:
    source = "def b1(s):\n    for i in range(3):\n        bound(s)"
    tree = ast.parse(source)
    loops(tree, source, LIMIT)
    assert ast.unparse(tree) == source


def test_the_limit_of_a_game_is_the_one_that_is_asked() -> None:
    game = load_game("mancala")
    assert game.program.globals["LIMIT"] == game.model.limit == 100_000
