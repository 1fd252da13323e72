"""moving: move, along paths too, and the one mutation that takes a thing from place to place.

In: an Act with its roles. Out: code.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter import tree as t
from interpreter.acts.amounts_of import Roles, amount_of, change, holder_of, source_of, things_not_counters
from interpreter.acts.events import affected_of, announce, propose
from interpreter.acts.giving import hand_zone
from interpreter.amounts import bind, number, steps_table, words_of
from interpreter.bound import (
    NUMBER,
    ZONE,
    Ask,
    Assign,
    Branch,
    Code,
    Loop,
    Run,
    thing,
)
from interpreter.conditions import condition
from interpreter.facts import zones_of
from interpreter.figures import lies_on
from interpreter.model import ACTIVE
from interpreter.remembered import moved as moved_now
from interpreter.scope import Scope, kind_test, may_be, player_code
from interpreter.statements import (
    ask_one,
    choose,
    each_of,
    is_choice,
    target,
    where,
)


def move_to(sc: Scope, node: Any, one: Code, zone: str, verb: str, under: bool = False) -> None:
    """One thing to a zone (Python expression): log, announce leave, the verb, and enter; proposed where replaceable."""
    model = sc.b.model
    who = sc.you.py if sc.you else f"v[{ACTIVE}]"
    leaving, f1 = announce(sc, "leave", who, one.py, "f", "g")
    acted, f2 = announce(sc, verb, who, one.py, "f", "g")
    entering, f3 = announce(sc, "enter", who, one.py, "f", "g")
    lines = [f"f = v[{model.loc}+{one.py}]", f"g = {zone}"]
    told = [f"{var} = 1" for var in sc.results[-1:]] + [f"{var} += 1" for var, _ in sc.tallies[-1:]]
    told += moved_now(verb, who, one.py, sc.b)
    moved = f"mv(s, {one.py}, g, True)" if under else f"mv(s, {one.py}, g)"
    away = verb in ("discard", "remove")
    body = [
        *leaving,  # before it moves: whose text holds only where it lies still hears it
        *(acted if away else ()),
        moved,
        *new_owner(sc, one),
        *told,
        f"if s.lg is not None: s.lg.append(('move', {one.py}, f, g, v[{model.seen}+{one.py}]))",
        *(() if away else acted),
        *entering,
    ]
    lines.append("if f != g:")
    lines += ["    " + line for line in body]
    fires = f1 | f2 | f3
    keys = [k for k in ("leave", verb, "enter") if k in sc.b.replaced]
    if not keys:
        sc.out.append(Run(lines, fires))
        return
    goal = sc.fresh(NUMBER)
    sc.out.append(Assign(goal, zone))
    run = [line.replace(f"g = {zone}", f"g = {goal}") for line in lines]

    def chain(left: list[str], inner: Scope) -> None:
        if not left:
            inner.out.append(Run(run, fires))
            return
        propose(
            inner,
            left[0],
            [who, one.py, f"v[{model.loc}+{one.py}]", goal],
            affected_of(inner, one),
            lambda deep: chain(left[1:], deep),
        )

    chain(keys, sc)


def new_owner(sc: Scope, one: Code) -> list[str]:
    """A card with an owner of its own belongs to the player into whose place it comes."""
    model = sc.b.model
    kinds = [
        k for k in model.kinds.values() if k.owned and k.card and not k.each and may_be(model, k.name, one.type.kind)
    ]
    if not kinds:
        return []
    owner = sc.b.table(tuple(model.zone_owner), "PLAYERS")
    tests = [
        kind_test(model, k.name, one.py, one.type.kind) for k in kinds if not (k.parent and model.kinds[k.parent].owned)
    ]
    known = "" if "" in tests else f" and ({' or '.join(tests)})"
    return [f"if g >= 0 and {owner}[g] >= 0{known}: v[{model.own}+{one.py}] = {owner}[g]"]


def zone_for(code: Code, sc: Scope, node: Any) -> str:
    """One zone to put things in or on: a zone, or the place on a thing."""
    where_ = zones_of(code, sc)
    if where_ is None or not where_[0]:
        sc.fault(node, "type", f"{words_of(code.type)} is no one place to put things")
        return "-1"
    return where_[1]


def move(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    what = roles.get("what")
    who = subject if subject is not None and subject.type.kind == "player" else sc.you or player_code(f"v[{ACTIVE}]")
    if not {"to", "forward", "backward"} & set(roles):
        sc.fault(node, "type", "where to? Say to what it is moved, or how far along a path")
        return
    if what is not None and not things_not_counters(what, sc):
        move_counters(node, roles, sc, subject)
        return
    if what is None:
        things = subject or who
        there = bind(roles["to"], sc.inner(pure=True)) if "to" in roles and not is_choice(roles["to"], sc) else None
        things = (
            lies_on(sc, things, there.type.kind if there is not None and there.type.sort == "thing" else "thing")
            or things
        )
    else:
        if "from" in roles and isinstance(what, t.Sel) and what.place is None:
            what = replace(what, place=t.Place("in", roles["from"], at=node.at))
        things = target(what, sc, who, "Move")
    if "to" in roles:
        to = place_code(roles["to"], sc, who, things)
        each_of(things, sc, lambda one, inner: move_to(inner, node, one, zone_for(to, inner, roles["to"]), "move"))
        return
    each_of(things, sc, lambda one, inner: along_path(node, roles, inner, one, who))


def place_code(node: Any, sc: Scope, who: Code, things: Code) -> Code:
    if is_choice(node, sc):
        return choose(node, sc, who, "Choose")
    code = bind(node, sc)
    if code.type.kind == "player" and code.type.sort == "thing":
        return Code(hand_zone(sc, things, code, node), ZONE)
    if (code.type.sort == "zone" and not code.type.many) or code.py.startswith("x") or code.py.isdigit():
        return code
    var = sc.fresh(code.type)
    sc.out.append(Assign(var, code.py))
    return Code(var, code.type, sure=code.sure)


def along_path(node: t.Act, roles: Roles, sc: Scope, one: Code, who: Code) -> None:
    """Move forward or backward along a path: N spaces, up to N (each chosen), or until a condition."""
    model = sc.b.model
    step = "-1" if "backward" in roles else "1"
    paths = model.tables["path zones"]
    table = [-1] * model.things
    for x, zone in paths.items():
        table[x] = zone
    path_table = sc.b.table((*table, -1), "PATH")
    way = sc.fresh(thing("thing"))
    if "along" in roles:
        along = roles["along"]
        if isinstance(along, t.Join):
            options = [bind(part, sc) for part in along.parts]
            lines = [
                f"o = distinct([i for i in ({', '.join(o.py for o in options)},) if here_on(s, {one.py}, z[{path_table}[i]])])"
            ]
            sc.out.append(Ask(way, who.py, lines, "Choose a path", "thing", where(sc, node)))
        else:
            sc.out.append(Assign(way, bind(along, sc).py))
    else:
        sc.out.append(Assign(way, f"path_of(s, {one.py}, {who.py})"))
    inner = sc.inner(out=[], pure=False)
    steps = steps_table(sc, int(step == "-1"))
    nxt = (
        f"step_zone(s, {one.py}, {steps}[{way}])"
        if steps is not None
        else f"next_zone(s, {one.py}, z[{path_table}[{way}]], {step})"
    )
    if "until" in roles:
        limit = sc.fresh(NUMBER)
        inner.name(one)
        move_to(inner, node, one, nxt, "move")
        cond = condition(roles["until"], inner.inner(pure=True))
        sc.out.append(
            Branch(
                f"{way} >= 0",
                [
                    Assign(limit, f"len(z[{path_table}[{way}]])"),
                    Loop(
                        f"{limit} > 0",
                        [*inner.out, Assign(limit, f"{limit} - 1"), Branch(cond.py, [Assign(limit, "0")])],
                    ),
                ],
            )
        )
        return
    amount = roles.get("forward", roles.get("backward"))
    left = sc.fresh(NUMBER)
    upto = isinstance(amount, t.Sel) and amount.quant == "up to"
    count = amount.count if isinstance(amount, t.Sel) and amount.count is not None else amount
    value = (
        number(count, sc)
        if count is not None and not isinstance(count, (str, t.Sel))
        else (
            number(count, sc)
            if isinstance(count, t.Sel) and count.head in model.counters
            else Code("1", NUMBER, most=1)
        )
    )
    if upto:
        most = sc.widest(node, value.most if value.most is not None else 30)
        answer = ask_one(
            sc,
            node,
            who,
            [f"o = [NB+i for i in range(min({most}, {value.py}) + 1)]"],
            "Choose how far",
            "number",
            NUMBER,
        )
        sc.out.append(Assign(left, f"{answer} - NB"))
    else:
        sc.out.append(Assign(left, value.py))
    move_to(inner, node, one, nxt, "move")
    sc.out.append(Branch(f"{way} >= 0", [Loop(f"{left} > 0", [Assign(left, f"{left} - 1"), *inner.out])]))


def move_counters(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    """`Move amount Coins from you to target`, `move all Ash on it to that player`."""

    if "to" not in roles:
        sc.fault(roles["what"], "type", "a counter has no place on a path: say to what it is moved")
        return
    source = source_of(roles["from"], roles["what"], sc, subject) if "from" in roles else None
    to = target(roles["to"], sc, subject or player_code("v[1]"), "Move to")
    for name, amount, sel, whole in amount_of(node, roles["what"], sc):
        kept = sc.fresh(NUMBER)
        sc.out.append(Assign(kept, "0"))
        holder = source or holder_of(sel, sc, subject, node)
        total = sc.fresh(NUMBER)
        sc.out.append(Assign(total, "0"))

        def once(
            one: Code,
            inner: Scope,
            name: str = name,
            amount: str = amount,
            sel: Any = sel,
            whole: bool = whole,
            kept: str = kept,
            total: str = total,
        ) -> None:
            change(inner, node, name, one, "v[k]" if whole else amount, -1, sel, kept=kept)
            inner.out.append(Assign(total, f"{total} + {kept}"))

        each_of(holder, sc, once)
        change(sc, node, name, to, total, 1, sel if to.type.kind != "player" else None)
