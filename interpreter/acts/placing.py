"""placing: place, remove, discard, swap, flip.

In: an Act with its roles. Out: code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from interpreter import tree as t
from interpreter.acts.amounts_of import Roles, amount_of, change, holder_of, source_of, things_not_counters
from interpreter.acts.events import announce
from interpreter.acts.giving import hand_zone
from interpreter.acts.moving import move_to, place_code, zone_for
from interpreter.amounts import bind, number
from interpreter.bound import (
    NUMBER,
    Assign,
    Branch,
    Code,
    Each,
    Run,
    Type,
    thing,
)
from interpreter.facts import kind_of_head
from interpreter.model import ACTIVE
from interpreter.scope import Scope, field_of, is_a, player_code
from interpreter.statements import (
    collect,
    each_of,
    is_choice,
    speaks_of,
    target,
)


def place(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    """Counters on a thing, or things in or on a place; an indefinite piece without a place comes from the supply."""
    what = roles["what"]
    who = subject if subject is not None and subject.type.kind == "player" else sc.you or player_code(f"v[{ACTIVE}]")
    prep = next((p for p in ("on", "in", "at", "under", "above", "beside", "into", "to") if p in roles), "")
    if not things_not_counters(what, sc):
        bearer = target(roles[prep], sc, who, "Place on") if prep else who
        for name, amount, sel, _ in amount_of(node, what, sc):
            own = sel if isinstance(sel, t.Sel) and sel.of is not None else None
            change(sc, node, name, bearer, amount, 1, own, "gain")
        return
    if (
        prep
        and speaks_of(roles[prep])
        and isinstance(what, t.Sel)
        and not is_choice(what, sc)
        and not from_supply(what, sc)
        and what.quant not in ("top", "bottom")
    ):
        sc.name(bind(what, sc.inner(pure=True)))  # `place each Charm under its Deck`
    to: Code | None = None
    if prep:
        to = (
            place_code(roles[prep], sc, who, Code("-1", thing("thing")))
            if not plural_place(roles[prep], sc)
            else bind(roles[prep], sc)
        )
    parts = what.parts if isinstance(what, t.Join) and what.op == "and" else (what,)
    for part in parts:

        def at(one_place: Code | None, inner: Scope, part: Any = part) -> None:
            if from_supply(part, inner):
                things = supplied(part, inner, who)
            else:
                things = target(
                    part, inner.inner(anywhere=whole(part), named=inner.named, chosen=inner.chosen), who, "Place"
                )

            def put(one: Code, deep: Scope) -> None:
                zone = (
                    hand_zone(deep, one, subject or who, node)
                    if one_place is None
                    else under_zone(deep, one_place, prep, node)
                )
                move_to(deep, node, one, zone, "place", under=prep == "under")

            each_of(things, inner, put)

        if to is None:
            at(None, sc)
        else:
            each_of(to, sc, at) if to.type.sort == "thing" else (
                at(to, sc) if not to.type.many else each_zone(to, sc, at)
            )


def whole(sel: Any) -> bool:
    """`each Charm`, `all Charms of that Tower`, without a place: wherever they are, also out of the game."""
    return (
        isinstance(sel, t.Sel)
        and sel.place is None
        and not sel.trail
        and (sel.quant in ("each", "all", "the") or sel.plural)
        and sel.count is None
    )


def each_zone(to: Code, sc: Scope, body: Callable[[Code, Scope], None]) -> None:
    var = sc.fresh(NUMBER)
    from interpreter.bound import ZONE

    one = Code(var, Type("zone", to.type.kind) if to.type.kind else ZONE)
    sc.out.append(
        Each(
            var,
            f"tuple({to.py})",
            collect(sc, lambda inner: body(one, inner)),
            items=sc.fresh(Type("number", "", True)),
            index=sc.fresh(NUMBER),
        )
    )


def plural_place(node: Any, sc: Scope) -> bool:
    return isinstance(node, t.Sel) and node.quant in ("each", "all")


def under_zone(sc: Scope, code: Code, prep: str, node: Any) -> str:
    return zone_for(code, sc, node)


def from_supply(sel: Any, sc: Scope) -> bool:
    """An indefinite piece of a kind whose spare pieces lie out of the game, or in the supply of the kind."""
    return (
        isinstance(sel, t.Sel)
        and (kind_of_head(sc, sel.head) is not None or (bool(sel.quant) and copied(sel.head, sc) is not None))
        and sel.place is None
        and sel.trail != "chosen"
        and sel.quant in ("a", "exactly", "another", "")
        and not sel.filters
        and kind_of_head(sc, sel.head) not in ("player", "card")
    )


def copied(name: str, sc: Scope) -> Any:
    """The record of this name whose copies lie in the supply of their kind, or whose pieces lie out of the game."""
    model = sc.b.model
    found = next((r for r in model.records.values() if r.name == name and len(r.ids) > 1), None)
    kind = model.kinds[found.kind] if found is not None else None
    return found if kind is not None else None


def supplied(sel: t.Sel, sc: Scope, who: Code) -> Code:
    """Pieces from the supply, as many as there are."""
    model = sc.b.model
    kind = kind_of_head(sc, sel.head)
    if kind is None:
        record = copied(sel.head, sc)
        kind, lo, hi = record.kind, record.ids[0], record.ids[-1] + 1
    else:
        lo, hi = model.kinds[kind].lo, model.kinds[kind].hi
    supply = model.zones.get(model.kinds[kind].supply)
    conds = f"v[{model.loc}+i] == {supply.base}" if supply is not None else f"v[{model.loc}+i] < 0"
    if sel.of is not None:
        conds += f" and v[{model.own}+i] == {bind(sel.of, sc).py}"
    elif model.kinds[kind].owned:
        conds += f" and v[{model.own}+i] == {who.py}"
    count = number(sel.count, sc).py if sel.count is not None else "1"
    var = sc.fresh(thing(kind, True))
    spare = f"[i for i in range({lo}, {hi}) if {conds}]"
    if supply is None and model.kinds[kind].card:  # named copies of a card: the others, wherever they are
        spare = f"[*{spare}, *[i for i in range({lo}, {hi}) if v[{model.loc}+i] >= 0]]"
    sc.out.append(Assign(var, f"tuple({spare}[:max(0, {count})])"))
    code = Code(var, thing(kind, True))
    if count == "1":
        single = sc.fresh(thing(kind))
        sc.out.append(Assign(single, f"one({var})"))
        code = Code(single, thing(kind))
    sc.name(code)
    return code


def remove(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    what = roles["what"]
    if not things_not_counters(what, sc):
        for name, amount, sel, whole in amount_of(node, what, sc):
            holder = (
                source_of(roles["from"], what, sc, subject) if "from" in roles else holder_of(sel, sc, subject, node)
            )
            change(sc, node, name, holder, "v[k]" if whole else amount, -1, sel)
        return
    who = subject if subject is not None and subject.type.kind == "player" else sc.you or player_code(f"v[{ACTIVE}]")
    if (
        "from" in roles
        and isinstance(what, t.Sel)
        and what.place is None
        and isinstance(roles["from"], t.Sel)
        and roles["from"].head != "game"
    ):
        what = replace(what, place=t.Place("on", roles["from"], at=node.at))
    things = target(what, sc, who, "Remove")
    each_of(things, sc, lambda one, inner: move_to(inner, node, one, out_of_game(inner, one), "remove"))


def out_of_game(sc: Scope, one: Code) -> str:
    """Where a removed thing goes: a card is gone, a piece returns to the supply."""
    model = sc.b.model
    box = tuple(model.tables["removed"] if model.kinds[k].card else -1 for k in model.kind_of)
    return f"{sc.b.table(box, 'BOX')}[{one.py}]"


def discard(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    """To the discard zone of the kind (of the owner of the card where each player has one), else out of the game."""
    what = roles["what"]
    who = subject if subject is not None and subject.type.kind == "player" else sc.you or player_code(f"v[{ACTIVE}]")
    things = target(what, sc, who, "Discard")
    each_of(things, sc, lambda one, inner: move_to(inner, node, one, discard_zone(inner, one, who), "discard"))


def discard_zone(sc: Scope, one: Code, who: Code) -> str:
    model = sc.b.model
    kind = model.kinds.get(one.type.kind)
    if kind is None or not any(
        k.discard
        for k in model.kinds.values()
        if is_a(model, k.name, one.type.kind) or is_a(model, one.type.kind, k.name)
    ):
        if kind is None and any(k.discard for k in model.kinds.values()):
            return f"discard_of(s, {one.py}, {who.py})"
        return "-1"
    if not kind.discard:
        return f"discard_of(s, {one.py}, {who.py})"
    zone = model.zones.get(kind.discard)
    if zone is None:
        return "-1"
    return f"{zone.base}+keeper(s, {one.py}, {who.py})" if zone.of == "player" else str(zone.base)


def swap(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    who = subject or sc.you or player_code("v[1]")
    if swap_values(roles, sc, who):
        return
    first, second = target(roles["what"], sc, who, "Swap"), target(roles["with"], sc, who, "Swap with")
    here, there = sc.fresh(NUMBER), sc.fresh(NUMBER)
    loc = sc.b.model.loc
    both = sc.inner(out=[])
    both.out += [Assign(here, f"v[{loc}+{first.py}]"), Assign(there, f"v[{loc}+{second.py}]")]
    move_to(both, node, Code(first.py, first.type, sure=True), there, "move")
    move_to(both, node, Code(second.py, second.type, sure=True), here, "move")
    sc.out.append(Branch(f"{first.py} >= 0 and {second.py} >= 0", both.out))


def swap_values(roles: Roles, sc: Scope, who: Code) -> bool:
    """`swap your Mark with the Mark of another player`: fields that texts set change their values."""
    ends: list[Code] = []
    if not all(is_settable(roles[role], sc) for role in ("what", "with")):
        return False
    for role in ("what", "with"):
        sel = roles[role]
        deep = sc.inner(locals={**sc.locals, "printed value": who})
        if is_choice(sel.of, sc):
            deep.locals["the one chosen"] = target(sel.of, sc, who)
            sel = replace(sel, of=t.Local("the one chosen", at=sel.at), of_form="of")
        ends.append(bind(sel, deep))
    first, second = ends
    sc.out.append(Run([f"k = v[{first.base}]", f"v[{first.base}] = v[{second.base}]", f"v[{second.base}] = k"]))
    return True


def is_settable(sel: Any, sc: Scope) -> bool:
    """Whether a noun is a field, of one thing, that texts may set."""
    if not isinstance(sel, t.Sel) or sel.of is None or sel.place is not None:
        return False
    kept = len(sc.b.findings)
    of = bind(sel.of, sc.inner(pure=True))
    del sc.b.findings[kept:]
    f = field_of(sc.b.model, of.type.kind, sel.head) if of.type.sort == "thing" else None
    return f is not None and f.settable


def flip(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    states = sc.b.model.states.get("face-down")
    things = target(roles["what"], sc, subject or sc.you or player_code("v[1]"), "Flip")
    if not states:
        sc.fault(node, "type", "nothing of this game has a face: declare the state face-down")
        return
    cell = states[0].cell
    down = roles.get("face", "down") == "down"
    model = sc.b.model

    def once(one: Code, inner: Scope) -> None:
        key = "become:face-down" if down else "become:face-up"
        calls, fires = announce(inner, key, inner.you.py if inner.you else f"v[{ACTIVE}]", one.py)
        lines = [f"v[{cell}+{one.py}] = {int(down)}"]
        if not down:
            lines.append(f"if v[{model.loc}+{one.py}] >= 0: know(s, (1 << v[0]) - 1, {one.py})")
        lines += [f"if s.lg is not None: s.lg.append(('flip', {one.py}, {int(down)}))", *calls]
        turned = ["    " + line for line in lines]
        inner.out.append(Run([f"if v[{cell}+{one.py}] != {int(down)}:", *turned], fires))

    each_of(things, sc, once)
