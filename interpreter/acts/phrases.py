"""phrases: in, a phrase of content with what stands in its holes; out, the call of its routine, for each of several if need be."""

from __future__ import annotations

import re
from typing import Any

from interpreter import tree as t
from interpreter.acts.events import propose
from interpreter.acts.flow import DISTRIBUTED
from interpreter.amounts import argument, bind
from interpreter.bound import NUMBER, Assign, Call, Code, thing
from interpreter.model import ACTIVE
from interpreter.possible import barred
from interpreter.scope import Scope, player_code
from interpreter.statements import choose, each_of, is_choice, replaced, words

RESULT = re.compile(r"\b[Ii]f (?:you|they|it|that player) (?:do|does|did|cannot|could)\b")


def result_is_read(sc: Scope) -> bool:
    """Whether a text asks if something was done."""
    return bool(sc.source and RESULT.search(sc.source.text))


def several_of(value: Any, hole: Any, node: t.Act, sc: Scope, subject: Code | None) -> bool:
    """`recall each Guard on it`: a phrase about one thing is performed for each of several."""
    code = bind(value, sc)
    if code.type.sort != "thing" or not code.type.many:
        return False
    one_by_one(code, hole, node, sc, subject)
    return True


def one_by_one(code: Code, hole: Any, node: t.Act, sc: Scope, subject: Code | None) -> None:
    def once(one: Code, inner: Scope) -> None:
        inner.locals["each of them"] = one
        perform_phrase(replaced(node, hole.name, "each of them"), inner, subject)

    each_of(code, sc, once)


def asked(node: t.Act, part: Any, sc: Scope) -> str:
    """How a phrase asks for what its sentence leaves open: in all its words; where it leaves several open, also for which."""
    text = words(sc, node).rstrip(".;")
    which = f": {words(sc, part)}" if part is not None and part.at != (0, 0) else ""
    return f"{text[:1].upper()}{text[1:]}{which}"


def perform_phrase(node: t.Act, sc: Scope, subject: Code | None) -> None:
    """A phrase of content: holes are bound (chosen where the selection leaves a choice), then its routine is called."""
    head = sc.b.phrase_heads[node.verb]
    who = subject or sc.you or player_code(f"v[{ACTIVE}]")
    given = dict(node.roles)
    for hole in (p for p in head.parts if not isinstance(p, str)):
        value = given.get(hole.name)
        all_ = isinstance(value, t.Sel) and (value.quant in DISTRIBUTED or value.trail == "chosen")
        spoken = isinstance(value, (t.Ref, t.Local)) and hole.kind not in ("number", "condition")
        if not hole.plural and (all_ or spoken):
            if several_of(value, hole, node, sc, subject):
                return
    args = [who.py]
    named: list[Code] = []
    holes = [p for p in head.parts if not isinstance(p, str)]
    open_ = [h for h in holes if h.kind not in ("number", "condition") and is_choice(given.get(h.name), sc)]
    for hole in holes:
        value = given.get(hole.name)
        if value is None:
            args.append("-1")
            continue
        if hole.kind not in ("number", "condition") and is_choice(value, sc):
            code = choose(
                value,
                sc,
                who if who.type.kind == "player" else sc.you or player_code("v[1]"),
                unless=barred(sc, node.verb, [*args, "i"]) if hole is holes[-1] else "",
                prompt=asked(node, value if len(open_) > 1 else None, sc),
            )
            if hole.plural and not code.type.many:
                code = Code(f"({code.py},)", thing(code.type.kind, True))
            elif code.type.many and not hole.plural:
                one_by_one(code, hole, node, sc, subject)
                return
        else:
            code = argument(value, hole, sc)
        var = sc.fresh(code.type)
        sc.out.append(Assign(var, code.py))
        args.append(var)
        if code.type.sort == "number":
            sc.much.append(Code(var, NUMBER, most=code.most))
        if code.type.sort == "thing":
            named.append(Code(var, code.type, sure=code.sure))
    sc.named += named
    routine = sc.b.phrase_routines[node.verb]
    call = Call(routine, args)
    key = f"do:{node.verb}"
    if key in sc.b.replaced:
        propose(
            sc,
            key,
            args,
            args[0] if who.type.kind == "player" else f"own(s, {args[0]})",
            lambda inner: inner.out.append(call),
        )
    else:
        sc.out.append(call)
    sc.did = ""
    if result_is_read(sc):  # done, if there was what it is done to
        sc.did = sc.fresh(NUMBER)
        there = [f"{c.py}" if c.type.many else f"{c.py} >= 0" for c in named if not c.sure]
        sc.out.append(Assign(sc.did, f"(1 if {' and '.join(there)} else 0)" if there else "1"))
