"""fields: what a kind declares of its things, read from one thing or several.

In: a selection that names a field. Out: Code, or None when it names none.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter import tree as t
from interpreter.amounts.numbers import bind, words_of
from interpreter.bound import NUMBER, Code, ident_of, thing
from interpreter.facts import EMPTY, field_py, kind_of_head, padded
from interpreter.figures import has_field
from interpreter.number import span
from interpreter.picked import as_list, as_one
from interpreter.scope import Scope, field_of, is_a, may_be


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
    if not whose.sure and not padded(f, sc):
        py = f"({py} if {whose.py} >= 0 else {EMPTY.get(f.type, '0')})"
    if f.type in ("number", "flag"):
        base = f"{f.cell}+{whose.py}" if f.settable else ""
        if name in sc.b.modified and not sel_raw(sc):
            py = f"changed_{ident_of(name)}(s, {whose.py}, {py}, {reader(sc)})"
        tops = None if f.settable or not f.table else max(f.table, default=0)
        return Code(py, NUMBER, base=base, most=tops)
    if f.type == "list":
        if (kind_of_head(sc, sel.head) and sel.adjs) or sel.filters:
            return filtered(py, f.kind, sel, sc)
        return Code(py, thing(f.kind, True), sure=True)
    printed = whose.sure and not f.settable and bool(f.table) and min(f.table) >= 0
    base = f"{f.cell}+{whose.py}" if f.settable else ""
    return Code(py, thing(f.kind), base=base, sure=printed)


def field_holder(sel: t.Sel, sc: Scope) -> Code | None:
    """The one thing of which `the Might at your Tower` names a number."""
    from interpreter.select import bind_place

    assert sel.place is not None
    model = sc.b.model
    if not any(
        f.name == sel.head and f.type in ("number", "amount") for k in model.kinds.values() for f in k.fields.values()
    ):
        return None
    whose = bind_place(sel.place.where, sc)
    f = field_of(model, whose.type.kind, sel.head) if whose.type.sort == "thing" and not whose.type.many else None
    return whose if f is not None and f.type in ("number", "amount") else None


def sel_raw(sc: Scope) -> bool:
    return "printed value" in sc.locals


def filtered(py: str, kind: str, sel: t.Sel, sc: Scope) -> Code:
    """A list of things narrowed by the selection's own adjectives and filters."""
    from interpreter.bound import Pick
    from interpreter.filters import FILTERS, adjectives

    var = sc.loop_var()
    p = Pick([(var, py)], [], var, kind)
    adjectives(sel, sc, p)
    inner = sc.inner(itself=Code(var, thing(kind), sure=True), pure=True)
    for one in sel.filters:
        FILTERS[type(one)](one, inner, p)
    if not sel.plural and sel.quant == "the" and (p.ordered or p.best):
        return Code(as_one(p), thing(kind))  # the first empty Tower of it
    return Code(as_list(p), thing(kind, True))


def computed_table(f: Any, sc: Scope) -> str:
    return f"field_{ident_of(f.name)}"


def computed(f: Any, whose: Code, sc: Scope) -> Code:
    """An amount field: its text, compiled once for each record, reached by a table over things."""
    py = f"{computed_table(f, sc)}(s, {reader(sc)}, {whose.py})"
    if f.name in sc.b.modified and not sel_raw(sc):
        py = f"changed_{ident_of(f.name)}(s, {whose.py}, {py}, {reader(sc)})"
    return Code(py, NUMBER)


def reader(sc: Scope) -> str:
    """The player for whom a value is read (a price may differ by player)."""
    return sc.you.py if sc.you is not None and sc.you.type.kind == "player" else "v[1]"


def read_each(sel: t.Sel, sc: Scope) -> Code | None:
    """A field with a number for each thing of a kind: `the Icons of that Sign on it`, `Moon on your Charms`."""
    model = sc.b.model
    fields_ = [f for k in model.kinds.values() for f in k.fields.values() if f.type == "each"]
    named = [f for f in fields_ if f.name == sel.head]
    if named:
        if sel.of is None:
            return None
        if (
            isinstance(sel.of, t.Sel) and sel.place is None
        ):  # `the Marks of Sun on it`: the Marks are on it, not the Sun
            sel = replace(sel, of=replace(sel.of, place=None), place=sel.of.place)
        assert sel.of is not None
        index = bind(sel.of, sc)
        if (
            index.type.sort != "thing"
            or index.type.many
            or not any(may_be(model, index.type.kind, f.kind) for f in named)
        ):
            keys = " or ".join(sorted({f.kind for f in named}))
            sc.fault(sel, "type", f"{sel.head} says a number for each {keys}, not for {words_of(index.type)}")
            return Code("0", NUMBER)
    else:
        record = next((r for r in sc.b.called[sel.head] if len(r.ids) == 1), None)
        if record is None or (sel.place is None and sc.itself is None):
            return None
        named = [f for f in fields_ if is_a(model, record.kind, f.kind)]
        index = Code(str(record.ids[0]), thing(record.kind), sure=True)
    holder = holder_of_numbers(sel, sc) if named else None
    if holder is None:
        return None
    found = {f.name: code for f in named if (code := each_value(f.name, index, holder, sc)) is not None}
    if len(found) > 1:
        sc.fault(
            sel, "type", f"{sel.head} could be of {' or '.join(found)}; write `the {next(iter(found))} of {sel.head}`"
        )
    return next(iter(found.values()), None)


def holder_of_numbers(sel: t.Sel, sc: Scope) -> Code | None:
    """What has a number for each thing of a kind: what lies where the noun says, else what a filter speaks of."""
    if sel.place is None:
        holder = sc.itself
    else:
        from interpreter.select import bind_place

        holder = bind_place(sel.place.where, sc)
    if holder is not None and holder.type.sort == "zone":
        zone = sc.b.model.zones.get(holder.type.kind)
        inside = next(iter(zone.holds), "thing") if zone is not None else "thing"
        holder = Code(f"z[{holder.py}]", thing(inside, True))
    return holder if holder is not None and holder.type.sort == "thing" else None


def each_value(name: str, index: Code, holder: Code, sc: Scope) -> Code | None:
    """The number under an index of an `each` field on one thing, or the sum over several."""
    model = sc.b.model
    fields_ = {
        id(f): (k, f)
        for k in model.kinds.values()
        for f in k.fields.values()
        if f.type == "each" and f.name == name and may_be(model, holder.type.kind, k.name)
    }
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
