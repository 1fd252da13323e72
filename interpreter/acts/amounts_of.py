"""amounts_of: how much of which counter a verb's object says, whose it is, and the one change that verbs of counters share.

In: the object of gain, lose, pay …. Out: (counter, amount, selection, all) or code.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter import tree as t
from interpreter.acts.events import affected_of, announce, propose
from interpreter.amounts import bearer, bind, number, words_of
from interpreter.bound import (
    NUMBER,
    Assign,
    Branch,
    Code,
    Loop,
    Run,
    thing,
)
from interpreter.figures import bears
from interpreter.members import index_of, spread
from interpreter.model import ACTIVE, LARGEST
from interpreter.remembered import changed
from interpreter.scope import Scope, counter_cell, is_a, player_code
from interpreter.select import bind_place
from interpreter.statements import (
    choose,
    each_of,
    is_choice,
    where,
)

Roles = dict[str, Any]


def amount_of(node: Any, what: Any, sc: Scope) -> list[tuple[str, str, Any, bool]]:
    """The object of gain, lose, pay: (counter, Python amount, the selection, all) for each part of it."""
    parts = what.parts if isinstance(what, t.Join) and what.op == "and" else (what,)
    out = []
    for part in parts:
        if isinstance(part, t.Equal):
            out.append((part.what.head, number(part.amount, sc).py, part.what, False))
        elif isinstance(part, t.Per):
            inner = part.amount
            head = inner.head if isinstance(inner, t.Sel) else ""
            count = number(inner.count, sc).py if isinstance(inner, t.Sel) and inner.count is not None else "1"
            times = bind(t.Count(part.each, at=part.at), sc).py
            out.append((head, f"{count} * {times}", inner, False))
        elif isinstance(part, t.Half) and isinstance(part.of, t.Sel):
            out.append((part.of.head, bind(part, sc).py, part.of, False))
        elif isinstance(part, t.Sel):
            if part.quant == "half of":
                value = bind(t.Sel(part.head, of=part.of, of_form=part.of_form, place=part.place, at=part.at), sc).py
                out.append((part.head, f"({value} + {1 if part.rounding == 'up' else 0}) // 2", part, False))
            else:
                count = number(part.count, sc).py if part.count is not None else "1"
                if part.count is None and part.plural and not part.quant and not whole(part):  # `place Smoke` is 1
                    sc.fault(
                        part,
                        "type",
                        f"how many {part.head}? Write a number before it, or `all`, or an amount behind it with `=`",
                    )
                if isinstance(part.count, t.Num) and part.count.value == 0:
                    sc.fault(part, "no-effect", f"0 {part.head} are none: this does nothing")
                out.append((part.head, count, part, whole(part)))
        else:
            sc.fault(part, "type", "how much of what? Write an amount, as in `gain 2 Coins`")
    return out


def whole(sel: t.Sel) -> bool:
    """`all Coins on it`, `your Coins`: all that there is."""
    owned = sel.of is not None and sel.of_form not in ("", "of") and not sel.quant and "more" not in sel.adjs
    return sel.count is None and (sel.quant in ("all", "the", "each") or owned)


def cell_of(name: str, holder: Code, sc: Scope, node: Any, sel: Any = None) -> str:
    """The cell of a counter on a holder; for indexed counters the member is the selection's `of`, else you."""
    counter = sc.b.model.counters.get(name)
    if counter is None:
        sc.fault(node, "type", f'"{name}" is not a counter')
        return "0"
    member = None
    if counter.each:
        if sel is not None and sel.of is not None:
            member = bind(sel.of, sc).py
        elif "player" in counter.each.values() and sc.you is not None:
            member = sc.you.py
    cell = counter_cell(sc.b, counter, holder.type.kind, holder.py, member)
    if cell is None:
        sc.fault(
            node, "type", f"{name} is a counter of {', '.join(counter.on)}; it does not lie on {words_of(holder.type)}"
        )
        return "0"
    return cell


def holder_of(sel: Any, sc: Scope, subject: Code | None, node: Any) -> Code:
    """Whose counter: the selection's own place or owner, else the subject."""
    model = sc.b.model
    if isinstance(sel, t.Sel) and sel.place is not None:
        if is_choice(sel.place.where, sc):
            return one_with(sel, sel.place.where, sc, subject)
        return bind_place(sel.place.where, sc)
    name = sel.head if isinstance(sel, t.Sel) else ""
    counter = model.counters.get(name)
    if isinstance(sel, t.Sel) and sel.of is not None and counter is not None:
        of = bind(sel.of, sc)
        if of.type.sort == "thing" and any(is_a(model, of.type.kind, h) for h in counter.on):
            return of
    if (
        counter is not None
        and "game" in counter.cells
        and (subject is None or counter_cell(sc.b, counter, subject.type.kind, "0", "0") is None)
    ):
        return Code("0", thing("game"), sure=True)
    if subject is None:
        sc.fault(node, "no-antecedent", "who? Name the player")
        return player_code("0")
    if counter is not None:
        return bears(sc, subject, name) or subject
    return subject


def one_with(sel: t.Sel, where_: Any, sc: Scope, who: Code | None) -> Code:
    """`remove 1 Coin from a Tower`: of the Towers, one that has a Coin is chosen."""
    has = t.WithThing(replace(sel, quant="", count=None, place=None, filters=(), plural=False))
    if isinstance(where_, t.Join):
        where_ = replace(where_, parts=tuple(replace(p, filters=(*p.filters, has)) for p in where_.parts))
    else:
        where_ = replace(where_, filters=(*where_.filters, has))
    chooser = who if who is not None and who.type.kind == "player" else sc.you or player_code(f"v[{ACTIVE}]")
    return choose(where_, sc, chooser)


def source_of(node: Any, what: Any, sc: Scope, who: Code | None) -> Code:
    """Where a counter is taken from; what has to be chosen has some of it."""
    parts = what.parts if isinstance(what, t.Join) else (what,)
    first = parts[0].what if isinstance(parts[0], t.Equal) else parts[0]
    if is_choice(node, sc) and isinstance(first, t.Sel):
        return one_with(first, node, sc, who)
    return bind(node, sc)


def change(
    sc: Scope,
    node: Any,
    name: str,
    holder: Code,
    amount: str,
    sign: int,
    sel: Any = None,
    report: str = "",
    kept: str = "",
) -> None:
    """Add or take an amount of a counter, as much as possible; kept: a variable for what was really moved."""
    counter = sc.b.model.counters.get(name)
    if counter is None:
        sc.fault(node, "type", f'"{name}" is not a counter; it cannot be gained or lost')
        return
    verb = report or ("gain" if sign > 0 else "lose")
    holder = bearer(holder, counter, sc)
    got = sc.fresh(NUMBER)

    def once(one: Code, inner: Scope) -> None:
        if memberless(one, counter, sel, sign, inner, node):

            def deed(deep: Scope, member: t.Local, n: str, moved: str) -> None:
                which = t.Sel(name, of=member, of_form="of", at=node.at)
                change(deep, node, name, one, n, sign, which, report, moved)

            spread(inner, node, name, one, amount, sign, deed, kept, where(sc, node))
            return
        cell = cell_of(name, one, inner, node, sel)
        member = member_py(name, one, inner, sel)
        at = inner.fresh(NUMBER)
        wanted = amount
        if isinstance(sel, t.Sel) and sel.quant in ("up to", "any number of") and report != "pay":
            from interpreter.acts.counters import chosen_amount

            wanted = inner.fresh(NUMBER)
            chosen_amount(inner, node, sel, name, wanted, cell if sign < 0 else "", amount)
        lines = [f"k = {cell}", f"n = max(0, {wanted})"]
        if sign > 0:
            lines.append(f"n = min(n, {LARGEST if counter.most is None else counter.most} - v[k])")
        elif sign < 0:
            lines.append(f"n = min(n, v[k] - {counter.least})" if counter.least > -(2**40) else "")
        lines.append("if n > 0:")
        lines.append(f"    v[k] {'+' if sign > 0 else '-'}= n")
        key = f"{'gain' if sign > 0 else 'lose'}:{name}"
        actor = inner.you.py if inner.you else f"v[{ACTIVE}]"
        calls, fires = announce(inner, key, one.py, "n", actor, member)
        lines.append(f"    if s.lg is not None: s.lg.append(({verb!r}, {one.py}, {name!r}, n))")
        lines += ["    " + call for call in calls]
        lines += [f"    {var} = 1" for var in inner.results[-1:]]
        lines += ["    " + line for line in changed(key, one.py, inner.b)]
        lines += [f"    {var} += n" for var, way in inner.tallies[-1:] if way == sign]
        if kept:
            lines.append(f"{kept} = n if n > 0 else 0")

        def body(last: Scope) -> None:
            last.out.append(Run([line for line in lines if line], fires))

        _ = at
        if key in inner.b.replaced:
            count, total = inner.fresh(NUMBER), inner.fresh(NUMBER)
            told = lines.index("if n > 0:") + 2
            unit = ["n = 1" if line.startswith("n = max") else line for line in lines[:told] if line]
            unit.append(f"{total} += n if n > 0 else 0")

            def unit_body(last: Scope) -> None:
                last.out.append(Run(unit))

            loop: list[Any] = []
            deep = inner.inner(out=loop)
            deep.out.append(Assign(count, f"{count} - 1"))
            propose(deep, key, [one.py, "1", actor, member], affected_of(deep, one), unit_body)
            inner.out += [
                Run([f"k = {cell}", f"{count} = max(0, {wanted})"]),
                Assign(total, "0"),
                Loop(f"{count} > 0", loop),
            ]
            told_lines = [line for line in lines[told:] if line[:1] == " "]
            inner.out.append(Run([f"n = {total}", "if n > 0:", *told_lines], fires))
            if kept:
                inner.out.append(Assign(kept, total))
        else:
            body(inner)

    def batch(one: Code, inner: Scope) -> None:
        """`would lose Coins`: all of them at once may be replaced."""
        key = f"{'gains' if sign > 0 else 'loses'}:{name}"
        if key not in inner.b.replaced or memberless(one, counter, sel, sign, inner, node):
            once(one, inner)
            return
        count = inner.fresh(NUMBER)
        inner.out.append(Run([f"k = {cell_of(name, one, inner, node, sel)}", f"{count} = max(0, {amount})"]))
        if kept:
            inner.out.append(Assign(kept, "0"))
        actor = inner.you.py if inner.you else f"v[{ACTIVE}]"
        deep = inner.inner(out=[])
        args = [one.py, count, actor, member_py(name, one, inner, sel)]
        propose(deep, key, args, affected_of(deep, one), lambda last: once(one, last))
        inner.out.append(Branch(f"{count} > 0", deep.out))

    each_of(holder, sc, batch)
    _ = got


def transfer(sc: Scope, node: Any, name: str, source: Code, to: Code, amount: str, sel: Any) -> None:
    """A counter from one holder to another: as much as is there, and of what it is there (Silver stays Silver)."""
    counter = sc.b.model.counters[name]

    def once(one: Code, inner: Scope) -> None:
        if memberless(one, counter, sel, -1, inner, node):
            spread(inner, node, name, one, amount, -1, both_ways, "", where(sc, node))
            return
        moved = inner.fresh(NUMBER)
        inner.out.append(Assign(moved, "0"))
        change(inner, node, name, one, amount, -1, sel, kept=moved)
        change(inner, node, name, to, moved, 1, sel if index_of(sc, counter, to) and getattr(sel, "of", None) else None)

    def both_ways(deep: Scope, member: t.Local, n: str, moved: str) -> None:
        which = t.Sel(name, of=member, of_form="of", at=node.at)
        kept = moved or deep.fresh(NUMBER)
        deep.out.append(Assign(kept, "0"))
        change(deep, node, name, source, n, -1, which, kept=kept)
        change(deep, node, name, to, kept, 1, which if index_of(sc, counter, to) else None)

    each_of(bearer(source, counter, sc), sc, once)


def member_py(name: str, holder: Code, sc: Scope, sel: Any) -> str:
    """The member of the counter that is meant, -1 where it has none."""
    counter = sc.b.model.counters[name]
    if not index_of(sc, counter, holder):
        return "-1"
    if sel is not None and sel.of is not None:
        return bind(sel.of, sc).py
    return sc.you.py if "player" in counter.each.values() and sc.you is not None else "-1"


def memberless(holder: Code, counter: Any, sel: Any, sign: int, sc: Scope, node: Any) -> bool:
    """Whether the text leaves open which of an indexed counter's numbers is meant. Pieces of players that are gained, placed,
    paid or lost are yours; those that are removed or taken from somewhere are anyone's."""
    index = index_of(sc, counter, holder)
    if not index or (isinstance(sel, t.Sel) and sel.of is not None):
        return False
    return index != "player" or (sign < 0 and getattr(node, "verb", "") in ("remove", "take", "move"))


def things_not_counters(what: Any, sc: Scope) -> bool:
    parts = what.parts if isinstance(what, t.Join) else (what,)
    for part in parts:
        head = (
            part.what.head
            if isinstance(part, t.Equal)
            else part.amount.head
            if isinstance(part, t.Per) and isinstance(part.amount, t.Sel)
            else getattr(part, "head", "")
        )
        if head in sc.b.model.counters:
            return False
    return True
