"""rounds: an ast of blocks → the same, with a block that the machine would begin again at once going round by itself.

A loop that counts its passes comes back to the machine when it has made many, so that one without end is noticed there.
"""

from __future__ import annotations

import ast
import re

from interpreter.optimise.onward import is_zero, top_set
from interpreter.optimise.slots import read

MANY = 1_000  # sentences after which a loop comes back to the machine

Body = list[ast.stmt]


def rounds(tree: ast.Module) -> None:
    """Change the tree in place."""
    for function in tree.body:
        if isinstance(function, ast.FunctionDef) and re.fullmatch(r"b\d+", function.name):
            function.body = rounded(function.body, int(function.name[1:]))


def rounded(body: Body, number: int) -> Body:
    """The statements of a block of this number."""
    ends = [stms for stms in open_lists(body) if len(stms) > 1 and is_again(stms, number)]
    if not ends:
        return body
    first = next((i for i, stm in enumerate(body) if read(stm) is None), len(body))
    counts = any(isinstance(stm, ast.AugAssign) and ast.unparse(stm) == "v[7] += 1" for stm in body)
    for stms in ends:
        if counts:
            stms[-2:-2] = [at(stms[-1], ast.If(few(), [ast.Continue()], []))]
        else:
            stms[-2:] = [at(stms[-1], ast.Continue())]
    return [*body[:first], at(body[first], ast.While(ast.Constant(True), body[first:], []))]


def open_lists(stms: Body) -> list[Body]:
    """This list of statements and those in its branches, outside of loops."""
    found = [stms]
    for stm in stms:
        if isinstance(stm, ast.If):
            found += open_lists(stm.body) + open_lists(stm.orelse)
    return found


def is_again(stms: Body, number: int) -> bool:
    """Whether these statements end with `st[-1] = number` and `return 0`."""
    last = stms[-1]
    return isinstance(last, ast.Return) and is_zero(last.value) and top_set(stms[-2]) == number


def few() -> ast.expr:
    return ast.parse(f"v[7] < {MANY}", mode="eval").body


def at(old: ast.stmt, new: ast.stmt) -> ast.stmt:
    return ast.copy_location(new, old)
