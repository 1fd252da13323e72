"""scans: comprehensions over things of an ast of emitted code → the same over what they read of them.

In: an ast, and the tables that are known at load. Out: the ast, in which a run of things is a run of cells
(`for w in v[20:84]`), things of a table come with their printed fields in one row, and what is only asked is a loop.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from itertools import zip_longest
from typing import Any

from interpreter.optimise.fold import flat, number
from interpreter.optimise.visits import Rewriter, copy_of, walk

FEWEST = 6  # things of a run that are worth a slice
MOST_CELLS = 1  # slices: to walk two at once takes longer than to look the cells up
MOST_ROWS = 4000  # entries of a table made of others
MOST_ITEMS = 6  # printed things of one thing that are asked one by one
ASKED = re.compile(
    r"(?:is_(?<!\wis_)|can_(?<!\wcan_)|rel_(?<!\wrel_)|value_(?<!\wvalue_))\w+\(s"
)  # functions of conditions and values
Comp = (ast.ListComp, ast.GeneratorExp)


def scans(tree: ast.Module, tables: dict[str, Any], source: str) -> list[ast.FunctionDef]:
    """Change the tree in place. The tables that it makes are assigned before everything else; back come the functions
    that read them. source: what the tree was read from, by whose text is told where there is nothing to do."""
    scan = Scan(tables)
    reading: list[ast.FunctionDef] = []
    lines = source.split("\n")
    for function in tree.body:
        if isinstance(function, ast.FunctionDef) and worth("\n".join(lines[function.lineno - 1 : function.end_lineno])):
            function.body = [scan.visit(stm) for stm in function.body]
            scan.asked_for = Counter(
                n.id for n in walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
            )
            function.body = scan.statements(function.body)
            if scan.read:
                reading.append(function)
                scan.read = False
    made = [
        ast.Assign([ast.Name(name, ast.Store())], ast.Constant(value), lineno=1, col_offset=0)
        for name, value in scan.made.values()
    ]
    tree.body[:0] = made
    return reading


def worth(text: str) -> bool:
    """Whether a function of this text may hold a comprehension, once what it asks is written in it."""
    return " for " in text or ASKED.search(text) is not None


class Scan(Rewriter):
    def __init__(self, tables: dict[str, Any]) -> None:
        self.tables = {k: t for k, t in tables.items() if isinstance(t, tuple)}
        self.made: dict[Any, tuple[str, Any]] = {}
        self.count = 0
        self.asked_for: Counter[str] = Counter()  # how often a function reads each name
        self.read = False  # a table that was made, since this was last asked

    def name(self, base: str) -> str:
        self.count += 1
        return f"{base}_s{self.count}"

    # ------------------------------------------------------------ comprehensions

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        self.comprehension(node)
        return self.generic_visit(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        self.comprehension(node)
        return self.generic_visit(node)

    def comprehension(self, node: ast.ListComp | ast.GeneratorExp) -> None:
        gen = node.generators[0]
        if (
            len(node.generators) != 1
            or not isinstance(gen.target, ast.Name)
            or (not gen.ifs and isinstance(gen.iter, ast.Name))
        ):
            return
        parts = [*gen.ifs, node.elt]
        found = self.better(gen.target.id, gen.iter, parts)
        if found is not None:
            gen.target, gen.iter, (*gen.ifs, node.elt) = found

    def better(self, name: str, over: ast.expr, parts: list[ast.expr]) -> Any:
        """(target, iterable, parts) of a loop that reads the same with less looking up, or None."""
        if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "range":
            return self.cells(name, over, parts)
        table: ast.expr = over.value if isinstance(over, ast.Subscript) else over
        index = over.slice if isinstance(over, ast.Subscript) else None
        known = self.tables.get(table.id) if isinstance(table, ast.Name) else None
        if known is None or isinstance(index, ast.Slice):
            return None
        return self.rows(name, over, known, index, parts)

    def cells(self, name: str, over: ast.Call, parts: list[ast.expr]) -> Any:
        if len(over.args) != 2 or not all(number(a) for a in over.args):
            return None
        low, high = (a.value for a in over.args)  # type: ignore[attr-defined]
        uses = Uses(name)
        for part in parts:
            uses.visit(part)
        bases = list(dict.fromkeys(uses.cells))
        if not bases or len(bases) > MOST_CELLS or high - low < FEWEST:
            return None
        plain = uses.names > len(uses.cells)
        names = {base: self.name(name) for base in bases}
        parts = [Cells(name, names).visit(copy_of(part)) for part in parts]
        slices: list[ast.expr] = [piece(base + low, base + high) for base in bases]
        targets: list[ast.expr] = [ast.Name(names[base], ast.Store()) for base in bases]
        if not plain and len(bases) == 1:
            return targets[0], slices[0], parts
        if plain and len(bases) == 1:
            made = call("enumerate", [*slices, ast.Constant(low)])
            return pair([ast.Name(name, ast.Store()), *targets]), made, parts
        if plain:
            slices.insert(0, over)
            targets.insert(0, ast.Name(name, ast.Store()))
        return pair(targets), call("zip", slices), parts

    def rows(
        self, name: str, over: ast.expr, known: tuple[Any, ...], index: ast.expr | None, parts: list[ast.expr]
    ) -> Any:
        runs = (known,) if index is None else known
        if not any(looks_up(part, name) for part in parts):
            return None
        if not all(flat(run) for run in runs) or sum(map(len, runs)) > MOST_ROWS:
            return None
        domain = {x for run in runs for x in run}
        if not domain or min(domain) < 0:
            return None
        spread = Spread(name, domain, self.tables)
        parts = [spread.visit(copy_of(part)) for part in parts]
        uses = Columns(name, domain, self.tables)
        for part in parts:
            uses.visit(part)
        columns = list(dict.fromkeys(uses.found))
        if not columns:
            return None
        plain = uses.names > len(uses.found)
        names = {column: self.name(name) for column in columns}
        key = (ast.unparse(over if index is None else over.value), plain, tuple(columns))  # type: ignore[attr-defined]
        if key not in self.made:
            value = tuple(tuple(self.row(x, columns, plain) for x in run) for run in runs)
            self.made[key] = f"ROWS{len(self.made)}", value[0] if index is None else value
        self.read = True
        table: ast.expr = ast.Name(self.made[key][0], ast.Load())
        if index is not None:
            table = ast.Subscript(table, index, ast.Load())
        put = PutColumns(name, domain, self.tables, names)
        parts = [put.visit(part) for part in parts]
        targets: list[ast.expr] = [ast.Name(name, ast.Store())] if plain else []
        targets += [ast.Name(names[column], ast.Store()) for column in columns]
        return (targets[0] if len(targets) == 1 else pair(targets)), table, parts

    def row(self, x: int, columns: list[Any], plain: bool) -> Any:
        values = [x] if plain else []
        for table, at, base in columns:
            entry = self.tables[table][x]
            values.append((entry if at < 0 else entry[at]) + base)
        return values[0] if len(values) == 1 else tuple(values)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Whether one of a run of cells holds a value, how many do, and their sum."""
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        inner = node.args[0] if len(node.args) == 1 else None
        if name not in ("any", "sum") or not isinstance(inner, Comp) or len(inner.generators) != 1:
            return node
        gen = inner.generators[0]
        if not (isinstance(gen.target, ast.Name) and isinstance(gen.iter, ast.Subscript)):
            return node
        if not isinstance(gen.iter.slice, ast.Slice):
            return node
        target = gen.target.id
        if name == "sum" and not gen.ifs and isinstance(inner.elt, ast.Name) and inner.elt.id == target:
            return call("sum", [gen.iter])
        test = gen.ifs[0] if len(gen.ifs) == 1 else None
        if (
            isinstance(inner.elt, ast.Constant)
            and inner.elt.value == 1  # True is 1
            and isinstance(test, ast.Compare)
            and isinstance(test.ops[0], ast.Eq)
            and len(test.ops) == 1
            and isinstance(test.left, ast.Name)
            and test.left.id == target
            and target not in {n.id for n in walk(test.comparators[0]) if isinstance(n, ast.Name)}
        ):
            wanted = test.comparators[0]
            if name == "any":
                return ast.Compare(wanted, [ast.In()], [gen.iter])
            return ast.Call(ast.Attribute(gen.iter, "count", ast.Load()), [wanted], [])
        return node

    # ------------------------------------------------------------ statements

    def statements(self, stms: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for stm, then in zip_longest(stms, stms[1:]):
            if then is not None and self.walked(stm, then):
                continue
            if isinstance(stm, (ast.If, ast.For, ast.While)):
                stm.body = self.statements(stm.body)
                stm.orelse = self.statements(stm.orelse)
            if isinstance(stm, ast.If) and isinstance(stm.test, ast.BoolOp) and isinstance(stm.test.op, ast.And):
                if not stm.orelse and (
                    isinstance(stm.test.values[-1], ast.UnaryOp) or any(map(of_any, stm.test.values))
                ):
                    out += self.statements([one_by_one(stm)])
                    continue
            made = self.asked(stm) if isinstance(stm, ast.If) else self.first(stm)
            out += [ast.copy_location(one, stm) for one in made] if made is not None else [stm]
        return out

    def asked(self, stm: ast.If) -> list[ast.stmt] | None:
        """`if any(…)` and `if not any(…)` as loops that end at the first that decides."""
        comp = of_any(stm.test)
        wanted = not isinstance(stm.test, ast.UnaryOp)
        if comp is None or loose(stm.body) or loose(stm.orelse):
            return None
        found, none = (stm.body, stm.orelse) if wanted else (stm.orelse, stm.body)
        found = [one for one in found if not isinstance(one, ast.Pass)]
        if not found or not isinstance(found[-1], (ast.Return, ast.Raise)):
            found = [*found, ast.Break()]
        made = self.loop(comp, lambda elt: [ast.If(elt, found, [])] if not true(elt) else found)
        made.orelse = [one for one in none if not isinstance(one, ast.Pass)]
        return [made]

    def walked(self, stm: ast.stmt, then: ast.stmt) -> bool:
        """`a = tuple([…])` before `x = one([… for i in a for …])`, where nothing else reads a: it is walked at once."""
        value = stm.value if isinstance(stm, ast.Assign) and len(stm.targets) == 1 else None
        if isinstance(value, ast.Call) and named(value) == "tuple" and len(value.args) == 1:
            value = value.args[0]
        comp = of_one(then)
        if not isinstance(value, ast.ListComp) or comp is None:
            return False
        assert isinstance(stm, ast.Assign)
        name, (outer, *rest) = stm.targets[0], comp.generators
        if not (isinstance(name, ast.Name) and is_load(outer.iter) and outer.iter.id == name.id):  # type: ignore[attr-defined]
            return False
        same = isinstance(outer.target, ast.Name) and ast.unparse(value.elt) == outer.target.id
        bound = {n.id for n in walk(value) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        others = {n.id for gen in rest for n in walk(gen) if isinstance(n, ast.Name)}
        elsewhere = {n.id for n in walk(comp.elt) if isinstance(n, ast.Name)} | others
        if not isinstance(outer.target, ast.Name) or self.asked_for[name.id] != 1:
            return False
        if not same:
            if not isinstance(value.elt, ast.Name) or outer.target.id in bound or bound & elsewhere:
                return False
            value = Named({value.elt.id: outer.target.id}).visit(value)
        elif (bound - {outer.target.id}) & elsewhere:
            return False
        value.generators[-1].ifs += outer.ifs
        comp.generators = [*value.generators, *rest]
        return True

    def first(self, stm: ast.stmt) -> list[ast.stmt] | None:
        """`x = one([…])` as a loop."""
        comp = of_one(stm)
        target = stm.targets[0] if isinstance(stm, ast.Assign) else None
        if comp is None or not isinstance(target, ast.Name):
            return None
        assert isinstance(stm, ast.Assign)
        if len(comp.generators) == 1 and not comp.generators[0].ifs:
            return None
        if target.id in {n.id for n in walk(comp) if isinstance(n, ast.Name)}:
            return None
        start = ast.copy_location(
            ast.Assign([ast.Name(target.id, ast.Store())], ast.UnaryOp(ast.USub(), ast.Constant(1))), stm
        )
        loop = self.loop(
            comp, lambda elt: [ast.Assign([ast.Name(target.id, ast.Store())], elt, lineno=stm.lineno), ast.Break()]
        )
        rest: list[ast.stmt] = [ast.Assign(stm.targets[1:], ast.Name(target.id, ast.Load()))] if stm.targets[1:] else []
        return [start, loop, *rest]

    def loop(self, comp: ast.ListComp | ast.GeneratorExp, body: Any) -> ast.For:
        """The loops and tests of a comprehension as statements; what it names gets names of its own."""
        names: dict[str, str] = {}
        for gen in comp.generators:
            for target in walk(gen.target):
                if isinstance(target, ast.Name):
                    names[target.id] = self.name(target.id)
        first = copy_of(comp.generators[0].iter)  # it is read where the comprehension stands
        renamed = Named(names).visit(comp)
        renamed.generators[0].iter = first
        stms = body(renamed.elt)
        ends = any(
            isinstance(stm, ast.Break) for stm in [*stms, *(stms[0].body if isinstance(stms[0], ast.If) else [])]
        )
        for depth, gen in enumerate(reversed(renamed.generators)):
            if ends and depth:
                assert isinstance(stms[0], ast.For)
                stms[0].orelse = [ast.Continue()]
                stms.append(ast.Break())
            if gen.ifs:
                test = gen.ifs[0] if len(gen.ifs) == 1 else ast.BoolOp(ast.And(), gen.ifs)
                stms = [ast.If(test, stms, [])]
            stms = [ast.For(gen.target, gen.iter, stms, [], lineno=1, col_offset=0)]
        made = stms[0]
        assert isinstance(made, ast.For)
        return made


# ---------------------------------------------------------------- what is read of a thing


class Uses(ast.NodeVisitor):
    """How often a loop variable stands, and the bases of the cells that it is read from: `v[base + x]`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.names = 0
        self.cells: list[int] = []

    def visit_Name(self, node: ast.Name) -> None:
        self.names += node.id == self.name

    def visit_Subscript(self, node: ast.Subscript) -> None:
        base = cell(node, self.name)
        if base is not None:
            self.cells.append(base)
        self.generic_visit(node)


class Cells(Rewriter):
    def __init__(self, name: str, names: dict[int, str]) -> None:
        self.name = name
        self.names = names

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        base = cell(node, self.name)
        if base is not None and base in self.names:
            return ast.copy_location(ast.Name(self.names[base], ast.Load()), node)
        return self.generic_visit(node)


class Spread(Rewriter):
    """`all([… for y in F[x]])`, where each F[x] has the same few things, as a chain over F[x][0], F[x][1], …"""

    def __init__(self, name: str, domain: set[int], tables: dict[str, Any]) -> None:
        self.name = name
        self.domain = domain
        self.tables = tables

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        comp = node.args[0] if len(node.args) == 1 else None
        if named(node) not in ("any", "all") or not isinstance(comp, Comp) or len(comp.generators) != 1:
            return node
        gen = comp.generators[0]
        over = gen.iter
        if gen.ifs or not isinstance(gen.target, ast.Name) or not isinstance(over, ast.Subscript):
            return node
        if not (isinstance(over.value, ast.Name) and isinstance(over.slice, ast.Name) and over.slice.id == self.name):
            return node
        table = self.tables.get(over.value.id)
        if table is None or max(self.domain) >= len(table) or not all(flat(table[x]) for x in self.domain):
            return node
        sizes = {len(table[x]) for x in self.domain}
        if len(sizes) != 1 or not 1 < max(sizes) <= MOST_ITEMS:
            return node
        terms: list[ast.expr] = []
        for i in range(max(sizes)):
            item = ast.Subscript(copy_of(over), ast.Constant(i), ast.Load())
            terms.append(Instead(gen.target.id, item).visit(copy_of(comp.elt)))
        op = ast.And() if named(node) == "all" else ast.Or()
        return ast.copy_location(ast.BoolOp(op, terms), node)


class Instead(Rewriter):
    def __init__(self, name: str, value: ast.expr) -> None:
        self.name = name
        self.value = value

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return copy_of(self.value) if node.id == self.name and isinstance(node.ctx, ast.Load) else node


class Columns(ast.NodeVisitor):
    """The printed numbers that are read of a loop variable: (table, place in its entry or -1, what is added)."""

    def __init__(self, name: str, domain: set[int], tables: dict[str, Any]) -> None:
        self.name = name
        self.domain = domain
        self.tables = tables
        self.names = 0
        self.found: list[tuple[str, int, int]] = []

    def visit_Name(self, node: ast.Name) -> None:
        self.names += node.id == self.name

    def generic_visit(self, node: ast.AST) -> None:
        column = self.column(node)
        if column is not None:
            self.names += 1
            self.found.append(column)
            return
        super().generic_visit(node)

    def column(self, node: ast.AST) -> tuple[str, int, int] | None:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and number(node.left):
            inner = self.column(node.right)
            return None if inner is None else (*inner[:2], inner[2] + node.left.value)  # type: ignore[attr-defined]
        if not isinstance(node, ast.Subscript):
            return None
        at = -1
        if isinstance(node.value, ast.Subscript) and number(node.slice):
            at = node.slice.value  # type: ignore[attr-defined]
            node = node.value
        if not (isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Name) and node.slice.id == self.name):
            return None
        table = self.tables.get(node.value.id)
        if table is None or max(self.domain) >= len(table):
            return None
        entries = [table[x] for x in self.domain]
        fits = all(isinstance(e, int) for e in entries) if at < 0 else all(flat(e) and len(e) > at for e in entries)
        return (node.value.id, at, 0) if fits else None


class PutColumns(ast.NodeTransformer):
    def __init__(self, name: str, domain: set[int], tables: dict[str, Any], names: dict[Any, str]) -> None:
        self.columns = Columns(name, domain, tables)
        self.names = names

    def visit(self, node: ast.AST) -> Any:
        column = self.columns.column(node)
        if column is not None:
            return ast.copy_location(ast.Name(self.names[column], ast.Load()), node)
        return super().visit(node)


class Named(Rewriter):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self.names.get(node.id, node.id)
        return node


# ---------------------------------------------------------------- small questions


def cell(node: ast.Subscript, name: str) -> int | None:
    """The base of `v[base + name]`."""
    at = node.slice
    if (
        isinstance(node.value, ast.Name)
        and node.value.id == "v"
        and isinstance(at, ast.BinOp)
        and isinstance(at.op, ast.Add)
        and number(at.left)
        and isinstance(at.right, ast.Name)
        and at.right.id == name
    ):
        return int(at.left.value)  # type: ignore[attr-defined]
    return None


def looks_up(part: ast.expr, name: str) -> bool:
    """Whether a table is read at this name."""
    return any(
        isinstance(n, ast.Subscript) and isinstance(n.slice, ast.Name) and n.slice.id == name for n in walk(part)
    )


def piece(low: int, high: int) -> ast.expr:
    return ast.Subscript(ast.Name("v", ast.Load()), ast.Slice(ast.Constant(low), ast.Constant(high)), ast.Load())


def pair(targets: list[ast.expr]) -> ast.expr:
    return ast.Tuple(targets, ast.Store())


def is_load(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)


def of_any(test: ast.expr) -> ast.ListComp | ast.GeneratorExp | None:
    """The list of `any([…])` or `not any([…])`."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test = test.operand
    comp = test.args[0] if isinstance(test, ast.Call) and named(test) == "any" and len(test.args) == 1 else None
    return comp if isinstance(comp, Comp) else None


def of_one(stm: ast.stmt) -> ast.ListComp | ast.GeneratorExp | None:
    """The list of `x = one([…])`."""
    value = stm.value if isinstance(stm, ast.Assign) else None
    if not (isinstance(value, ast.Call) and named(value) == "one" and len(value.args) == 1):
        return None
    comp = value.args[0]
    if isinstance(comp, ast.Subscript) and ast.unparse(comp.slice) == ":1":
        comp = comp.value
    return comp if isinstance(comp, Comp) else None


def call(name: str, args: list[ast.expr]) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), args, [])


def named(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


def true(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def one_by_one(stm: ast.If) -> ast.stmt:
    """`if A and B: …` as `if A: if B: …`."""
    assert isinstance(stm.test, ast.BoolOp)
    stms = stm.body
    for test in reversed(stm.test.values):
        stms = [ast.copy_location(ast.If(test, stms, []), stm)]
    return stms[0]


def loose(stms: list[ast.stmt]) -> bool:
    """Whether something in these leaves or repeats a loop around them."""
    for stm in stms:
        if isinstance(stm, (ast.Break, ast.Continue)):
            return True
        if isinstance(stm, ast.If) and (loose(stm.body) or loose(stm.orelse)):
            return True
        if isinstance(stm, (ast.For, ast.While)) and loose(stm.orelse):
            return True
    return False
