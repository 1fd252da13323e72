"""joins: options over rows of a table → a walk over the cells that rows begin with, then over the few rows of each.

In: an ast of emitted code whose tables of rows (scans) are assigned first, and the functions that read them. Out: the
ast, in which `[… for i, a, b in ROWS if v[a] == x and v[b] < 0]` asks each cell once, and two such lists share one walk.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from interpreter.optimise.expressions import conjuncts
from interpreter.optimise.fold import number
from interpreter.optimise.once import is_once
from interpreter.optimise.stops import list_made

FEWEST = 12  # rows that are worth grouping
PAYS = 1.5  # rows of a cell, on the average
MOST_WRITTEN = 4  # rows of a cell that are written out
FULL = 0.75  # of what is written out then
Row = tuple[int, ...]
Found = tuple[int, int, Row]  # a cell, an option, and what else is read
Groups = tuple[tuple[int, tuple[Row, ...]], ...]


def joins(tree: ast.Module, functions: list[ast.FunctionDef]) -> None:
    """Change the tree in place. functions: those that read tables of rows."""
    tables: dict[str, Any] = {}
    for stm in tree.body:
        if not (isinstance(stm, ast.Assign) and isinstance(stm.value, ast.Constant)):
            break
        tables[stm.targets[0].id] = stm.value.value  # type: ignore[attr-defined]
    join = Join(tables)
    for function in functions:
        function.body = join.statements(function.body)
    read = {n.id for function in functions for n in ast.walk(function) if isinstance(n, ast.Name)}
    made = {name: value for name, value in [*tables.items(), *join.made.values()] if name in read}
    tree.body[: len(tables)] = [
        ast.Assign([ast.Name(name, ast.Store())], ast.Constant(value), lineno=1, col_offset=0)
        for name, value in made.items()
    ]


@dataclass
class Walk:
    """`name = [base + i for i, a, b, … in table[index] if v[a] == wanted and tests]`, or the same with `+=`."""

    stm: ast.Assign | ast.AugAssign
    name: str
    table: str
    index: ast.expr | None
    columns: list[str]
    first: str  # the column a
    wanted: ast.expr
    tests: list[ast.expr]
    option: str  # the column i
    base: int

    def __post_init__(self) -> None:
        read = [n.id for test in self.tests for n in ast.walk(test) if isinstance(n, ast.Name)]
        self.rest = [name for name in dict.fromkeys(read) if name in self.columns]

    def key(self) -> tuple[str | int, ...]:
        """What of the table is read, and what is added to it."""
        return (self.table, self.base, *(self.columns.index(name) for name in (self.option, self.first, *self.rest)))

    def like(self, other: Walk) -> bool:
        """Whether both go over cells that hold the same, of tables that are looked up at the same index."""
        looked_up = [ast.unparse(walk.index) if walk.index is not None else "" for walk in (self, other)]
        return (
            self.name == other.name
            and looked_up[0] == looked_up[1]
            and ast.unparse(self.wanted) == ast.unparse(other.wanted)
            and len(self.rest) == len(other.rest)
        )


class Join:
    def __init__(self, tables: dict[str, Any]) -> None:
        self.tables = tables
        self.made: dict[Any, tuple[str, Any]] = {}
        self.count = 0

    def statements(self, stms: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        index = 0
        while index < len(stms):
            stm = stms[index]
            if isinstance(stm, (ast.If, ast.For, ast.While)):
                stm.body = self.statements(stm.body)
                stm.orelse = self.statements(stm.orelse)
            walk = self.walk(stm)
            made = None
            if walk is not None:
                after = index + 1
                while after < len(stms) and names_once(stms[after]):
                    after += 1
                then = self.walk(stms[after]) if after < len(stms) else None
                if then is not None and isinstance(then.stm, ast.AugAssign) and walk.like(then):
                    made = self.both(walk, then)
                if made is not None:
                    out += stms[index + 1 : after]
                    index = after
                else:
                    made = self.alone(walk)
            out += [ast.copy_location(one, stm) for one in made] if made is not None else [stm]
            index += 1
        return out

    def walk(self, stm: ast.stmt) -> Walk | None:
        found = list_made(stm)
        if found is None or not isinstance(stm, (ast.Assign, ast.AugAssign)):
            return None
        target, comp = found
        gen = comp.generators[0]
        index = gen.iter.slice if isinstance(gen.iter, ast.Subscript) else None
        table = gen.iter.value if isinstance(gen.iter, ast.Subscript) else gen.iter
        if not (isinstance(table, ast.Name) and table.id in self.tables and isinstance(gen.target, ast.Tuple)):
            return None
        columns = [n.id for n in gen.target.elts if isinstance(n, ast.Name)]
        option, base = placed(comp.elt)
        first, *tests = [part for test in gen.ifs for part in conjuncts(test)] or [comp.elt]
        begins, wanted = asked_cell(first)
        if begins not in columns or option not in columns or begins == option or names_in(wanted) & {*columns}:
            return None
        walk = Walk(stm, target.id, table.id, index, columns, begins, wanted, tests, option, base)
        inner = any(isinstance(n, (ast.ListComp, ast.GeneratorExp, ast.NamedExpr)) for t in tests for n in ast.walk(t))
        return None if inner or {begins, option} & {*walk.rest} else walk

    def runs(self, walk: Walk) -> list[list[Found]]:
        """The rows of the table, by index."""
        table = self.tables[walk.table]
        a, i = walk.columns.index(walk.first), walk.columns.index(walk.option)
        rest = [walk.columns.index(name) for name in walk.rest]
        runs = table if walk.index is not None else (table,)
        return [[(row[a], row[i] + walk.base, tuple(row[n] for n in rest)) for row in run] for run in runs]

    def alone(self, walk: Walk) -> list[ast.stmt] | None:
        """One list: the rows of each cell that holds what is wanted."""
        runs = self.runs(walk)
        groups = [grouped((cell, (option, *rest)) for cell, option, rest in run) for run in runs]
        if not pays(groups) or not all(rising([option for _, option, _ in run]) for run in runs):
            return None
        kept = all(rising([row[0] for _, rows in run for row in rows]) for run in groups)
        table = self.table(walk.key(), groups, walk)
        cells = ast.comprehension(targets([walk.first, "rows"]), table, [equals(walk.first, walk.wanted)], 0)
        tests = [all_of(walk.tests)] if walk.tests else []
        inner = ast.comprehension(targets([walk.option, *walk.rest]), ast.Name("rows", ast.Load()), tests, 0)
        found: ast.expr = ast.ListComp(ast.Name(walk.option, ast.Load()), [cells, inner])
        walk.stm.value = found if kept else ast.Call(ast.Name("sorted", ast.Load()), [found], [])
        return [walk.stm]

    def both(self, walk: Walk, then: Walk) -> list[ast.stmt] | None:
        """Two lists in one walk: a row has the option of either list; 0 stands for none."""
        merged = [merge(*runs) for runs in zip(self.runs(walk), self.runs(then))]
        groups = [grouped(run) for run in merged if run is not None]
        every = [row for run in groups for _, rows in run for row in rows]
        if len(groups) < len(merged) or not pays(groups) or not any(row[0] and row[1] for row in every):
            return None
        self.count += 1
        fresh = isinstance(walk.stm, ast.Assign)
        name = walk.name if fresh else f"{walk.name}_j{self.count}"
        cell, rows = f"{walk.first}_j{self.count}", f"rows_j{self.count}"
        even = level(groups)
        made: list[Any] = groups
        if even is None:
            columns, asked = asks(walk, then, every, name, str(self.count))
            inner: list[ast.stmt] = [loop(targets([*columns.values()]), ast.Name(rows, ast.Load()), asked)]
        else:  # the few rows of a cell one after the other
            slots = zip(*[rows for run in even for _, rows in run])
            written = [asks(walk, then, slot, name, f"{self.count}_{at}") for at, slot in enumerate(slots)]
            names = [column for columns, _ in written for column in columns.values()]
            inner = [ast.Assign([targets(names)], ast.Name(rows, ast.Load()))]
            inner += [stm for _, stms in written for stm in stms]
            read = [[*columns] for columns, _ in written]
            made = [
                tuple((cell, tuple(row[n] for row, of in zip(rows, read) for n in of)) for cell, rows in run)
                for run in even
            ]
        table = self.table((*walk.key(), *then.key()), made, walk)
        over = loop(targets([cell, rows]), table, [ast.If(equals(cell, walk.wanted), inner, [])])
        start = ast.Assign([ast.Name(name, ast.Store())], ast.List([], ast.Load()))
        sort = ast.Expr(ast.Call(ast.Attribute(ast.Name(name, ast.Load()), "sort", ast.Load()), [], []))
        add = ast.AugAssign(ast.Name(walk.name, ast.Store()), ast.Add(), ast.Name(name, ast.Load()))
        return [start, over, sort, *([] if fresh else [add])]

    def table(self, key: Any, groups: list[Any], walk: Walk) -> ast.expr:
        if key not in self.made:
            self.made[key] = f"GROUPS{len(self.made)}", groups[0] if walk.index is None else tuple(groups)
        name = ast.Name(self.made[key][0], ast.Load())
        return name if walk.index is None else ast.Subscript(name, walk.index, ast.Load())


class Renamed(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)


# ---------------------------------------------------------------- rows


def grouped(rows: Iterable[tuple[int, Row]]) -> Groups:
    """(cell, rows) of each cell, in the order of cells."""
    found: dict[int, list[Row]] = {}
    for cell, row in rows:
        found.setdefault(cell, []).append(row)
    return tuple((cell, tuple(found[cell])) for cell in sorted(found))


def merge(run: list[Found], then: list[Found]) -> list[tuple[int, Row]] | None:
    """(cell, (option, option of the other, *rest)) of two runs; None where one cannot stand for two."""
    options = [option for part in (run, then) for _, option, _ in part]
    if not rising(options) or min(options, default=1) < 1:
        return None
    rows: dict[tuple[int, Row], list[int]] = {}
    for at, part in enumerate((run, then)):
        for cell, option, rest in part:
            pair = rows.setdefault((cell, rest), [0, 0])
            if pair[at]:
                return None
            pair[at] = option
    return [(cell, (*pair, *rest)) for (cell, rest), pair in rows.items()]


def level(groups: list[Groups]) -> list[Groups] | None:
    """The same with as many rows for each cell: short ones have rows without options. None where those are too many,
    or the rows."""
    sizes = [len(rows) for run in groups for _, rows in run]
    most = max(sizes)
    if most > MOST_WRITTEN or sum(sizes) < FULL * most * len(sizes):
        return None
    return [
        tuple(
            (cell, (*sorted(rows, key=lambda row: row[1] > 0), *[(0, 0, *rows[0][2:])] * (most - len(rows))))
            for cell, rows in run
        )
        for run in groups
    ]


def asks(walk: Walk, then: Walk, rows: Iterable[Row], name: str, end: str) -> tuple[dict[int, str], list[ast.stmt]]:
    """Place in one of these rows → its name, and the tests that put its options into the list."""
    rows = [*rows]
    options = [f"{walk.option}_j{end}", f"{then.option}_k{end}"]
    rest = [f"{column}_j{end}" for column in walk.rest]
    asked: list[ast.If] = []
    tests: list[list[ast.expr]] = []
    for at, one in enumerate((walk, then)):
        put = Renamed(dict(zip(one.rest, rest)))
        tests.append([put.visit(copy.deepcopy(test)) for test in one.tests])
        some: list[ast.expr] = [] if all(row[at] for row in rows) else [ast.Name(options[at], ast.Load())]
        if any(row[at] for row in rows):
            asked.append(ast.If(all_of([*tests[-1], *some]), [append(name, options[at])], []))
    if len(asked) == 2 and len(tests[0]) == len(tests[1]) == 1 and exclude(tests[0][0], tests[1][0]):
        asked[0].orelse = [asked.pop()]
    columns = {at: column for at, column in enumerate(options) if any(row[at] for row in rows)}
    return {**columns, **dict(enumerate(rest, 2))}, [*asked]


def pays(groups: list[Groups]) -> bool:
    rows = sum(len(rows) for run in groups for _, rows in run)
    cells = sum(map(len, groups))
    return rows >= FEWEST and rows >= PAYS * cells


def rising(numbers: list[int]) -> bool:
    return all(a < b for a, b in pairwise(numbers))


# ---------------------------------------------------------------- small questions


def placed(node: ast.expr) -> tuple[str, int]:
    """i and base of `base + i`; "" for i if it is something else."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and number(node.left):
        name, base = placed(node.right)
        return name, base + node.left.value  # type: ignore[attr-defined]
    return (node.id if isinstance(node, ast.Name) else "", 0)


def asked_cell(test: ast.expr) -> tuple[str, ast.expr]:
    """a and x of `v[a] == x`; "" for a if it is another test."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
        left = test.left
        if isinstance(left, ast.Subscript) and isinstance(left.value, ast.Name) and left.value.id == "v":
            return (left.slice.id if isinstance(left.slice, ast.Name) else ""), test.comparators[0]
    return "", test


def exclude(one: ast.expr, other: ast.expr) -> bool:
    """Whether these ask `x < 0` and, of the same x, `x == y` where y is a remainder."""
    if not (isinstance(one, ast.Compare) and isinstance(other, ast.Compare)):
        return False
    if ast.unparse(one.left) != ast.unparse(other.left) or len(one.ops) > 1 or len(other.ops) > 1:
        return False
    below = isinstance(one.ops[0], ast.Lt) and ast.unparse(one.comparators[0]) == "0"
    right = other.comparators[0]
    return below and isinstance(other.ops[0], ast.Eq) and isinstance(right, ast.Name) and is_once(right.id)


def names_once(stm: ast.stmt) -> bool:
    return isinstance(stm, ast.Assign) and isinstance(stm.targets[0], ast.Name) and is_once(stm.targets[0].id)


def names_in(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


# ---------------------------------------------------------------- spelling


def all_of(tests: list[ast.expr]) -> ast.expr:
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)


def equals(cell: str, wanted: ast.expr) -> ast.expr:
    """`v[cell] == wanted`."""
    held = ast.Subscript(ast.Name("v", ast.Load()), ast.Name(cell, ast.Load()), ast.Load())
    return ast.Compare(held, [ast.Eq()], [wanted])


def targets(names: list[str]) -> ast.expr:
    stored: list[ast.expr] = [ast.Name(name, ast.Store()) for name in names]
    return stored[0] if len(stored) == 1 else ast.Tuple(stored, ast.Store())


def append(name: str, option: str) -> ast.stmt:
    add = ast.Attribute(ast.Name(name, ast.Load()), "append", ast.Load())
    return ast.Expr(ast.Call(add, [ast.Name(option, ast.Load())], []))


def loop(target: ast.expr, over: ast.expr, body: list[ast.stmt]) -> ast.For:
    return ast.For(target, over, body, [], lineno=1, col_offset=0)
