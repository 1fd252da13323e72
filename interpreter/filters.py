"""filters: in, the adjectives and filters of a selection; out, the conditions that they put to the candidates of its Pick."""

from __future__ import annotations

from typing import Any

from interpreter import tree as t
from interpreter.bound import Code, Pick, ident_of, thing
from interpreter.facts import kind_of_head, owner_py
from interpreter.number import span
from interpreter.scope import Builder, Scope, field_of, may_be


def adjectives(sel: t.Sel, sc: Scope, out: Pick) -> None:
    from interpreter.conditions import state_py

    for word in sel.adjs:
        if word in ("other", "chosen", "random", "more", "additional", "different", "next"):
            continue
        if word in ("leftmost", "first"):
            out.ordered = "first"
        elif word in ("rightmost", "last"):
            out.ordered = "last"
        elif word == "active" and out.kind == "player":
            out.conds.append(f"{out.var} == v[1]")
        elif word in sc.b.model.states:
            out.conds.append(state_py(sc, sel, word, Code(out.var, thing(out.kind), sure=True)))
            out.filtered = True
        else:
            sc.fault(sel, "type", f'"{word}" says nothing of a {out.kind}')


def filter_with(node: t.With, sc: Scope, out: Pick) -> None:
    from interpreter.amounts import bind, compare_py, number

    of = t.Sel(node.prop, of=t.Ref("itself", at=node.at), of_form="its", at=node.at)
    left = bind(of, sc)
    if node.op in ("most", "least"):
        out.best = (left.py, node.op)
        return
    assert node.value is not None
    if left.type.sort == "number":
        right = number(node.value, sc.inner(itself=None))
        if node.total:
            out.total.append((left.py, node.op, right.py))
        else:
            out.conds.append(compare_py(node.op, left.py, right.py))
    else:
        right = bind(node.value, sc.inner(itself=None))
        if node.op == "=" and by_field(node.prop, right, sc, out):
            return
        out.conds.append(
            f"{left.py} {'!=' if node.op == '!=' else '=='} {right.py} >= 0"
            if node.op != "!="
            else f"{left.py} != {right.py}"
        )


def by_field(prop: str, right: Code, sc: Scope, out: Pick) -> bool:
    """Where all things of a kind are meant, and a printed field names a thing: only those that name it are looked at."""
    model = sc.b.model
    f = field_of(model, out.kind, prop)
    lo, hi = span(model, out.kind) if out.kind in model.kinds else (0, 0)
    if (
        f is None
        or f.type != "thing"
        or f.settable
        or f.formula is not None
        or not f.table
        or right.type.sort != "thing"
        or right.type.many
        or out.loops != [(out.var, f"range({lo}, {hi})")]
    ):
        return False
    first = model.tables.get(("field lo", id(f)), lo)
    rows: list[list[int]] = [[] for _ in range(model.things + 1)]  # the last for no thing
    for x in range(lo, hi):
        if f.table[x - first] >= 0:
            rows[f.table[x - first]].append(x)
    out.loops[0] = (out.var, f"{sc.b.table(tuple(map(tuple, rows)), 'BY')}[{right.py}]")
    return True


def filter_thing(node: t.WithThing, sc: Scope, out: Pick) -> None:
    from interpreter.having import has_py

    py = has_py(sc.itself, node.what, sc)
    out.conds.append(f"not ({py})" if node.neg else py)


def filter_that(node: t.That, sc: Scope, out: Pick) -> None:
    from interpreter.conditions import condition

    out.conds.append(condition(node.test, sc).py)


def filter_rel(node: t.Rel, sc: Scope, out: Pick) -> None:
    """`that you own`, `who owns it`, `who used it`, `that you used`: what a phrase of content did is read from the event
    that the text answers, else from the history of this turn."""
    from interpreter.amounts import bind

    outer = sc.inner(itself=None)
    if node.relation in ("own", "owns"):
        if node.subject is not None:
            out.conds.append(f"{owner_py(sc, out.kind, out.var)} == {bind(node.subject, outer).py}")
        else:
            owned_ = bind(node.object, outer)
            out.conds.append(f"{owner_py(sc, owned_.type.kind, owned_.py)} == {out.var}")
        return
    declared = relation_rule(sc.b, node.relation)
    if declared is not None:
        out.conds.append(related_py(node, declared, outer, out))
        return
    tests = [
        test
        for head in told_by(sc.b, node.relation, sc.source.pack if sc.source else "")
        if (test := happened_py(node, head, outer, out))
    ]
    if not tests:
        sc.fault(node, "type", f'"{node.relation}" is not known of a {out.kind} here')
        return
    out.conds.append(f"({' or '.join(tests)})" if len(tests) > 1 else tests[0])


def relation_rule(b: Builder, written: str) -> tuple[str, str, str] | None:
    """(word, kind of what stands in it, kind of what it stands to) of a relation that content explains."""
    rules = b.model.tables.get("relation rules", {})
    for word, forms in b.model.tables.get("relations", []):
        if written in (word, *forms) and word in rules:
            return word, rules[word][1], rules[word][2]
    return None


def related_py(node: t.Rel, declared: tuple[str, str, str], sc: Scope, out: Pick) -> str:
    """Whether the candidate stands in a relation to something (to one of several, where that is left open)."""
    from interpreter.amounts import bind
    from interpreter.select import everything

    other = node.subject if node.subject is not None else node.object
    open_ = isinstance(other, t.Sel) and other.quant in ("a", "another", "") and kind_of_head(sc, other.head)
    code = everything(other, sc) if open_ else bind(other, sc)
    you = sc.you.py if sc.you is not None else "v[1]"
    name = "rel_" + ident_of(declared[0])
    i = sc.loop_var() if code.type.many else code.py
    pair = f"{i}, {out.var}" if node.subject is not None else f"{out.var}, {i}"
    test = f"{name}(s, {you}, {pair})"
    if code.type.many:
        return f"any([{test} for {i} in {code.py}])"
    return test if code.sure else f"({code.py} >= 0 and {test})"


def told_by(b: Builder, relation: str, pack: str = "") -> list[Any]:
    """The phrases of content that a relation word is a form of; those that a pack's texts may speak of."""
    heads = [head for head in b.phrase_heads.values() if relation in head.forms]
    mine = b.model.tables["sees"].get(pack)
    return [head for head in heads if mine is None or b.model.phrases[head.ident].pack in mine]


def happened_py(node: t.Rel, head: Any, sc: Scope, out: Pick) -> str:
    """Whether the candidate did (or had done to it) what a phrase tells; '' where its kind takes no part in it."""
    from interpreter.amounts import bind

    model = sc.b.model
    event = sc.locals.get("event")
    answered = event is not None and event.py == head.ident
    holes = [p for p in head.parts if not isinstance(p, str)]
    number_ = list(sc.b.phrase_heads).index(head.ident)
    history = f"z[{model.tables['history']}], {number_}"
    if node.subject is not None:
        at = next((i for i, p in enumerate(holes) if may_be(model, out.kind, p.kind)), None)
        if at is None:
            return ""
        if answered:
            return f"{out.var} == {sc.locals[holes[at].name].py}"
        return f"happened({history}, {bind(node.subject, sc).py}, ({'-1, ' * at}{out.var},))"
    if not may_be(model, out.kind, head.subject):
        return ""
    if answered:
        return f"{out.var} == {sc.locals['actor'].py}"
    args = ""
    if node.object is not None and not (isinstance(node.object, t.Sel) and node.object.quant in ("a", "another")):
        code = bind(node.object, sc)
        at = next((i for i, p in enumerate(holes) if may_be(model, code.type.kind, p.kind)), None)
        if at is None:
            return ""
        args = f"{'-1, ' * at}{code.py},"
    return f"happened({history}, {out.var}, ({args}))"


FILTERS: dict[type, Any] = {t.With: filter_with, t.WithThing: filter_thing, t.That: filter_that, t.Rel: filter_rel}
