"""counters: gain, lose, pay, increase, reduce.

In: an Act with its roles. Out: code.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter import tree as t
from interpreter.acts.amounts_of import Roles, amount_of, cell_of, change, holder_of, things_not_counters
from interpreter.amounts import bind, number, words_of
from interpreter.bound import (
    NUMBER,
    Assign,
    Branch,
    Code,
    Run,
)
from interpreter.model import ACTIVE
from interpreter.scope import Scope, player_code
from interpreter.statements import (
    ask_one,
    each_of,
    target,
)


def gain(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    from interpreter.acts.giving import take

    what = roles["what"]
    if "from" in roles:
        take(node, roles, sc, subject)
        return
    if things_not_counters(what, sc):
        receive(node, roles, sc, subject)
        return
    for name, amount, sel, _ in amount_of(node, what, sc):
        change(sc, node, name, holder_of(bare(sel), sc, subject, node), amount, 1, sel)


def bare(sel: Any) -> Any:
    """The object of gain without its `of` (an index, not a holder) — the holder is the subject or the place."""
    return sel


def receive(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    """Gain of pieces: from the supply (what is out of the game) to the hand of their kind."""
    from interpreter.acts.placing import place

    what = roles["what"]
    place(node, {"what": what, "hand": subject}, sc, subject)


def lose(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    from interpreter.acts.flow import contest, outcome
    from interpreter.acts.placing import discard

    what = roles.get("what")
    if what is None or (isinstance(what, t.Sel) and what.head == "game"):
        outcome(sc, node, subject, -1)
        return
    if contest(node, what, sc, subject):
        return
    if things_not_counters(what, sc):
        discard(node, roles, sc, subject)
        return
    for name, amount, sel, everything in amount_of(node, what, sc):
        sources = [roles["from"]] if "from" in roles else []
        if "before" in roles:
            sources.append(roles["before"])
        if not sources:
            holder = holder_of(sel, sc, subject, node)
            change(sc, node, name, holder, "v[k]" if everything else amount, -1, sel)
            continue
        left = sc.fresh(NUMBER)
        sc.out.append(Assign(left, amount))
        for source in sources:
            each = bind(source, sc)
            kept = sc.fresh(NUMBER)

            def once(one: Code, inner: Scope, name: str = name, left: str = left, kept: str = kept) -> None:
                change(inner, node, name, one, left, -1, kept=kept)
                inner.out.append(Assign(left, f"{left} - {kept}"))

            each_of(each, sc, once)


def pay(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    """All or nothing; the shortfall is remembered (`the amount you could not pay`)."""
    from interpreter.acts.placing import discard

    what = roles["what"]
    to = target(roles["to"], sc, sc.you or player_code(f"v[{ACTIVE}]"), "Pay to") if "to" in roles else None
    did = sc.fresh(NUMBER)
    sc.did = did
    if things_not_counters(what, sc):
        sc.out.append(Assign(did, "1"))
        discard(node, roles, sc, subject)
        return
    parts = [(name, sc.fresh(NUMBER), sel, amount, whole) for name, amount, sel, whole in amount_of(node, what, sc)]
    tests = []
    short = sc.fresh(NUMBER)
    sc.short = short
    sc.out.append(Assign(short, "0"))
    holders = []
    for name, var, sel, amount, whole in parts:
        holder = holder_of(sel, sc, subject, node)
        holders.append(holder)
        cell = cell_of(name, holder, sc, node, sel)
        if isinstance(sel, t.Sel) and sel.quant in ("any number of", "up to"):
            chosen_amount(sc, node, sel, name, var, cell, amount)
        else:
            sc.out.append(Assign(var, f"v[{cell}]" if whole else f"max(0, {amount})"))
        tests.append(f"v[{cell}] >= {var}")
        sc.out.append(Assign(short, f"max({short}, {var} - v[{cell}])"))
    inner = sc.inner(out=[])
    inner.out.append(Assign(did, "1"))
    for (name, var, sel, _, _), holder in zip(parts, holders):
        change(inner, node, name, holder, var, -1, sel, "pay")
        if to is not None:
            change(inner, node, name, to, var, 1)
    if to is not None and not to.sure and not to.type.many:
        tests.append(f"{to.py} >= 0")  # there is somebody to be paid
    for name, var, _, _, _ in parts:
        sc.locals[f"{name} paid"] = Code(f"({var} * {did})", NUMBER)
    both = " and ".join(tests)
    sc.out.append(Assign(did, "0"))
    sc.out.append(Branch(both, inner.out, pay_what_there_is(sc, node, parts, holders, to) if short_is_read(sc) else []))


def short_is_read(sc: Scope) -> bool:
    return bool(sc.source and "could not pay" in sc.source.text)


def pay_what_there_is(sc: Scope, node: Any, parts: list[Any], holders: list[Code], to: Code | None) -> list[Any]:
    """Where the text goes on with the shortfall, what is there is paid."""
    inner = sc.inner(out=[])
    for (name, var, sel, _, _), holder in zip(parts, holders):
        cell = cell_of(name, holder, inner, node, sel)
        inner.out.append(Assign(var, f"v[{cell}]"))
        change(inner, node, name, holder, var, -1, sel, "pay")
        if to is not None:
            change(inner, node, name, to, var, 1)
    return inner.out


def chosen_amount(sc: Scope, node: Any, sel: t.Sel, name: str, var: str, cell: str, amount: str) -> None:
    """`pay any number of Coins`: the amount is chosen, bounded by what is there (in the cell, if one is named) and by the
    counter's `most`."""
    counter = sc.b.model.counters[name]
    if counter.most is None:
        sc.fault(sel, "unbounded-choice", f"how many {name}? Give the counter a `most`, so that the choice is bounded")
    most = sc.widest(sel, counter.most or 1)
    there = f"v[{cell}]" if cell else str(most)
    limit = f"min({there}, {amount})" if sel.quant == "up to" else there
    answer = ask_one(
        sc,
        sel,
        sc.you or player_code("v[1]"),
        [f"o = [NB+i for i in range(min({most}, {limit}) + 1)]"],
        f"Choose how many {name}",
        "number",
        NUMBER,
    )
    sc.out.append(Assign(var, f"{answer} - NB"))


def increase(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    adjust(node, roles, sc, subject, 1)


def reduce(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    adjust(node, roles, sc, subject, -1)


def adjust(node: t.Act, roles: Roles, sc: Scope, subject: Code | None, sign: int) -> None:
    what = roles["what"]
    amount = number(roles["by"], sc)
    if isinstance(what, t.Sel) and what.head in sc.b.model.counters:
        change(sc, node, what.head, holder_of(what, sc, subject, node), amount.py, sign, what)
        return
    if (
        isinstance(what, t.Sel)
        and isinstance(what.of, t.Node)
        and not (isinstance(what.of, t.Local) and what.of.name == "set one")
    ):
        each_of(bind(what.of, sc), sc, lambda one, inner: adjust_field(node, roles, inner, subject, sign, one))
        return
    raw = sc.inner(locals={**sc.locals, "printed value": player_code("0")})
    code = bind(what, raw)
    op = "+" if sign > 0 else "-"
    if code.type.sort != "number":
        sc.fault(what, "type", f"{words_of(code.type)} cannot be increased or reduced")
    elif code.base:
        sc.out.append(Run([f"v[{code.base}] = max(0, v[{code.base}] {op} {amount.py})"]))
    elif code.py.startswith("x"):
        sc.out.append(Assign(code.py, f"max(0, {code.py} {op} {amount.py})"))
        code.most = None if sign > 0 and (code.most is None or amount.most is None) else code.most
    else:
        sc.fault(what, "type", "this number is printed or computed; it cannot be changed here")


def adjust_field(node: t.Act, roles: Roles, sc: Scope, subject: Code | None, sign: int, one: Code) -> None:
    """A number of one thing that is there: its cell is reckoned from the thing, which is kept."""
    var = sc.fresh(one.type)
    sc.out.append(Assign(var, one.py))
    named = sc.inner(locals={**sc.locals, "set one": Code(var, one.type, sure=True)})
    what = replace(roles["what"], of=t.Local("set one", at=roles["what"].at), of_form="of")
    adjust(node, {**roles, "what": what}, named, subject, sign)
