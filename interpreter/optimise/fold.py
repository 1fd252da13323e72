"""fold: emitted Python source → the same program with loops over tables known at load time unrolled (an ast).

What functions of one expression say is written where they are asked (inline); `any`, `all` and `sum` over a short range
or a constant table become or-, and- and plus-chains; a constant table indexed by a constant becomes its entry; arithmetic
on constants is done. Nothing else is touched.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import partial
from typing import Any

from interpreter.optimise.empty import empty
from interpreter.optimise.given import Given
from interpreter.optimise.inline import bind, inline
from interpreter.optimise.visits import Rewriter, copy_of, walk

MOST_TERMS = 40  # a longer chain is slower to load than it gains
MOST_NODES = 1200
MOST_FIRST = 4  # things that are tried one after the other for the first that is so
FEW = 3  # constants that are compared one by one, not looked up in a set
READERS = ("len", "sorted", "tuple", "distinct", "sum", "max", "min")  # of a list, only the members are asked for
ANY_ORDER = ("any", "all", "sum", "max", "min")
ORDER = re.compile(r"ORDER\d")
MOST_ASKED = 40  # nodes of what is asked of each thing of a list, rather than of one after the other


def fold(source: str, folder: Folder) -> ast.Module:
    """Parse and unroll."""
    tree = ast.parse(source)
    changed, inliner = inline(tree, source)
    empty(tree, source)
    folder.given = given = Given(tree, inliner)
    named = {"NB", *(name for name, value in folder.constants.items() if isinstance(value, int))}
    lines = source.split("\n")
    for part in tree.body:
        if isinstance(part, ast.FunctionDef):
            text = "\n".join(lines[part.lineno - 1 : part.end_lineno])
            if part.name in changed or worth(text, named) or given.asked_in(text):
                folder.within(part)
    return tree


TABLES = re.compile(r"[A-Z](?<!\w[A-Z])\w*(?:\[-?\d+\])?")  # names of tables and numbers, and their entries
CHAINS = re.compile(r"(?:any|all|sum|one)\((?<!\w....)")
RUNS = re.compile(r" for \w+ in (?:range\(\d+,|\(\d+,)")
MOVED = re.compile(r" in \[-?\d+ ?\+ ?\w+ for ")


def worth(text: str, named: set[str]) -> bool:
    """Whether there is something to fold in a function of this text. named: the numbers that are known at load."""
    return (
        any(name in named or name[-1] == "]" or ORDER.match(name) for name in TABLES.findall(text))
        or (" for " in text and bool(RUNS.search(text) or MOVED.search(text)))
        or CHAINS.search(text) is not None
    )


def folder_of(tables: dict[str, Any]) -> Folder:
    """tables: the names of globals that hold constant tuples or ints."""
    return Folder({k: v for k, v in tables.items() if isinstance(v, (tuple, int)) and not isinstance(v, bool)})


class Folder(Rewriter):
    def __init__(self, constants: dict[str, Any]) -> None:
        self.constants = constants
        self.given: Given | None = None

    def within(self, function: ast.FunctionDef, change: Callable[[], object] | None = None) -> None:
        """Fold a function, or change it by something that folds; what it reads of the state is bound."""
        if self.given is None:
            (change or partial(self.visit, function))()
            return
        needed = self.given.inliner.needed
        needed.clear()
        (change or partial(self.visit, function))()
        bind(function, needed)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if isinstance(node.ctx, ast.Load):
            value = self.constants.get(node.id)
            if isinstance(value, int):
                return ast.copy_location(ast.Constant(value), node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        node = self.generic_visit(node)  # type: ignore[assignment]
        a, b = value_of(node.left), value_of(node.right)
        if a is not None and b is not None:
            if isinstance(node.op, ast.Add):
                return ast.copy_location(ast.Constant(a + b), node)
            if isinstance(node.op, ast.Sub):
                return ast.copy_location(ast.Constant(a - b), node)
            if isinstance(node.op, ast.Mult):
                return ast.copy_location(ast.Constant(a * b), node)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        node = self.generic_visit(node)  # type: ignore[assignment]
        if isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name) and number(node.slice):
            table = self.constants.get(node.value.id)
            index = node.slice.value  # type: ignore[attr-defined]
            functions = self.functions(node.value)
            if index in functions:
                return ast.copy_location(ast.Name(functions[index], ast.Load()), node)
            if isinstance(table, tuple) and -len(table) <= index < len(table):
                entry = table[index]
                if isinstance(entry, int) or (few(entry) and size(entry) <= MOST_TERMS):
                    return ast.copy_location(literal(entry), node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id == "one" and len(node.args) == 1:
            found = self.first_of(node.args[0])
            if found is not None:
                return ast.copy_location(found, node)
        if isinstance(node.func, ast.Name) and node.func.id in ANY_ORDER and len(node.args) == 1:
            inner = node.args[0]
            if isinstance(inner, ast.ListComp) and len(inner.generators) == 1:
                gen = inner.generators[0]
                gen.iter = self.seats(gen.iter) or gen.iter
                made = (
                    self.extreme(node.func.id, node, inner)
                    if node.func.id in ("max", "min")
                    else self.unrolled(node.func.id, inner)
                )
                if made is not None:
                    return ast.copy_location(made, node)
            if isinstance(inner, ast.ListComp) and node.func.id in ("any", "all") and costly(inner):
                lazy = ast.copy_location(ast.GeneratorExp(inner.elt, inner.generators), inner)
                node.args = [lazy]  # the first that decides it is the last that is looked at
        node = self.generic_visit(node)  # type: ignore[assignment]
        if self.given is not None:
            said = self.given.said(node, self.visit)
            if said is not None:
                return ast.copy_location(said, node)
        if isinstance(node.func, ast.Name) and node.func.id in READERS and len(node.args) == 1:
            node.args = [self.settled(node.args[0])]
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        node = self.generic_visit(node)  # type: ignore[assignment]
        node.iter = self.settled(node.iter)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        node = self.generic_visit(node)  # type: ignore[assignment]
        if len(node.ops) == 1 and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            made = self.settled(node.comparators[0])
            moved = moved_by(made)
            if moved is not None:
                by, made = moved
                node.left = ast.copy_location(ast.BinOp(node.left, ast.Sub(), by), node.left)
            if isinstance(made, ast.Tuple) and len(made.elts) > FEW:
                made = ast.copy_location(ast.Set(made.elts), made)
            node.comparators = [made]
            seats = self.seats(made)
            if seats is not None and isinstance(node.ops[0], ast.In):
                return ast.copy_location(
                    ast.Compare(ast.Constant(0), [ast.LtE(), ast.Lt()], [node.left, seats.args[0]]), node
                )
            functions = self.functions(made)
            if functions and number(node.left):
                found = node.left.value in functions  # type: ignore[attr-defined]
                return ast.copy_location(ast.Constant(found is isinstance(node.ops[0], ast.In)), node)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        node = self.generic_visit(node)  # type: ignore[assignment]
        known = node.test.value if isinstance(node.test, ast.Constant) else None
        return node if not isinstance(known, bool) else node.body if known else node.orelse

    def functions(self, table: ast.expr) -> dict[int, str]:
        """The entries of a table of functions."""
        return self.given.tables.get(table.id, {}) if self.given is not None and isinstance(table, ast.Name) else {}

    def settled(self, node: ast.expr) -> ast.expr:
        """A list of things that is known at load time, as a tuple; only where nothing but its members is asked for."""
        if not isinstance(node, ast.ListComp) or not isinstance(
            node.generators[0].iter, (ast.Call, ast.Tuple, ast.Name)
        ):
            return node
        bound: set[str] = set()
        read: set[str] = set()
        for inner in walk(node):
            if isinstance(inner, (ast.Name,)):
                (read if isinstance(inner.ctx, ast.Load) else bound).add(inner.id)
            elif isinstance(inner, (ast.Attribute, ast.NamedExpr, ast.Lambda, ast.Starred)):
                return node
        read -= bound
        if not all(name == "range" or isinstance(self.constants.get(name), tuple) for name in read):
            return node
        names = {name: self.constants[name] for name in read if name != "range"}
        code = compile(ast.fix_missing_locations(ast.Expression(copy_of(node))), "<fold>", "eval")
        try:
            things = tuple(eval(code, {"__builtins__": {}, "range": range, **names}))  # tables and constants only
        except (IndexError, TypeError):
            return node
        return ast.copy_location(literal(things), node) if flat(things) and len(things) <= MOST_TERMS else node

    def first_of(self, listing: ast.expr) -> ast.expr | None:
        """The first of a few things that is so: `2 if … else 3 if … else -1`."""
        if not isinstance(listing, ast.ListComp) or len(listing.generators) != 1:
            return None
        gen = listing.generators[0]
        items = self.items(gen.iter) if isinstance(gen.target, ast.Name) and gen.ifs else None
        if items is None or len(items) > MOST_FIRST or ast.unparse(listing.elt) != ast.unparse(gen.target):
            return None
        out: ast.expr = ast.UnaryOp(ast.USub(), ast.Constant(1))
        for item in reversed(items):
            put = Put(gen.target.id, item)  # type: ignore[attr-defined]
            tests = [self.visit(put.visit(copy_of(test))) for test in gen.ifs]
            test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
            out = ast.IfExp(test, ast.Constant(item), out)
        return out

    def seats(self, over: ast.expr) -> ast.Call | None:
        """The players from a seat round the table, where it does not matter with whom it begins: a range."""
        inner = over.value if isinstance(over, ast.Subscript) else None
        if not (isinstance(inner, ast.Subscript) and isinstance(inner.value, ast.Name)):
            return None
        table = self.constants.get(inner.value.id)
        if not inner.value.id.startswith("ORDER") or not isinstance(table, tuple):
            return None
        if any(sorted(run) != list(range(n)) for n, runs in enumerate(table) for run in runs):
            return None
        return ast.copy_location(ast.Call(ast.Name("range", ast.Load()), [inner.slice], []), over)

    def extreme(self, how: str, node: ast.Call, comp: ast.ListComp) -> ast.expr | None:
        """The highest or lowest of a run of cells is that of a slice; of two cells, by one comparison."""
        gen = comp.generators[0]
        over = gen.iter
        if gen.ifs or not (isinstance(gen.target, ast.Name) and isinstance(over, ast.Call)):
            return None
        base = based(comp.elt, gen.target.id)
        if base is None or ast.unparse(over.func) != "range" or len(over.args) != 1:
            return None
        count = self.visit(copy_of(over.args[0]))
        low = ast.Constant(base)
        known = count.value if number(count) else 0
        if known == 2:
            one, other = cell_at(base), cell_at(base + 1)
            sign: ast.cmpop = ast.Gt() if how == "max" else ast.Lt()
            return ast.IfExp(ast.Compare(one, [sign], [other]), copy_of(one), copy_of(other))
        high = ast.Constant(base + known) if known else ast.BinOp(low, ast.Add(), count)
        cells = ast.Subscript(ast.Name("v", ast.Load()), ast.Slice(low, high), ast.Load())
        return ast.Call(node.func, [cells], [] if known else node.keywords)

    def items(self, over: ast.expr) -> list[int] | None:
        """The constants that an iterable gives, when they are known and few."""
        over = self.visit(copy_of(over))
        if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "range":
            if all(number(a) for a in over.args) and len(over.args) in (1, 2):
                run = range(*[a.value for a in over.args])  # type: ignore[attr-defined]
                return list(run) if len(run) <= MOST_TERMS else None
            return None
        if isinstance(over, ast.Name):
            table = self.constants.get(over.id)
            return list(table) if isinstance(table, tuple) and flat(table) and len(table) <= MOST_TERMS else None
        if isinstance(over, ast.Tuple) and all(number(e) for e in over.elts) and len(over.elts) <= MOST_TERMS:
            return [e.value for e in over.elts]  # type: ignore[attr-defined]
        return None

    def unrolled(self, how: str, comp: ast.ListComp) -> ast.expr | None:
        comp = of_all(comp)
        gen = comp.generators[0]
        if not isinstance(gen.target, ast.Name):
            return None
        items: list[Any] | None = self.items(gen.iter)
        if items is None and isinstance(gen.iter, ast.Tuple) and len(gen.iter.elts) == 1:
            items = gen.iter.elts if isinstance(gen.iter.elts[0], ast.Name) else None
        if items is None:
            return None
        terms: list[ast.expr] = []
        for value in items:
            put = Put(gen.target.id, value)
            tests = [self.visit(put.visit(copy_of(test))) for test in gen.ifs]
            term = self.visit(put.visit(copy_of(comp.elt)))
            terms.append(joined(how, tests, term))
        if sum(1 for t in terms for _ in walk(t)) > MOST_NODES:
            return None
        if how == "sum":
            out: ast.expr = terms[0] if terms else ast.Constant(0)
            for term in terms[1:]:
                out = ast.BinOp(out, ast.Add(), term)
            return out
        if not terms:
            return ast.Constant(how == "all")
        if len(terms) == 1:
            return terms[0]
        return ast.BoolOp(ast.Or() if how == "any" else ast.And(), terms)


def moved_by(over: ast.expr) -> tuple[ast.Constant, ast.expr] | None:
    """(C, L) of `[C + i for i in L]`: whether something is in that is whether what is C less is in L."""
    if not isinstance(over, ast.ListComp) or len(over.generators) > 1 or over.generators[0].ifs:
        return None
    gen, elt = over.generators[0], over.elt
    if not (isinstance(elt, ast.BinOp) and isinstance(elt.op, ast.Add) and number(elt.left)):
        return None
    if not (isinstance(elt.right, ast.Name) and isinstance(gen.target, ast.Name) and elt.right.id == gen.target.id):
        return None
    assert isinstance(elt.left, ast.Constant)
    return elt.left, gen.iter


def of_all(comp: ast.ListComp) -> ast.ListComp:
    """A list over some of a list, as one list."""
    gen, inner = comp.generators[0], comp.generators[0].iter
    if not (isinstance(inner, ast.ListComp) and len(inner.generators) == 1 and isinstance(gen.target, ast.Name)):
        return comp
    over = inner.generators[0]
    names = {n.id for n in ast.walk(inner) if isinstance(n, ast.Name)}
    if not (isinstance(over.target, ast.Name) and isinstance(inner.elt, ast.Name) and inner.elt.id == over.target.id):
        return comp
    if gen.target.id in names and gen.target.id != over.target.id:
        return comp
    put = Put(over.target.id, ast.Name(gen.target.id, ast.Load()))
    tests = [*(put.visit(copy_of(test)) for test in over.ifs), *gen.ifs]
    return of_all(ast.ListComp(comp.elt, [ast.comprehension(gen.target, over.iter, tests, 0)]))


def costly(comp: ast.ListComp) -> bool:
    """Whether what is asked of each item calls something or is long: then stopping early saves more than a generator
    costs."""
    asked = [comp.elt, *(test for gen in comp.generators for test in gen.ifs)]
    inner = [node for part in asked for node in walk(part)]
    return len(inner) > MOST_ASKED or any(isinstance(n, (ast.Call, ast.ListComp, ast.GeneratorExp)) for n in inner)


class Put(Rewriter):
    """A loop variable replaced by a constant, or by another variable."""

    def __init__(self, name: str, value: int | ast.Name) -> None:
        self.name = name
        self.value = value

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id == self.name and isinstance(node.ctx, ast.Load):
            made = ast.Constant(self.value) if isinstance(self.value, int) else ast.Name(self.value.id, ast.Load())
            return ast.copy_location(made, node)
        return node


def joined(how: str, tests: list[ast.expr], term: ast.expr) -> ast.expr:
    """One term of the chain: its conditions with what it contributes."""
    if how == "any":
        parts = [*tests, *([] if isinstance(term, ast.Constant) and term.value is True else [term])]
        return parts[0] if len(parts) == 1 else ast.BoolOp(ast.And(), parts) if parts else ast.Constant(True)
    test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests) if tests else None
    if how == "all":
        return term if test is None else ast.BoolOp(ast.Or(), [ast.UnaryOp(ast.Not(), test), term])
    if test is None:
        return term
    return ast.IfExp(test, term, ast.Constant(0))


def number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int) and not isinstance(node.value, bool)


def based(node: ast.expr, name: str) -> int | None:
    """The base of `v[base + name]`."""
    at = node.slice if isinstance(node, ast.Subscript) else None
    if not (isinstance(at, ast.BinOp) and isinstance(at.op, ast.Add) and number(at.left)):
        return None
    if not (isinstance(at.right, ast.Name) and at.right.id == name):
        return None
    return int(at.left.value) if ast.unparse(node.value) == "v" else None  # type: ignore[attr-defined]


def cell_at(index: int) -> ast.expr:
    return ast.Subscript(ast.Name("v", ast.Load()), ast.Constant(index), ast.Load())


def size(value: Any) -> int:
    return sum(map(size, value)) if isinstance(value, tuple) else 1


def few(value: Any) -> bool:
    """A tuple of ints, or of such tuples."""
    return flat(value) or (isinstance(value, tuple) and all(flat(v) for v in value))


def value_of(node: ast.expr) -> int | None:
    """The number that stands here, also a negative one."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and number(node.operand):
        return -node.operand.value  # type: ignore[attr-defined, no-any-return]
    return node.value if number(node) else None  # type: ignore[attr-defined]


def flat(value: Any) -> bool:
    return isinstance(value, tuple) and all(isinstance(v, int) for v in value)


def literal(value: Any) -> ast.expr:
    if isinstance(value, int):
        return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Tuple([literal(v) for v in value], ast.Load())
