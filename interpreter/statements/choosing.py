"""choosing: which things a selection leaves to somebody, and the questions that ask for them.

In: a selection. Out: the variable that holds what is chosen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from interpreter import tree as t
from interpreter.amounts import bind, number
from interpreter.bound import (
    NUMBER,
    Ask,
    Assign,
    Branch,
    Chance,
    Code,
    Each,
    Loop,
    Type,
    thing,
)
from interpreter.facts import kind_of_head
from interpreter.scope import Scope, is_a
from interpreter.select import everything
from interpreter.statements.sentences import collect, where, words


def ask_one(sc: Scope, node: Any, who: Code, lines: list[str], prompt: str, kind: str, type_: Type, **more: Any) -> str:
    var = sc.fresh(type_)
    about = sc.about or (sc.topic if kind == "number" or isinstance(node, t.LetEither) else "")
    named = sc.spoken_of(prompt)
    sc.out.append(Ask(var, who.py, lines, prompt, kind, where(sc, node), about=about, named=named, **more))
    return var


def choose(sel: Any, sc: Scope, who: Code, verb: str = "Choose", unless: str = "", prompt: str = "") -> Code:
    """A choice of things as a selection says: one, N, up to N, any number, at random → the variable that holds it.
    unless: Python over i, of what is not offered. prompt: how it asks, where that is not the verb and its words."""
    single = (
        isinstance(sel, t.Join)
        or (sel.quant in ("a", "another", "one of", "") and sel.count is None)
        or (
            sel.quant in ("exactly", "one of")
            and isinstance(sel.count, t.Num)
            and sel.count.value == 1
            and not sel.plural
        )
    )
    picks = candidates(sel, sc)
    if unless:
        picks = (f"[i for i in {picks[0]} if not {unless}]", *picks[1:])
    kind = picks[1]
    hidden = picks[2]
    group = picks[3]
    prompt = prompt or (f"{verb} {words(sc, sel)}" if sel.at != (0, 0) else verb)
    many_alike = any(
        r.copies > 1
        for r in sc.b.model.records.values()
        if is_a(sc.b.model, r.kind, kind) or is_a(sc.b.model, kind, r.kind)
    )
    same = [f"o = alike(s, {who.py}, o)"] if many_alike else []
    if not isinstance(sel, t.Join) and (sel.at_random or "random" in sel.adjs):
        return at_random(sel, sc, picks[0], kind, prompt)
    if single and not group:
        lines = [f"o = {picks[0]}", *same]
        var = ask_one(sc, sel, who, lines, prompt, "thing", thing(kind), hidden=hidden)
        code = Code(var, thing(kind))
    else:
        code = choose_several(sel, sc, who, picks[0], kind, prompt, same, hidden, group)
    if isinstance(sel, t.Sel) and not code.type.many:
        name_what_it_has(sel, code, sc)
    if (
        isinstance(sel, t.Sel)
        and sel.head == "thing"
        and sel.quant == "one of"
        and isinstance(sel.of, (t.Ref, t.Local))
    ):
        sc.picked.setdefault(everything(sel.of, sc).py, []).append(code)
    sc.name(code)
    sc.chosen[kind] = code
    return code


def name_what_it_has(sel: t.Sel, code: Code, sc: Scope) -> None:
    """`a Tower with a Guard on it`: then `that Guard` is the one on the Tower chosen."""
    from interpreter.having import theirs
    from interpreter.picked import as_one
    from interpreter.select import pick

    for one in sel.filters:
        what = one.what if isinstance(one, t.WithThing) and not one.neg else None
        if not isinstance(what, t.Sel) or what.quant not in ("a", "another") or not kind_of_head(sc, what.head):
            continue
        if what.head in sc.b.model.counters or not said_again(what.head, sc):
            continue
        found = pick(theirs(on_itself(what), code), sc.inner(itself=code, pure=True))
        var = sc.fresh(thing(found.kind))
        sc.out.append(Assign(var, f"({as_one(found)} if {code.py} >= 0 else -1)"))
        sc.name(Code(var, thing(found.kind)))


def said_again(head: str, sc: Scope) -> bool:
    """Whether the text speaks of `that Guard`, by this noun or a wider one."""
    kinds = [k for k in sc.b.model.kinds if is_a(sc.b.model, head, k)]
    return sc.source is not None and any(f"that {k}" in sc.source.text for k in kinds)


def on_itself(what: t.Sel) -> t.Sel:
    """`a Guard on it` in a filter: on the thing that the filter is about."""
    if what.place is None or not isinstance(what.place.where, t.Ref) or what.place.where.word != "it":
        return what
    return replace(what, place=t.Place(what.place.prep, t.Ref("itself", at=what.place.at), at=what.place.at))


def candidates(sel: Any, sc: Scope) -> tuple[str, str, bool, list[tuple[str, str, str]]]:
    """(Python list of candidates, kind, hidden, group filters with the variable i)."""
    from interpreter.picked import as_list
    from interpreter.select import pick

    if (
        isinstance(sel, t.Sel)
        and sel.head == "thing"
        and sel.quant == "one of"
        and isinstance(sel.of, (t.Ref, t.Local))
    ):
        them = everything(sel.of, sc)  # one of them, 2 of them: of those that the text has not taken out yet
        gone = sc.picked.get(them.py, [])
        if gone:
            taken = " + ".join(f"{c.py}" if c.type.many else f"({c.py},)" for c in gone)
            return (
                f"[i for i in {them.py} if i not in {taken if len(gone) == 1 else f'({taken})'}]",
                them.type.kind,
                them.hidden,
                [],
            )
        return f"list({them.py})", them.type.kind, them.hidden, []
    if (isinstance(sel, t.Sel) and kind_of_head(sc, sel.head) and sel.trail != "chosen" and sel.quant != "one of") or (
        isinstance(sel, t.Sel)
        and kind_of_head(sc, sel.head)
        and sel.quant == "one of"
        and sel.of is not None
        and sel.trail != "chosen"
    ):
        p = pick(sel, sc)
        group = [(py.replace(p.var, "i"), op, limit) for py, op, limit in p.total]
        return as_list(p), p.kind, p.hidden and p.filtered, group
    code = everything(sel, sc)
    return f"list({code.py})", code.type.kind, code.hidden, []


ALL = ""  # as many as there are


def bounds(sel: t.Sel, sc: Scope) -> tuple[str, str]:
    if sel.quant == "any number of":
        return "0", ALL
    if sel.quant == "up to":
        return "0", number(sel.count, sc).py
    if sel.quant == "at least":
        return number(sel.count, sc).py, ALL
    if sel.quant in ("exactly", "one of") and sel.count is not None:
        n = number(sel.count, sc).py
        return n, n
    return ("1", "1") if not sel.plural else ("0", ALL)


def choose_several(
    sel: t.Sel,
    sc: Scope,
    who: Code,
    options: str,
    kind: str,
    prompt: str,
    same: list[str],
    hidden: bool,
    group: list[tuple[str, str, str]],
) -> Code:
    """A set, asked one at a time in ascending order, `Done` once the least is met; only what can be completed is offered."""
    least, most = bounds(sel, sc)
    held = {name: sc.fresh(NUMBER) for name in ("least", "most")}
    sc.out += [
        Assign(held["least"], f"max(0, {least})"),
        Assign(held["most"], most if most != ALL else f"len({options})"),
    ]
    limits = []
    for py, op, limit in group:
        var = sc.fresh(NUMBER)
        sc.out.append(Assign(var, limit))
        limits.append((py, op, var))
    got = sc.fresh(thing(kind, True))
    over = sc.fresh(NUMBER)
    answer = sc.fresh(NUMBER)
    done = sc.b.text_action("Done")
    sc.out += [Assign(got, "()"), Assign(over, "0")]
    lines = [f"o = sorted({options})", f"if {got}: o = [i for i in o if i > {got}[-1]]"]
    ready = f"len({got}) >= {held['least']}"
    more = f"{over} == 0 and len({got}) < {held['most']}"
    for py, op, var in limits:
        have = f"sum([{py} for i in {got}])"
        if op in ("<=", "<"):
            lines += [f"r = {var} - {have}", f"o = [i for i in o if {py} {op} r]"]
        elif sel.trail == "none to spare":
            worths = f"[({py}) for i in o], [({py}) for i in {got}]"
            lines.append(f"o = [] if {have} >= {var} else spare(o, {worths}, {var})")
            ready += f" and {have} >= {var}"
            more += f" and {have} < {var}"
        else:
            lines += [
                f"r = {have}",
                f"o = o if r + sum([{py} for i in o]) {'>=' if op in ('=', '>=') else op} {var} or {ready} else []",
            ]
            if op == "=":
                lines.append(f"o = [i for i in o if r + {py} <= {var}]")
            ready += f" and {have} {'==' if op == '=' else op} {var}"
            lines.append(f"o = last_enough(o, [({py}) for i in o], {var} - r)")
    lines.append(f"k = {held['least']} - len({got}) - 1")
    lines.append("if k > 0: o = o[:-k]")
    lines += same
    lines.append(f"if {ready}: o = [*o, {done}]")
    ask = Ask(
        answer,
        who.py,
        lines,
        prompt,
        "thing",
        where(sc, sel),
        hidden=hidden,
        slot=got,
        about=sc.about,
        named=sc.spoken_of(prompt),
        least=held["least"],
        most=held["most"],
    )
    take = Branch(f"{answer} < 0 or {answer} == {done}", [Assign(over, "1")], [Assign(got, f"{got} + ({answer},)")])
    sc.out.append(Loop(more, [ask, take]))
    return Code(got, thing(kind, True), sure=True)


def at_random(sel: t.Sel, sc: Scope, options: str, kind: str, prompt: str) -> Code:
    """A choice that chance makes: one of the options, or several one after another."""
    if sel.quant in ("a", "another", "", "the") and not sel.plural:
        var = sc.fresh(thing(kind))
        sc.out.append(Chance(var, f"tuple({options})", prompt, where(sc, sel)))
        code = Code(var, thing(kind))
    else:
        least, _ = bounds(sel, sc)
        got, turn, one = sc.fresh(thing(kind, True)), sc.fresh(NUMBER), sc.fresh(thing(kind))
        sc.out += [Assign(got, "()"), Assign(turn, least)]
        draw = Chance(one, f"tuple([i for i in {options} if i not in {got}])", prompt, where(sc, sel))
        add = Branch(f"{one} >= 0", [Assign(got, f"{got} + ({one},)")])
        sc.out.append(Loop(f"{turn} > 0", [Assign(turn, f"{turn} - 1"), draw, add]))
        code = Code(got, thing(kind, True))
    sc.name(code)
    sc.chosen[kind] = code
    return code


def is_choice(node: Any, sc: Scope) -> bool:
    """Whether an object of a verb has to be chosen: `a Charm`, `2 Charms`, `up to n …`, `a Tower or a Road`."""
    if isinstance(node, t.Join):
        return node.op == "or"
    if isinstance(node, t.Sel) and node.trail == "none to spare":
        return True
    if not isinstance(node, t.Sel) or (node.trail == "chosen" and node.quant not in ("one of", "exactly")):
        return False
    if node.head in sc.b.model.counters:
        return False
    copies = [r for r in sc.b.called[node.head] if len(r.ids) > 1]
    if kind_of_head(sc, node.head) is None and not copies:
        return False
    return (
        node.at_random
        or "random" in node.adjs
        or node.quant in ("a", "another", "one of", "exactly", "up to", "any number of", "at least")
    )


def target(node: Any, sc: Scope, who: Code, verb: str = "Choose") -> Code:
    """The object of a verb: chosen by `who` where the selection leaves a choice, else what it says."""
    if isinstance(node, t.Sel) and node.quant in ("top", "bottom"):
        from interpreter.acts import with_top

        return with_top(sc, node, node, who, lambda one, inner: None)
    if is_choice(node, sc):
        return choose(node, sc, who, verb)
    code = bind(node, sc)
    if (
        code.type.sort == "thing"
        and not code.type.many
        and not code.py.lstrip("-").isdigit()
        and not code.py.startswith(("x", "v["))
    ):
        var = sc.fresh(code.type)
        sc.out.append(Assign(var, code.py))
        code = Code(var, code.type, sure=code.sure)
    if code.type.sort == "thing" and not (isinstance(node, t.Ref) and node.word == "you"):
        sc.name(code)
    return code


def each_of(code: Code, sc: Scope, body: Callable[[Code, Scope], None]) -> None:
    """Do something for one thing, or for each of several."""
    if not code.type.many:
        if code.sure or code.py.isdigit():
            body(code, sc)
        else:
            inner = sc.inner(out=[])
            body(code, inner)
            sc.out.append(Branch(f"{code.py} >= 0", inner.out))
            sc.named += [c for c in inner.named[len(sc.named) :] if c.py.startswith("x")]
            for kind, found in inner.chosen.items():
                sc.chosen.setdefault(kind, found)
        return
    var = sc.fresh(thing(code.type.kind))
    one = Code(var, thing(code.type.kind), sure=True)
    sc.out.append(
        Each(
            var,
            f"tuple({code.py})",
            collect(sc, lambda inner: body(one, inner)),
            items=sc.fresh(thing(code.type.kind, True)),
            index=sc.fresh(NUMBER),
        )
    )
