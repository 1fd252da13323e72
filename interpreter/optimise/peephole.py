"""peephole: an ast of emitted code → the same program in the spelling that a programmer would choose.

Constant conditions and their dead branches go; `max` and `min` become comparisons; a short list of options over things
known at load becomes a row of tests.
"""

from __future__ import annotations

import ast
from functools import partial
from itertools import pairwise
from typing import Any

from interpreter.optimise.drawn import drawn
from interpreter.optimise.fold import Folder, Put, number
from interpreter.optimise.slots import is_name, reread
from interpreter.optimise.visits import Rewriter, copy_of, walk

MOST_OPTIONS = 16  # a longer list of options stays a comprehension
MOST_TEST = 28  # nodes of a test that is repeated for each of them

Body = list[ast.stmt]


def peephole(tree: ast.Module, folder: Folder) -> ast.Module:
    """The tree, changed in place. folder: what unrolls over tables known at load."""
    trim = Trim(folder, always_true(tree, folder))
    for function in tree.body:
        if isinstance(function, ast.FunctionDef):
            folder.within(function, partial(trim.within, function))
    return tree


def always_true(tree: ast.Module, folder: Folder) -> set[str]:
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
        trim = Trim(folder, sure)
        asking = {
            name
            for name, value in answers.items()
            if name not in sure and value is not None and asked_first(value) & sure
        }
        found = False
        for name in asking:
            value = trim.visit(copy_of(answers[name]))
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


class Trim(Rewriter):
    def __init__(self, folder: Folder, sure: set[str]) -> None:
        self.folder = folder
        self.sure = sure

    def within(self, function: ast.FunctionDef) -> None:
        function.body = reread(self.body(function.body))

    # ------------------------------------------------------------ expressions

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
            if isinstance(node.operand, ast.UnaryOp) and isinstance(node.operand.op, ast.Not):
                return node
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

    # ------------------------------------------------------------ statements

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


def names_in(node: ast.AST) -> set[str]:
    return {n.id for n in walk(node) if isinstance(n, ast.Name)}


def conjuncts(test: ast.expr) -> list[ast.expr]:
    """The tests that must all hold, one by one."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return [part for value in test.values for part in conjuncts(value)]
    return [test]


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


def called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


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
    if ast.unparse(stm.test) == "limit < n" and lower(second) and puts(first, "n") and puts(third, "limit"):
        if ast.unparse(first.value) == ast.unparse(third.value).removesuffix(" - 0") and not any(  # type: ignore[attr-defined]
            isinstance(node, ast.Call) for node in walk(first)
        ):
            del out[-2:]
            return True
    if ast.unparse(stm.test) != "n > 0" or stm.orelse or not (puts(first, "n") and puts(second, "limit")):
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
    index = len(out) - 1
    while (
        index >= 0
        and isinstance(out[index], ast.Assign)
        and not any(isinstance(node, ast.Call) for node in walk(out[index]))
    ):
        index -= 1
    before = expression_call(out[index]) if index >= 0 else None
    if before is None or called(before) != "settle" or ast.unparse(stm.test) != "f != g":
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
