"""statements: statement trees → structured code (bound.Stm) appended to the scope's `out`.

`bind_text` is the entry; STATEMENTS the table by node type. Verbs stand in acts.py, rules (when, while, instead) in rules.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from interpreter import tree as t
from interpreter.amounts import bind, number, one_thing, words_of
from interpreter.bound import (
    NUMBER,
    Ask,
    Assign,
    Branch,
    Call,
    CallEffect,
    Chance,
    Code,
    Each,
    Loop,
    Propose,
    Run,
    Secret,
    Settle,
    Stop,
    Type,
    thing,
)
from interpreter.conditions import condition
from interpreter.possible import possible
from interpreter.scope import Scope, is_a, kind_test, player_code, zone_capable
from interpreter.select import everything, kind_of_head


def bind_text(text: Any, sc: Scope) -> None:
    """Sentences in order; triggers that a sentence announced are resolved when it ends."""
    sentences = text.sentences if isinstance(text, t.Text) else (text,)
    for sentence in sentences:
        before = len(sc.out)
        statement(sentence, sc)
        settle(sc, before)


def settle(sc: Scope, start: int) -> None:
    fires = set()
    for stm in sc.out[start:]:
        fires |= fired(stm, sc)
    if fires and not (sc.out and isinstance(sc.out[-1], Settle)):
        sc.out.append(Settle(fires))


def fired(stm: Any, sc: Scope) -> set[str]:
    if isinstance(stm, Run):
        return stm.fires
    if isinstance(stm, Branch):
        return {f for s in [*stm.then, *stm.other] for f in fired(s, sc)}
    if isinstance(stm, (Each, Loop)):
        return {f for s in stm.body for f in fired(s, sc)}
    if isinstance(stm, Propose):
        return {f for s in stm.act for f in fired(s, sc)}
    if isinstance(stm, Call):
        return {f"do:{stm.routine.name}"} & sc.b.heard
    return {"effect"} if isinstance(stm, CallEffect) and sc.b.heard else set()


def statement(node: Any, sc: Scope) -> None:
    """One statement → code."""
    STATEMENTS[type(node)](node, sc)


def collect(sc: Scope, body: Callable[[Scope], None], **changes: Any) -> list[Any]:
    """The code that `body` binds, apart."""
    inner = sc.inner(out=[], **changes)
    body(inner)
    return inner.out


def where(sc: Scope, node: Any) -> tuple[str, str, int]:
    """(record, file, line) of a node, for decisions and tracebacks."""
    source = sc.source
    if source is None:
        return ("", "", 0)
    line = source.scalar.place(node.at[0])[0] if source.scalar is not None else 1
    return (source.record, source.file, line)


def words(sc: Scope, node: Any) -> str:
    """The text of a node as written, on one line."""
    if sc.source is None:
        return ""
    return " ".join(sc.source.text[node.at[0] : node.at[1]].split())


# ---------------------------------------------------------------- choosing


def ask_one(sc: Scope, node: Any, who: Code, lines: list[str], prompt: str, kind: str, type_: Type, **more: Any) -> str:
    var = sc.fresh(type_)
    sc.out.append(Ask(var, who.py, lines, prompt, kind, where(sc, node), **more))
    return var


def choose(sel: Any, sc: Scope, who: Code, verb: str = "Choose", unless: str = "") -> Code:
    """A choice of things as a selection says: one, N, up to N, any number, at random → the variable that holds it.
    unless: Python over i, of what is not offered."""
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
    prompt = f"{verb} {words(sc, sel)}" if sel.at != (0, 0) else verb
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
    sc.name(code)
    sc.chosen[kind] = code
    return code


def name_what_it_has(sel: t.Sel, code: Code, sc: Scope) -> None:
    """`a Tower with a Guard on it`: then `that Guard` is the one on the Tower chosen."""
    from interpreter.conditions import theirs
    from interpreter.select import as_one, pick

    for one in sel.filters:
        what = one.what if isinstance(one, t.WithThing) and not one.neg else None
        if not isinstance(what, t.Sel) or what.quant not in ("a", "another") or not kind_of_head(sc, what.head):
            continue
        if what.head in sc.b.model.counters or sc.source is None or f"that {what.head}" not in sc.source.text:
            continue
        found = pick(theirs(on_itself(what), code), sc.inner(itself=code, pure=True))
        var = sc.fresh(thing(found.kind))
        sc.out.append(Assign(var, f"({as_one(found)} if {code.py} >= 0 else -1)"))
        sc.name(Code(var, thing(found.kind)))


def on_itself(what: t.Sel) -> t.Sel:
    """`a Guard on it` in a filter: on the thing that the filter is about."""
    if what.place is None or not isinstance(what.place.where, t.Ref) or what.place.where.word != "it":
        return what
    return replace(what, place=t.Place(what.place.prep, t.Ref("itself", at=what.place.at), at=what.place.at))


def candidates(sel: Any, sc: Scope) -> tuple[str, str, bool, list[tuple[str, str, str]]]:
    """(Python list of candidates, kind, hidden, group filters with the variable i)."""
    from interpreter.select import as_list, pick

    if isinstance(sel, t.Sel) and sel.head == "thing" and sel.quant == "one of" and isinstance(sel.of, (t.Ref, t.Local)):
        them = everything(sel.of, sc)       # one of them, 2 of them
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


def bounds(sel: t.Sel, sc: Scope) -> tuple[str, str]:
    if sel.quant == "any number of":
        return "0", "999"
    if sel.quant == "up to":
        return "0", number(sel.count, sc).py
    if sel.quant == "at least":
        return number(sel.count, sc).py, "999"
    if sel.quant in ("exactly", "one of") and sel.count is not None:
        n = number(sel.count, sc).py
        return n, n
    return ("1", "1") if not sel.plural else ("0", "999")


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
    sc.out += [Assign(held["least"], f"max(0, {least})"), Assign(held["most"], most)]
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
            lines.append(f"o = [i for i in o if {have} + {py} {op} {var}]")
        elif sel.trail == "none to spare":
            worths = f"[({py}) for i in o], [({py}) for i in {got}]"
            lines.append(f"o = [] if {have} >= {var} else spare(o, {worths}, {var})")
            ready += f" and {have} >= {var}"
            more += f" and {have} < {var}"
        else:
            lines += [
                f"r = {have} + sum([{py} for i in o])",
                f"o = o if r {'>=' if op in ('=', '>=') else op} {var} or {ready} else []",
            ]
            if op == "=":
                lines.append(f"o = [i for i in o if {have} + {py} <= {var}]")
            ready += f" and {have} {'==' if op == '=' else op} {var}"
            lines.append(f"o = last_enough(o, [({py}) for i in o], {var} - {have})")
    lines.append(f"k = {held['least']} - len({got}) - 1")
    lines.append("if k > 0: o = o[:-k]")
    lines += same
    lines.append(f"if {ready}: o = [*o, {done}]")
    ask = Ask(answer, who.py, lines, prompt, "thing", where(sc, sel), hidden=hidden, slot=got, least=held["least"], most=held["most"])
    take = Branch(f"{answer} < 0 or {answer} == {done}", [Assign(over, "1")], [Assign(got, f"{got} + ({answer},)")])
    sc.out.append(Loop(more, [ask, take]))
    return Code(got, thing(kind, True), sure=True)


def at_random(sel: t.Sel, sc: Scope, options: str, kind: str, prompt: str) -> Code:
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
    """Whether an object of a verb has to be chosen: `a Relic`, `2 Relics`, `up to n …`, `a Space or a Route`."""
    if isinstance(node, t.Join):
        return node.op == "or"
    if isinstance(node, t.Sel) and node.trail == "none to spare":
        return True
    if not isinstance(node, t.Sel) or (node.trail == "chosen" and node.quant not in ("one of", "exactly")):
        return False
    if node.head in sc.b.model.counters:
        return False
    copies = [r for r in sc.b.model.records.values() if r.name == node.head and len(r.ids) > 1]
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
    if code.type.sort == "thing":
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


# ---------------------------------------------------------------- statements


def bind_seq(node: t.Seq, sc: Scope) -> None:
    for index, part in enumerate(node.parts):
        before = len(sc.out)
        statement(part, sc)
        if index < len(node.joins) and node.joins[index] == "then":
            settle(sc, before)


def bind_let(node: t.Let, sc: Scope) -> None:
    value = bind(node.value, sc)
    if value.type.sort == "zone":
        sc.locals[node.name] = value
        return
    if node.name in sc.locals and sc.locals[node.name].type.sort != value.type.sort:
        sc.fault(
            node,
            "type",
            f"{node.name} holds {words_of(sc.locals[node.name].type)}; it cannot become {words_of(value.type)}",
        )
    old = sc.locals.get(node.name)
    py = f"tuple({value.py})" if value.type.many else value.py
    if old is not None and old.py.startswith("x") and old.type.many == value.type.many:
        sc.out.append(Assign(old.py, py))
        if old.type.kind != value.type.kind and old.type.sort == "thing":
            from interpreter.amounts import common_kind

            sc.locals[node.name] = Code(
                old.py, thing(common_kind(sc, {old.type.kind, value.type.kind}), value.type.many)
            )
        if value.most is not None and old.most is not None:
            sc.locals[node.name].most = max(value.most, old.most)
        return
    var = sc.fresh(value.type)
    sc.out.append(Assign(var, py))
    sc.locals[node.name] = Code(var, value.type, most=value.most, sure=value.sure)


def bind_let_either(node: t.LetEither, sc: Scope) -> None:
    who = sc.you or player_code("v[1]")
    values = [bind(option, sc) for option in node.options]
    labels = [words(sc, option) for option in node.options]
    things = all(v.type.sort == "thing" and not v.type.many for v in values)
    if things:
        lines = [f"o = distinct([{', '.join(v.py for v in values)}])"]
        kinds = {v.type.kind for v in values}
        from interpreter.amounts import common_kind

        kind = kinds.pop() if len(kinds) == 1 else common_kind(sc, kinds)
        var = ask_one(sc, node, who, lines, f"Choose {node.name}", "thing", thing(kind))
        old = sc.locals.get(node.name)
        if old is not None and old.py.startswith("x"):
            sc.out.append(Assign(old.py, var))
        else:
            sc.locals[node.name] = Code(var, thing(kind))
        return
    answer = ask_one(
        sc,
        node,
        who,
        [f"o = [{', '.join(str(sc.b.text_action(label)) for label in labels)}]"],
        f"Choose {node.name}",
        "option",
        NUMBER,
    )
    old = sc.locals.get(node.name)
    var = old.py if old is not None and old.py.startswith("x") else sc.fresh(values[0].type)
    for label, value in zip(labels, values):
        sc.out.append(Branch(f"{answer} == {sc.b.text_action(label)}", [Assign(var, value.py)]))
    sc.locals[node.name] = Code(var, values[0].type, most=max((v.most or 0) for v in values))


def bind_if(node: t.If, sc: Scope) -> None:
    cond = condition(node.cond, sc)
    then_scope = sc.inner(out=[])
    if speaks_of(node.then):
        introduce(node.cond, then_scope)
    bind_text(node.then, then_scope)
    other_scope = sc.inner(out=[])
    if node.otherwise is not None:
        bind_text(node.otherwise, other_scope)
    agree(sc, then_scope, other_scope)
    sc.out.append(Branch(cond.py, then_scope.out, other_scope.out))
    merge(sc, node, then_scope, other_scope)


def agree(sc: Scope, one: Scope, other: Scope) -> None:
    """What both branches chose or let is one variable behind them: the other branch writes it as well."""
    for before, mine, theirs in ((sc.locals, one.locals, other.locals), (sc.chosen, one.chosen, other.chosen)):
        for key in [k for k in theirs if k in mine]:
            a, b, old = mine[key], theirs[key], before.get(key)
            alike = a.type.sort == b.type.sort and a.type.many == b.type.many
            if a.py != b.py and alike and a is not old and b is not old and a.py.startswith("x"):
                other.out.append(Assign(a.py, b.py))
                before[key] = a


def speaks_of(text: Any) -> bool:
    """Whether a text has a pronoun that could mean what the condition before it found."""
    if isinstance(text, tuple):
        return any(speaks_of(item) for item in text)
    if isinstance(text, t.Ref):
        return text.word not in ("you", "this", "itself")
    if isinstance(text, t.Sel) and text.quant in ("that", "those", "this"):
        return True
    return isinstance(text, t.Node) and any(speaks_of(getattr(text, f.name)) for f in fields(text))


def introduce(cond: Any, sc: Scope) -> None:
    """`If there is a Guard on it, …it…`: what a condition found may be spoken of in its branch."""
    if (
        isinstance(cond, t.ThereIs)
        and not cond.neg
        and isinstance(cond.what, t.Sel)
        and kind_of_head(sc, cond.what.head)
        and cond.what.count is None
    ):
        if cond.what.head in sc.b.model.counters or cond.what.quant == "no":
            return
        sel = cond.what
        found = bind(t.Sel(sel.head, "the", None, sel.adjs, sel.of, sel.of_form, sel.place, sel.filters, at=sel.at), sc)
        if not found.type.many:
            var = sc.fresh(found.type)
            sc.out.append(Assign(var, found.py))
            sc.name(Code(var, found.type, sure=True))


def merge(sc: Scope, node: Any, *branches: Scope) -> None:
    """What a branch chose or let stays known after it (its variable holds -1 or 0 where the branch was not taken)."""
    for branch in branches:
        for name, code in branch.locals.items():
            sc.locals.setdefault(name, code)
        for kind, code in branch.chosen.items():
            sc.chosen.setdefault(kind, code)
        if len(branch.named) > len(sc.named):
            sc.named.extend(c for c in branch.named[len(sc.named) :] if c.py.startswith("x"))


def bind_for_each(node: t.ForEach, sc: Scope) -> None:
    base = everything(node.over, sc)
    if base.type.sort != "thing":
        sc.fault(node.over, "type", f"for each what? Several things are wanted, not {words_of(base.type)}")
        return
    kind = base.type.kind
    var = sc.fresh(thing(kind))
    one = Code(var, thing(kind), sure=True)
    located = zone_capable(sc.b.model, kind) and kind != "player"

    def body(inner: Scope) -> None:
        inner.name(one)
        if node.var:
            inner.locals[node.var] = one
        bind_text(node.body, inner)

    if node.ordered or node.before:
        ordered_loop(node, sc, base, one, body)
        return
    items, index = sc.fresh(thing(kind, True)), sc.fresh(NUMBER)
    skip = ""
    over = f"tuple({base.py})"
    if located:
        places = sc.fresh(Type("number", "", True))
        sc.out.append(Assign(items, over))
        sc.out.append(Assign(places, f"tuple([v[{sc.b.model.loc}+i] for i in {items}])"))
        over = items
        skip = f"v[{sc.b.model.loc}+{var}] != {places}[{items}.index({var})]"
    sc.out.append(Each(var, over, collect(sc, body), skip=skip, items=items, index=index))


def ordered_loop(node: t.ForEach, sc: Scope, base: Code, one: Code, body: Callable[[Scope], None]) -> None:
    """`taking A before B`, `in an order you choose`: what is left, the first class first, asked where it matters."""
    who = sc.you or player_code("v[1]")
    left = sc.fresh(thing(base.type.kind, True))
    sc.out.append(Assign(left, f"tuple({base.py})"))
    model = sc.b.model
    lines = [f"o = [i for i in {left} if v[{model.loc}+i] >= 0]"]
    for name in node.before[:1] if node.before else ():
        test = kind_test(model, name, "i", base.type.kind)
        if test:
            lines.append(f"o = [i for i in o if {test}] or o")
    lines.append(f"o = alike(s, {who.py}, o)")
    if not node.ordered:
        lines.append("o = o[:1]")
    ask = Ask(one.py, who.py, lines, f"Choose the next {base.type.kind}", "thing", where(sc, node))
    taken = [Assign(left, f"tuple([i for i in {left} if i != {one.py}])"), *collect(sc, body)]
    sc.out.append(Loop(f"len({left}) > 0", [ask, Branch(f"{one.py} < 0", [Assign(left, "()")], taken)]))


def bind_repeat(node: t.Repeat, sc: Scope) -> None:
    if node.times is not None:
        count = sc.fresh(NUMBER)
        sc.out.append(Assign(count, number(node.times, sc).py))
        body = collect(sc, lambda inner: bind_text(node.body, inner))
        sc.out.append(Loop(f"{count} > 0", [Assign(count, f"{count} - 1"), *body]))
        return
    if node.whilst is not None:
        cond = condition(node.whilst, sc)
        sc.out.append(Loop(cond.py, collect(sc, lambda inner: bind_text(node.body, inner))))
        return
    go = sc.fresh(NUMBER)
    sc.out.append(Assign(go, "1"))
    inner = sc.inner(out=[])
    bind_text(node.body, inner)
    merge(sc, node, inner)
    cond = condition(node.until, sc) if node.until is not None else Code("False", NUMBER)
    sc.out.append(Loop(f"{go} == 1", [*inner.out, Branch(cond.py, [Assign(go, "0")])]))


def bind_choose_one(node: t.ChooseOne, sc: Scope) -> None:
    who = sc.you or player_code("v[1]")
    if node.subject is not None:
        code = bind(node.subject, sc)
        if code.type.many:
            each_of(
                code,
                sc,
                lambda one, inner: bind_choose_one(
                    t.ChooseOne(node.options, None, node.secretly, at=node.at), inner.inner(you=one, out=inner.out)
                ),
            )
            return
        who = code
    inner = sc.inner(you=who)
    options_of(node, inner, node.options, who, (sc.source.prompt if sc.source else "") or "Choose one")
    sc.locals.update({k: c for k, c in inner.locals.items() if k not in sc.locals})
    sc.chosen.update(inner.chosen)
    sc.named[:] = inner.named


def options_of(
    node: Any, sc: Scope, options: tuple[t.Option, ...], who: Code, prompt: str, window: bool = False
) -> str:
    """Ask for one of several statements, then do it → the variable with the answer. An option whose statement begins
    with a choice of one thing stands as one option for each such thing."""
    answer = sc.fresh(NUMBER)
    from interpreter.windows import relax

    lines = ["o = []"]
    relaxed: list[str] = []
    branches: list[tuple[str, Callable[[Scope], None]]] = []
    hidden = False
    for option in options:
        spread = object_of(option.body, sc)
        guard = condition(option.guard, sc).py if option.guard is not None else ""
        if option.guard_word == "unless" and guard:
            guard = f"not ({guard})"
        label = words(sc, option.body).rstrip(".;")
        label = label[:1].upper() + label[1:]
        if spread is not None:
            role, sel, act = spread
            list_py, kind, is_hidden, _ = candidates(sel, sc)
            hidden = hidden or is_hidden
            lo, hi = 0, sc.b.model.things
            if kind in sc.b.model.kinds:
                lo, hi = sc.b.model.kinds[kind].lo, sc.b.model.kinds[kind].hi
            elif kind == "player":
                hi = sc.b.model.most
            start, end = sel.at
            text = sc.source.text if sc.source else ""
            head = " ".join(text[option.body.at[0] : start].split())
            tail = " ".join(text[end : option.body.at[1]].split()).rstrip(".;")
            label = f"{head} {{}} {tail}".strip()
            label = own_label(act, sc) or label[:1].upper() + label[1:]
            base = sc.b.option_actions(label, lo, hi)
            var = "i"
            test = possible(
                replaced(act, role, "picked"),
                sc.inner(locals={**sc.locals, "picked": Code(var, thing(kind), sure=True)}, pure=True),
            )
            conds = " and ".join(c for c in (guard, test) if c and c != "True")
            lines.append(
                f"o += [{base}+i for i in alike(s, {who.py}, [i for i in {list_py}{' if ' + conds if conds else ''}])]"
            )
            relaxed += relax(lines[-1], guard, sc, who)

            def perform(inner: Scope, act: Any = act, role: str = role, base: int = base, kind: str = kind) -> None:
                var = inner.fresh(thing(kind))
                inner.out.append(Assign(var, f"{answer} - {base}"))
                code = Code(var, thing(kind), sure=True)
                inner.locals["picked"] = code
                inner.name(code)
                inner.chosen[kind] = code
                statement(replaced(act, role, "picked"), inner)

            branches.append((f"{base + lo} <= {answer} < {base + hi}", perform))
        else:
            number_ = sc.b.text_action(own_label(option.body, sc) or label)
            test = possible(option.body, sc.inner(pure=True))
            conds = " and ".join(c for c in (guard, test) if c and c != "True")
            lines.append(f"o += [{number_}]{' if ' + conds + ' else []' if conds else ''}")
            relaxed += relax(lines[-1], guard, sc, who)
            branches.append((f"{answer} == {number_}", lambda inner, body=option.body: statement(body, inner)))
    sc.out.append(
        Ask(
            answer,
            who.py,
            lines,
            prompt,
            "option",
            where(sc, node),
            hidden=hidden,
            window=window,
            forced="False" if window else "True",
            skip="\n".join(relaxed) if window else "",
        )
    )
    chain: list[Any] = []
    scopes = []
    for cond, perform in reversed(branches):
        inner = sc.inner(out=[])
        perform(inner)
        scopes.append(inner)
        chain = [Branch(cond, inner.out, chain)]
    sc.out += chain
    merge(sc, node, *reversed(scopes))
    return answer


def own_label(act: Any, sc: Scope) -> str:
    """A phrase may say how its options read (`label:`)."""
    if isinstance(act, t.Act) and act.is_phrase:
        return sc.b.model.phrases[act.verb].labels
    return ""


def object_of(body: Any, sc: Scope) -> tuple[str, Any, Any] | None:
    """(role, selection, act) when an option is one act whose object is a choice of one thing."""
    act = body.pay if isinstance(body, t.Cost) else body
    if isinstance(act, t.Seq):
        return None
    if not isinstance(act, t.Act) or act.subject is not None or act is not body:
        return None
    if act.verb == "draw":
        return None
    for role, value in act.roles:
        if role == "what" and act.verb in ("place", "gain", "take") and unchosen(act, value, sc):
            continue
        if (
            isinstance(value, t.Sel)
            and value.quant in ("a", "another", "one of")
            and is_choice(value, sc)
            and not value.at_random
            and "random" not in value.adjs
        ):
            return role, value, act
        if isinstance(value, t.Join) and value.op == "or" and is_choice(value, sc):
            return role, value, act
    return None


def unchosen(act: Any, what: Any, sc: Scope) -> bool:
    """Whether `place a Guard`, `gain a Guard` or `take a Charm` means one of the supply, not one that is chosen."""
    from interpreter.acts import from_supply, supply_of

    return supply_of(what, sc) is not None if act.verb == "take" else from_supply(what, sc)


def replaced(act: Any, role: str, name: str) -> Any:
    roles = tuple(
        (r, t.Local(name, at=v.at if not isinstance(v, str) else act.at) if r == role else v) for r, v in act.roles
    )
    return t.Act(act.verb, roles, act.subject, act.modal, act.secretly, act.during, act.is_phrase, at=act.at)


def bind_turns(node: t.Turns, sc: Scope) -> None:
    """Players in turn, from a start, until a condition (or once round)."""
    start = bind(node.start, sc) if node.start is not None else player_code("v[1]")
    model = sc.b.model
    seat, passes = sc.fresh(thing("player")), sc.fresh(NUMBER)
    who = player_code(seat)
    sc.out += [Assign(seat, start.py), Assign(passes, "0")]
    inner = sc.inner(out=[], you=who, passed=passes)
    inner.name(who)
    bind_text(node.body, inner)
    step = Assign(seat, f"({seat} + 1) % v[0]")
    _ = model
    if node.until is None:
        count = sc.fresh(NUMBER)
        sc.out.append(Assign(count, "v[0]"))
        allowed = players_in(node.who, sc, seat)
        body = [Branch(allowed, inner.out)] if allowed != "True" else inner.out
        sc.out.append(Loop(f"{count} > 0", [Assign(count, f"{count} - 1"), *body, step]))
        return
    go = sc.fresh(NUMBER)
    sc.out.append(Assign(go, "1"))
    cond = condition(node.until, sc.inner(you=who, passed=passes, pure=True))
    allowed = players_in(node.who, sc, seat)
    body = [Branch(allowed, inner.out)] if allowed != "True" else inner.out
    if "passers(" in cond.py:
        body = [Branch(f"not {passes} >> {seat} & 1", body)]
    sc.out.append(Loop(f"{go} == 1", [*body, Branch(cond.py, [Assign(go, "0")], [step])]))


def players_in(who: Any, sc: Scope, seat: str) -> str:
    code = everything(who, sc.inner(pure=True))
    if (
        isinstance(who, t.Sel)
        and not who.filters
        and not who.adjs
        and who.quant not in ("each other", "all other", "another")
    ):
        return "True"
    return f"{seat} in {code.py}"


def bind_window(node: t.Window, sc: Scope) -> None:
    """Every seat in turn may respond until all have passed in a row. A seat that publicly can do nothing is passed over."""
    start = bind(node.start, sc) if node.start is not None else player_code("v[1]")
    seat, passes = sc.fresh(thing("player")), sc.fresh(NUMBER)
    who = player_code(seat)
    passing = sc.b.text_action("Pass")
    sc.out += [Assign(seat, start.py), Assign(passes, "0")]
    inner = sc.inner(out=[], you=who)
    inner.name(who)
    from interpreter.windows import public_predicate

    answer = options_of(node, inner, node.options, who, "Respond or pass", window=True)
    ask = next(s for s in inner.out if isinstance(s, Ask) and s.var == answer)
    public = public_predicate(ask.skip.split("\n"), sc)
    ask.lines = [*ask.lines, f"o.append({passing})"]
    ask.skip = public
    at = inner.out.index(ask)
    after = Branch(f"{answer} < 0 or {answer} == {passing}", [Assign(passes, f"{passes} + 1")], [Assign(passes, "0")])
    inner.out.insert(at + 1, after)
    settle(inner, at)
    inner.out.append(Assign(seat, f"({seat} + 1) % v[0]"))
    sc.out.append(Loop(f"{passes} < v[0]", inner.out))


def bind_cost(node: t.Cost, sc: Scope) -> None:
    test = possible(node.pay, sc.inner(pure=True))

    def pay(inner: Scope) -> None:
        statement(node.pay, inner)
        bind_text(node.effect, inner)

    inner = sc.inner(out=[])
    pay(inner)
    if test == "True":
        sc.out += inner.out
    else:
        sc.out.append(Branch(test, inner.out))
    merge(sc, node, inner)


def bind_limit(node: t.Limit, sc: Scope) -> None:
    """`Once per turn, …`: a cell that the boundary clears, one for each source thing. Where a text grants more of the
    same, the sentence goes on as long as there is some left."""
    this = sc.this
    cell = sc.b.cell(sc.b.model.things if this is not None else 1, node.per)
    at = f"{cell}+{this.py}" if this is not None else str(cell)
    inner = sc.inner(out=[])
    bind_text(node.body, inner)
    grant = next((found for s in node.body.sentences if (found := granted(sc, s, node.per))), None)
    if grant is None or inner.did == sc.did:
        sc.out.append(Branch(f"v[{at}] == 0", [Run([f"v[{at}] = 1"]), *inner.out]))
        return
    go = sc.fresh(NUMBER)
    more = Branch(f"{inner.did} > 0", [Run([f"v[{at}] += 1"]), Assign(go, "1")])
    sc.out += [
        Assign(go, "1"),
        Loop(f"{go} == 1 and v[{at}] < 1 + v[{grant}]", [Assign(go, "0"), *inner.out, more]),
    ]


def grants_more(node: Any) -> bool:
    """`You may play an additional Charm this turn.`"""
    what = dict(node.roles).get("what") if isinstance(node, t.Act) else None
    return isinstance(what, t.Sel) and "additional" in what.adjs and node.modal == "may" and node.during is not None


def grant_of(b: Any, node: t.Act) -> int:
    """The cell, one for each player, that holds how many more there may be until the boundary."""
    assert node.during is not None
    per = node.during.what.head if isinstance(node.during.what, t.Sel) else "turn"
    key = (node.verb, dict(node.roles)["what"].head, per)
    if key not in b.grants:
        b.grants[key] = b.cell(b.model.most, per)
    return b.grants[key]


def granted(sc: Scope, node: Any, per: str) -> str:
    """The cell (Python) of what is granted beyond `once per`, for the verb and noun of a statement; '' if nothing is."""
    what = dict(node.roles).get("what") if isinstance(node, t.Act) else None
    who = sc.you.py if sc.you else "v[1]"
    if not isinstance(what, t.Sel) or (node.verb, what.head, per) not in sc.b.grants:
        return ""
    return f"{sc.b.grants[(node.verb, what.head, per)]}+{who}"


def bind_act(node: t.Act, sc: Scope) -> None:
    from interpreter.acts import act

    act(node, sc)


def bind_rule(node: Any, sc: Scope) -> None:
    from interpreter.rules import rule_in_play

    rule_in_play(node, sc)


def bind_static(node: t.Static, sc: Scope) -> None:
    from interpreter.rules import static_for_a_time

    static_for_a_time(node, sc)


STATEMENTS: dict[type, Callable[[Any, Scope], None]] = {
    t.Text: bind_text,
    t.Seq: bind_seq,
    t.Act: bind_act,
    t.Let: bind_let,
    t.LetEither: bind_let_either,
    t.If: bind_if,
    t.ForEach: bind_for_each,
    t.Repeat: bind_repeat,
    t.ChooseOne: bind_choose_one,
    t.Turns: bind_turns,
    t.Window: bind_window,
    t.Cost: bind_cost,
    t.Limit: bind_limit,
    t.When: bind_rule,
    t.Moment: bind_rule,
    t.Replace: bind_rule,
    t.While: bind_rule,
    t.Static: bind_static,
}
_ = (Secret, Stop, one_thing)
