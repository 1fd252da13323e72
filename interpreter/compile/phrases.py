"""phrases: phrases, values, states and relations → routines and functions.

In: a Compiled with its trees. Out: routines and functions in its builder.
"""

from __future__ import annotations

from typing import Any

from interpreter import bound as bd
from interpreter.amounts import bind, number
from interpreter.bound import NUMBER, Assign, Code, Routine, Run, Settle, Type, Var, ident_of, thing
from interpreter.compile.reading import Compiled, tree_of
from interpreter.conditions import condition
from interpreter.model import Model, Record
from interpreter.possible import both, of_text
from interpreter.rules import (
    split,
)
from interpreter.scope import Scope, player_code
from interpreter.select import everything
from interpreter.statements import bind_text


def prepare(c: Compiled) -> None:
    """Routines and functions get their names before any body is bound, so that texts may refer forward."""
    from interpreter.compile.records import main_text

    b = c.builder
    model = c.model
    for ident, head in b.phrase_heads.items():
        routine = b.routine(ident, "phrase", model.phrases[ident].source)
        kind = head.subject if head.subject in model.kinds else "player"
        routine.params = [Var("x0", thing(kind))]
        for hole in (p for p in head.parts if not isinstance(p, str)):
            routine.params.append(Var(f"x{len(routine.params)}", hole_type(hole)))
        routine.vars = list(routine.params)
        routine.label = " ".join(p if isinstance(p, str) else p.name for p in head.parts)
        b.phrase_routines[ident] = routine
    for i, ident in enumerate(b.value_heads):
        b.value_functions[ident] = f"value_{i}"
    for record in model.records.values():
        for name in record.texts:
            if model.kinds[record.kind].fields[name].type == "text" and id(record.texts[name]) in c.trees:
                tree = c.trees[id(record.texts[name])]
                asks = name == main_text(model.kinds[record.kind]) and asked_first(model, record)
                if tree.sentences and not split(tree)[0] and not asks:
                    continue
                b.effects[(record.ident, name)] = b.routine(f"{record.ident} {name}", "effect", record.texts[name])


def asked_first(model: Model, record: Record) -> bool:
    """Whether something is paid or chosen before a record's text."""
    return any(model.kinds[record.kind].fields[name].type in ("statement", "selection") for name in record.texts)


def hole_type(hole: Any) -> Type:
    if hole.kind == "number":
        return NUMBER
    if hole.kind == "condition":
        return Type("condition")
    kind = "thing" if hole.kind in ("place", "piece") else hole.kind
    return thing(kind, hole.plural)


def phrase_scope(c: Compiled, ident: str) -> Scope:
    """What the text of a phrase knows at its beginning: who does it, and what stands in its holes."""
    b = c.builder
    routine = b.phrase_routines[ident]
    head = b.phrase_heads[ident]
    sc = Scope(b, routine.source, routine)
    sc.you = Code("x0", routine.params[0].type, sure=True)
    if routine.params[0].type.kind != "player":
        sc.this = sc.you
        sc.you = None
    for var, hole in zip(routine.params[1:], (p for p in head.parts if not isinstance(p, str))):
        if not sc.topic and var.type.sort == "thing" and not var.type.many:
            sc.topic = var.name
        sc.locals[hole.name] = Code(var.name, var.type, sure=var.type.many, most=None)
        if var.type.sort == "thing":
            sc.named.append(sc.locals[hole.name])
    return sc


def bind_phrases(c: Compiled) -> None:
    """The texts of all phrases → the bodies of their routines."""
    b = c.builder
    scopes: dict[str, Scope] = {}
    for ident, body in c.model.phrases.items():
        sc = phrase_scope(c, ident)
        scopes[ident] = sc
        for name, source in body.event.items():
            tree = tree_of(c, source)
            if tree is None:
                continue
            sc.source = source
            value = bind(tree, sc)
            var = sc.fresh(value.type)
            sc.out.append(Assign(var, value.py))
            sc.locals[name] = Code(var, value.type, sure=value.sure)
        sc.source = body.source
    for ident, sc in scopes.items():
        tree = tree_of(c, c.model.phrases[ident].source)
        if tree is None:
            continue
        routine = b.phrase_routines[ident]
        extra = [sc.locals[name].py for name in c.model.phrases[ident].event]
        args = ", ".join([p.name for p in routine.params] + extra)
        seen: list[str] = []
        if f"do:{ident}" in b.heard:
            var = sc.fresh(bd.Type("number", "", True))
            sc.out.append(Assign(var, f"{on('do:' + ident, 'seen')}(s, {args})"))
            seen = [var]
        if f"before:{ident}" in b.heard:
            sc.out += [Run([f"{on('before:' + ident)}(s, {args})"], {f"before:{ident}"}), Settle({f"before:{ident}"})]
        text = sc.inner(out=[])
        bind_text(tree, text)
        tail: list[Any] = []
        if f"do:{ident}" in b.heard:
            tail.append(Run([f"{on('do:' + ident)}(s, {', '.join([args, *seen])})"], {f"do:{ident}"}))
        if ident in b.history:
            at = list(b.phrase_heads).index(ident)
            plain = [p.name for p in routine.params if not p.type.many]
            tail.append(
                Run(
                    [
                        f"z[{c.model.tables['history']}] = z[{c.model.tables['history']}] + ({at}, {len(plain)}, {', '.join(plain)})"
                    ]
                )
            )
        routine.body = [*sc.out, *with_tail(text.out, tail)]
        can_function(c, routine, tree, sc)


def with_tail(body: list[Any], tail: list[Any]) -> list[Any]:
    """`stop` in a phrase still lets its event be announced."""
    if not tail:
        return body

    def mend(stms: list[Any]) -> list[Any]:
        out: list[Any] = []
        for stm in stms:
            if isinstance(stm, bd.Stop):
                out += tail
            elif isinstance(stm, bd.Branch):
                stm.then, stm.other = mend(stm.then), mend(stm.other)
            elif isinstance(stm, (bd.Each, bd.Loop)):
                stm.body = mend(stm.body)
            out.append(stm)
        return out

    return [*mend(body), *tail]


def on(key: str, what: str = "on") -> str:
    return f"{what}_" + ident_of(key)


def can_function(c: Compiled, routine: Routine, tree: Any, sc: Scope, extra: list[str] | None = None) -> None:
    """can_<n>: whether what a routine pays first can be paid."""
    b = c.builder
    kept = len(b.findings)
    inner = Scope(
        b,
        sc.source,
        routine,
        sc.you,
        sc.this,
        dict(sc.locals),
        list(sc.named[: len(routine.params)]),
        pure=True,
        depth=sc.depth,
    )
    scratch = len(routine.vars)
    test = both([*(extra or []), of_text(tree, inner) if tree is not None else "True"])
    del b.findings[kept:]
    del routine.vars[scratch:]
    params = ", ".join(["s", *[p.name for p in routine.params]])
    b.functions.append(f"def can_{routine.index}({params}):\n    v = s.v; z = s.z\n    return {test}")


def bind_values(c: Compiled) -> None:
    """The texts of all values → functions `value_N(s, you, …)`."""
    b = c.builder
    for ident, head in b.value_heads.items():
        source = c.model.values[ident].source
        tree = tree_of(c, source)
        if tree is None:
            continue
        sc = Scope(b, source, pure=True)
        sc.you = player_code("x0")
        params = ["s", "x0"]
        for i, hole in enumerate(p for p in head.parts if not isinstance(p, str)):
            params.append(f"x{i + 1}")
            sc.locals[hole.name] = Code(f"x{i + 1}", hole_type(hole), sure=True)
            if hole_type(hole).sort == "thing":
                sc.named.append(sc.locals[hole.name])
        if head.result == "condition":
            code = condition(tree, sc)
        elif head.plural:
            code = everything(tree, sc)
        elif head.result == "number":
            code = number(tree, sc)
        else:
            code = bind(tree, sc)
        b.defined[b.value_functions[ident]] = source
        b.functions.append(
            f"def {b.value_functions[ident]}({', '.join(params)}):\n    v = s.v; z = s.z\n    return {code.py}"
        )


def bind_states(c: Compiled) -> None:
    """States → functions. Bound more than once, so that a short state can stand inside another wherever it is declared."""
    b = c.builder
    for last in (False, False, True):
        findings, functions = len(b.findings), len(b.functions)
        bind_states_once(c)
        if not last:
            del b.findings[findings:]
            del b.functions[functions:]


def bind_states_once(c: Compiled) -> None:
    """The texts of states → functions `is_STATE_KIND(s, you, x)`."""
    b = c.builder
    for word, states in c.model.states.items():
        for state in states:
            if state.source is None or tree_of(c, state.source) is None:
                continue
            sc = Scope(b, state.source, pure=True)
            kind = "thing" if state.kind in ("thing", "card") else state.kind
            sc.itself = Code("x1", thing(kind), sure=True)
            sc.named.append(sc.itself)
            sc.this = sc.itself
            sc.you = player_code("x0")
            code = condition(tree_of(c, state.source), sc)
            name = f"is_{ident_of(word)}_{ident_of(state.kind)}"
            b.defined[name] = state.source
            if len(code.py) <= 90:
                b.short_states[name] = code.py
            b.functions.append(f"def {name}(s, x0, x1):\n    v = s.v; z = s.z\n    return {code.py}")


def bind_relations(c: Compiled) -> None:
    """`who guards it`: rel_<word>(s, you, it, object) for each relation that says when it holds."""
    b = c.builder
    for word, (source, of, to) in c.model.tables.get("relation rules", {}).items():
        tree = tree_of(c, source)
        if tree is None:
            continue
        sc = Scope(b, source, pure=True)
        sc.itself = Code("x1", thing(of), sure=True)
        sc.named.append(sc.itself)
        sc.you = player_code("x0")
        sc.locals["object"] = Code("x2", thing(to), sure=True)
        code = condition(tree, sc)
        b.defined[f"rel_{ident_of(word)}"] = source
        b.functions.append(f"def rel_{ident_of(word)}(s, x0, x1, x2):\n    v = s.v; z = s.z\n    return {code.py}")
