"""secrets: in, `All players secretly choose …`; out, one question to all of them, answered at once."""

from __future__ import annotations

from interpreter import tree as t
from interpreter.amounts import bind, number
from interpreter.bound import NUMBER, Code, Run, Secret, Type, thing
from interpreter.scope import Scope, counter_cell, player_code
from interpreter.statements import candidates, where, words


def secret_choice(node: t.Act, sc: Scope) -> None:
    """`All players secretly choose …`: answered at once, known to nobody before all have answered."""
    who = bind(node.subject, sc) if node.subject is not None else (sc.you or player_code("v[1]"))
    roles = dict(node.roles)
    seat = sc.fresh(thing("player"))
    one = player_code(seat)
    inner = sc.inner(you=one)
    inner.name(one)
    if "low" in roles:
        low, high = number(roles["low"], inner), number(roles["high"], inner)
        most = roles["most"].value if "most" in roles else high.most
        if most is None:
            sc.fault(
                roles["high"],
                "unbounded-choice",
                "the number chosen has no static maximum; say `at most 99`, or give the counter a `most`",
            )
            most = 1
        most = sc.widest(roles["high"], most)
        lines = [f"o = [NB+i for i in range(max(0, {low.py}), min({most}, {high.py}) + 1)]"]
        got = sc.fresh(Type("number", "", True))
        sc.out.append(Secret(got, players_py(who), seat, lines, words(sc, node), where(sc, node)))
        name = roles.get("name")
        if isinstance(name, str):
            sc.locals[name] = Code(got, NUMBER)
        what = roles.get("what")
        if isinstance(what, t.Sel) and what.head in sc.b.model.counters:
            counter = sc.b.model.counters[what.head]
            cell = counter_cell(sc.b, counter, "player", "i", None)
            sc.out.append(Run([f"for i in {players_py(who)}: v[{cell}] = {got}[i] - NB"]))
        return
    sel = roles["what"]
    options, kind, _, _ = candidates(sel, inner)
    got = sc.fresh(thing(kind, True))
    sc.out.append(
        Secret(got, players_py(who), seat, [f"o = alike(s, {seat}, list({options}))"], words(sc, node), where(sc, node))
    )
    sc.chosen[kind] = Code(f"tuple([i for i in {got} if i >= 0])", thing(kind, True))
    sc.locals["by seat"] = Code(got, thing(kind, True))


def players_py(who: Code) -> str:
    return who.py if who.type.many else f"({who.py},)"
