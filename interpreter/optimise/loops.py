"""loops: an ast of emitted code → the same, with loops that ask once whether there is a log, and count without a call.

Nothing that a block calls gives a state another log. A count that has come to `limit` is left to `bound`, which knows what
to do then.
"""

from __future__ import annotations

import ast

from interpreter.optimise.visits import Rewriter, walk

Body = list[ast.stmt]


def loops(tree: ast.Module, source: str, limit: int) -> None:
    """Change the tree in place. source: its text, by which is told where there is nothing to do."""
    lines = source.split("\n")
    for function in tree.body:
        if isinstance(function, ast.FunctionDef):
            text = "\n".join(lines[function.lineno - 1 : function.end_lineno])
            if "bound(s" in text:
                function.body = counted(function.body, limit, False)
            function.body = looked_up(function.body)


def counted(stms: Body, limit: int, known: bool) -> Body:
    """known: whether `v` holds the state's cells here."""
    out: Body = []
    for stm in stms:
        passes = passes_of(stm) if known else None
        if passes is not None:
            called = ast.parse(f"v[7] += {ast.unparse(passes)}\nif v[7] > {limit}:\n    bound(s, 0)").body
            out += [ast.copy_location(one, stm) for one in called]
            continue
        if isinstance(stm, (ast.If, ast.For, ast.While)):
            stm.body = counted(stm.body, limit, known)
            stm.orelse = counted(stm.orelse, limit, known)
        known = known or ast.unparse(stm) == "v = s.v"
        out.append(stm)
    return out


def passes_of(stm: ast.stmt) -> ast.expr | None:
    """n of `bound(s, n)`; 1 of `bound(s)`."""
    call = stm.value if isinstance(stm, ast.Expr) else None
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "bound"):
        return None
    return call.args[1] if len(call.args) > 1 else ast.Constant(1)


def looked_up(stms: Body) -> Body:
    """`lg = s.lg` before each outermost loop that asks for the log."""
    out: Body = []
    for stm in stms:
        if isinstance(stm, (ast.For, ast.While)):
            asked = [node for node in walk(stm) if is_log(node)]
            if asked:
                out.append(ast.copy_location(ast.parse("lg = s.lg").body[0], stm))
                stm = Named().visit(stm)
        elif isinstance(stm, ast.If):
            stm.body = looked_up(stm.body)
            stm.orelse = looked_up(stm.orelse)
        out.append(stm)
    return out


def is_log(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "lg"
        and isinstance(node.value, ast.Name)
        and node.value.id == "s"
    )


class Named(Rewriter):
    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        return ast.copy_location(ast.Name("lg", ast.Load()), node) if is_log(node) else node
