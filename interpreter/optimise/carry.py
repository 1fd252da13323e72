"""carry: in, the statements of a function of emitted code; out, the same with what is known of its variables carried forward.

A variable that holds a number, or what another variable holds, is replaced by it; a comparison that what came before
decides is decided. What is assigned then and no longer read, live leaves out.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from interpreter.optimise.fold import number
from interpreter.optimise.live import live

Body = list[ast.stmt]
Span = tuple[int, int]
LONG = 10_000  # lines of a source in which not every function is worth the time
WORTH = re.compile(r"\n +(?:k = \d+\n|for |while )|n = max\(0, \d+\)")
FAR = 1 << 62  # beyond every number
LEAVE = (ast.Return, ast.Raise, ast.Break, ast.Continue)
FLIPPED: dict[type, type] = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Eq: ast.Eq}


def straighten(tree: ast.Module, source: str) -> None:
    """carry and live for all functions of a tree, changed in place; of a long source, read from which is told where there
    is most to do, only for those."""
    lines = source.split("\n")
    for function in tree.body:
        if isinstance(function, ast.FunctionDef) and (
            len(lines) < LONG or WORTH.search("\n".join(lines[function.lineno - 1 : function.end_lineno]))
        ):
            carry(function)
            live(function)


def carry(function: ast.FunctionDef) -> None:
    """Change a function in place. Nothing in it is assigned within an expression."""
    Carrier().body(function.body)


class Carrier:
    def __init__(self) -> None:
        self.value: dict[str, ast.Constant | ast.Name] = {}
        self.span: dict[str, Span] = {}
        self.bound: list[set[str]] = []  # what comprehensions around bind
        self.visits: dict[type, Any] = {
            ast.Name: self.visit_Name,
            ast.Compare: self.visit_Compare,
            ast.BoolOp: self.visit_BoolOp,
            ast.BinOp: self.visit_BinOp,
            ast.IfExp: self.visit_IfExp,
            ast.UnaryOp: self.visit_UnaryOp,
            ast.ListComp: self.comprehension,
            ast.GeneratorExp: self.comprehension,
            ast.SetComp: self.comprehension,
        }

    def visit(self, node: Any) -> Any:
        """A node, or what takes its place (ast.NodeTransformer does the same, more slowly)."""
        method = self.visits.get(type(node))
        return self.within(node) if method is None else method(node)

    def within(self, node: Any) -> Any:
        for name in node._fields:
            part = getattr(node, name)
            if type(part) is list:
                for index, inner in enumerate(part):
                    part[index] = self.visit(inner)
            elif isinstance(part, ast.expr) and type(part) is not ast.Constant:
                setattr(node, name, self.visit(part))
        return node

    # ------------------------------------------------------------ expressions

    def visit_Name(self, node: ast.Name) -> ast.expr:
        found = self.value.get(node.id)
        if found is None or not isinstance(node.ctx, ast.Load) or any(node.id in names for names in self.bound):
            return node
        if isinstance(found, ast.Name) and any(found.id in names for names in self.bound):
            return node
        made = ast.Constant(found.value) if isinstance(found, ast.Constant) else ast.Name(found.id, ast.Load())
        return ast.copy_location(made, node)

    def comprehension(self, node: Any) -> Any:
        names = {n.id for gen in node.generators for n in ast.walk(gen.target) if isinstance(n, ast.Name)}
        self.bound.append(names)
        self.within(node)
        self.bound.pop()
        return node

    def visit_Compare(self, node: ast.Compare) -> Any:
        self.within(node)
        known = self.decided(node)
        if known is not None:
            return ast.copy_location(ast.Constant(known), node)
        if len(node.ops) == 2:  # of two bounds, only the one that is not known
            one, other = (self.decided(part) for part in parts(node))
            if one or other:
                return ast.copy_location(parts(node)[bool(one)], node)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        """What decides alone ends the chain; what does not decide goes; in a chain of and, what holds is known after it."""
        over = isinstance(node.op, ast.Or)
        kept: list[ast.expr] = []
        before = self.span
        for value in node.values:
            made = self.visit(value)
            known = made.value if isinstance(made, ast.Constant) and isinstance(made.value, bool) else None
            if known is None:
                kept.append(made)
            elif known is over:
                kept.append(made)
                break
            self.span = {**self.span, **self.told(made, not over)}
        self.span = before
        if not kept:
            return ast.copy_location(ast.Constant(not over), node)
        if len(kept) == 1:
            return kept[0]
        node.values = kept
        return node

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        """Numbers are added; nothing added is nothing done."""
        self.within(node)
        left, right = node.left, node.right
        if not isinstance(node.op, ast.Add) or not number(left):
            return node
        if number(right):
            return ast.copy_location(ast.Constant(left.value + right.value), node)  # type: ignore[attr-defined]
        return right if left.value == 0 else node  # type: ignore[attr-defined]

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        node.test = self.visit(node.test)
        before = self.span
        for holds, part in ((True, "body"), (False, "orelse")):
            self.span = before
            self.span = {**before, **self.told(node.test, holds)}
            setattr(node, part, self.visit(getattr(node, part)))
        self.span = before
        known = truth(node.test)
        return node if known is None else node.body if known else node.orelse

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        self.within(node)
        known = truth(node.operand) if isinstance(node.op, ast.Not) else None
        return node if known is None else ast.copy_location(ast.Constant(not known), node)

    # ------------------------------------------------------------ what is known

    def spanned(self, node: ast.expr) -> Span:
        """Between which numbers an expression lies."""
        if number(node):
            return node.value, node.value  # type: ignore[attr-defined]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and number(node.operand):
            value = -node.operand.value  # type: ignore[attr-defined]
            return value, value
        if isinstance(node, ast.Name):
            return self.span.get(node.id, (-FAR, FAR)) if not any(node.id in b for b in self.bound) else (-FAR, FAR)
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Tuple) and node.value.elts:
            spans = [self.spanned(entry) for entry in node.value.elts]
            return min(low for low, _ in spans), max(high for _, high in spans)
        if isinstance(node, ast.IfExp):
            before, spans = self.span, []
            for holds, part in ((True, node.body), (False, node.orelse)):
                self.span = before
                self.span = {**before, **self.told(node.test, holds)}
                spans.append(self.spanned(part))
            self.span = before
            return min(low for low, _ in spans), max(high for _, high in spans)
        return -FAR, FAR

    def decided(self, node: ast.Compare) -> bool | None:
        """Whether a comparison holds, where the spans of its sides say."""
        sides = [self.spanned(side) for side in (node.left, *node.comparators)]
        answers = [compared(op, one, other) for op, one, other in zip(node.ops, sides, sides[1:])]
        if any(answer is False for answer in answers):
            return False
        return True if all(answer is True for answer in answers) else None

    def told(self, test: ast.expr, holds: bool) -> dict[str, Span]:
        """The spans of variables where a test holds, or does not."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self.told(test.operand, not holds)
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And if holds else ast.Or):
            out: dict[str, Span] = {}
            for value in test.values:
                out.update(self.told(value, holds))
            return out
        if not isinstance(test, ast.Compare) or (not holds and len(test.ops) > 1):
            return {}
        out = {}
        sides = (test.left, *test.comparators)
        for op, one, other in zip(test.ops, sides, sides[1:]):
            for name, way, value in ((one, type(op), other), (other, FLIPPED.get(type(op)), one)):
                if isinstance(name, ast.Name) and number(value) and way is not None:
                    low, high = out.get(name.id, self.span.get(name.id, (-FAR, FAR)))
                    least, most = limits(way, value.value, holds)  # type: ignore[attr-defined]
                    out[name.id] = max(low, least), min(high, most)
        return out

    def forget(self, names: set[str]) -> None:
        for name in names:
            self.value.pop(name, None)
            self.span.pop(name, None)
        for name in [n for n, held in self.value.items() if isinstance(held, ast.Name) and held.id in names]:
            del self.value[name]

    # ------------------------------------------------------------ statements

    def body(self, stms: Body) -> None:
        """A run of statements, changed in place."""
        out: Body = []
        for stm in stms:
            out += self.statement(stm)
            if out and isinstance(out[-1], LEAVE):
                break
        stms[:] = out or [ast.Pass()]

    def statement(self, stm: ast.stmt) -> Body:
        if isinstance(stm, ast.If):
            return self.branch(stm)
        if isinstance(stm, (ast.For, ast.While)):
            self.loop(stm)
            return [stm]
        if isinstance(stm, ast.AugAssign) and isinstance(stm.target, ast.Name):
            stm.value = self.visit(stm.value)
            self.forget({stm.target.id})
            return [stm]
        self.visit(stm)
        if isinstance(stm, ast.Assign):
            names = {target.id for target in stm.targets if isinstance(target, ast.Name)}
            self.forget(names)
            for name in names:
                self.assigned(name, stm.value)
        return [stm]

    def assigned(self, name: str, value: ast.expr) -> None:
        if number(value):
            self.value[name] = value  # type: ignore[assignment]
        elif isinstance(value, ast.Name) and value.id != name:
            self.value[name] = value
        span = self.spanned(value)
        if span != (-FAR, FAR):
            self.span[name] = span

    def branch(self, stm: ast.If) -> Body:
        stm.test = self.visit(stm.test)
        known = truth(stm.test)
        if known is not None:
            taken = stm.body if known else stm.orelse
            self.body(taken)
            return [one for one in taken if not isinstance(one, ast.Pass)]
        value, span = self.value, self.span
        ends = []
        for holds, stms in ((True, stm.body), (False, stm.orelse)):
            self.value, self.span = dict(value), span
            self.span = {**span, **self.told(stm.test, holds)}
            if stms:
                self.body(stms)
            if not (stms and isinstance(stms[-1], LEAVE)):
                ends.append((self.value, self.span))
        self.value, self.span = ends[0] if ends else (value, span)
        for other_value, other_span in ends[1:]:
            self.value = {n: held for n, held in self.value.items() if same(held, other_value.get(n))}
            joined = {n: (s, other_span[n]) for n, s in self.span.items() if n in other_span}
            self.span = {n: (min(a[0], b[0]), max(a[1], b[1])) for n, (a, b) in joined.items()}
        if stm.orelse and all(isinstance(one, ast.Pass) for one in stm.orelse):
            stm.orelse = []
        return [stm]

    def loop(self, stm: ast.For | ast.While) -> None:
        if isinstance(stm, ast.For):
            stm.iter = self.visit(stm.iter)
        names = {n.id for n in ast.walk(stm) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        self.forget(names)
        if isinstance(stm, ast.While):
            stm.test = self.visit(stm.test)
        value, span = dict(self.value), dict(self.span)
        if isinstance(stm, ast.While):
            self.span.update(self.told(stm.test, True))
        elif isinstance(stm.target, ast.Name) and isinstance(stm.iter, ast.Tuple) and stm.iter.elts:
            spans = [self.spanned(entry) for entry in stm.iter.elts]
            self.span[stm.target.id] = min(low for low, _ in spans), max(high for _, high in spans)
        self.body(stm.body)
        self.value, self.span = value, span
        if stm.orelse:
            self.body(stm.orelse)
            self.forget(names)


def parts(node: ast.Compare) -> tuple[ast.Compare, ast.Compare]:
    """`a < b` and `b < c` of `a < b < c`."""
    first, second = node.comparators
    return ast.Compare(node.left, node.ops[:1], [first]), ast.Compare(first, node.ops[1:], [second])


def truth(node: ast.expr) -> bool | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, bool) else None


def same(one: ast.expr, other: ast.expr | None) -> bool:
    return other is not None and ast.dump(one) == ast.dump(other)


def compared(op: ast.cmpop, one: Span, other: Span) -> bool | None:
    """Whether any number of one span compares so with any of another."""
    (low, high), (least, most) = one, other
    if isinstance(op, (ast.Gt, ast.GtE)):
        return compared(ast.Lt() if isinstance(op, ast.Gt) else ast.LtE(), other, one)
    if isinstance(op, ast.Lt):
        return True if high < least else False if low >= most else None
    if isinstance(op, ast.LtE):
        return True if high <= least else False if low > most else None
    if isinstance(op, (ast.Eq, ast.NotEq)):
        alike = True if low == high == least == most else False if high < least or low > most else None
        return alike if isinstance(op, ast.Eq) or alike is None else not alike
    return None


def limits(way: type, value: int, holds: bool) -> Span:
    """Between which numbers x lies where `x way value` holds, or does not."""
    if way in (ast.Lt, ast.GtE):
        return (-FAR, value - 1) if (way is ast.Lt) is holds else (value, FAR)
    if way in (ast.LtE, ast.Gt):
        return (-FAR, value) if (way is ast.LtE) is holds else (value + 1, FAR)
    return (value, value) if way is ast.Eq and holds else (-FAR, FAR)
