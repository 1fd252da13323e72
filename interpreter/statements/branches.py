"""branches: sequences, lets, ifs and loops.

In: a statement tree. Out: code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from interpreter import tree as t
from interpreter.amounts import bind, number, words_of
from interpreter.bound import (
    NUMBER,
    Ask,
    Assign,
    Branch,
    Code,
    Each,
    Loop,
    Type,
    thing,
)
from interpreter.conditions import condition, place_said
from interpreter.facts import kind_of_head
from interpreter.scope import Scope, kind_test, player_code, zone_capable
from interpreter.select import everything
from interpreter.statements.choosing import ask_one
from interpreter.statements.sentences import bind_text, collect, settle, statement, where, words


def bind_seq(node: t.Seq, sc: Scope) -> None:
    for index, part in enumerate(node.parts):
        before = len(sc.out)
        statement(part, sc)
        if index < len(node.joins) and node.joins[index] == "then":
            settle(sc, before)


def bind_let(node: t.Let, sc: Scope) -> None:
    """`Let n be …`: a local name for a number, a thing, things or a place."""
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
        grows = value.most is None or old.most is None or (value.most > old.most and reads_local(node.value))
        sc.out.append(Assign(old.py, f"sat({py})" if grows and value.type == NUMBER else py))
        if old.type.kind != value.type.kind and old.type.sort == "thing":
            from interpreter.amounts import common_kind

            sc.locals[node.name] = Code(
                old.py, thing(common_kind(sc, {old.type.kind, value.type.kind}), value.type.many)
            )
        if grows:
            sc.locals[node.name].most = None  # in a loop it could grow and grow
        else:
            sc.locals[node.name].most = max(value.most or 0, old.most or 0)
        return
    var = sc.fresh(value.type)
    sc.out.append(Assign(var, py))
    sc.locals[node.name] = Code(var, value.type, most=value.most, sure=value.sure)


def reads_local(node: Any) -> bool:
    """Whether an expression reads something that a text has let."""
    if isinstance(node, tuple):
        return any(reads_local(part) for part in node)
    if not isinstance(node, t.Node):
        return False
    return isinstance(node, t.Local) or any(reads_local(getattr(node, f.name)) for f in fields(node))


def bind_let_either(node: t.LetEither, sc: Scope) -> None:
    """`Let goal be either A or B.`: asks which."""
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
    place = place_said(cond, sc)
    if place is not None:
        var = sc.fresh(place.type)
        sc.out.append(Assign(var, place.py))
        sc.named.insert(0, Code(var, place.type))
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
        found = bind(replace(sel, quant="the", count=None, trail="", at_random=False, rounding="", plural=False), sc)
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
    """`For each Guard …`: the things of the beginning; what has left meanwhile is passed over."""
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
        inner.about = var
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
    kind = base.type.kind
    lies = zone_capable(model, kind) and kind != "player"  # what lies nowhere cannot have left
    lines = [f"o = [i for i in {left} if v[{model.loc}+i] >= 0]" if lies else f"o = list({left})"]
    for name in node.before[:1] if node.before else ():
        test = kind_test(model, name, "i", base.type.kind)
        if test:
            lines.append(f"o = [i for i in o if {test}] or o")
    lines.append(f"o = alike(s, {who.py}, o)")
    if not node.ordered:
        lines.append("o = o[:1]")
    prompt = (sc.source.prompt if sc.source else "") or f"Choose the next {base.type.kind}"
    ask = Ask(one.py, who.py, lines, prompt, "thing", where(sc, node))
    taken = [Assign(left, f"tuple([i for i in {left} if i != {one.py}])"), *collect(sc, body)]
    sc.out.append(Loop(f"len({left}) > 0", [ask, Branch(f"{one.py} < 0", [Assign(left, "()")], taken)]))


def bind_repeat(node: t.Repeat, sc: Scope) -> None:
    """`Repeat 3 times`, `Repeat until …`, `Repeat while …`."""
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
