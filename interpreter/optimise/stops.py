"""stops: emitted code that asks whether any of a thing's lines is so → loops that stop at the first one that is.

In: an ast, the tables that are known at load, and its text, by which is told where there is nothing to do. Out: the
ast, in which `o = [… for i in … if any(…)]` is a loop in a loop, and a run of cells that is ended by another is walked
where it is asked about, from a table of the first cell and the rest of each line.
"""

from __future__ import annotations

import ast
import copy
from typing import Any

from interpreter.optimise.expressions import conjuncts
from interpreter.optimise.fold import flat, number
from interpreter.optimise.scans import worth

MOST = 40000  # cells of a table of lines
Blocks = (ast.If, ast.For, ast.While)


def stops(tree: ast.Module, tables: dict[str, Any], source: str) -> None:
    """Change the tree in place. The tables that it makes are assigned before everything else."""
    stop = Stops(tables)
    text = source.split("\n")
    for function in tree.body:
        if isinstance(function, ast.FunctionDef):
            said = "\n".join(text[function.lineno - 1 : function.end_lineno])
            if worth(said):
                function.body = stop.statements(function.body)
    tree.body[:0] = [
        ast.Assign([ast.Name(name, ast.Store())], ast.Constant(value), lineno=1, col_offset=0)
        for name, value in stop.made.values()
    ]


class Stops:
    def __init__(self, tables: dict[str, Any]) -> None:
        self.tables = {k: t for k, t in tables.items() if isinstance(t, tuple)}
        self.made: dict[Any, tuple[str, Any]] = {}
        self.count = 0

    def statements(self, stms: list[ast.stmt], inside: bool = False) -> list[ast.stmt]:
        """inside: whether these are all that a loop does."""
        out: list[ast.stmt] = []
        for index, stm in enumerate(stms):
            made = self.listed(stm)
            if made is None and inside and index == len(stms) - 1 and isinstance(stm, ast.If):
                made = self.asked(stm)
            for one in made or [stm]:
                if isinstance(one, ast.For):
                    one = self.walked(one)
                if isinstance(one, Blocks):
                    one.body = self.statements(one.body, isinstance(one, ast.For))
                    one.orelse = self.statements(one.orelse)
                out.append(one if one is stm else ast.copy_location(one, stm))
        return out

    def listed(self, stm: ast.stmt) -> list[ast.stmt] | None:
        """`o = [… for i in … if … if any(…)]`, or the same with `+=`."""
        found = list_made(stm)
        if found is None:
            return None
        target, comp = found
        gen = comp.generators[0]
        tests = [part for test in gen.ifs for part in conjuncts(test)]
        if not tests or any_of(tests[-1]) is None or target.id in names_in(comp):
            return None
        over = copy.deepcopy(gen.iter)  # it is read where the list is made
        comp = self.renamed(comp, gen.target)
        gen = comp.generators[0]
        tests = [part for test in gen.ifs for part in conjuncts(test)]
        add = ast.Call(ast.Attribute(ast.Name(target.id, ast.Load()), "append", ast.Load()), [comp.elt], [])
        asking = self.first(tests.pop(), [ast.Expr(add), ast.Break()])
        made: list[ast.stmt] = [ast.If(all_of(tests), [asking], [])] if tests else [asking]
        each = ast.For(gen.target, over, made, [])
        empty = ast.Assign([ast.Name(target.id, ast.Store())], ast.List([], ast.Load()))
        return [empty, each] if isinstance(stm, ast.Assign) else [each]

    def asked(self, stm: ast.If) -> list[ast.stmt] | None:
        """`if … and any(…): …` as the last of a loop: what finds none goes on with the next."""
        tests = conjuncts(stm.test)
        if stm.orelse or any_of(tests[-1]) is None:
            return None
        asking = self.first(tests.pop(), [ast.Break()])
        asking.orelse = [ast.Continue()]
        made = [asking, *stm.body]
        return [ast.If(all_of(tests), made, [])] if tests else made

    def first(self, test: ast.expr, body: list[ast.stmt]) -> ast.For:
        """The loop of `any(…)` with what is done at the first."""
        comp = any_of(test)
        assert comp is not None
        over = copy.deepcopy(comp.generators[0].iter)
        gen = self.renamed(comp, comp.generators[0].target).generators[0]
        tests = [part for test in gen.ifs for part in conjuncts(test)]
        made: list[ast.stmt] = [ast.If(all_of(tests), body, [])] if tests else body
        return ast.For(gen.target, over, made, [], lineno=1, col_offset=0)

    def renamed(self, comp: Any, target: ast.expr) -> Any:
        """Its variables get names that nothing else has in the function."""
        self.count += 1
        return Renamed({name: f"{name}_l{self.count}" for name in names_in(target)}).visit(comp)

    def walked(self, loop: ast.For) -> ast.For:
        """`for x in LINES[i]: if v[base + x[0]] == y and stretch_to(v, x, base, y, z): …`, step by step."""
        one = loop.body[0] if len(loop.body) == 1 else None
        if not (isinstance(one, ast.If) and isinstance(loop.target, ast.Name)) or one.orelse:
            return loop
        name = loop.target.id
        tests = conjuncts(one.test)
        run = called(tests[1], name) if len(tests) == 2 else None
        if run is None or name in {n for part in (*run, *one.body) for n in names_in(part)}:
            return loop
        base, value, end = run
        begins = f"v[{ast.unparse(base)} + {name}[0]] == {ast.unparse(value)}"
        if ast.unparse(tests[0]) != begins or not isinstance(value, (ast.Name, ast.Constant)):
            return loop
        table = self.cells(loop.iter, base.value)
        if table is None:
            return loop
        first, rest, cell = (f"{name}_{part}" for part in ("first", "rest", "cell"))
        walk = ast.For(
            ast.Name(cell, ast.Store()),
            ast.Name(rest, ast.Load()),
            [ast.If(held(cell, ast.NotEq(), value), [ast.Break()], [])],
            [ast.Continue()],
        )
        ended = ast.If(held(cell, ast.Eq(), end), one.body, [])
        loop.body = [ast.If(held(first, ast.Eq(), value), [walk, ended], [])]
        loop.target = ast.Tuple([ast.Name(first, ast.Store()), ast.Name(rest, ast.Store())], ast.Store())
        loop.iter = table
        return loop

    def cells(self, over: ast.expr, base: int) -> ast.expr | None:
        """The table of (first cell, the others) of all lines that have more than one, looked up as this is."""
        if not isinstance(over, ast.Subscript):
            return None
        known = self.known(over.value)
        if known is None or not all(isinstance(run, tuple) and all(map(flat, run)) for run in known):
            return None
        if sum(len(line) for run in known for line in run) > MOST or not all(line for run in known for line in run):
            return None
        key = (ast.unparse(over.value), base)
        if key not in self.made:
            value = tuple(
                tuple((base + line[0], tuple(base + x for x in line[1:])) for line in run if len(line) > 1)
                for run in known
            )
            self.made[key] = f"LINES{len(self.made)}", value
        return ast.Subscript(ast.Name(self.made[key][0], ast.Load()), over.slice, ast.Load())

    def known(self, table: ast.expr) -> Any:
        if isinstance(table, ast.Name):
            return self.tables.get(table.id)
        if isinstance(table, ast.Subscript) and number(table.slice):
            outer = self.known(table.value)
            at = table.slice.value  # type: ignore[attr-defined]
            return outer[at] if isinstance(outer, tuple) and at < len(outer) and isinstance(outer[at], tuple) else None
        return None


class Renamed(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)


# ---------------------------------------------------------------- small questions


def list_made(stm: ast.stmt) -> tuple[ast.Name, ast.ListComp] | None:
    """(o, the list) of `o = [… for … in …]` or the same with `+=`, where one loop makes it."""
    if isinstance(stm, ast.Assign) and len(stm.targets) == 1:
        target: ast.expr = stm.targets[0]
    elif isinstance(stm, ast.AugAssign) and isinstance(stm.op, ast.Add):
        target = stm.target
    else:
        return None
    comp = stm.value
    if isinstance(target, ast.Name) and isinstance(comp, ast.ListComp) and len(comp.generators) == 1:
        return target, comp
    return None


def any_of(test: ast.expr) -> ast.GeneratorExp | None:
    """The loop of `any((True for … in … if …))` with one loop in it."""
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "any":
        comp = test.args[0]
        if isinstance(comp, ast.GeneratorExp) and len(comp.generators) == 1:
            return comp if isinstance(comp.elt, ast.Constant) and comp.elt.value is True else None
    return None


def called(test: ast.expr, name: str) -> tuple[Any, ast.expr, ast.expr] | None:
    """(base, value, end) of `stretch_to(v, name, base, value, end)`."""
    if not (isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "stretch_to"):
        return None
    _, line, base, value, end = test.args
    return (base, value, end) if isinstance(line, ast.Name) and line.id == name and number(base) else None


def held(cell: str, how: ast.cmpop, value: ast.expr) -> ast.expr:
    """`v[cell] == value`."""
    here = ast.Subscript(ast.Name("v", ast.Load()), ast.Name(cell, ast.Load()), ast.Load())
    return ast.Compare(here, [how], [copy.deepcopy(value)])


def names_in(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def all_of(tests: list[ast.expr]) -> ast.expr:
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
