"""empty: a list in emitted code, and whether it would be empty → the list is made once, and then it is asked.

In: an ast, and its text, by which is told where there is nothing to do. Out: the ast, in which
`if not any([True for i in … if …]): return …` before (or after) `o = [i for i in … if …]` is `if not o: …` after it.
"""

from __future__ import annotations

import ast
import copy
from itertools import pairwise

Blocks = (ast.If, ast.For, ast.While)
Comp = (ast.ListComp, ast.GeneratorExp)


def empty(tree: ast.Module, source: str) -> None:
    """Change the tree in place."""
    lines = source.split("\n")
    for function in tree.body:
        if isinstance(function, ast.FunctionDef):
            text = "\n".join(lines[function.lineno - 1 : function.end_lineno])
            if ("any([True for" in text or "len([" in text) and " o = [" in text:
                function.body = statements(function.body)


def statements(stms: list[ast.stmt]) -> list[ast.stmt]:
    for stm in stms:
        if isinstance(stm, Blocks):
            stm.body = statements(stm.body)
            stm.orelse = statements(stm.orelse)
    out = [*stms]
    for index, (one, then) in enumerate(pairwise(stms)):
        asking, wanted = asked(one)
        if asking is not None and not wanted and leaves(one) and same(asking, listed(then)):
            out[index : index + 2] = [then, of_list(one, False)]
        asking, wanted = asked(then)
        if asking is not None and same(asking, listed(one)):
            out[index + 1] = of_list(then, wanted)
    return out


def asked(stm: ast.stmt) -> tuple[ast.expr | None, bool]:
    """What is asked by `if any([True for …])`, and whether there is to be one."""
    test = stm.test if isinstance(stm, ast.If) else None
    wanted = True
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, wanted = test.operand, False
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "any":
        comp = test.args[0]
        if isinstance(comp, Comp) and isinstance(comp.elt, ast.Constant) and comp.elt.value is True:
            return comp, wanted
    return None, wanted


def listed(stm: ast.stmt) -> ast.expr | None:
    """The list of `o = [… for …]`."""
    target = stm.targets[0] if isinstance(stm, ast.Assign) and len(stm.targets) == 1 else None
    if isinstance(target, ast.Name) and target.id == "o":
        return stm.value if isinstance(stm.value, ast.ListComp) else None  # type: ignore[attr-defined]
    return None


def leaves(stm: ast.stmt) -> bool:
    """Whether an if does nothing but leave, without a look at the list."""
    assert isinstance(stm, ast.If)
    if stm.orelse or not isinstance(stm.body[-1], ast.Return):
        return False
    return not any(isinstance(n, ast.Name) and n.id == "o" for inner in stm.body for n in ast.walk(inner))


def same(asking: ast.expr, made: ast.expr | None) -> bool:
    """Whether one is asked for just what the other lists."""
    if not (isinstance(asking, Comp) and isinstance(made, Comp)) or len(asking.generators) != len(made.generators):
        return False
    return spelled(asking) == spelled(made)


def spelled(comp: ast.ListComp | ast.GeneratorExp) -> str:
    """The loops of a comprehension, with the variables numbered."""
    plain = ast.ListComp(ast.Constant(True), copy.deepcopy(comp.generators))
    number: dict[str, str] = {}
    for node in ast.walk(plain):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            number.setdefault(node.id, f"#{len(number)}")
    for node in ast.walk(plain):
        if isinstance(node, ast.Name):
            node.id = number.get(node.id, node.id)
    return ast.unparse(plain)


def of_list(stm: ast.stmt, wanted: bool) -> ast.If:
    """An if that asks whether there is something in the list."""
    assert isinstance(stm, ast.If)
    o = ast.copy_location(ast.Name("o", ast.Load()), stm)
    stm.test = o if wanted else ast.copy_location(ast.UnaryOp(ast.Not(), o), stm)
    return stm
