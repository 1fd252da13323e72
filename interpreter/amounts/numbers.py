"""numbers: arithmetic, counts and totals, and what an expression has to be.

In: an expression tree and a Scope. Out: Code. `bind` is the one entry for any expression.
"""

from __future__ import annotations

from typing import Any

from interpreter import tree as t
from interpreter.bound import NUMBER, Code, Type, thing
from interpreter.facts import field_py, kind_of_head
from interpreter.model import LARGEST
from interpreter.picked import as_count
from interpreter.scope import Scope, field_of, is_a, may_be
from interpreter.select import everything, pick, special

OPS = {"=": "==", "!=": "!=", "<": "<", ">": ">", "<=": "<=", ">=": ">="}


def bind(node: Any, sc: Scope) -> Code:
    """Any expression → Code."""
    from interpreter.amounts.nouns import BINDERS

    return BINDERS[type(node)](node, sc)


def number(node: Any, sc: Scope) -> Code:
    """An expression that has to be a number."""
    code = bind(node, sc)
    if code.type.sort == "thing" and isinstance(node, t.Sel):
        code = amount_of_member(node, code, sc) or code
    if isinstance(node, t.Join):
        sc.fault(node, "type", "one number is wanted here; choose it first: `Let n be either 1 or 2`")
        return Code("0", NUMBER)
    if code.type.sort != "number":
        sc.fault(node, "type", f"a number is wanted here, not {words_of(code.type)}")
        return Code("0", NUMBER)
    return code


def amount_of_member(node: t.Sel, code: Code, sc: Scope) -> Code | None:
    """`Silver is at least 3`, `that Metal of that player`: the number that is told apart by a member of a list."""
    from interpreter.amounts.counters import counter_read

    model = sc.b.model
    counter = next(
        (c for c in model.counters.values() if any(is_a(model, code.type.kind, i) for i in c.each.values())), None
    )
    if counter is None or code.type.many:
        return None
    holder = Code("0", thing("game"), sure=True) if "game" in counter.on else sc.you
    return counter_read(counter.name, holder, code.py, node, sc) if holder is not None else None


def one_thing(node: Any, sc: Scope, kind: str = "thing") -> Code:
    """An expression that has to be one thing of a kind."""
    code = bind(node, sc)
    if code.type.sort != "thing" or code.type.many or not may_be(sc.b.model, code.type.kind, kind):
        sc.fault(node, "type", f"one {kind} is wanted here, not {words_of(code.type)}")
        return Code("-1", thing(kind))
    return code


def words_of(type_: Type) -> str:
    """A type in words, for messages."""
    if type_.sort == "thing":
        return f"several of {type_.kind}" if type_.many else f"a {type_.kind}"
    return {"number": "a number", "condition": "a condition", "zone": "a place", "nothing": "nothing"}[type_.sort]


def compare_py(op: str, left: str, right: str) -> str:
    return f"{left} {OPS[op]} {right}"


def bind_num(node: t.Num, sc: Scope) -> Code:
    return Code(str(node.value), NUMBER, most=node.value)


def bind_arith(node: t.Arith, sc: Scope) -> Code:
    """`your Fame plus 2`, with the most that it can be; what could grow without bound is kept within what a number can be."""
    left, right = number(node.left, sc), number(node.right, sc)
    most: int | None = None
    if node.op == "plus" and left.most is not None and right.most is not None:
        most = left.most + right.most
    elif node.op == "minus":
        most = left.most
    elif node.op == "times" and left.most is not None and right.most is not None:
        most = left.most * right.most
    py = {
        "plus": f"({left.py} + {right.py})",
        "minus": f"({left.py} - {right.py})",
        "times": f"({left.py} * {right.py})",
    }.get(node.op)
    if py is None:
        sc.fault(node, "type", f"arithmetic knows plus, minus and times, not {node.op}")
        py = "0"
    return joined(Code(bounded(py, left.most, right.most, most), NUMBER, most=most), left, right)


def bounded(py: str, *mosts: int | None) -> str:
    """A sum or product, kept within what a number can be where it is not known to be."""
    return py if all(most is not None and most <= LARGEST for most in mosts) else f"sat({py})"


def joined(out: Code, *parts: Code) -> Code:
    out.hidden = out.hidden or any(p.hidden for p in parts)
    return out


def bind_twice(node: t.Twice, sc: Scope) -> Code:
    of = number(node.of, sc)
    most = None if of.most is None else 2 * of.most
    return joined(Code(bounded(f"(2 * {of.py})", most), NUMBER, most=most), of)


def bind_half(node: t.Half, sc: Scope) -> Code:
    of = bind(node.of, sc) if not isinstance(node.of, t.Sel) else amount_like(node.of, sc)
    if of.type.sort != "number":
        sc.fault(node.of, "type", f"half of what? A number is wanted, not {words_of(of.type)}")
        return Code("0", NUMBER)
    py = f"({of.py} // 2)" if node.rounding == "down" else f"(({of.py} + 1) // 2)"
    return joined(Code(py, NUMBER, most=None if of.most is None else (of.most + 1) // 2), of)


def amount_like(sel: t.Sel, sc: Scope) -> Code:
    code = bind(sel, sc)
    if code.type.sort == "thing" and code.type.many:
        return Code(f"len({code.py})", NUMBER)
    return code


def bind_count(node: t.Count, sc: Scope) -> Code:
    """`the number of Guards on Towers`, `the number of different Signs of Charms`."""
    of = node.of
    if node.different:
        base = everything(of, sc)
        f = field_of(sc.b.model, base.type.kind, node.different)
        if f is not None:
            return Code(
                f"len({{j for i in {base.py} for j in [{field_py(sc, f, 'i')}] if j >= 0}})", NUMBER, hidden=base.hidden
            )
        itself = t.Sel(node.different, of=t.Ref("itself", at=node.at), of_form="its", at=node.at)
        value = bind(itself, sc.inner(itself=Code("i", thing(base.type.kind), sure=True)))
        return Code(f"len({{j for i in {base.py} for j in [{value.py}] if j >= 0}})", NUMBER, hidden=base.hidden)
    if isinstance(of, t.Sel) and kind_of_head(sc, of.head) and not special(of) and not counts_counter(of, sc):
        p = pick(of, sc)
        return Code(as_count(p), NUMBER, hidden=p.hidden, most=200)
    code = bind(of, sc)
    if code.type.sort == "number":
        return code
    if code.type.sort == "thing" and code.type.many:
        return Code(f"len({code.py})", NUMBER, hidden=code.hidden, most=200)
    if code.type.sort == "zone":
        return Code(f"len(z[{code.py}])", NUMBER, most=200)
    return Code(f"({code.py} >= 0)", NUMBER)


def counts_counter(sel: t.Sel, sc: Scope) -> bool:
    """Whether a noun that names a kind is meant as a counter (icons of a list's member)."""
    return sel.head in sc.b.model.counters


def bind_total(node: t.Total, sc: Scope) -> Code:
    base = everything(node.of, sc)
    itself = t.Sel(node.prop, of=t.Ref("itself", at=node.at), of_form="its", at=node.at)
    value = number(itself, sc.inner(itself=Code("i", thing(base.type.kind), sure=True), pure=True))
    inside = f"{value.py} for i in {base.py}"
    py = {
        "total": f"sum([{inside}])",
        "highest": f"max([{inside}], default=0)",
        "lowest": f"min([{inside}], default=0)",
    }[node.how]
    return joined(Code(py, NUMBER), base, value)


def bind_choice(node: t.Choice, sc: Scope) -> Code:
    from interpreter.conditions import condition

    cond = condition(node.cond, sc)
    then, other = bind(node.then, sc), bind(node.otherwise, sc)
    most = max(then.most, other.most) if then.most is not None and other.most is not None else None
    return joined(
        Code(f"({then.py} if {cond.py} else {other.py})", then.type, most=most, sure=then.sure and other.sure),
        cond,
        then,
        other,
    )


def bind_per(node: t.Per, sc: Scope) -> Code:
    amount = number(node.amount, sc)
    count = bind_count(t.Count(node.each, at=node.at), sc)
    return joined(Code(f"({amount.py} * {count.py})" if amount.py != "1" else count.py, NUMBER), amount, count)


def bind_value(node: t.Value, sc: Scope) -> Code:
    """A value of content, `the worth of the North Tower`: a call of its function."""
    if node.ident in STEPS:
        return space_beside(node, sc)
    if node.ident in ("core:run after", "core:run before"):
        from interpreter.amounts.runs import bind_run

        return bind_run(node, sc)
    head = sc.b.value_heads[node.ident]
    args_py = [sc.you.py if sc.you else "-1"]
    holes = {p.name: p for p in head.parts if not isinstance(p, str)}
    for name, arg in node.args:
        args_py.append(argument(arg, holes[name], sc).py)
    function = sc.b.value_functions.get(node.ident, "missing")
    result = {"number": NUMBER, "condition": Type("condition")}.get(head.result) or thing(head.result, head.plural)
    return Code(f"{function}(s, {', '.join(args_py)})", result, sure=False)


STEPS = {"core:after": 0, "core:before": 1}  # the column of model.tables['steps']


def space_beside(node: t.Value, sc: Scope) -> Code:
    """`the space after X along Y`: where paths are the same in every game, read from a table."""
    args = dict(node.args)
    start, path = one_thing(args["of"], sc), one_thing(args["path"], sc)
    kind = thing(path_kind(path.type.kind, sc))
    steps = steps_table(sc, STEPS[node.ident])
    if steps is not None:
        return Code(f"{steps}[{path.py}][{start.py}]", kind)
    return Code(f"along(z[{path_table(sc)}[{path.py}]], {start.py}, {1 - 2 * STEPS[node.ident]})", kind)


def path_kind(kind: str, sc: Scope) -> str:
    """The kind of the spaces of paths of a kind."""
    model = sc.b.model
    spaces = {
        model.kind_of[x]
        for ids, parts, _, _ in model.tables["paths"]
        if may_be(model, model.kind_of[ids[0]], kind)
        for part in parts
        for x in part
    }
    return common_kind(sc, spaces)


def path_table(sc: Scope) -> str:
    """thing → the zone that holds the spaces of this path."""
    table = [-1] * sc.b.model.things
    for x, zone in sc.b.model.tables["path zones"].items():
        table[x] = zone
    return sc.b.table((*table, -1), "PATH")


def steps_table(sc: Scope, column: int) -> str | None:
    """path → thing → the next space (column 1: the one before); None where a path differs from game to game."""
    model = sc.b.model
    steps = model.tables.get("steps", {})
    if not steps or set(steps) != set(model.tables["path zones"]):
        return None
    nowhere = (-1,) * (model.things + 1)
    rows = [steps[x][column] if x in steps else nowhere for x in range(max(steps) + 1)]
    return sc.b.table((*rows, nowhere), "STEP")


def common_kind(sc: Scope, kinds: set[str]) -> str:
    model = sc.b.model
    if not kinds:
        return "thing"
    first = next(iter(kinds))
    while first:
        if all(is_a(model, k, first) for k in kinds):
            return first
        first = model.kinds[first].parent if first in model.kinds else ""
    return "thing"


def meant(ref: t.Ref, kind: str, sc: Scope) -> Scope:
    """`it` where a thing of a kind is wanted: the last that was named of those that can be one."""
    if ref.word != "it" or kind not in sc.b.model.kinds:
        return sc
    fit = [c for c in sc.named if c.type.sort == "thing" and not c.type.many and may_be(sc.b.model, c.type.kind, kind)]
    return sc.inner(named=[*sc.named, fit[-1]]) if fit else sc


def argument(arg: Any, hole: Any, sc: Scope) -> Code:
    """The value of a hole of a phrase, of the hole's kind."""
    if hole.kind == "number":
        return number(arg, sc)
    if hole.kind == "condition":
        from interpreter.conditions import condition

        return condition(arg, sc)
    if hole.plural:
        code = everything(arg, sc)
        code = Code(f"tuple({code.py})", code.type, hidden=code.hidden)
    else:
        code = bind(arg, sc if not isinstance(arg, t.Ref) else meant(arg, hole.kind, sc))
    kind = "thing" if hole.kind in ("thing", "place", "piece") else hole.kind
    if (
        code.type.sort != "thing"
        or (code.type.many and not hole.plural)
        or not may_be(sc.b.model, code.type.kind, kind)
    ):
        sc.fault(
            arg,
            "type",
            f"{hole.name} wants {'several of ' if hole.plural else 'a '}{hole.kind}, not {words_of(code.type)}",
        )
    return code


def bind_join(node: t.Join, sc: Scope) -> Code:
    return everything(node, sc)


def bind_short(node: t.Short, sc: Scope) -> Code:
    if not sc.short:
        sc.fault(node, "no-antecedent", "nothing is paid before this")
        return Code("0", NUMBER)
    return Code(sc.short, NUMBER)


def bind_much(node: t.Much, sc: Scope) -> Code:
    if node.open:
        sc.fault(node, "type", "any amount may be what happens, as in `When …`; what is done says how much")
        return Code("0", NUMBER)
    if not sc.much:
        sc.fault(node, "no-antecedent", f'"that {node.word}" refers to no amount before it')
        return Code("0", NUMBER)
    return sc.much[-1]


def bind_equal(node: t.Equal, sc: Scope) -> Code:
    sc.fault(node, "type", "an amount of something cannot stand here")
    return Code("0", NUMBER)
