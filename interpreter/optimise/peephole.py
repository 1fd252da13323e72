"""peephole: an ast of emitted code → the same program in the spelling that a programmer would choose.

Its expressions are spelled by `expressions`. Dead branches go; `max` and `min` become comparisons; a short list of options
over things known at load becomes a row of tests.
"""

from __future__ import annotations

import ast
from functools import partial
from typing import Any

from interpreter.optimise.drawn import drawn
from interpreter.optimise.expressions import Expressions, always_true, called, constant, names_in
from interpreter.optimise.fold import Folder, Put, number
from interpreter.optimise.slots import is_name, reread
from interpreter.optimise.visits import copy_of, walk

MOST_OPTIONS = 16  # a longer list of options stays a comprehension
MOST_TEST = 28  # nodes of a test that is repeated for each of them

Body = list[ast.stmt]


def peephole(tree: ast.Module, folder: Folder) -> ast.Module:
    """The tree, changed in place. folder: what unrolls over tables known at load."""
    trim = Trim(folder, always_true(tree))
    for function in tree.body:
        if isinstance(function, ast.FunctionDef):
            folder.within(function, partial(trim.within, function))
    return tree


class Trim(Expressions):
    def __init__(self, folder: Folder, sure: set[str]) -> None:
        super().__init__(sure)
        self.folder = folder

    def within(self, function: ast.FunctionDef) -> None:
        function.body = reread(self.body(function.body))

    def body(self, stms: Body) -> Body:
        """A run of statements in its better spelling."""
        out: Body = []
        for stm in stms:
            for made in self.statement(stm):
                self.add(out, made)
                if out and isinstance(out[-1], (ast.Return, ast.Continue, ast.Raise)):
                    return out
        return out

    def statement(self, stm: ast.stmt) -> Body:
        if isinstance(stm, ast.If):
            stm.test = self.visit(stm.test)
            known = constant(stm.test)
            if known is not None:
                return self.body(stm.body if known else stm.orelse)
            stm.body = self.body(stm.body) or [ast.Pass()]
            stm.orelse = self.body(stm.orelse)
            return [stm]
        if isinstance(stm, (ast.For, ast.While)):
            if isinstance(stm, ast.For):
                stm.iter = self.visit(stm.iter)
                inner = stm.iter
                if isinstance(inner, ast.Call) and called(inner) == "tuple" and isinstance(inner.args[0], ast.ListComp):
                    stm.iter = inner.args[0]
            else:
                stm.test = self.visit(stm.test)
            stm.body = self.body(stm.body) or [ast.Pass()]
            return counted(stm) if isinstance(stm, ast.While) else [stm]
        stm = self.visit(stm)
        if isinstance(stm, ast.Assign) and len(stm.targets) == 1 and isinstance(stm.targets[0], ast.Name):
            return self.assigned(stm, stm.targets[0].id, stm.value)
        if (
            isinstance(stm, ast.AugAssign)
            and isinstance(stm.target, ast.Name)
            and isinstance(stm.op, ast.Add)
            and isinstance(stm.value, ast.IfExp)
            and isinstance(stm.value.body, ast.List)
            and isinstance(stm.value.orelse, ast.List)
            and not stm.value.orelse.elts
        ):
            added = [append(stm.target.id, element, stm) for element in stm.value.body.elts]
            return [at(stm, ast.If(stm.value.test, added, []))] if added else []
        if isinstance(stm, ast.AugAssign) and is_name(stm.target, "o") and isinstance(stm.value, ast.ListComp):
            test = guard_of(stm.value)
            if test is not None:
                return [at(stm, ast.If(test, self.statement(stm), []))]
            made = self.options(stm, stm.value)
            return [stm] if made is None else made
        return [stm]

    def assigned(self, stm: ast.Assign, name: str, value: ast.expr) -> Body:
        """`n = max(0, E)` and `n = min(n, E)` as comparisons; a short list of options as a row of tests."""
        if isinstance(value, ast.Call) and called(value) in ("max", "min") and len(value.args) == 2:
            first, second = value.args
            sign: ast.cmpop = ast.Gt() if called(value) == "max" else ast.Lt()
            if isinstance(first, ast.Name) and first.id == name:
                if simple(second):
                    return [better(stm, name, second, sign)]
                bound = at(stm, ast.Assign([ast.Name("limit", ast.Store())], second))
                return [bound, better(stm, name, ast.Name("limit", ast.Load()), sign)]
            if number(first):
                return [
                    *self.assigned(at(stm, ast.Assign(stm.targets, second)), name, second),
                    better(stm, name, first, sign),
                ]
        if name == "o" and isinstance(value, ast.ListComp):
            test = guard_of(value)
            if test is not None:
                return [
                    at(
                        stm,
                        ast.If(test, self.statement(stm), [at(stm, ast.Assign(stm.targets, ast.List([], ast.Load())))]),
                    )
                ]
            made = self.options(stm, value)
            if made is not None:
                return [at(stm, ast.Assign(stm.targets, ast.List([], ast.Load()))), *made]
        return [stm]

    def options(self, stm: ast.stmt, comp: ast.ListComp) -> Body | None:
        """A short list of options over things known at load, as a row of tests that add to the list."""
        gen = comp.generators[0]
        if len(comp.generators) > 1 or not isinstance(gen.target, ast.Name) or not gen.ifs:
            return None
        items = self.folder.items(gen.iter)
        if items is None or len(items) > MOST_OPTIONS:
            return None
        if sum(1 for test in gen.ifs for _ in walk(test)) > MOST_TEST:
            return None
        out: Body = []
        for item in items:
            put = Put(gen.target.id, item)
            tests = [self.visit(self.folder.visit(put.visit(copy_of(test)))) for test in gen.ifs]
            element = self.folder.visit(put.visit(copy_of(comp.elt)))
            test = tests[0] if len(tests) == 1 else self.visit(ast.BoolOp(ast.And(), tests))
            out += self.statement(at(stm, ast.If(test, [append("o", element, stm)], [])))
        return out

    def add(self, out: Body, stm: ast.stmt) -> None:
        """One more statement. What is added to a list of constants is written into it, and its length is known; a card
        that moves on at once need not be put on top of its deck before."""
        before = out[-1] if out else None
        listed = before.value if isinstance(before, ast.Assign) and is_name(before.targets[0], "o") else None
        if isinstance(listed, (ast.List, ast.Tuple)) and all(number(e) for e in listed.elts):
            assert isinstance(before, ast.Assign)
            if isinstance(stm, ast.AugAssign) and is_name(stm.target, "o") and isinstance(stm.value, ast.List):
                if all(number(e) for e in stm.value.elts):
                    before.value = ast.copy_location(ast.List([*listed.elts, *stm.value.elts], ast.Load()), listed)
                    return
                if not listed.elts and isinstance(stm.op, ast.Add):
                    before.value = stm.value
                    return
            if (
                isinstance(stm, ast.AugAssign)
                and is_name(stm.target, "o")
                and isinstance(stm.value, ast.ListComp)
                and not listed.elts
            ):
                before.value = stm.value
                return
            if isinstance(stm, ast.If) and count_of(stm.test) and listed.elts:
                assert isinstance(stm.test, ast.Compare)
                few = stm.test.comparators[0].value  # type: ignore[attr-defined]
                before.value = ast.copy_location(ast.Tuple(listed.elts, ast.Load()), listed)
                if len(listed.elts) < few:
                    out += self.body(stm.body)
                return
        if isinstance(stm, ast.If) and len(out) > 2 and bounded(out, stm):
            return
        if isinstance(stm, ast.If):
            at_settle = settled(out, stm)
            if at_settle >= 0:
                stm.orelse = [out.pop(at_settle), *stm.orelse]
            drawn(out, stm)
        out.append(stm)


# ---------------------------------------------------------------- small questions


def guard_of(comp: ast.ListComp) -> ast.expr | None:
    """The test of `[… for i in (L if TEST else [])]`, or of such a list told apart, which is taken out of it."""
    gen = comp.generators[0]
    inside: Any = gen
    field = "iter"
    over = gen.iter
    if isinstance(over, ast.Call) and called(over) == "alike" and len(over.args) == 3:
        inside, field, over = over, "args", over.args[2]
    if not (isinstance(over, ast.IfExp) and isinstance(over.orelse, ast.List) and not over.orelse.elts):
        return None
    setattr(inside, field, over.body if inside is gen else [*inside.args[:2], over.body])
    return over.test


def simple(node: ast.expr) -> bool:
    return isinstance(node, (ast.Name, ast.Constant))


def counted(stm: ast.While) -> Body:
    """`while x > 0: bound(s); x = x - 1; …` as a loop over a range, where the rest neither looks at x nor leaves."""
    test = stm.test
    name = test.left.id if isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) else ""
    if not name or len(stm.body) < 3 or ast.unparse(test) != f"{name} > 0" or stm.orelse:
        return [stm]
    first, second, *rest = stm.body
    if ast.unparse(first) != "bound(s)" or ast.unparse(second) != f"{name} = {name} - 1":
        return [stm]
    inner = [node for one in rest for node in walk(one)]
    if any(is_name(node, name) or isinstance(node, (ast.Return, ast.Break, ast.Continue)) for node in inner):
        return [stm]
    all_ = at(stm, ast.Expr(ast.Call(ast.Name("bound", ast.Load()), [ast.Name("s", ast.Load()), test.left], [])))  # type: ignore[attr-defined]
    times = ast.Call(ast.Name("range", ast.Load()), [ast.Name(name, ast.Load())], [])
    loop = at(stm, ast.For(ast.Name("_", ast.Store()), times, rest, []))
    none = at(stm, ast.Assign([ast.Name(name, ast.Store())], ast.Constant(0)))
    return [at(stm, ast.If(test, [all_, loop, none], []))]


def bounded(out: Body, stm: ast.If) -> bool:
    """What is between 0 and itself is itself; of one thing, only whether there is room for it is asked. True if the
    statement is not to be added any more."""
    first, second, third = out[-3:]
    if not puts(first, "n"):
        return False
    if lower(second) and puts(third, "limit") and ast.unparse(stm.test) == "limit < n":
        if ast.unparse(first.value) == ast.unparse(third.value).removesuffix(" - 0") and not any(  # type: ignore[attr-defined]
            isinstance(node, ast.Call) for node in walk(first)
        ):
            del out[-2:]
            return True
    if stm.orelse or not puts(second, "limit") or ast.unparse(stm.test) != "n > 0":
        return False
    one, room = first.value, second.value  # type: ignore[attr-defined]
    if isinstance(third, ast.If) and ast.unparse(third.test) == "limit < n" and number(one) and one.value == 1:
        if "n" not in names_in(room):
            out[-3:] = [at(stm, ast.Assign(first.targets, room))]  # type: ignore[attr-defined]
            stm.body.insert(0, at(stm, ast.Assign(copy_of(first.targets), one)))  # type: ignore[attr-defined]
    return False


def puts(stm: ast.stmt, name: str) -> bool:
    """`name = …`."""
    return isinstance(stm, ast.Assign) and len(stm.targets) == 1 and is_name(stm.targets[0], name)


def lower(stm: ast.stmt) -> bool:
    """`if 0 > n: n = 0`."""
    return isinstance(stm, ast.If) and ast.unparse(stm.test) == "0 > n"


def settled(out: Body, stm: ast.If) -> int:
    """Where `settle(s, deck, x)` stands, if only assignments lie between it and `if f != g: mv(s, x, g)`; else -1."""
    test = stm.test
    if not (isinstance(test, ast.Compare) and is_name(test.left, "f") and ast.unparse(test) == "f != g"):
        return -1
    index = len(out) - 1
    while (
        index >= 0
        and isinstance(out[index], ast.Assign)
        and not any(isinstance(node, ast.Call) for node in walk(out[index]))
    ):
        index -= 1
    before = expression_call(out[index]) if index >= 0 else None
    if before is None or called(before) != "settle":
        return -1
    for inner in stm.body:
        call = expression_call(inner)
        if call is None or not called(call).startswith(("on_", "seen_", "mv")):
            return -1
        if called(call) == "mv":
            return index if ast.unparse(call.args[1]) == ast.unparse(before.args[2]) else -1
    return -1


def expression_call(stm: ast.stmt) -> ast.Call | None:
    return stm.value if isinstance(stm, ast.Expr) and isinstance(stm.value, ast.Call) else None


def count_of(test: ast.expr) -> bool:
    """`len(o) < N`."""
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.left, ast.Call)
        and called(test.left) == "len"
        and is_name(test.left.args[0], "o")
        and isinstance(test.ops[0], ast.Lt)
        and number(test.comparators[0])
    )


def at(stm: ast.stmt, made: Any) -> Any:
    return ast.copy_location(made, stm)


def append(name: str, element: ast.expr, stm: ast.stmt) -> ast.stmt:
    call = ast.Call(ast.Attribute(ast.Name(name, ast.Load()), "append", ast.Load()), [element], [])
    return ast.copy_location(ast.Expr(call), stm)


def better(stm: ast.stmt, name: str, other: ast.expr, sign: ast.cmpop) -> ast.stmt:
    """`if other > name: name = other`."""
    test = ast.Compare(other, [sign], [ast.Name(name, ast.Load())])
    put = at(stm, ast.Assign([ast.Name(name, ast.Store())], copy_of(other)))
    return ast.copy_location(ast.If(test, [put], []), stm)
