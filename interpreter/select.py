"""select: in, a selection (a noun with determiners and filters); out, its Pick: what of all there is it can mean.

A Pick is loops and conditions over candidate things; what is done with them (choose, count, each) is the caller's.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter import tree as t
from interpreter.bound import Code, Pick, thing
from interpreter.facts import (
    faction_thing,
    field_py,
    held_at,
    kind_of_head,
    members_of,
    owner_py,
    seen_of,
    zones_of,
)
from interpreter.filters import FILTERS, adjectives
from interpreter.number import span
from interpreter.picked import as_list
from interpreter.remembered import thing_told
from interpreter.scope import (
    Scope,
    changed_as,
    field_of,
    is_a,
    kind_test,
    may_be,
    player_code,
    wide,
    zone_capable,
)


def pick(sel: t.Sel, sc: Scope) -> Pick:
    """The candidates of a selection whose head is a kind (or a core noun)."""
    model = sc.b.model
    kind = kind_of_head(sc, sel.head)
    assert kind is not None
    sel = of_what_lies_there(sel, sc)
    var = sc.loop_var()
    named, kind = kind, wide(model, kind)
    out = Pick([], [], var, kind)
    if kind == "player":
        order = sc.b.table(
            tuple(
                tuple(tuple((first + k) % n for k in range(n)) for first in range(n)) if n else ()
                for n in range(model.most + 1)
            ),
            "ORDER",
        )
        out.loops.append((var, f"{order}[v[0]][v[1]]"))
        if sel.head == "opponent" or sel.quant in ("another", "each other", "all other") or "other" in sel.adjs:
            if sc.you is not None:
                out.conds.append(f"{var} != {sc.you.py}")
        if sel.place is not None:
            players_at(sel.place, sc, out)
    elif sel.place is not None:
        placed(sel, sc, out)
    elif sel.of is not None:
        owned(sel, sc, out)
    else:
        everywhere(sel, sc, out)
    if named != kind:
        out.conds.append(kind_test(model, named, var, kind))
    if named in model.tables.get("weighed", ()):
        lo, hi = span(model, named)
        out.weight = f"{changed_as(named)}(s, {var}, {lo} <= {var} < {hi}, -1)"
    if " this " in sel.trail:
        out.conds.append(thing_told(sel, var, sc))
    adjectives(sel, sc, out)
    itself = Code(var, thing(kind), sure=True)
    inner = sc.inner(itself=itself, pure=True)
    if sel.place is not None and sel.of is not None and kind != "player":
        possess(sel, sc, out)
    for one in sel.filters:
        FILTERS[type(one)](one, inner, out)
        out.filtered = True
    if sel.quant == "another" and sc.this is not None and not may_be(model, sc.this.type.kind, kind):
        from interpreter.amounts import place_of_this

        here = place_of_this(kind, sc)
        if here is not None:
            out.conds.append(f"{var} != {here.py}")
    if (sel.quant in ("another", "each other", "all other") or "other" in sel.adjs) and kind != "player":
        last = (
            next((c for c in reversed(sc.named) if not c.type.many and may_be(model, c.type.kind, kind)), None)
            or your_figure(kind, sc)
            or sc.this
        )
        if last is not None:
            out.conds.append(f"{var} != {last.py}")
    return out


def of_what_lies_there(sel: t.Sel, sc: Scope) -> t.Sel:
    """`Charms in Hands with Cost at most 2`: a zone has nothing to filter by, so what follows it speaks of the Charms."""
    where = sel.place.where if sel.place is not None else None
    if sel.place is None or not isinstance(where, t.Sel) or not where.filters or where.head not in sc.b.model.zones:
        return sel
    place = replace(sel.place, where=replace(where, filters=()))
    return replace(sel, place=place, filters=(*where.filters, *sel.filters))


def your_figure(kind: str, sc: Scope) -> Code | None:
    """`another Captain`, where each player has one: another than yours."""
    from interpreter.figures import figure

    return figure(sc, sc.you, lambda k: k == kind) if sc.you is not None else None


def everywhere(sel: t.Sel, sc: Scope, out: Pick) -> None:
    """A noun without a place: all things of the kind that are meant then. A card lies in the open, a piece on the board."""
    model = sc.b.model
    lo, hi = span(model, out.kind) if out.kind != "card" else (0, model.things)
    kinds = [model.kinds[k] for k in model.kinds if is_a(model, k, out.kind)]
    if out.kind in model.kinds and any(k.each == "player" for k in kinds):
        by_count = tuple(tuple(x for x in range(lo, hi) if model.seat_of[x] < n) for n in range(model.most + 1))
        out.loops.append((out.var, f"{sc.b.table(by_count, 'SEATED')}[v[0]]"))
        in_play(sc, out)
        return
    out.loops.append((out.var, f"range({lo}, {hi})"))
    if out.kind == "card":
        out.conds.append(kind_test(model, "card", out.var))
    card = (out.kind in model.kinds and model.kinds[out.kind].card) or out.kind == "card"
    if (
        card
        and not sc.anywhere
        and sel.quant not in ("each", "all", "the")
        and sel.of is None
        and not of_faction(sel, sc)
    ):
        out.conds.append(f"{sc.b.table(open_places(model), 'OPEN')}[v[{model.loc}+{out.var}]]")
    elif card:
        out.conds.append(f"v[{model.loc}+{out.var}] != {model.tables['removed']}")
    elif zone_capable(model, out.kind) and not sc.anywhere:
        out.conds.append(f"v[{model.loc}+{out.var}] >= 0")
        if any(z.seen != "all" and any(may_be(model, out.kind, h) for h in z.holds) for z in model.zones.values()):
            out.hidden = True


def open_places(model: Any) -> tuple[bool, ...]:
    """Zone → whether a card there is meant by `a Charm` without a place: not in decks, hands and the box."""
    seen = zip(model.zone_seen, model.zone_deck)
    return tuple(how == "all" and not deck and z != model.tables["removed"] for z, (how, deck) in enumerate(seen))


def of_faction(sel: t.Sel, sc: Scope) -> bool:
    """`Charms of that House`: those of its file, wherever they are."""
    head = sel.of.head if isinstance(sel.of, t.Sel) else ""
    return bool(head) and head == sc.b.model.faction_kind


def in_play(sc: Scope, out: Pick) -> None:
    """A piece in the supply is not meant by a noun without a place."""
    if zone_capable(sc.b.model, out.kind) and not sc.anywhere and not sc.b.model.kinds[out.kind].card:
        out.conds.append(f"v[{sc.b.model.loc}+{out.var}] >= 0")


def owned(sel: t.Sel, sc: Scope, out: Pick) -> None:
    """`Charms of yours`, `the Cells of that Line`, `the Slots of player 1`."""
    assert sel.of is not None
    model = sc.b.model
    whose = possessor(sel.of, sc)
    if whose.type.sort == "thing" and whose.type.kind == "player" and not whose.type.many:
        lo, hi = span(model, out.kind) if out.kind != "card" else (0, model.things)
        if out.kind in model.kinds and model.kinds[out.kind].each == "player":
            seats = tuple(tuple(x for x in range(lo, hi) if model.seat_of[x] == seat) for seat in range(model.most))
            out.loops.append((out.var, f"{sc.b.table(seats, 'OF')}[{whose.py}]"))
            in_play(sc, out)
            return
    if whose.type.sort == "thing" and not whose.type.many:
        f = field_of(model, whose.type.kind, sel.head)
        if f is not None and f.type == "list":
            py = field_py(sc, f, whose.py)
            out.loops.append((out.var, py if whose.sure else f"({py} if {whose.py} >= 0 else ())"))
            return
        through = listed_in(model, out.kind, whose.type.kind)
        if through is not None:
            out.loops.append((out.var, f"{sc.b.table(through, 'IN')}[{whose.py}]"))
            return
    everywhere(sel, sc, out)
    possess(sel, sc, out, whose)


def listed_in(model: Any, kind: str, member: str) -> tuple[tuple[int, ...], ...] | None:
    """`the Roads of that Tower`, where each Road lists its Towers: thing → those that list it; None where none does."""
    lists = [
        f
        for f in (model.kinds[kind].fields.values() if kind in model.kinds else ())
        if f.type == "list" and f.table and may_be(model, member, f.kind)
    ]
    if not lists:
        return None
    k = model.kinds[kind]
    out: list[list[int]] = [[] for _ in range(model.things + 1)]
    for f in lists:
        lo = model.tables.get(("field lo", id(f)), k.lo)
        for x in range(k.lo, k.hi):
            for y in dict.fromkeys(f.table[x - lo]):
                if y >= 0 and x not in out[y]:
                    out[y].append(x)
    return tuple(tuple(row) for row in out)


def possess(sel: t.Sel, sc: Scope, out: Pick, whose: Code | None = None) -> None:
    """The condition that what is picked is `of` somebody or something, whose: that, where it is bound already."""
    assert sel.of is not None
    whose = whose or possessor(sel.of, sc)
    model = sc.b.model
    if whose.type.sort != "thing":
        sc.fault(sel, "type", f"{sel.head} of what? A player or a thing is wanted after of")
        return
    test = "in" if whose.type.many else "=="
    if whose.type.kind == "player":
        held = field_of(model, out.kind, "Owner")
        owner = (
            field_py(sc, held, out.var)
            if held is not None and held.kind == "player"
            else owner_py(sc, out.kind, out.var)
        )
        out.conds.append(f"{owner} {test} {whose.py}")
        return
    if whose.type.kind == model.faction_kind and out.kind != model.faction_kind:
        table = tuple(faction_thing(model, x) for x in range(model.things))
        out.conds.append(f"{sc.b.table(table, 'FACTION')}[{out.var}] {test} {whose.py}")
        return
    for f in model.kinds[out.kind].fields.values() if out.kind in model.kinds else ():
        if f.type == "thing" and f.kind and may_be(model, whose.type.kind, f.kind):
            out.conds.append(f"{field_py(sc, f, out.var)} {test} {whose.py}")
            return
    where = zones_of(whose, sc)
    if where is None:
        if not through_place(whose, test, sc, out):
            sc.fault(sel, "type", f"no {whose.type.kind} has {sel.head}: it has no such field, and nothing lies on it")
        return
    single, py = where
    out.conds.append(f"v[{model.loc}+{out.var}] {'==' if single else 'in'} {py}")


def through_place(whose: Code, test: str, sc: Scope, out: Pick) -> bool:
    """`the Guards of that Shop`, where Guards stand on Towers and a Tower names its Shop."""
    model = sc.b.model
    for kind in model.kinds.values():
        if not any(may_be(model, h, out.kind) for h in kind.holds):
            continue
        for f in kind.fields.values():
            if f.type == "thing" and f.kind and may_be(model, whose.type.kind, f.kind):
                place = sc.loop_var()
                out.loops.append((place, f"(PLACE[v[{model.loc}+{out.var}]],)"))
                out.conds += [
                    f"{place} >= 0",
                    kind_test(model, kind.name, place),
                    f"{field_py(sc, f, place)} {test} {whose.py}",
                ]
                return True
    return False


def possessor(node: Any, sc: Scope) -> Code:
    """Who or what stands after `of`: one that is said, or all that an indefinite noun can be."""
    from interpreter.amounts import bind

    open_ = isinstance(node, t.Sel) and node.quant in ("a", "another") and kind_of_head(sc, node.head) is not None
    return everything(node, sc) if open_ else bind(node, sc)


def placed(sel: t.Sel, sc: Scope, out: Pick) -> None:
    """`on the Map`, `in your Hand`, `on it`: loops over what lies there."""

    assert sel.place is not None
    model = sc.b.model
    if sel.place.prep in ("under", "above", "beside"):
        sc.fault(sel.place, "type", f"{sel.place.prep} is a place for moving things, not a filter")
    where_tree = sel.place.where
    code = bind_place(where_tree, sc)
    where = zones_of(code, sc)
    if where is None:
        # a thing on a path: the spaces of a path are the path's members
        sc.fault(sel.place, "type", f"nothing lies {sel.place.prep} that")
        out.loops.append((out.var, "()"))
        return
    members = members_of(code, sc, out.kind)
    if members is not None:
        out.loops.append((out.var, members))
    else:
        single, py = where
        if single:
            out.loops.append((out.var, f"z[{py}]"))
        else:
            j = sc.loop_var()
            out.loops.append((j, py))
            out.loops.append((out.var, f"z[{j}]"))
    holds = held_at(sc, code)
    if not holds or not all(is_a(model, h, out.kind) for h in holds):
        test = kind_test(model, out.kind, out.var)
        if test:
            out.conds.append(test)
    out.hidden = out.hidden or code.hidden or seen_of(sc, code) != "all"


def players_at(place: t.Place, sc: Scope, out: Pick) -> None:
    """`players at that Tower`: those whose figure lies there."""
    from interpreter.figures import lies_on

    there = bind_place(place.where, sc)
    where = zones_of(there, sc)
    stands = lies_on(sc, player_code(out.var), there.type.kind if there.type.sort == "thing" else "thing")
    if where is None or stands is None:
        sc.fault(place, "type", "nothing that stands for a player lies there")
        return
    out.conds.append(f"v[{sc.b.model.loc}+{stands.py}] {'==' if where[0] else 'in'} {where[1]}")


def bind_place(where: Any, sc: Scope) -> Code:
    from interpreter.amounts import bind

    if isinstance(where, t.Sel) and where.quant in ("a", "another", "no") and kind_of_head(sc, where.head):
        return everything(where, sc)
    if isinstance(where, t.Join):
        return everything(where, sc)
    return bind(where, sc)


def lies_on(where: Any, sc: Scope, py: str) -> str:
    """Python that says whether a thing lies where a place filter says; "" where nothing can lie there."""
    model = sc.b.model
    if isinstance(where, t.Sel) and where.quant in ("a", "an") and kind_of_head(sc, where.head) in model.kinds:
        plain = not (where.adjs or where.filters or where.of is not None or where.place is not None)
        if (
            plain
            and wide(model, where.head) == where.head
            and any(k.holds for k in model.kinds.values() if is_a(model, k.name, where.head))
        ):
            kind = model.kinds[where.head]
            return f"{kind.lo} <= PLACE[v[{model.loc}+{py}]] < {kind.hi}"
    found = zones_of(bind_place(where, sc), sc)
    if found is None:
        return ""
    return f"v[{model.loc}+{py}] {'==' if found[0] else 'in'} {found[1]}"


def everything(sel: Any, sc: Scope) -> Code:
    """All candidates of a selection as a list."""
    from interpreter.amounts import bind

    if isinstance(sel, t.Join):
        parts = [everything(part, sc) for part in sel.parts]
        kind = parts[0].type.kind if len({p.type.kind for p in parts}) == 1 else "thing"
        return Code(
            "(" + " + ".join(f"[*{p.py}]" for p in parts) + ")", thing(kind, True), hidden=any(p.hidden for p in parts)
        )
    if isinstance(sel, t.Sel) and kind_of_head(sc, sel.head) and not special(sel):
        from interpreter.amounts import read_field, read_place

        for read in (read_field, read_place) if sel.of is not None and sel.place is None else ():
            code = read(sel, sc)
            if code is not None and code.type.many:
                return code
            if code is not None and code.type.sort == "thing":
                return Code(f"[i for i in ({code.py},) if i >= 0]", thing(code.type.kind, True), hidden=code.hidden)
        p = pick(sel, sc)
        return Code(as_list(p), thing(p.kind, True), hidden=p.hidden)
    code = bind(sel, sc)
    if code.type.many:
        return code
    return Code(f"[i for i in ({code.py},) if i >= 0]", thing(code.type.kind, True), hidden=code.hidden)


def special(sel: t.Sel) -> bool:
    """A selection that stands for something already known (that X, this X, X chosen)."""
    return sel.quant in ("that", "those", "this") or sel.trail == "chosen" or "chosen" in sel.adjs
