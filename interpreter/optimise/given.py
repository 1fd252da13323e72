"""given: calls of functions of one expression, and of tables of such functions, with constants → what they say of these.

In: an ast whose small functions are written into one another (inline). Out: Given, which turns a call into an expression
in which the constants stand where the parameters did; whoever asks folds it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from interpreter.optimise.inline import Inliner
from interpreter.optimise.visits import walk

MOST_SAID = 200  # nodes of a function that is tried
MOST_LEFT = 220  # nodes of what is left of it once its constants are folded
CONSTANT = re.compile(r"(\w+)\(s,(?:[^()]*,)? ?\d+[,)]")


class Given:
    """tables: name of a table → its keys → names of functions."""

    def __init__(self, tree: ast.Module, inliner: Inliner) -> None:
        self.inliner = inliner
        self.open: set[str] = set()
        self.sizes: dict[str, int] = {}
        self.tables = {part.targets[0].id: entries(part.value) for part in tree.body if is_table(part)}  # type: ignore[attr-defined]

    def asked_in(self, text: str) -> bool:
        """Whether the text of a function calls one of those that can be written, with a constant."""
        return not self.inliner.known.keys().isdisjoint(CONSTANT.findall(text))

    def said(self, call: ast.Call, fold: Callable[[ast.expr], ast.expr]) -> ast.expr | None:
        """What a call with a constant comes to, if that is short."""
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        function = self.inliner.known.get(name)
        if function is None or name in self.open or call.keywords:
            return None
        if not all(isinstance(arg, (ast.Name, ast.Constant)) for arg in call.args):
            return None
        if not any(isinstance(arg, ast.Constant) for arg in call.args):
            return None
        if name not in self.sizes:
            self.sizes[name] = size(function.body[-1])
        if self.sizes[name] > MOST_SAID:
            return None
        written = self.inliner.written(call, function)
        if written is None:
            return None
        self.open.add(name)
        made = fold(written)
        self.open.discard(name)
        return made if size(made) <= MOST_LEFT else None


def is_table(part: ast.stmt) -> bool:
    """`NAME = {7: one, 8: another}`."""
    return (
        isinstance(part, ast.Assign)
        and isinstance(part.targets[0], ast.Name)
        and isinstance(part.value, ast.Dict)
        and all(isinstance(key, ast.Constant) for key in part.value.keys)
        and all(isinstance(value, ast.Name) for value in part.value.values)
    )


def entries(table: ast.expr) -> dict[int, str]:
    assert isinstance(table, ast.Dict)
    return {key.value: value.id for key, value in zip(table.keys, table.values)}  # type: ignore[union-attr, attr-defined]


def size(node: ast.AST) -> int:
    return sum(1 for _ in walk(node))
