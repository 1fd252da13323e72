"""skipped: an ast of blocks → the same, with what follows a question that is not put written where it is passed over.

`return b7(s, -1)` becomes what block 7 does when there is no answer, if that is short.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from interpreter.optimise.onward import owner_of, writable
from interpreter.optimise.slots import Body, copied, read, reread

SHORT = 8  # statements, besides reading of the frame, that are written where a question is passed over
BLOCK = re.compile(r"b\d+")


class Long(Exception):
    """What follows is not short."""


def skipped(tree: ast.Module, tables: dict[str, Any]) -> None:
    """Change the tree in place. tables: as onward has them; the texts of cards, of which each is rare, stay as they are."""
    if "ROUTINES" not in tables:
        return
    owner, routines = owner_of(tables), writable(tables)
    blocks = {f.name: f for f in tree.body if isinstance(f, ast.FunctionDef) and BLOCK.fullmatch(f.name)}
    made: dict[str, Body | None] = {}
    for name, function in blocks.items():
        if owner(int(name[1:])) in routines and passes_over(function.body, blocks, made):
            function.body = reread(function.body)


def passes_over(stms: Body, blocks: dict[str, ast.FunctionDef], made: dict[str, Body | None]) -> bool:
    """Write in what follows at the ends of these statements → whether anything was."""
    changed = False
    for stm in stms:
        if isinstance(stm, ast.If):
            changed |= passes_over(stm.body, blocks, made)
            changed |= passes_over(stm.orelse, blocks, made)
    name = passed(stms[-1]) if stms else ""
    if name in blocks:
        if name not in made:
            made[name] = unanswered(blocks[name].body)
        found = made[name]
        if found is not None:
            stms[-1:] = [copied(stm) for stm in found]
            return True
    return changed


def passed(stm: ast.stmt) -> str:
    """b<n> of `return b<n>(s, -1)`; ""."""
    call = stm.value if isinstance(stm, ast.Return) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and value_of(call.args[-1], set()) == -1:
        return call.func.id
    return ""


def unanswered(stms: Body) -> Body | None:
    """What is left of a block when c is -1; None: too much."""
    try:
        return kept(stms, {"c"}, [SHORT])
    except Long:
        return None


def kept(stms: Body, none: set[str], left: list[int]) -> Body:
    """The statements that are left. none: the variables that are -1; left: how many more there may be."""
    out: Body = []
    for stm in stms:
        if isinstance(stm, ast.If):
            known = truth(stm.test, none)
            if known is None:
                left[0] -= 1
                if left[0] < len(stm.body) - 3:
                    raise Long
                then, other = kept(stm.body, set(none), left), kept(stm.orelse, set(none), left)
                out.append(ast.copy_location(ast.If(filled(stm.test, none), then or [ast.Pass()], other), stm))
                none -= assigned(stm)
            else:
                out += kept(stm.body if known else stm.orelse, none, left)
        elif isinstance(stm, (ast.For, ast.While)):
            raise Long
        else:
            names = assigned(stm)
            local = isinstance(stm, ast.Assign) and all(isinstance(target, ast.Name) for target in stm.targets)
            value = value_of(stm.value, none) if isinstance(stm, ast.Assign) else None
            if not (local and value == -1):
                left[0] -= read(stm) is None
                if left[0] < 0:
                    raise Long
                out.append(filled(stm, none))
            none -= names
            if value == -1:
                none |= names
        if out and isinstance(out[-1], (ast.Return, ast.Continue)):
            break
    return out


def truth(test: ast.expr, none: set[str]) -> bool | None:
    """Whether a test holds, where that is known."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        known = truth(test.operand, none)
        return None if known is None else not known
    if isinstance(test, ast.BoolOp):
        over = isinstance(test.op, ast.Or)
        parts = [truth(value, none) for value in test.values]
        for part in parts:
            if part is not (not over):
                return over if part is over else None
        return not over
    if isinstance(test, ast.Compare):
        sides = [value_of(side, none) for side in (test.left, *test.comparators)]
        if None in sides:
            return None
        return all(COMPARE[type(op)](a, b) for op, a, b in zip(test.ops, sides, sides[1:]) if type(op) in COMPARE)
    return None


COMPARE: dict[type, Any] = {
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
}


def value_of(node: ast.expr, none: set[str]) -> int | None:
    """The number that an expression is, if it is one."""
    if isinstance(node, ast.Name):
        return -1 if node.id in none else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        inner = node.operand.value
        return -inner if type(inner) is int else None
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def assigned(stm: ast.stmt) -> set[str]:
    return {n.id for n in ast.walk(stm) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def filled(node: Any, none: set[str]) -> Any:
    """A copy in which -1 stands for the variables that are."""
    return copied(node, lambda name: ast.UnaryOp(ast.USub(), ast.Constant(1)) if name in none else None)
