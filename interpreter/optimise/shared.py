"""shared: tests in a row of an ast of emitted code that begin alike → what they begin with is asked once.

`a and b or a and c` becomes `a and (b or c)`, `(x if a else 0) + (y if a else 0)` becomes `x + y if a else 0`; of two ifs
without else, one after the other, that ask the same of variables first, the second goes into the first.
"""

from __future__ import annotations

import ast
import re
from itertools import groupby

from interpreter.optimise.expressions import conjuncts
from interpreter.optimise.scans import ASKED
from interpreter.optimise.visits import Rewriter, walk

CHAINS = re.compile(r"(?:any\((?<!\wany\()|sum\((?<!\wsum\())")  # what becomes a chain


def shared(tree: ast.Module, source: str) -> None:
    """Change the tree in place. source: its text, by which is told where there is nothing to do."""
    lines = source.split("\n")
    for function in tree.body:
        if isinstance(function, ast.FunctionDef):
            text = "\n".join(lines[function.lineno - 1 : function.end_lineno])
            if " or " in text or " else 0" in text or CHAINS.search(text) or ASKED.search(text):
                Shared().visit(function)
            if " and " in text or " if " in text:
                function.body = nested(function.body)


class Shared(Rewriter):
    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Or):
            return node
        values: list[ast.expr] = []
        for _, run in groupby(node.values, first_of):
            tests = list(run)
            rests = [conjuncts(test)[1:] for test in tests]
            if len(tests) == 1 or not all(rests) or calls(tests[0]):
                values += tests
            else:
                inner = ast.BoolOp(ast.Or(), [joined(rest) for rest in rests])
                values.append(ast.BoolOp(ast.And(), [conjuncts(tests[0])[0], self.visit_BoolOp(inner)]))
        return values[0] if len(values) == 1 else ast.BoolOp(ast.Or(), values)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        terms = added(node)
        if len(terms) < 3:
            self.generic_visit(node)
            return node
        values: list[ast.expr] = []
        for key, run in groupby([self.visit(term) for term in terms], if_any):
            same = list(run)
            if not key or len(same) == 1:
                values += same
            else:
                values.append(ast.IfExp(same[0].test, summed([term.body for term in same]), ast.Constant(0)))
        return ast.copy_location(summed(values), node)


def nested(stms: list[ast.stmt]) -> list[ast.stmt]:
    """The same statements, ifs that begin alike in one."""
    out: list[ast.stmt] = []
    for stm in stms:
        if isinstance(stm, ast.If):
            stm.body, stm.orelse = nested(stm.body), nested(stm.orelse)
    for key, run in groupby(stms, begins):
        found = list(run)
        tests = [conjuncts(stm.test) for stm in found if isinstance(stm, ast.If)]
        if not key or len(found) == 1 or not all(test[1:] for test in tests) or not lasting(tests[0][0], found):
            out += found
            continue
        for stm, test in zip(found, tests, strict=True):
            stm.test = joined(test[1:])  # type: ignore[attr-defined]
        out.append(ast.copy_location(ast.If(tests[0][0], nested(found), []), found[0]))
    return out


def added(node: ast.expr) -> list[ast.expr]:
    """The terms of a sum."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [*added(node.left), node.right]
    return [node]


def summed(terms: list[ast.expr]) -> ast.expr:
    out = terms[0]
    for term in terms[1:]:
        out = ast.BinOp(out, ast.Add(), term)
    return out


def if_any(term: ast.expr) -> str:
    """The test of `x if test else 0`; "" for another term, or for a test that calls."""
    if isinstance(term, ast.IfExp) and isinstance(term.orelse, ast.Constant) and term.orelse.value == 0:
        return "" if any(isinstance(n, ast.Call) for n in ast.walk(term.test)) else ast.unparse(term.test)
    return ""


def begins(stm: ast.stmt) -> str:
    """What an if without else asks first of several things; "" for other statements."""
    several = isinstance(stm, ast.If) and not stm.orelse and isinstance(stm.test, ast.BoolOp)
    return first_of(stm.test) if several and isinstance(stm.test.op, ast.And) else ""  # type: ignore[attr-defined]


def first_of(test: ast.expr) -> str:
    return ast.unparse(conjuncts(test)[0])


def joined(tests: list[ast.expr]) -> ast.expr:
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)


def calls(test: ast.expr) -> bool:
    return any(isinstance(n, ast.Call) for n in walk(conjuncts(test)[0]))


def lasting(test: ast.expr, stms: list[ast.stmt]) -> bool:
    """Whether a test asks of variables only, and none of these statements gives one of them another value."""
    plain = (
        ast.Compare,
        ast.BinOp,
        ast.UnaryOp,
        ast.Name,
        ast.Constant,
        ast.operator,
        ast.unaryop,
        ast.cmpop,
        ast.Load,
    )
    asked = {n.id for n in walk(test) if isinstance(n, ast.Name)}
    given = {n.id for stm in stms for n in walk(stm) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return all(isinstance(n, plain) for n in walk(test)) and not asked & given
