"""expressions: expressions of emitted code → the same in the spelling that a programmer would choose.

What is constant is worked out; a list of a filtered list is one list; of what is only asked whether there is any, no list is
made.
"""

from __future__ import annotations

import ast
from itertools import pairwise
from typing import Any

from interpreter.optimise.fold import number
from interpreter.optimise.slots import is_name
from interpreter.optimise.visits import Rewriter, copy_of, walk


def always_true(tree: ast.Module) -> set[str]:
    """The functions that say True whatever they are asked, also those that say it by asking such a one."""
    answers = {
        f.name: f.body[-1].value
        for f in tree.body
        if isinstance(f, ast.FunctionDef)
        and all(isinstance(stm, ast.Assign) for stm in f.body[:-1])
        and isinstance(f.body[-1], ast.Return)
        and isinstance(f.body[-1].value, (ast.Constant, ast.Call, ast.BoolOp, ast.IfExp))
    }
    sure = {name for name, value in answers.items() if constant(value) is True}
    found = bool(sure)
    while found:
        put = Expressions(sure)
        asking = {
            name
            for name, value in answers.items()
            if name not in sure and value is not None and asked_first(value) & sure
        }
        found = False
        for name in asking:
            value = put.visit(copy_of(answers[name]))
            if constant(value) is True:
                sure.add(name)
                found = True
    return sure


def asked_first(node: ast.expr) -> set[str]:
    """The functions that an answer calls, outside of calls."""
    if isinstance(node, ast.Call):
        return {called(node)}
    if isinstance(node, ast.BoolOp):
        return {name for value in node.values for name in asked_first(value)}
    if isinstance(node, ast.IfExp):
        return asked_first(node.body) | asked_first(node.orelse)
    return set()


class Expressions(Rewriter):
    """sure: the functions that say True whatever they are asked."""

    def __init__(self, sure: set[str]) -> None:
        self.sure = sure

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in self.sure:
            return ast.copy_location(ast.Constant(True), node)
        if name in ("max", "min") and len(node.args) > 1 and not node.keywords and all(number(a) for a in node.args):
            values = [a.value for a in node.args]  # type: ignore[attr-defined]
            return ast.copy_location(ast.Constant(max(values) if name == "max" else min(values)), node)
        if name == "one" and len(node.args) == 1:
            node.args = [until_one(node.args[0])]
        if name == "tuple" and len(node.args) == 1 and self.is_tuple(node.args[0]):
            return node.args[0]
        return node

    def is_tuple(self, node: ast.expr) -> bool:
        """A zone, or an entry of a table: tuples already."""
        if isinstance(node, ast.Tuple):
            return True
        while isinstance(node, ast.Subscript):
            if isinstance(node.slice, ast.Slice):
                return False
            node = node.value
            if isinstance(node, ast.Tuple) and all(isinstance(entry, ast.Tuple) for entry in node.elts):
                return True
            if isinstance(node, ast.Name) and node.id == "z":
                return True
            if isinstance(node, ast.Name) and node.id.startswith("ORDER"):
                return True
        return False

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        self.generic_visit(node)
        straight(node)
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        """A list of a filtered list is one list; a test that is the same for all of them is made once, before."""
        self.generic_visit(node)
        straight(node)
        gen = node.generators[0]
        for each in node.generators:
            each.ifs = [test for test in each.ifs if constant(test) is not True]
        if any(constant(test) is False for test in gen.ifs):
            return ast.copy_location(ast.List([], ast.Load()), node)
        if len(node.generators) > 1 or not isinstance(gen.target, ast.Name):
            return node
        name = gen.target.id
        inner = gen.iter
        if (
            isinstance(inner, ast.ListComp)
            and len(inner.generators) == 1
            and isinstance(inner.generators[0].target, ast.Name)
            and is_name(inner.elt, inner.generators[0].target.id)
            and (name == inner.elt.id or name not in names_in(inner))  # type: ignore[attr-defined]
        ):
            rename = Rename(inner.elt.id, name)  # type: ignore[attr-defined]
            gen.iter = inner.generators[0].iter
            gen.ifs = [*[rename.visit(test) for test in inner.generators[0].ifs], *gen.ifs]
        parts = [part for test in gen.ifs for part in conjuncts(test)]
        fixed = [part for part in parts if name not in names_in(part)]
        if not fixed:
            gen.ifs = parts if len(gen.ifs) > 1 else gen.ifs
            return node
        gen.ifs = [part for part in parts if name in names_in(part)]
        test = fixed[0] if len(fixed) == 1 else ast.BoolOp(ast.And(), fixed)
        value: ast.expr = node
        if not gen.ifs and is_name(node.elt, name) and isinstance(gen.iter, ast.ListComp):
            value = gen.iter
        return ast.copy_location(ast.IfExp(test, value, ast.List([], ast.Load())), node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        known = constant(node.test)
        return node if known is None else node.body if known else node.orelse

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not):
            known = constant(node.operand)
            if known is not None:
                return ast.copy_location(ast.Constant(not known), node)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        over = isinstance(node.op, ast.Or)  # the value that decides alone
        kept: list[ast.expr] = []
        for value in node.values:
            known = constant(value)
            if known is None:
                kept.append(value)
            elif known is over:
                kept.append(value)
                break
        if not kept:
            return ast.copy_location(ast.Constant(not over), node)
        if constant(kept[0]) is over:
            return ast.copy_location(ast.Constant(over), node)
        if len(kept) == 1:
            return kept[0]
        return ast.copy_location(ast.BoolOp(node.op, kept), node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        asked = any_of(node)
        if asked is not None:
            return ast.copy_location(asked, node)
        said = as_number(node)
        if said is not None:
            return ast.copy_location(said, node)
        sides = [node.left, *node.comparators]
        if all(number(side) for side in sides) and all(type(op) in COMPARISONS for op in node.ops):
            values = [side.value for side in sides]  # type: ignore[attr-defined]
            holds = all(COMPARISONS[type(op)](a, b) for op, a, b in zip(node.ops, values, values[1:]))
            return ast.copy_location(ast.Constant(holds), node)
        return node


# ---------------------------------------------------------------- lists


class Rename(Rewriter):
    def __init__(self, old: str, new: str) -> None:
        self.old = old
        self.new = new

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id == self.old:
            node.id = self.new
        return node


def straight(comp: ast.ListComp | ast.GeneratorExp) -> None:
    """`for b in [F[a] for a in L] for i in z[b]` as `for a in L for i in z[F[a]]`."""
    for gen, then in pairwise(list(comp.generators)):
        inner = gen.iter
        if not (isinstance(inner, ast.ListComp) and len(inner.generators) == 1 and isinstance(gen.target, ast.Name)):
            continue
        name, within = gen.target.id, inner.generators[0].target
        asked = [n.id for n in walk(comp) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
        if gen.ifs or asked.count(name) != 1 or name not in names_in(then.iter) or not isinstance(within, ast.Name):
            continue
        once = [n.id for n in walk(inner) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
        if asked.count(within.id) != once.count(within.id) or isinstance(then.iter, (ast.ListComp, ast.GeneratorExp)):
            continue
        then.iter = Instead(name, inner.elt).visit(then.iter)
        gen.target, gen.iter, gen.ifs = within, inner.generators[0].iter, inner.generators[0].ifs


class Instead(Rewriter):
    """A name replaced by an expression."""

    def __init__(self, name: str, value: ast.expr) -> None:
        self.name = name
        self.value = value

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self.value if node.id == self.name else node


def until_one(things: ast.expr) -> ast.expr:
    """A list through several loops, of which only the first is asked, as far as that one."""
    over = things.value if isinstance(things, ast.Subscript) and ast.unparse(things.slice) == ":1" else things
    if isinstance(over, ast.ListComp) and len(over.generators) > 1:
        return ast.copy_location(ast.GeneratorExp(over.elt, over.generators), over)
    return things


# ---------------------------------------------------------------- tests


def any_of(node: ast.Compare) -> ast.expr | None:
    """`len([…]) >= 1`, `one([…]) >= 0` and the like: whether there is any."""
    left, right = node.left, node.comparators[0]
    found = there_is(node)
    if found is not None:
        return found
    if not (isinstance(left, ast.Call) and called(left) == "len" and isinstance(left.args[0], ast.ListComp)):
        return None
    if len(node.ops) > 1 or not number(right):
        return None
    how = type(node.ops[0]), right.value  # type: ignore[attr-defined]
    if how not in ((ast.GtE, 1), (ast.Gt, 0), (ast.NotEq, 0), (ast.Eq, 0), (ast.Lt, 1)):
        return None
    gens = left.args[0].generators
    last = gens[-1]
    if len(gens) > 1 and not last.ifs and isinstance(last.iter, ast.Call):
        gens = gens[:-1]  # of the last, nothing but whether there is one is asked
        gens[-1].ifs.append(last.iter)
    asked = ast.Call(ast.Name("any", ast.Load()), [ast.GeneratorExp(ast.Constant(True), gens)], [])
    return ast.UnaryOp(ast.Not(), asked) if how in ((ast.Eq, 0), (ast.Lt, 1)) else asked


def there_is(node: ast.Compare) -> ast.expr | None:
    """`one([i for i in z[k] if …]) >= 0`, of what lies somewhere."""
    left = node.left
    if not (isinstance(left, ast.Call) and called(left) == "one" and len(left.args) == 1 and len(node.ops) == 1):
        return None
    comp = left.args[0]
    comp = comp.value if isinstance(comp, ast.Subscript) and ast.unparse(comp.slice) == ":1" else comp
    if not isinstance(comp, (ast.ListComp, ast.GeneratorExp)) or not isinstance(node.ops[0], (ast.GtE, ast.Lt)):
        return None
    last = comp.generators[-1]
    place = last.iter.value if isinstance(last.iter, ast.Subscript) else None
    if not (
        place is not None
        and is_name(place, "z")
        and isinstance(last.target, ast.Name)
        and is_name(comp.elt, last.target.id)
    ):
        return None
    if not number(node.comparators[0]) or node.comparators[0].value != 0:  # type: ignore[attr-defined]
        return None
    asked = ast.Call(ast.Name("any", ast.Load()), [ast.GeneratorExp(ast.Constant(True), comp.generators)], [])
    return asked if isinstance(node.ops[0], ast.GtE) else ast.UnaryOp(ast.Not(), asked)


def as_number(node: ast.Compare) -> ast.expr | None:
    """`int(T) == 1` of something that is True or False: T itself; `int(T) == 0`: that it is not so."""
    left, right = node.left, node.comparators[0]
    if not (isinstance(left, ast.Call) and called(left) == "int" and len(left.args) == 1 and is_truth(left.args[0])):
        return None
    if len(node.ops) > 1 or not number(right) or right.value not in (0, 1):  # type: ignore[attr-defined]
        return None
    if not isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
        return None
    so = isinstance(node.ops[0], ast.Eq) == (right.value == 1)  # type: ignore[attr-defined]
    return left.args[0] if so else ast.UnaryOp(ast.Not(), left.args[0])


def is_truth(node: ast.expr) -> bool:
    """Whether an expression can only be True or False."""
    if isinstance(node, ast.BoolOp):
        return all(map(is_truth, node.values))
    if isinstance(node, ast.IfExp):
        return is_truth(node.body) and is_truth(node.orelse)
    if isinstance(node, ast.Call):
        return called(node) in ("any", "all", "bool")
    return (
        isinstance(node, ast.Compare)
        or constant(node) is not None
        or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))
    )


COMPARISONS: dict[type, Any] = {
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
}


def constant(node: ast.AST | None) -> bool | None:
    """True or False if the node is one of them."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, bool) else None


# ---------------------------------------------------------------- small questions


def conjuncts(test: ast.expr) -> list[ast.expr]:
    """The tests that must all hold, one by one."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return [part for value in test.values for part in conjuncts(value)]
    return [test]


def names_in(node: ast.AST) -> set[str]:
    return {n.id for n in walk(node) if isinstance(n, ast.Name)}


def called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""
