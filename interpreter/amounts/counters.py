"""counters: numbers that lie on players, things and the game.

In: a selection that names a counter. Out: Code, or None when it names none.
"""

from __future__ import annotations

from typing import Any

from interpreter import tree as t
from interpreter.amounts.fields import reader, sel_raw
from interpreter.amounts.numbers import bind, common_kind, words_of
from interpreter.bound import NUMBER, Code, ident_of, thing
from interpreter.figures import bears
from interpreter.number import span
from interpreter.scope import Scope, counter_cell, field_of, is_a, may_be


def read_counter(sel: t.Sel, sc: Scope) -> Code | None:
    """A counter: `your Coins`, `Coins of yours on that Tower`, `the Ash on it`, `Might`."""
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
    if (
        holder.type.sort == "thing"
        and field_of(model, holder.type.kind, name) is not None
        and not any(may_be(model, holder.type.kind, h) for h in counter.on)
    ):
        return None
    return counter_read(name, holder, member, sel, sc)


def member_counter(sel: t.Sel, sc: Scope) -> tuple[str, str] | None:
    """A list's member used as a counter (`Moon on your assigned Charms`): the counter indexed by its kind."""
    model = sc.b.model
    for record in sc.b.called[sel.head]:
        if len(record.ids) == 1:
            for counter in model.counters.values():
                if (
                    record.kind in counter.each.values()
                    and (sel.place is not None or sel.of is not None or sc.itself is not None or sel.count is not None)
                    and "player" not in counter.each.values()
                ):
                    return counter.name, str(record.ids[0])
    return None


def counter_read(name: str, holder: Code, member: str | None, node: Any, sc: Scope) -> Code | None:
    """How much of a counter a holder has: one, several added up, or all that lies in a zone. member: of which of those that
    it is counted apart for. None where nothing of that sort has it."""
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
        from interpreter.facts import spaces_py

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
        return Code(f"sum([{value} for i in {holder.py}])", NUMBER)
    return Code(
        value,
        NUMBER,
        base="" if indexed and member is None else (cell or ""),
        most=counter.most,
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
