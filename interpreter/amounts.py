"""amounts: an expression tree → typed Code (numbers, things, places). `bind` is the one entry; BINDERS its table.

Findings go to the scope's builder; a faulty expression still gives some Code, so that all faults of a text are found.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter import tree as t
from interpreter.bound import NOTHING, NUMBER, ZONE, Code, Type, thing
from interpreter.declare import near_of
from interpreter.figures import bears, has_field, lies_on, own_kind, player_of
from interpreter.model import ACTIVE, FIRST, ROLL, ROUND
from interpreter.number import span
from interpreter.scope import Scope, counter_cell, field_of, is_a, kind_test, may_be, player_code
from interpreter.select import (
    as_count,
    as_list,
    as_one,
    as_sum,
    everything,
    field_py,
    kind_of_head,
    owner_py,
    pick,
    special,
)

OPS = {"=": "==", "!=": "!=", "<": "<", ">": ">", "<=": "<=", ">=": ">="}


def bind(node: Any, sc: Scope) -> Code:
    """Any expression → Code."""
    return BINDERS[type(node)](node, sc)


def number(node: Any, sc: Scope) -> Code:
    """An expression that has to be a number."""
    code = bind(node, sc)
    if code.type.sort == "thing" and isinstance(node, t.Sel):
        code = amount_of_member(node, code, sc) or code
    if code.type.sort != "number":
        sc.fault(node, "type", f"a number is wanted here, not {words_of(code.type)}")
        return Code("0", NUMBER)
    return code


def amount_of_member(node: t.Sel, code: Code, sc: Scope) -> Code | None:
    """`Silver is at least 3`, `that Metal of that player`: the number that is told apart by a member of a list."""
    model = sc.b.model
    counter = next((c for c in model.counters.values() if any(is_a(model, code.type.kind, i) for i in c.each.values())), None)
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


# ---------------------------------------------------------------- numbers


def bind_num(node: t.Num, sc: Scope) -> Code:
    return Code(str(node.value), NUMBER, most=node.value)


def bind_arith(node: t.Arith, sc: Scope) -> Code:
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
    return joined(Code(py, NUMBER, most=most), left, right)


def joined(out: Code, *parts: Code) -> Code:
    out.hidden = out.hidden or any(p.hidden for p in parts)
    for p in parts:
        out.reads |= p.reads
    return out


def bind_twice(node: t.Twice, sc: Scope) -> Code:
    of = number(node.of, sc)
    return joined(Code(f"(2 * {of.py})", NUMBER, most=None if of.most is None else 2 * of.most), of)


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
    if node.ident in ("core:after", "core:before"):
        args = dict(node.args)
        start = one_thing(args.get("of") or node.args[0][1], sc)
        path = one_thing(args.get("path") or args.get("along") or node.args[1][1], sc)
        paths = sc.b.model.tables["path zones"]
        table = [-1] * sc.b.model.things
        for x, zone in paths.items():
            table[x] = zone
        step = "1" if node.ident == "core:after" else "-1"
        kinds = {
            sc.b.model.kind_of[x] for ids, parts, _, _ in sc.b.model.tables["paths"] for part in parts for x in part
        }
        return Code(
            f"along(z[{sc.b.table((*table, -1), 'PATH')}[{path.py}]], {start.py}, {step})",
            thing(common_kind(sc, kinds)),
        )
    head = sc.b.value_heads[node.ident]
    args_py = [sc.you.py if sc.you else "-1"]
    holes = {p.name: p for p in head.parts if not isinstance(p, str)}
    for name, arg in node.args:
        args_py.append(argument(arg, holes[name], sc).py)
    function = sc.b.value_functions.get(node.ident, "missing")
    result = {"number": NUMBER, "condition": Type("condition")}.get(head.result) or thing(head.result, head.plural)
    return Code(f"{function}(s, {', '.join(args_py)})", result, sure=False)


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


# ---------------------------------------------------------------- things


def bind_local(node: t.Local, sc: Scope) -> Code:
    code = sc.locals.get(node.name)
    if code is None:
        sc.fault(node, "unknown-word", f'"{node.name}" is not bound here', near_of(node.name, sc.locals))
        return Code("-1", NOTHING)
    return code


def bind_ref(node: t.Ref, sc: Scope) -> Code:
    if node.word in ("you", "yours", "yourself"):
        if sc.you is None:
            sc.fault(node, "pronoun", '"you" means nobody here; name the player')
            return player_code("0")
        return sc.reader or sc.you
    if node.word == "doer":
        return sc.you or player_code(f"v[{ACTIVE}]")
    if node.word == "itself" and sc.itself is not None:
        return sc.itself
    if node.word == "this":
        if sc.this is None:
            sc.fault(node, "pronoun", '"this" means nothing here')
            return Code("-1", thing("thing"))
        return sc.this
    if node.word in ("they", "them", "their", "these"):
        if sc.itself is not None and sc.itself.type.kind == "player":
            return sc.itself  # a player with no Charms in their Hand
        found = next((c for c in reversed(sc.named) if c.type.many or c.type.kind == "player"), None)
    else:
        found = next((c for c in reversed(sc.named) if not c.type.many and c.type.kind != "player"), None)
        if found is None and sc.itself is not None:
            found = sc.itself
        if found is None:
            found = sc.this
    if found is None:
        sc.fault(node, "pronoun", f'"{node.word}" refers to nothing before it')
        return Code("-1", thing("thing"))
    return found


def bind_player(node: t.PlayerN, sc: Scope) -> Code:
    if not 1 <= node.number <= sc.b.model.most:
        sc.fault(node, "bad-value", f"this game has players 1 to {sc.b.model.most}")
        return player_code("0")
    return player_code(str(node.number - 1))


def bind_join(node: t.Join, sc: Scope) -> Code:
    return everything(node, sc)


def bind_short(node: t.Short, sc: Scope) -> Code:
    if not sc.short:
        sc.fault(node, "pronoun", "nothing is paid before this")
        return Code("0", NUMBER)
    return Code(sc.short, NUMBER)


def bind_equal(node: t.Equal, sc: Scope) -> Code:
    sc.fault(node, "type", "an amount of something cannot stand here")
    return Code("0", NUMBER)


def whose(sel: t.Sel, sc: Scope) -> Code:
    """What `its Cost` speaks of: of what was named last, something that has a Cost."""
    assert sel.of is not None
    found = having(sel, sc)
    return found if found is not None else bind(sel.of, sc)


def having(sel: t.Sel, sc: Scope) -> Code | None:
    model = sc.b.model
    if not isinstance(sel.of, t.Ref) or sel.of.word != "it" or len(sc.named) < 2:
        return None
    counter = model.counters.get(sel.head)
    for code in reversed(sc.named):
        if code.type.many or code.type.sort != "thing" or code.type.kind == "player":
            continue
        kind = code.type.kind
        if field_of(model, kind, sel.head) or counter is not None and counter_cell(sc.b, counter, kind, "0", "0"):
            return code
    return None


def bind_sel(sel: t.Sel, sc: Scope) -> Code:
    """A noun in a place where its value is wanted: a number (counter, field), a thing, several things, or a place."""
    found_its = having(sel, sc)
    if found_its is not None and found_its is not sc.named[-1]:
        sc = sc.inner(named=[*sc.named, found_its])
    if sel.quant in ("that", "those", "this"):
        found = referred(sel, sc)
        if found is not None:
            return found
    if sel.trail == "chosen" or "chosen" in sel.adjs:
        return chosen(sel, sc)
    model = sc.b.model
    for reader in READERS:
        code = reader(sel, sc)
        if code is not None:
            return code
    if kind_of_head(sc, sel.head):
        return of_kind(sel, sc)
    sc.fault(
        sel,
        "type",
        f'"{sel.head}" cannot be read here' + (f" of {words_of(bind(sel.of, sc).type)}" if sel.of is not None else ""),
        near_of(sel.head, [*model.counters, *model.kinds, *model.zones]),
    )
    return Code("0", NUMBER)


def referred(sel: t.Sel, sc: Scope) -> Code | None:
    """`that player`, `this Space`: the last named of its kind; this: the thing whose text it is."""
    model = sc.b.model
    kind = kind_of_head(sc, sel.head) or "thing"
    if sel.head in ("turn", "round", "game", "action"):
        return Code(f"v[{ROUND}]", NUMBER) if sel.head == "round" else None
    if sel.quant == "this" and sc.this is not None and may_be(model, sc.this.type.kind, kind) and kind != "thing":
        return sc.this
    if sel.quant == "this" and sc.this is not None and kind != "thing" and sel.head != "card":
        place = place_of_this(kind, sc)
        if place is not None:
            if not sc.pure and not any(place.py == code.py for code in sc.named[-1:]):
                sc.name(place)
            return place
    for code in reversed(sc.named):
        if (
            code.type.sort == "thing"
            and may_be(model, code.type.kind, kind)
            and (code.type.many == sel.plural or sel.quant == "this")
        ):
            return code
    if sel.quant == "this" and sc.this is not None:
        if kind == "thing" or sel.head == "card":
            return sc.this
    if sc.itself is not None and may_be(model, sc.itself.type.kind, kind):
        return sc.itself
    sc.fault(sel, "pronoun", f'"{sel.quant} {sel.head}" refers to no {sel.head} before it')
    return Code("-1", thing(kind, sel.plural))


def place_of_this(kind: str, sc: Scope) -> Code | None:
    """`this Tower` in a Charm's text: the one that the Charm names, lies on, or that the thing on which it lies names."""
    model = sc.b.model
    this = sc.this
    assert this is not None
    named = next((f for f in fields_to(kind, this.type.kind, sc)), None)
    if named is not None:
        return Code(field_py(sc, named, this.py), thing(kind))
    at = f"PLACE[v[{model.loc}+{this.py}]]"
    holders = [k for k in model.kinds.values() if any(may_be(model, this.type.kind, h) for h in k.holds)]
    if any(may_be(model, k.name, kind) for k in holders):
        return Code(at, thing(kind))
    table = [-1] * (model.things + 1)  # the last for a place that is no thing
    for holder in holders:
        for f in fields_to(kind, holder.name, sc):
            for i, value in enumerate(f.table):
                table[model.tables.get(("field lo", id(f)), holder.lo) + i] = value
    return Code(f"{sc.b.table(tuple(table), 'NAMED')}[{at}]", thing(kind)) if any(x >= 0 for x in table) else None


def fields_to(kind: str, of: str, sc: Scope) -> list[Any]:
    """The fields of a kind that name one thing of another."""
    fields_ = sc.b.model.kinds[of].fields.values() if of in sc.b.model.kinds else ()
    return [f for f in fields_ if f.type == "thing" and f.kind and is_a(sc.b.model, f.kind, kind)]


def chosen(sel: t.Sel, sc: Scope) -> Code:
    model = sc.b.model
    kind = kind_of_head(sc, sel.head) or "thing"
    several = {c.py: c for name, c in sc.chosen.items() if is_a(model, name, kind)}
    if len(several) > 1 and (sel.plural or sel.quant in ("each", "all")):
        parts = "".join(f"*{c.py}, " if c.type.many else f"*[i for i in ({c.py},) if i >= 0], " for c in several.values())
        return Code(f"distinct([{parts}])", thing(kind, True))
    for name, code in reversed(list(sc.chosen.items())):
        if may_be(model, name, kind):
            if sel.of is not None and code.type.sort == "thing" and "by seat" in sc.locals:
                who = one_thing(sel.of, sc, "player")
                return Code(f"{sc.locals['by seat'].py}[{who.py}]", thing(name))
            if sel.quant in ("the", "each", "all", "") and (code.type.many or not sel.plural):
                return code
            if not code.type.many:
                return Code(f"({code.py},)", thing(name, True))
            return code
    sc.fault(sel, "pronoun", f"no {sel.head} is chosen before this")
    return Code("()" if sel.plural else "-1", thing(kind, sel.plural))


# A reader looks at a selection and gives Code, or None when the noun is not of its sort.


def read_core(sel: t.Sel, sc: Scope) -> Code | None:
    model = sc.b.model
    if sel.head == "owner" and sel.of is not None:
        of = bind(sel.of, sc)
        if of.type.sort == "thing" and not of.type.many:
            py = owner_py(sc, of.type.kind, of.py)
            if not of.sure:
                py = f"({py} if {of.py} >= 0 else -1)"
            return Code(py, thing("player"), base=f"{model.own}+{of.py}")
        sc.fault(sel, "type", "the owner of what? One thing is wanted")
        return player_code("0")
    if sel.head == "player" and sel.of is not None and sel.of_form != "yours" and not sel.adjs:
        return player_of(sc, bind(sel.of, sc))
    if sel.head == "player" and sel.quant == "the" and not sel.plural and "active" in sel.adjs:
        return Code(f"v[{ACTIVE}]", thing("player"), sure=True, base=str(ACTIVE))
    if sel.head == "player" and sel.quant == "the" and "first" in sel.adjs:
        return Code(f"v[{FIRST}]", thing("player"), sure=True, base=str(FIRST))
    if sel.head == "player" and "next" in sel.adjs:
        of = sc.you or player_code(f"v[{ACTIVE}]")
        if sel.of is not None:
            of = one_thing(sel.of, sc, "player")
        return Code(f"(({of.py} + 1) % v[0])", thing("player"), sure=True)
    if sc.b.model.called.get(sel.head, sel.head) == "round" and sel.quant in ("the", ""):
        return Code(f"v[{ROUND}]", NUMBER, most=99, base=str(ROUND))
    if sel.head.lower() == "roll":
        return Code(f"v[{ROLL}]", NUMBER, most=1000)
    if sel.head == model.faction_kind and sel.of is not None:
        of = bind(sel.of, sc)
        if of.type.kind == "player":
            return Code(f"v[{model.faction_cell}+{of.py}]", thing(model.faction_kind))
    return None


def read_title(sel: t.Sel, sc: Scope) -> Code | None:
    """`the Captain`: the thing that is it at present."""
    title = sc.b.model.titles.get(sel.head)
    if title is None:
        return None
    return Code(f"v[{title.cell}]", thing(title.kind), base=str(title.cell))


def read_field(sel: t.Sel, sc: Scope) -> Code | None:
    """A field of a thing: `the Price of it`, `its Route`, `your Mark`; a number also `on it`, `at your Tower`."""
    model = sc.b.model
    if sel.of is None and sel.place is not None and not sel.plural and not sel.filters:
        whose = field_holder(sel, sc)
        if whose is None:
            return None
    elif sel.of is None:
        whose = sc.itself if sc.itself is not None else None
        if whose is None and sc.this is not None and not kind_of_head(sc, sel.head) and sel.quant in ("", "the"):
            whose = sc.this
        if (
            whose is None
            or field_of(model, whose.type.kind, sel.head) is None
            or (kind_of_head(sc, sel.head) and sel.quant)
        ):
            if (
                sc.you is None
                or sel.quant not in ("",)
                or "player" not in model.kinds
                or field_of(model, "player", sel.head) is None
            ):
                return None
            whose = sc.you
    else:
        if sel.place is not None:
            return None
        whose = bind(sel.of, sc)
        whose = has_field(sc, whose, sel.head) or whose
    if whose.type.sort != "thing":
        return None
    f = field_of(model, whose.type.kind, sel.head)
    if f is not None and f.type == "each":
        return None
    if f is None or f.type in ("text", "prose", "statement", "selection"):
        return None
    if whose.type.many:
        i = sc.loop_var()
        py = field_py(sc, f, i)
        if f.type == "list":
            return Code(f"[k for {i} in {whose.py} for k in {py}]", thing(f.kind, True))
        if f.type == "thing":
            return Code(f"[{py} for {i} in {whose.py} if {py} >= 0]", thing(f.kind, True))
        return Code(f"sum([{py} for {i} in {whose.py}])", NUMBER)
    if f.type == "amount":
        return computed(f, whose, sc)
    if f.type == "condition":
        return Code(f"int({computed_table(f, sc)}(s, {reader(sc)}, {whose.py}))", NUMBER, most=1)
    name = f"{f.name}"
    py = field_py(sc, f, whose.py)
    if not whose.sure:
        empty = {"number": "0", "flag": "0", "thing": "-1", "list": "()"}.get(f.type, "0")
        py = f"({py} if {whose.py} >= 0 else {empty})"
    if f.type in ("number", "flag"):
        base = f"{f.cell}+{whose.py}" if f.settable else ""
        if name in sc.b.modified and not sel_raw(sc):
            py = f"changed_{ident_of(name)}(s, {whose.py}, {py}, {reader(sc)})"
        tops = None if f.settable or not f.table else max(f.table, default=0)
        return Code(py, NUMBER, base=base, most=tops, reads=frozenset([name]))
    if f.type == "list":
        if (kind_of_head(sc, sel.head) and sel.adjs) or sel.filters:
            return filtered(py, f.kind, sel, sc)
        return Code(py, thing(f.kind, True), sure=True)
    return Code(py, thing(f.kind), base=f"{f.cell}+{whose.py}" if f.settable else "", reads=frozenset([name]))


def field_holder(sel: t.Sel, sc: Scope) -> Code | None:
    """The one thing of which `the Might at your Tower` names a number."""
    from interpreter.select import bind_place

    assert sel.place is not None
    model = sc.b.model
    if not any(f.name == sel.head and f.type in ("number", "amount") for k in model.kinds.values() for f in k.fields.values()):
        return None
    whose = bind_place(sel.place.where, sc)
    f = field_of(model, whose.type.kind, sel.head) if whose.type.sort == "thing" and not whose.type.many else None
    return whose if f is not None and f.type in ("number", "amount") else None


def sel_raw(sc: Scope) -> bool:
    return "printed value" in sc.locals


def ident_of(name: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in name)


def filtered(py: str, kind: str, sel: t.Sel, sc: Scope) -> Code:
    """A list of things narrowed by the selection's own adjectives and filters."""
    from interpreter.bound import Pick
    from interpreter.select import FILTERS, adjectives

    var = sc.loop_var()
    p = Pick([(var, py)], [], var, kind)
    adjectives(sel, sc, p)
    inner = sc.inner(itself=Code(var, thing(kind), sure=True), pure=True)
    for one in sel.filters:
        FILTERS[type(one)](one, inner, p)
    return Code(as_list(p), thing(kind, True))


def computed_table(f: Any, sc: Scope) -> str:
    return f"field_{ident_of(f.name)}"


def computed(f: Any, whose: Code, sc: Scope) -> Code:
    """An amount field: its text, compiled once for each record, reached by a table over things."""
    py = f"{computed_table(f, sc)}(s, {reader(sc)}, {whose.py})"
    if f.name in sc.b.modified and not sel_raw(sc):
        py = f"changed_{ident_of(f.name)}(s, {whose.py}, {py}, {reader(sc)})"
    return Code(py, NUMBER, reads=frozenset([f.name]))


def reader(sc: Scope) -> str:
    """The player for whom a value is read (a price may differ by player)."""
    return sc.you.py if sc.you is not None and sc.you.type.kind == "player" else "v[1]"


def read_counter(sel: t.Sel, sc: Scope) -> Code | None:
    """A counter: `your Gold`, `Gold of yours on that Space`, `the Chaos on it`, `Strength`."""
    model = sc.b.model
    name = sel.head
    member: str | None = None
    if name not in model.counters:
        icon = member_counter(sel, sc)
        if icon is None:
            return None
        name, member = icon
    counter = model.counters[name]
    holder: Code | None = None
    if sel.place is not None:
        from interpreter.select import bind_place

        holder = bind_place(sel.place.where, sc)
        if sel.of is not None:
            index = bind(sel.of, sc)
            member = index.py
            if index.type.sort != "thing":
                sc.fault(sel, "type", f"{name} of what? A player or thing is wanted after of")
    elif sel.of is not None:
        of = bind(sel.of, sc)
        if (
            of.type.sort == "thing"
            and any(is_a(model, of.type.kind, i) for i in counter.each.values())
            and not any(is_a(model, of.type.kind, h) for h in counter.on)
            and (sc.itself is not None or sc.you is not None or "game" in counter.on)
        ):
            member = of.py
            holder = Code("0", thing("game"), sure=True) if "game" in counter.on else sc.itself or sc.you
        else:
            holder = of
    elif sel.quant in ("", "the") and not sel.filters:
        if sc.itself is not None and counter_cell(sc.b, counter, sc.itself.type.kind, "0", member or "0"):
            holder = sc.itself
        elif "player" in counter.cells and sc.you is not None:
            holder = sc.you
        elif "game" in counter.cells:
            holder = Code("0", thing("game"), sure=True)
        elif sc.this is not None and counter_cell(sc.b, counter, sc.this.type.kind, "0", member or "0"):
            holder = sc.this
        else:
            holder = bears(sc, sc.you, name) if sc.you is not None else sc.this
    if holder is None:
        return None
    holder = bears(sc, holder, name) or holder
    if holder.type.sort == "thing" and field_of(model, holder.type.kind, name) is not None and not any(may_be(model, holder.type.kind, h) for h in counter.on):
        return None
    return counter_read(name, holder, member, sel, sc)


def read_each(sel: t.Sel, sc: Scope) -> Code | None:
    """A field with a number for each thing of a kind: `the Icons of that Suit on it`, `Moon on your Charms`."""
    model = sc.b.model
    kinds = [k for k in model.kinds.values() for f in k.fields.values() if f.type == "each" and f.name == sel.head]
    index: Code | None = None
    name = sel.head
    if kinds:
        if sel.of is None:
            return None
        index = bind(sel.of, sc)
    else:
        record = next((r for r in model.records.values() if r.name == sel.head and len(r.ids) == 1), None)
        if record is None or sel.place is None and sc.itself is None:
            return None
        found = next((f.name for k in model.kinds.values() for f in k.fields.values() if f.type == "each" and is_a(model, record.kind, f.kind)), None)
        if found is None:
            return None
        name, index = found, Code(str(record.ids[0]), thing(record.kind), sure=True)
    if sel.place is not None:
        from interpreter.select import bind_place

        holder = bind_place(sel.place.where, sc)
    elif sc.itself is not None:
        holder = sc.itself
    else:
        return None
    if holder.type.sort == "zone":
        inside = next((h for h in model.zones[holder.type.kind].holds), "thing") if holder.type.kind in model.zones else "thing"
        holder = Code(f"z[{holder.py}]", thing(inside, True))
    if holder.type.sort != "thing":
        return None
    return each_value(name, index, holder, sc)


def each_value(name: str, index: Code, holder: Code, sc: Scope) -> Code | None:
    """The number under an index of an `each` field on one thing, or the sum over several."""
    model = sc.b.model
    fields_ = {id(f): (k, f) for k in model.kinds.values() for f in k.fields.values() if f.type == "each" and f.name == name and may_be(model, holder.type.kind, k.name)}
    if not fields_:
        return None
    table: list[tuple[int, ...]] = [()] * model.things
    low = 0
    for kind, f in fields_.values():
        low = span(model, f.kind)[0]
        width = span(model, f.kind)[1] - low
        lo = model.tables.get(("field lo", id(f)), kind.lo)
        for x in range(model.things):
            if not table[x]:
                table[x] = (0,) * width
        for i, row in enumerate(f.table):
            if any(row):
                table[lo + i] = row
    rows = sc.b.table(tuple(table), "EACH")
    at = f"{index.py}-{low}" if low else index.py
    if holder.type.many:
        return Code(f"sum([{rows}[i][{at}] for i in {holder.py}])", NUMBER, hidden=holder.hidden)
    py = f"{rows}[{holder.py}][{at}]"
    if not holder.sure:
        py = f"({py} if {holder.py} >= 0 else 0)"
    return Code(py, NUMBER, hidden=holder.hidden)


def member_counter(sel: t.Sel, sc: Scope) -> tuple[str, str] | None:
    """A list's member used as a counter (`Chalice on your assigned Relics`): the counter indexed by its kind."""
    model = sc.b.model
    for record in model.records.values():
        if record.name == sel.head and len(record.ids) == 1:
            for counter in model.counters.values():
                if (
                    record.kind in counter.each.values()
                    and (sel.place is not None or sel.of is not None or sc.itself is not None or sel.count is not None)
                    and "player" not in counter.each.values()
                ):
                    return counter.name, str(record.ids[0])
    return None


def counter_read(name: str, holder: Code, member: str | None, node: Any, sc: Scope) -> Code | None:
    model = sc.b.model
    counter = model.counters[name]
    if holder.type.sort == "zone":
        i = sc.loop_var()
        holder = Code(
            f"[{i} for {i} in z[{holder.py}]]",
            thing(
                common_kind(sc, set(model.zones[holder.type.kind].holds))
                if holder.type.kind in model.zones
                else "thing",
                True,
            ),
        )
    if holder.type.sort != "thing":
        sc.fault(node, "type", f"{name} lies on players or things, not on {words_of(holder.type)}")
        return Code("0", NUMBER)
    holder = bearer(holder, counter, sc)
    spread = model.kinds[holder.type.kind].spread if holder.type.kind in model.kinds else ""
    if spread and not any(is_a(model, holder.type.kind, h) for h in counter.on):
        from interpreter.select import spaces_py

        holder = Code(spaces_py(sc, holder.type.kind, spread, holder.py), thing("thing", True))
    py = "i" if holder.type.many else holder.py
    indexed = next(
        (counter.each[h] for h in counter.on if h in counter.each and may_be(model, holder.type.kind, h)), None
    )
    if indexed and member is None:
        lo, hi = span(model, indexed)
        cell = counter_cell(sc.b, counter, holder.type.kind, py, "k")
        each = "v[0]" if indexed == "player" else None
        value = f"sum([v[{cell}] for k in range({lo}, {each or hi})])"
        if cell is None:
            return missing(name, holder, node, sc)
    else:
        cell = counter_cell(sc.b, counter, holder.type.kind, py, member)
        if cell is None:
            return missing(name, holder, node, sc)
        value = f"v[{cell}]"
        if not holder.sure and not holder.type.many and not holder.py.lstrip("-").isdigit():
            value = f"(v[{cell}] if {holder.py} >= 0 else 0)"
        if name in sc.b.modified and not sel_raw(sc) and not (indexed and member is not None):
            value = f"changed_{ident_of(name)}(s, {py}, {value}, {reader(sc)})"
    if holder.type.many:
        return Code(f"sum([{value} for i in {holder.py}])", NUMBER, reads=frozenset([name]))
    return Code(
        value,
        NUMBER,
        base="" if indexed and member is None else (cell or ""),
        most=counter.most,
        reads=frozenset([name]),
    )


def bearer(holder: Code, counter: Any, sc: Scope) -> Code:
    """Who bears a counter: a faction stands for its player, and a player for the one thing of theirs that bears it."""
    kind = sc.b.model.faction_kind
    if holder.type.kind == "player":
        return bears(sc, holder, counter.name) or holder
    if not kind or holder.type.many or holder.type.kind != kind or kind in counter.on or "player" not in counter.cells:
        return holder
    return Code(f"seat_of_faction(s, {holder.py})", thing("player"))


def missing(name: str, holder: Code, node: Any, sc: Scope) -> Code:
    sc.fault(
        node,
        "type",
        f"{name} is a counter of {', '.join(sc.b.model.counters[name].on)}; it does not lie on {words_of(holder.type)}",
    )
    return Code("0", NUMBER)


def read_next(sel: t.Sel, sc: Scope) -> Code | None:
    """`your next Level`: where a kind bears the name of a counter of players, its things are that counter's steps."""
    model = sc.b.model
    kind, counter = model.kinds.get(sel.head), model.counters.get(sel.head)
    if kind is None or counter is None or "next" not in sel.adjs or "player" not in counter.cells:
        return None
    who = one_thing(sel.of, sc, "player") if sel.of is not None else sc.you or player_code(f"v[{ACTIVE}]")
    records = [r for r in model.records.values() if is_a(model, r.kind, sel.head)]
    length = max(counter.most or 0, len(records)) + 2
    steps = tuple(
        tuple(next_step(records, i, seat if kind.each else 0) for i in range(length)) for seat in range(model.most)
    )
    at = counter_cell(sc.b, counter, "player", who.py, None)
    py = f"{sc.b.table(steps, 'STEPS')}[{who.py}][min(max(v[{at}], 0), {length - 1})]"
    return Code(py if who.sure else f"({py} if {who.py} >= 0 else -1)", thing(sel.head))


def next_step(records: list[Any], number_: int, seat: int) -> int:
    return records[number_].ids[seat] if number_ < len(records) else -1


def read_zone(sel: t.Sel, sc: Scope) -> Code | None:
    """A zone: `your Hand`, `the Deck`, `the Discard of player 1`."""
    model = sc.b.model
    zone = model.zones.get(sel.head) or zone_by_last_word(sel, sc)
    if zone is None or (kind_of_head(sc, sel.head) and sel.of is None):
        return None
    type_ = Type("zone", zone.name)
    if sel.place is not None:
        sc.fault(sel, "type", f"{zone.name} lies in no other place; choose what lies there first, then move it")
    if zone.of == "player":
        if isinstance(sel.of, t.Sel) and sel.of.quant in ("a", "an", "another", "each", "all", "each other"):
            of = everything(sel.of, sc)
        elif sel.of is not None:
            of = bind(sel.of, sc)
        elif sel.quant in ("", "the") and sc.you is not None:
            of = sc.you
        elif sel.quant in ("each", "all", "a", "every"):
            return Code(f"range({zone.base}, {zone.base}+v[0])", Type("zone", zone.name, True))
        else:
            sc.fault(sel, "type", f"whose {zone.name}?")
            of = player_code("0")
        of = player_of(sc, of)
        if of.type.kind != "player":
            sc.fault(sel, "type", f"{zone.name} belongs to a player, not to {words_of(of.type)}")
            return Code(str(zone.base), type_)
        if of.type.many:
            return Code(f"[{zone.base}+i for i in {of.py}]", Type("zone", zone.name, True))
        return Code(f"{zone.base}+{of.py}", type_)
    if zone.of:
        if sel.of is None:
            sc.fault(sel, "type", f"the {zone.name} of which {zone.of}?")
            return Code(str(zone.base), type_)
        of = one_thing(sel.of, sc, zone.of)
        lo, _ = span(model, zone.of)
        return Code(f"{zone.base - lo}+{of.py}", type_)
    return Code(str(zone.base), type_)


def zone_by_last_word(sel: t.Sel, sc: Scope) -> Any:
    """`its Deck`, `the Deck`: of the zones whose names end so, that of its kind, of the player, or of what was named last."""
    model = sc.b.model
    found = [z for z in model.zones.values() if z.name.split()[-1] == sel.head and z.name != sel.head]
    if not found or kind_of_head(sc, sel.head) or sel.head in model.counters:
        return None
    named: list[Code] = []
    if sel.of is not None:
        kept = len(sc.b.findings)
        named = [bind(sel.of, sc)]
        del sc.b.findings[kept:]
    else:
        named = [c for c in reversed(sc.named) if c.type.sort == "thing" and c.type.kind != "player"]
    for code in named:
        kind = model.kinds.get(code.type.kind)
        uses = (kind.deck, kind.discard, kind.hand, kind.taken, kind.supply) if kind is not None else ()
        for zone in found:
            if zone.name in uses or code.type.kind == "player" and zone.of == "player":
                return zone
    return found[0] if len(found) == 1 else None


def read_record(sel: t.Sel, sc: Scope) -> Code | None:
    """A thing by its name; `the right Gate of player 2` for things of seats."""
    model = sc.b.model
    found = [r for r in model.records.values() if r.name == sel.head and r.ids]
    if not found or kind_of_head(sc, sel.head):
        return None
    record = found[0]
    kind = record.kind
    if model.kinds[kind].each == "player":
        if sel.of is not None:
            of = (
                one_thing(sel.of, sc, "player")
                if not isinstance(sel.of, t.Sel) or sel.of.quant not in ("each", "all")
                else bind(sel.of, sc)
            )
        elif sel.quant in ("each", "all"):
            of = Code("range(v[0])", thing("player", True))
        elif sc.you is not None:
            of = sc.you
        else:
            of = player_code("0")
        per = len(record.ids) // model.most
        if of.type.many:
            return Code(f"[{record.ids[0]}+{per}*i for i in {of.py}]", thing(kind, True))
        py = f"{record.ids[0]}+{of.py}" if per == 1 else f"{record.ids[0]}+{per}*{of.py}"
        return where_said(Code(py, thing(kind), sure=True), sel, sc)
    if len(record.ids) > 1 and (
        sel.plural
        or sel.quant in ("each", "all", "exactly", "a", "any number of", "up to", "another", "")
        or (sel.quant == "the" and (sel.place is not None or sel.of is not None or sel.filters or sel.adjs))
    ):
        return several(sel, sc, record)
    return where_said(Code(str(record.ids[0]), thing(kind), sure=True), sel, sc)


def where_said(code: Code, sel: t.Sel, sc: Scope) -> Code:
    """A thing by its name, if it lies where the noun says; else nothing."""
    if sel.place is None:
        return code
    from interpreter.select import bind_place, zones_of

    where = zones_of(bind_place(sel.place.where, sc), sc)
    if where is None:
        return code
    test = f"v[{sc.b.model.loc}+{code.py}] {'==' if where[0] else 'in'} {where[1]}"
    return Code(f"({code.py} if {test} else -1)", code.type)


def read_place(sel: t.Sel, sc: Scope) -> Code | None:
    """`the Tower of that Guard`: the thing of a kind that another lies on."""
    model = sc.b.model
    kind = model.kinds.get(sel.head)
    if kind is None or sel.of is None or sel.place is not None or not sel.of_form:
        return None
    kept = len(sc.b.findings)
    of = bind(sel.of, sc)
    if of.type.sort == "thing" and of.type.kind == "player" and not own_kind(sc, kind.name):
        of = lies_on(sc, of, kind.name) or of
    if of.type.sort != "thing" or of.type.kind == "player":
        del sc.b.findings[kept:]
        return None
    holders = [k for k in model.kinds.values() if may_be(model, k.name, sel.head) and any(may_be(model, of.type.kind, h) for h in k.holds)]
    if not holders or field_of(model, of.type.kind, sel.head) is not None:
        del sc.b.findings[kept:]
        return None
    if of.type.many:
        return Code(f"[PLACE[v[{model.loc}+i]] for i in {of.py}]", thing(sel.head, True))
    at = f"v[{model.loc}+{of.py}]"
    py = f"PLACE[{at}]" if of.sure else f"(PLACE[{at}] if {of.py} >= 0 else -1)"
    if sel.filters or sel.adjs:
        return filtered(f"({py},)", sel.head, sel, sc)
    return Code(py, thing(sel.head))


def several(sel: t.Sel, sc: Scope, record: Any) -> Code:
    """A record with copies named: those of its things that the filters leave."""
    kind = record.kind
    like = t.Sel(
        kind,
        sel.quant,
        sel.count,
        sel.adjs,
        sel.of,
        sel.of_form,
        sel.place,
        sel.filters,
        sel.trail,
        sel.at_random,
        sel.rounding,
        sel.plural,
        at=sel.at,
    )
    p = pick(like, sc)
    p.conds.append(f"{record.ids[0]} <= {p.var} <= {record.ids[-1]}")
    if sel.plural or sel.quant in ("each", "all"):
        return Code(as_list(p), thing(kind, True), hidden=p.hidden)
    return Code(as_one(p), thing(kind), hidden=p.hidden)


READERS: tuple[Callable[[t.Sel, Scope], Code | None], ...] = (
    read_core,
    read_title,
    read_next,
    read_each,
    read_counter,
    read_field,
    read_zone,
    read_record,
    read_place,
)


def of_kind(sel: t.Sel, sc: Scope) -> Code:
    """`each Relic on the Map` (several), `the Line of it`, `your Leader` (one)."""
    p = pick(sel, sc)
    many = sel.plural or sel.quant in ("each", "all", "each other", "all other", "any number of", "up to", "at least")
    if sel.quant == "exactly" or p.total:
        many = True
    if many:
        return Code(as_list(p), thing(p.kind, True), hidden=p.hidden, reads=frozenset(p.reads))
    return Code(as_one(p), thing(p.kind), hidden=p.hidden, reads=frozenset(p.reads))


BINDERS: dict[type, Callable[[Any, Scope], Code]] = {
    t.Num: bind_num,
    t.Arith: bind_arith,
    t.Twice: bind_twice,
    t.Half: bind_half,
    t.Count: bind_count,
    t.Total: bind_total,
    t.Choice: bind_choice,
    t.Per: bind_per,
    t.Value: bind_value,
    t.Local: bind_local,
    t.Ref: bind_ref,
    t.PlayerN: bind_player,
    t.Sel: bind_sel,
    t.Join: bind_join,
    t.Equal: bind_equal,
    t.Short: bind_short,
}
_ = (as_sum, kind_test, ZONE)
