"""places: zones, records by their names, and the things that others lie on.

In: a selection. Out: Code, or None when it is not of this sort.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter import tree as t
from interpreter.amounts.fields import filtered
from interpreter.amounts.numbers import bind, one_thing, words_of
from interpreter.bound import Code, Type, thing
from interpreter.facts import field_py, kind_of_head
from interpreter.figures import is_player, lies_on, own_kind, player_of
from interpreter.model import ACTIVE
from interpreter.number import span
from interpreter.picked import as_list, as_one
from interpreter.scope import Scope, counter_cell, field_of, is_a, may_be, player_code
from interpreter.select import everything, pick


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
    if sel.filters or any(word in model.states for word in sel.adjs):
        what = (sel.filters or (sel,))[0]
        sc.fault(what, "type", f"{zone.name} is only a place; say this of what lies there")
    if zone.of == "player":
        if isinstance(sel.of, t.Sel) and sel.of.quant in ("a", "an", "another", "each", "all", "each other"):
            of = everything(sel.of, sc)
        elif sel.of is not None:
            of = bind(sel.of, sc)
        elif sel.quant == "" and sel.plural:
            return Code(f"range({zone.base}, {zone.base}+v[0])", Type("zone", zone.name, True))
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
            if zone.name in uses or (code.type.kind == "player" and zone.of == "player"):
                return zone
    return found[0] if len(found) == 1 else None


def read_record(sel: t.Sel, sc: Scope) -> Code | None:
    """A thing by its name; `the right Gate of player 2` for things of seats."""
    model = sc.b.model
    found = [r for r in sc.b.called[sel.head] if r.ids]
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
    from interpreter.facts import held_at, zones_of
    from interpreter.select import bind_place

    there = bind_place(sel.place.where, sc)
    where = zones_of(there, sc)
    if where is None:
        return code
    holds = held_at(sc, there)
    if holds and not any(may_be(sc.b.model, code.type.kind, h) for h in holds):
        sc.fault(sel, "type", f"a {code.type.kind} lies in no {there.type.kind}")
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
    if is_player(of) and not own_kind(sc, kind.name) and sel.of_form != "yours" and "Owner" not in kind.fields:
        of = lies_on(sc, of, kind.name) or of
    if of.type.sort != "thing" or of.type.kind == "player":
        del sc.b.findings[kept:]
        return None
    holders = [
        k
        for k in model.kinds.values()
        if may_be(model, k.name, sel.head) and any(may_be(model, of.type.kind, h) for h in k.holds)
    ]
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
    like = replace(sel, head=kind)
    p = pick(like, sc)
    p.conds.append(f"{record.ids[0]} <= {p.var} <= {record.ids[-1]}")
    if sel.plural or sel.quant in ("each", "all"):
        return Code(as_list(p), thing(kind, True), hidden=p.hidden)
    return Code(as_one(p), thing(kind), hidden=p.hidden)
