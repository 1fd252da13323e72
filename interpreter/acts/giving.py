"""giving: take, give and set.

In: an Act with its roles. Out: code.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter import tree as t
from interpreter.acts.amounts_of import (
    Roles,
    amount_of,
    cell_of,
    change,
    holder_of,
    member_py,
    source_of,
    things_not_counters,
    transfer,
)
from interpreter.acts.events import announce, propose
from interpreter.amounts import bind, number, words_of
from interpreter.bound import (
    NUMBER,
    Assign,
    Branch,
    Code,
    Run,
    thing,
)
from interpreter.facts import kind_of_head
from interpreter.model import ACTIVE, FIRST, LARGEST
from interpreter.scope import Scope, is_a, player_code
from interpreter.select import everything
from interpreter.statements import (
    choose,
    each_of,
    is_choice,
    target,
)


def take(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    from interpreter.acts.cards import drawn
    from interpreter.acts.moving import move_to

    what = roles["what"]
    if not things_not_counters(what, sc):
        source = source_of(roles["from"], what, sc, subject) if "from" in roles else None
        for name, amount, sel, whole in amount_of(node, what, sc):
            kept = sc.fresh(NUMBER)
            sc.out.append(Assign(kept, "0"))
            holder = source or (holder_of(sel, sc, None, node) if sel.place is not None or sel.of is not None else None)
            if holder is None:
                change(sc, node, name, holder_of(sel, sc, subject, node), amount, 1, sel)
                continue
            if subject is not None and subject.type.kind == "player":
                transfer(sc, node, name, holder, subject, "v[k]" if whole else amount, sel)
            else:
                change(sc, node, name, holder, "v[k]" if whole else amount, -1, sel, kept=kept)
        return
    who = subject or sc.you or player_code("v[1]")
    sel = what
    if "from" in roles and isinstance(what, t.Sel) and what.place is None:
        sel = replace(what, place=t.Place("in", roles["from"], at=node.at))
    supply = supply_of(sel, sc)
    if supply is not None and supply.deck:
        drawn(
            sc,
            node,
            f"{supply.base}",
            how_many(sel, sc),
            kind_of_head(sc, sel.head) or "card",
            lambda one, inner: move_to(inner, node, one, hand_zone(inner, one, who, node, True), "take"),
        )
        return
    if supply is not None:
        sel = replace(sel, place=t.Place("in", t.Sel(supply.name, "the", at=sel.at), at=sel.at))
    things = target(sel, sc, who, "Take")
    if supply is not None and "take" in sc.b.replaced:
        none_left(node, sel, supply, things, who, sc)
    each_of(things, sc, lambda one, inner: move_to(inner, node, one, hand_zone(inner, one, who, node, True), "take"))


def supply_of(sel: Any, sc: Scope) -> Any:
    """The zone where `take a Charm` finds one, when the text does not say where: the supply of its kind."""
    if not isinstance(sel, t.Sel) or sel.place is not None or sel.of is not None or sel.trail or sel.quant not in OPEN:
        return None
    record = next((r for r in sc.b.model.records.values() if r.name == sel.head), None)
    kind = sc.b.model.kinds.get(kind_of_head(sc, sel.head) or (record.kind if record else ""))
    return sc.b.model.zones.get(kind.supply) if kind is not None else None


OPEN = ("a", "another", "exactly", "up to", "any number of", "at least")


def how_many(sel: t.Sel, sc: Scope) -> str:
    return number(sel.count, sc).py if sel.count is not None else "1"


def none_left(node: t.Act, sel: t.Sel, supply: Any, things: Code, who: Code, sc: Scope) -> None:
    """What would be taken is not there: that too may be replaced (one of its kind stands for what is wanted)."""
    kind = sc.b.model.kinds.get(things.type.kind)
    if kind is None or kind.lo == kind.hi:
        return
    inner = sc.inner(out=[])
    one = Code(str(kind.lo), thing(kind.name), sure=True)
    args = [who.py, one.py, str(supply.base), hand_zone(inner, one, who, node, True)]
    propose(inner, "take", args, who.py, lambda last: None)
    sc.out.append(Branch(f"not {things.py}" if things.type.many else f"{things.py} < 0", inner.out))


def hand_zone(sc: Scope, one: Code, who: Code, node: Any, taken: bool = False) -> str:
    """The zone that draw leads to: the kind's `hand`, else the zone called Hand of a player. taken: to the kind's `taken`,
    if it has one."""
    model = sc.b.model
    kind = model.kinds.get(one.type.kind)
    name = kind.taken if kind and kind.taken and taken else kind.hand if kind and kind.hand else "Hand"
    if kind is None and any(k.hand or k.taken for k in model.kinds.values()):
        return f"hand_of(s, {one.py}, {who.py}, {taken})"
    zone = model.zones.get(name)
    if zone is None:
        owned = next(
            (
                z
                for z in model.zones.values()
                if z.of == "player" and any(is_a(model, one.type.kind, h) for h in z.holds)
            ),
            None,
        )
        zone = owned
    if zone is None:
        sc.fault(node, "type", f"a {one.type.kind} has no hand to go to: give its kind a `hand`")
        return "-1"
    return f"{zone.base}+{who.py}" if zone.of == "player" else str(zone.base)


def give(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    from interpreter.acts.moving import move_to

    to = target(roles["to"], sc, subject or player_code("v[1]"), "Give to")
    what = roles["what"]
    if not things_not_counters(what, sc):
        for name, amount, sel, whole in amount_of(node, what, sc):
            transfer(sc, node, name, holder_of(sel, sc, subject, node), to, "v[k]" if whole else amount, sel)
        return
    things = target(what, sc, subject or player_code("v[1]"), "Give")
    each_of(things, sc, lambda one, inner: move_to(inner, node, one, hand_zone(inner, one, to, node), "give"))


def set_(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    """Set a counter, a settable field, the owner, or a local."""
    what, to = roles["what"], roles["to"]
    model = sc.b.model
    if isinstance(what, t.Local):
        local = bind(what, sc)
        value = bind(to, sc)
        sc.out.append(Assign(local.py, value.py))
        return
    if isinstance(what, t.Sel) and what.head in model.counters:
        counter = model.counters[what.head]
        of_all = each_bearer(what, counter, sc)
        holder = of_all or holder_of(what, sc, subject, node)
        same = None if of_all else number(to, sc)

        def once(one: Code, inner: Scope) -> None:
            amount = same or number(to, inner.inner(itself=one))
            cell = cell_of(what.head, one, inner, node, what)
            bounded = f"max({counter.least}, {amount.py})"
            bounded = f"min({LARGEST if counter.most is None else counter.most}, {bounded})"
            actor = inner.you.py if inner.you else f"v[{ACTIVE}]"
            member = member_py(what.head, one, inner, what)
            calls_up, up = announce(inner, f"gain:{what.head}", one.py, "n - old", actor, member)
            calls_down, down = announce(inner, f"lose:{what.head}", one.py, "old - n", actor, member)
            lines = [
                f"n = {bounded}",
                f"k = {cell}",
                "old = v[k]",
                "if n != old:",
                "    v[k] = n",
                f"    if s.lg is not None: s.lg.append(('set', {one.py}, {what.head!r}, n))",
            ]
            if calls_up:
                lines.append(f"    if n > old: {calls_up[0]}")
            if calls_down:
                lines.append(f"    if n < old: {calls_down[0]}")
            inner.out.append(Run(lines, up | down))

        each_of(holder, sc, once)
        return
    if isinstance(what, t.Sel) and what.head == "player" and "first" in what.adjs:
        sc.out.append(Run([f"v[{FIRST}] = {bind(to, sc).py}"]))
        return
    if isinstance(what, t.Sel) and what.head == "player" and "active" in what.adjs:
        sc.out.append(Run([f"v[{ACTIVE}] = {bind(to, sc).py}"]))
        return
    if isinstance(what, t.Sel) and what.of is not None:
        holders = bind(what.of, sc)

        def assign(one: Code, inner: Scope) -> None:
            deep = inner.inner(locals={**inner.locals, "printed value": one})
            var = inner.fresh(one.type)
            inner.out.append(Assign(var, one.py))
            target_code = bind(
                t.Sel(what.head, of=t.Local("set one"), of_form="of", at=what.at),
                deep.inner(locals={**deep.locals, "set one": Code(var, one.type, sure=True)}),
            )
            value = set_value(to, target_code, inner)
            if not target_code.base:
                inner.fault(
                    what, "type", f"{what.head} is printed and cannot be set; declare the field `settable: true`"
                )
                return
            if value.type.sort != target_code.type.sort:
                inner.fault(to, "type", f"{what.head} holds {words_of(target_code.type)}, not {words_of(value.type)}")
            inner.out.append(Run([f"v[{target_code.base}] = {value.py}"]))

        each_of(holders, sc, assign)
        return
    code = bind(what, sc.inner(locals={**sc.locals, "printed value": player_code("0")}))
    if not code.base:
        sc.fault(what, "type", "this cannot be set")
        return
    sc.out.append(Run([f"v[{code.base}] = {bind(to, sc).py}"]))


def set_value(to: Any, now: Code, sc: Scope) -> Code:
    """What something is set to: chosen where that is left open; `another` is not what it is now."""
    if isinstance(to, t.Sel) and to.quant == "no" and now.type.sort == "thing":
        return Code("-1", now.type)  # set its owner to no player
    if not is_choice(to, sc):
        return bind(to, sc)
    inner = sc.inner(named=[*sc.named, Code(now.py, now.type)])
    code = choose(to, inner, sc.you or player_code(f"v[{ACTIVE}]"))
    sc.name(code)
    return code


def each_bearer(what: t.Sel, counter: Any, sc: Scope) -> Code | None:
    """`set the Marks to the Prices`: of each thing that bears one, to its own."""
    if not what.plural or what.of is not None or what.place is not None or {"player", "game"} & set(counter.on):
        return None
    return everything(t.Sel(counter.on[0], "each", plural=True, at=what.at), sc)
