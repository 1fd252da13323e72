"""once: comprehensions of an ast of emitted code that ask for the same remainder of each thing → it is worked out before.

In: an ast, and its text, by which is told where there is nothing to do. Out: the ast, in which a remainder that no
variable of a comprehension stands in (the seat after this one) has a name, given before the statement; a loop over one
thing that has a name is no loop.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from interpreter.optimise.visits import Rewriter, walk

WRITTEN = re.compile(
    r"(?:rel_(?<!\wrel_)|value_(?<!\wvalue_))\w+\(s"
)  # whose text, written where they are asked, may have one

Comp = (ast.ListComp, ast.GeneratorExp)


def once(tree: ast.Module, source: str) -> None:
    """Change the tree in place."""
    lines = source.split("\n")
    for function in tree.body:
        if isinstance(function, ast.FunctionDef):
            text = "\n".join(lines[function.lineno - 1 : function.end_lineno])
            if (" for " in text and " % " in text) or WRITTEN.search(text):
                function.body = Statements().changed(function.body)


class Statements:
    """The statements of one function; a name holds for a statement, and for the lists that are added after it."""

    def __init__(self) -> None:
        self.count = 0
        self.names: dict[str, str] = {}

    def changed(self, stms: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        self.names = {}
        for stm in stms:
            before = Before(self.names, self.count)
            if isinstance(stm, ast.If):
                stm.test = before.visit(stm.test)
            elif isinstance(stm, ast.For):
                stm.iter = before.visit(stm.iter)
            elif not isinstance(stm, ast.While):  # whose test is asked again and again
                stm = before.visit(stm)
            self.count += len(before.found)
            out += [ast.copy_location(one, stm) for one in before.found]
            out.append(stm)
            if isinstance(stm, (ast.If, ast.For, ast.While)):
                stm.body = self.changed(stm.body)
                stm.orelse = self.changed(stm.orelse)
            if not adds(stm):
                self.names = {}
        return out


def adds(stm: ast.stmt) -> bool:
    """`o = […]` or `o += […]`, after which other names hold what they held."""
    target = stm.targets[0] if isinstance(stm, ast.Assign) else stm.target if isinstance(stm, ast.AugAssign) else None
    return isinstance(target, ast.Name) and target.id == "o" and isinstance(stm.value, ast.ListComp)  # type: ignore[attr-defined]


def single(gen: ast.comprehension) -> ast.expr | None:
    """E of `for x in (E,)`."""
    one = isinstance(gen.iter, ast.Tuple) and len(gen.iter.elts) == 1 and isinstance(gen.target, ast.Name)
    return gen.iter.elts[0] if one and not isinstance(gen.iter.elts[0], ast.Starred) else None  # type: ignore[attr-defined]


def without_singles(node: ast.ListComp | ast.GeneratorExp) -> ast.AST:
    """`for x in (name,)` goes, and the name stands for x."""
    gens = node.generators
    index = 0
    while index < len(gens):
        value = single(gens[index])
        if len(gens) == 1 or not isinstance(value, ast.Name) or (index == 0 and gens[0].ifs) or rebound(node, index):
            index += 1
            continue
        gone = gens.pop(index)
        assert isinstance(gone.target, ast.Name)
        put = Instead(gone.target.id, value.id)
        if index:
            gens[index - 1].ifs += gone.ifs
        for gen in gens[max(index - 1, 0) :]:
            gen.ifs = [put.visit(test) for test in gen.ifs]
        for gen in gens[index:]:
            gen.iter = put.visit(gen.iter)
        node.elt = put.visit(node.elt)
    return node


def rebound(node: ast.expr, index: int) -> bool:
    """Whether the variable of this loop, or what stands for it, is given again further inside."""
    gone = node.generators[index]  # type: ignore[attr-defined]
    given = [n.id for n in walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return given.count(gone.target.id) > 1 or gone.iter.elts[0].id in given


class Instead(Rewriter):
    def __init__(self, name: str, value: str) -> None:
        self.name = name
        self.value = value

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Name(self.value, ast.Load()), node) if node.id == self.name else node


def is_once(name: str) -> bool:
    """Whether a name is one of those that remainders get here."""
    return name.startswith("once")


class Before(Rewriter):
    def __init__(self, names: dict[str, str], count: int) -> None:
        self.inside: list[set[str]] = []  # the variables of the comprehensions around
        self.names = names
        self.count = count
        self.found: list[ast.stmt] = []

    def comprehension(self, node: ast.ListComp | ast.GeneratorExp) -> ast.AST:
        first = node.generators[0]
        if single(first) is None:
            first.iter = self.visit(first.iter)  # it is worked out once anyway
        self.inside.append({n.id for gen in node.generators for n in walk(gen.target) if isinstance(n, ast.Name)})
        for gen in node.generators:
            gen.ifs = [self.visit(test) for test in gen.ifs]
            if gen is not first or single(gen) is not None:
                gen.iter = self.visit(gen.iter)
        node.elt = self.visit(node.elt)
        self.inside.pop()
        return without_singles(node)

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        return self.comprehension(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        return self.comprehension(node)

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        self.generic_visit(node)
        if not (isinstance(node.op, ast.Mod) and self.inside):
            return node
        used = {n.id for n in walk(node) if isinstance(n, ast.Name)}
        if any(isinstance(n, ast.Call) for n in walk(node)) or used & set().union(*self.inside):
            return node
        text = ast.unparse(node)
        if text not in self.names:
            self.names[text] = f"once{self.count + len(self.found)}"
            self.found.append(ast.Assign([ast.Name(self.names[text], ast.Store())], node))
        return ast.copy_location(ast.Name(self.names[text], ast.Load()), node)
