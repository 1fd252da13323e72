"""inline: an ast of emitted code → the same, with what a function of one expression says written where it is asked.

Only where no argument is evaluated more often than before; whatever lies in a cycle of calls stays a call.
"""

from __future__ import annotations

import ast
import re

from interpreter.optimise.visits import Rewriter, copy_of, walk

MOST = 90  # nodes of an expression that is written where it is asked
CALL = re.compile(r"(\w+)\(s,")
BOUND = {"v", "z"}  # what such a function binds before its expression


def inline(tree: ast.Module, source: str) -> tuple[set[str], Inliner]:
    """Change the tree in place → the names of the functions that were changed, and who can write more of them. source:
    what the tree was read from."""
    functions = [f for f in tree.body if isinstance(f, ast.FunctionDef)]
    known = {f.name: f for f in functions if of_one_expression(f)}
    inliner = Inliner(known)
    lines = source.split("\n")
    changed = set()
    for function in functions:
        asks = CALL.findall("\n".join(lines[function.lineno : function.end_lineno]))
        if not known.keys().isdisjoint(asks) and inliner.within(function):
            changed.add(function.name)
    return changed, inliner


def of_one_expression(function: ast.FunctionDef) -> bool:
    *before, last = function.body
    return (
        isinstance(last, ast.Return)
        and last.value is not None
        and not function.args.defaults
        and [a.arg for a in function.args.args[:1]] == ["s"]
        and all(
            isinstance(stm, ast.Assign)
            and isinstance(stm.targets[0], ast.Name)
            and stm.targets[0].id in BOUND
            and isinstance(stm.value, ast.Attribute)
            for stm in before
        )
    )


class Inliner(Rewriter):
    def __init__(self, known: dict[str, ast.FunctionDef]) -> None:
        self.known = known
        self.done: set[str] = set()
        self.open: set[str] = set()
        self.small: dict[str, bool] = {}
        self.needed: set[str] = set()
        self.fresh = 0

    def within(self, function: ast.FunctionDef) -> bool:
        """Write the small ones into one function → whether any was. Those that it asks come before it."""
        if function.name in self.done:
            return False
        self.done.add(function.name)
        self.open.add(function.name)
        before, self.needed = self.needed, set()
        made = self.fresh
        function.body = [self.visit(stm) for stm in function.body]
        bind(function, self.needed)
        self.needed = before
        self.open.discard(function.name)
        return self.fresh > made

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        function = self.known.get(node.func.id) if isinstance(node.func, ast.Name) else None
        if function is None or function.name in self.open or node.keywords:
            return node
        kept = self.fresh
        self.within(function)
        self.fresh = kept
        if function.name not in self.small:
            last = function.body[-1]
            assert isinstance(last, ast.Return)
            self.small[function.name] = sum(1 for _ in walk(last)) <= MOST
        if not self.small[function.name]:
            return node
        return self.written(node, function) or node

    def written(self, node: ast.Call, function: ast.FunctionDef) -> ast.expr | None:
        last = function.body[-1]
        assert isinstance(last, ast.Return) and last.value is not None
        params = [a.arg for a in function.args.args]
        if len(params) != len(node.args) or not (isinstance(node.args[0], ast.Name) and node.args[0].id == "s"):
            return None
        asked = [n.id for n in walk(last.value) if isinstance(n, ast.Name)]
        values = dict(zip(params, node.args))
        loops = any(isinstance(n, (ast.ListComp, ast.GeneratorExp)) for n in walk(last.value))
        for name, value in values.items():
            if isinstance(value, (ast.Name, ast.Constant)):
                continue
            if asked.count(name) != 1 or loops or not plain(value):
                return None
        made: ast.expr = copy_of(last.value)
        taken = {n.id for value in node.args for n in walk(value) if isinstance(n, ast.Name)}
        targets = {n.id for n in walk(made) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        names = {name: f"{name}_{self.fresh}" for name in targets & taken}
        self.fresh += 1
        self.needed |= BOUND & set(asked)
        made = Given(values, names).visit(made)
        return ast.copy_location(made, node)


class Given(Rewriter):
    """Parameters replaced by what is given, loop variables that would hide it renamed."""

    def __init__(self, values: dict[str, ast.expr], names: dict[str, str]) -> None:
        self.values = values
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self.values and isinstance(node.ctx, ast.Load):
            return copy_of(self.values[node.id])
        if node.id in self.names:
            node.id = self.names[node.id]
        return node


def bind(function: ast.FunctionDef, needed: set[str]) -> None:
    """Bind what a function reads of the state before everything else, where it does not yet."""
    source = function.body[0]
    for name in sorted(needed - bound_first(function)):
        value = ast.Attribute(ast.Name("s", ast.Load()), name, ast.Load())
        function.body.insert(0, ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], value), source))


def plain(node: ast.expr) -> bool:
    """An argument that reads, and calls nothing."""
    return not any(isinstance(n, (ast.Call, ast.ListComp, ast.GeneratorExp, ast.NamedExpr)) for n in walk(node))


def bound_first(function: ast.FunctionDef) -> set[str]:
    """The names that a function binds before anything else."""
    out: set[str] = set()
    for stm in function.body:
        if not (isinstance(stm, ast.Assign) and isinstance(stm.value, ast.Attribute)):
            break
        out |= {target.id for target in stm.targets if isinstance(target, ast.Name)}
    return out
