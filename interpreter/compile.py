"""compile: a numbered Model → Program and findings: parse all texts, bind them, emit Python, execute it once.

The stages are the functions of this file in the order of `compile_program`. What is bound stands in the Builder.
"""

from __future__ import annotations

import hashlib
import linecache
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

from interpreter import bound as bd
from interpreter import tree as t
from interpreter.amounts import bind, ident_of, number
from interpreter.armed import LETTERS
from interpreter.blocks import Dyn, Emitter, desugar, emit_blocks, emit_function, label_name, stm_waits
from interpreter.bound import NUMBER, Ask, Assign, Call, Code, Loop, Mark, Routine, Run, Settle, Type, Var, thing
from interpreter.conditions import condition
from interpreter.diagnostics import Diagnostic
from interpreter.cache import code_of
from interpreter.emitted import RUNTIME
from interpreter.fold import fold
from interpreter.model import ACTIVE, FIRST, PLAYERS, ROUND, TURN, Kind, Model, Record, Source, Step
from interpreter.number import span
from interpreter.parse import Language
from interpreter.possible import both, of_text, possible
from interpreter.program import OptionText, Program, Range
from interpreter.rewrite import rewritten
from interpreter.rules import Owner, bind_rule, circles, event_key, is_rule, match_scope, modified_names, moment_keys, proposed_count, split
from interpreter.scope import Builder, Scope, place, player_code, steps_below, zone_capable
from interpreter.select import everything, told_by
from interpreter.statements import bind_text, grant_of, grants_more

EFFECT_TYPES = {
    "text": "text",
    "statement": "text",
    "amount": "amount",
    "condition": "condition",
    "selection": "selection",
}


@dataclass(slots=True)
class Compiled:
    """What a compiled game keeps beside its Program, so that statements can be compiled onto it (scenarios, explain)."""

    model: Model
    builder: Builder
    emitter: Emitter
    language: Language
    trees: dict[int, Any] = field(default_factory=dict)
    program: Program | None = None
    source: str = ""
    findings: list[Diagnostic] = field(default_factory=list)
    rules: dict[int, list[Any]] = field(default_factory=dict)


def compile_program(model: Model, language: Language) -> Compiled:
    """Model → Compiled; program is None when there are errors among the findings."""
    b = Builder(model)
    c = Compiled(model, b, Emitter(b.heard, False), language)
    b.step_names = {name: i for i, name in enumerate(steps_below(model))}
    parse_all(c)
    if any(f.severity == "error" for f in b.findings):
        c.findings = b.findings
        return c
    prescan(c)
    prepare(c)
    bind_states(c)
    bind_relations(c)
    bind_phrases(c)
    bind_values(c)
    bind_fields(c)
    bind_effects(c)
    bind_rules(c)
    steps = bind_steps(c)
    bind_scores(c)
    circles(b)
    c.findings = b.findings
    if any(f.severity == "error" for f in b.findings):
        return c
    resolve = resolver(c)
    driver = bind_driver(c, steps)
    emit(c, driver, resolve)
    return c


# ---------------------------------------------------------------- parsing


def parse_source(c: Compiled, source: Source, start: str, locals_: tuple[str, ...]) -> Any:
    """One text → tree, kept by the identity of its Source."""
    node, faults = c.language.parse(source.text, start, locals_)
    for f in faults:
        c.builder.findings.append(place(source, f.span, f.code, f.message, f.suggestion))
    if node is not None and not faults:
        node = c.trees[id(source)] = rewritten(node, c.model)
    return node


def parse_all(c: Compiled) -> None:
    model = c.model
    for ident, body in model.phrases.items():
        holes = tuple(p.name for p in c.builder.phrase_heads[ident].parts if not isinstance(p, str))
        for source in body.event.values():
            parse_source(c, source, "amount", holes)
        parse_source(c, body.source, "text", (*holes, *body.event))
    for ident, body in model.values.items():
        head = c.builder.value_heads[ident]
        holes = tuple(p.name for p in head.parts if not isinstance(p, str))
        start = "condition" if head.result == "condition" else "selection" if head.plural else "amount"
        parse_source(c, body.source, start, holes)
    for words in model.states.values():
        for state in words:
            if state.source is not None:
                parse_source(c, state.source, "condition", ())
    for source, _, _ in model.tables.get("relation rules", {}).values():
        parse_source(c, source, "condition", ("object",))
    for kind in model.kinds.values():
        if kind.live is not None and id(kind.live) not in c.trees:
            parse_source(c, kind.live, "condition", ())
        for f in kind.fields.values():
            if f.formula is not None and id(f.formula) not in c.trees:
                parse_source(c, f.formula, "condition" if f.type == "condition" else "amount", ())
    for record in model.records.values():
        kind = model.kinds[record.kind]
        bound: tuple[str, ...] = ("object",) if any(f.type == "selection" for f in kind.fields.values()) else ()
        ordered = sorted(record.texts.items(), key=lambda item: kind.fields[item[0]].type != "statement")
        for name, source in ordered:
            node = parse_source(c, source, EFFECT_TYPES[kind.fields[name].type], bound)
            if kind.fields[name].type == "statement" and node is not None:
                bound += tuple(n.name for n in walk(node) if isinstance(n, (t.Let, t.LetEither)))
    for rule in model.rules:
        parse_source(c, rule.source, "text", ())
    for step in all_steps(model):
        if step.source is not None:
            parse_source(c, step.source, "text", ())
    for _, source in model.scores:
        parse_source(c, source, "amount", ())
    for source in [*model.ties, *([model.returns] if model.returns else [])]:
        parse_source(c, source, "amount", ())


def all_steps(model: Model) -> list[Step]:
    out = [*model.setup, *model.turn]
    for phase in model.round:
        out += [phase, *phase.steps]
    return out


def walk(node: Any) -> Any:
    """Every node of a tree, the outer first."""
    if is_dataclass(node) and not isinstance(node, type):
        yield node
        for f in fields(node):
            yield from walk(getattr(node, f.name))
    elif isinstance(node, tuple):
        for item in node:
            yield from walk(item)


def prescan(c: Compiled) -> None:
    """What the whole program listens to, replaces and modifies is known before anything is bound."""
    b = c.builder
    for node in [n for tree in c.trees.values() for n in walk(tree)]:
        if isinstance(node, t.When) and node.event is not None:
            b.heard.add(event_key(node.event, b, node.word))
        elif isinstance(node, t.Moment):
            b.heard.update(key for key, _ in moment_keys(node, b))
        elif isinstance(node, t.When):
            c.emitter.edges = True
        elif isinstance(node, t.Replace):
            b.replaced.add(event_key(node.event, b, "instead"))
        elif grants_more(node):
            grant_of(b, node)
        elif isinstance(node, t.Act) and node.modal == "cannot":
            key = event_key(t.Event(node.verb, node.subject, node.roles, False, node.is_phrase), b, "instead")
            b.replaced.add(key)
            b.cannot.add(key)
        elif isinstance(node, t.Static):
            b.modified |= modified_names(node, b)
        elif isinstance(node, t.Did) and node.event is not None and node.event.is_phrase:
            b.history.add(node.event.verb)
        elif isinstance(node, t.Rel):
            b.history |= {head.ident for head in told_by(b, node.relation)}
    b.table_names[("PLACE", "PLACE")] = "PLACE"
    b.tables["PLACE"] = (*(-2 - o if o <= -2 else -1 for o in b.model.zone_owner), -1)


# ---------------------------------------------------------------- binding


def prepare(c: Compiled) -> None:
    """Routines and functions get their names before any body is bound, so that texts may refer forward."""
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


def tree_of(c: Compiled, source: Source) -> Any:
    return c.trees.get(id(source))


def phrase_scope(c: Compiled, ident: str) -> Scope:
    b = c.builder
    routine = b.phrase_routines[ident]
    head = b.phrase_heads[ident]
    sc = Scope(b, routine.source, routine)
    sc.you = Code("x0", routine.params[0].type, sure=True)
    if routine.params[0].type.kind != "player":
        sc.this = sc.you
        sc.you = None
    for var, hole in zip(routine.params[1:], (p for p in head.parts if not isinstance(p, str))):
        sc.locals[hole.name] = Code(var.name, var.type, sure=var.type.many, most=None)
        if var.type.sort == "thing":
            sc.named.append(sc.locals[hole.name])
    return sc


def bind_phrases(c: Compiled) -> None:
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
        body = sc.inner(out=[])
        bind_text(tree, body)
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
        routine.body = [*sc.out, *with_tail(body.out, tail)]
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
    return f"{what}_" + "".join(ch if ch.isalnum() else "_" for ch in key)


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
        b.functions.append(f"def rel_{ident_of(word)}(s, x0, x1, x2):\n    v = s.v; z = s.z\n    return {code.py}")


def owner_of(c: Compiled, record: Record, source: Source) -> Owner:
    """How the rules of a record's text find `you` and `this`."""
    model = c.model
    kind = model.kinds[record.kind]
    live = ""
    if kind.live is not None and tree_of(c, kind.live) is not None:
        sc = Scope(c.builder, kind.live, pure=True)
        sc.this = Code("x1", thing(record.kind), sure=True)
        sc.itself = sc.this
        sc.you = player_code("own(s, x1)")
        live = condition(tree_of(c, kind.live), sc).py
    return Owner(record.ids, record.kind, live, you_of(c, record), source, record.name, object_of(c, record))


def you_of(c: Compiled, record: Record) -> str:
    """Python for the player of a record's text: its owner, else the player of its faction; '' where nobody can own it."""
    model = c.model
    if record.kind == model.faction_kind:
        return "seat_of_faction(s, x1)"
    faction = model.records.get(record.faction)
    if faction is not None and faction.ids:
        return f"seat_of_faction(s, {faction.ids[0]})"
    kind = model.kinds[record.kind]
    return "own(s, x1)" if kind.owned or kind.each or zone_capable(model, record.kind) else ""


def effect_scope(c: Compiled, record: Record, routine: Routine, source: Source) -> Scope:
    routine.params = [Var("x0", thing("player")), Var("x1", thing(record.kind))]
    routine.vars = list(routine.params)
    sc = Scope(c.builder, source, routine)
    sc.you = player_code("x0")
    sc.this = Code("x1", thing(record.kind), sure=True)
    return sc


def rules_of(c: Compiled, source: Source) -> tuple[Any, ...]:
    tree = tree_of(c, source)
    return split(tree)[1] if isinstance(tree, t.Text) else ()


def speaks_of_object(node: Any) -> bool:
    return any(isinstance(n, t.Local) and n.name == "object" for n in walk(node))


def object_of(c: Compiled, record: Record) -> dict[str, Code]:
    """What a record's text was last performed on, for its rules; nothing where none of them speaks of it."""
    if record.ident not in c.builder.objects:
        return {}
    source = next(s for name, s in record.texts.items() if c.model.kinds[record.kind].fields[name].type == "selection")
    sc = Scope(c.builder, source, you=player_code("x0"), this=Code("x1", thing(record.kind), sure=True), pure=True)
    kind = everything(tree_of(c, source), sc).type.kind
    return {"object": Code(f"v[{c.builder.objects[record.ident]}+x1]", thing(kind))}


def bind_effects(c: Compiled) -> None:
    """Text fields → effect routines (cost, then object, then text), with their can functions."""
    b = c.builder
    model = c.model
    for record in model.records.values():
        if any(speaks_of_object(rule) for text in record.texts.values() for rule in rules_of(c, text)):
            b.objects[record.ident] = b.cell(len(record.ids), start=-1) - record.ids[0]
    for (ident, name), routine in b.effects.items():
        record = model.records[ident]
        kind = model.kinds[record.kind]
        source = record.texts[name]
        sc = effect_scope(c, record, routine, source)
        main = name == main_text(kind)
        tests = []
        first = (
            next(
                (
                    record.texts[f.name]
                    for f in kind.fields.values()
                    if f.type == "statement" and f.name in record.texts
                ),
                None,
            )
            if main
            else None
        )
        chosen = (
            next(
                (
                    record.texts[f.name]
                    for f in kind.fields.values()
                    if f.type == "selection" and f.name in record.texts
                ),
                None,
            )
            if main
            else None
        )
        pure = sc.inner(pure=True, depth=sc.depth)
        if first is not None and tree_of(c, first) is not None:
            kept = len(b.findings)
            pure.source = first
            tests.append(of_text(tree_of(c, first), pure))
            del b.findings[kept:]
            sc.source = first
            bind_text(tree_of(c, first), sc)
        if chosen is not None and tree_of(c, chosen) is not None:
            from interpreter.possible import some
            from interpreter.statements import choose

            pure.source = chosen
            tests.append(some(tree_of(c, chosen), pure))
            sc.source = chosen
            sc.locals["object"] = choose(tree_of(c, chosen), sc, player_code("x0"))
            if ident in b.objects:
                sc.out.append(Run([f"v[{b.objects[ident]}+x1] = {sc.locals['object'].py}"]))
        sc.source = source
        tree = tree_of(c, source)
        if tree is not None:
            effects = t.Text(split(tree)[0], tree.block, at=tree.at)
            can_function(c, routine, effects if not tests else None, sc, tests)
            bind_text(effects, sc)
        routine.body = sc.out
        routine.framed = True


def main_text(kind: Kind) -> str:
    names = [f.name for f in kind.fields.values() if f.type == "text"]
    return next((n for n in names if n.lower() == "text"), names[0] if names else "")


def bind_fields(c: Compiled) -> None:
    """Amount and condition fields → one function a record, reached by a table over things."""
    b = c.builder
    model = c.model
    names: dict[str, dict[int, str]] = {}
    kinds: dict[str, str] = {}
    for kind in model.kinds.values():
        for f in kind.fields.values():
            if f.type in ("amount", "condition") or f.formula is not None:
                names.setdefault(f.name, {})
                kinds[f.name] = f.type
    count = 0
    for record in model.records.values():
        for name, source in record.texts.items():
            f = model.kinds[record.kind].fields[name]
            tree = tree_of(c, source)
            if f.type not in ("amount", "condition") or tree is None:
                continue
            sc = Scope(b, source, pure=True)
            sc.you = player_code("x0")
            sc.this = Code("x1", thing(record.kind), sure=True)
            code = number(tree, sc) if f.type == "amount" else condition(tree, sc)
            function = f"read_{count}"
            count += 1
            b.functions.append(f"def {function}(s, x0, x1):\n    v = s.v; z = s.z\n    return {code.py}")
            for x in record.ids:
                names[name][x] = function
    done: set[int] = set()
    for kind in model.kinds.values():
        for f in kind.fields.values():
            if f.formula is None or id(f) in done or tree_of(c, f.formula) is None:
                continue
            done.add(id(f))
            sc = Scope(b, f.formula, pure=True)
            sc.you = player_code("x1" if kind.name == "player" else "x0")
            sc.this = sc.itself = Code("x1", thing(kind.name), sure=True)
            tree = tree_of(c, f.formula)
            code = number(tree, sc) if f.type == "amount" else condition(tree, sc) if f.type == "condition" else bind(tree, sc)
            function = f"formula_{len(done)}"
            b.functions.append(f"def {function}(s, x0, x1):\n    v = s.v; z = s.z\n    return {code.py}")
            for x in range(kind.lo, kind.hi):
                names[f.name].setdefault(x, function)
    for name, table in names.items():
        empty = {"amount": "0", "thing": "-1"}.get(kinds[name], "True")
        items = ", ".join(f"{x}: {function}" for x, function in table.items())
        b.functions.append(f"FIELD_{ident_of(name)} = {{{items}}}")
        b.functions.append(
            f"def field_{ident_of(name)}(s, x0, x1):\n    f = FIELD_{ident_of(name)}.get(x1)\n"
            f"    return f(s, x0, x1) if f else {empty}"
        )


def bind_rules(c: Compiled) -> None:
    b = c.builder
    for record in c.model.records.values():
        for name, source in record.texts.items():
            tree = tree_of(c, source)
            if tree is None or c.model.kinds[record.kind].fields[name].type != "text":
                continue
            for sentence in split(tree)[1]:
                bind_rule(sentence, b, owner_of(c, record, source))
    for rule in c.model.rules:
        tree = tree_of(c, rule.source)
        if tree is None:
            continue
        owner = Owner(source=rule.source, label=rule.ident)
        faction = c.model.records.get(rule.faction)
        if faction is not None and faction.ids:
            owner = Owner(faction.ids[:1], faction.kind, "", "seat_of_faction(s, x1)", rule.source, faction.name)
        for sentence in tree.sentences:
            if is_rule(sentence):
                bind_rule(sentence, b, owner)
            else:
                b.fault(
                    rule.source,
                    sentence.at,
                    "type",
                    "a rule begins with when, whenever, before, after, if … would, while, at the start or end of",
                )


def bind_steps(c: Compiled) -> dict[int, Routine]:
    b = c.builder
    out: dict[int, Routine] = {}
    for step in all_steps(c.model):
        if step.source is None or tree_of(c, step.source) is None:
            continue
        routine = b.routine(step.name, "step", step.source)
        routine.params = [Var("x0", thing("player"))]
        routine.vars = list(routine.params)
        routine.framed = True
        sc = Scope(b, step.source, routine)
        sc.you = player_code("x0")
        bind_text(tree_of(c, step.source), sc)
        routine.body = sc.out
        out[id(step)] = routine
    return out


def bind_scores(c: Compiled) -> None:
    b = c.builder
    for i, (_, source) in enumerate(c.model.scores):
        amount_function(c, source, f"score_{i}")
    for i, source in enumerate(c.model.ties):
        amount_function(c, source, f"tie_{i}")
    if c.model.returns is not None:
        amount_function(c, c.model.returns, "returns")
    _ = b


def amount_function(c: Compiled, source: Source, name: str) -> None:
    tree = tree_of(c, source)
    if tree is None:
        return
    sc = Scope(c.builder, source, pure=True)
    sc.you = player_code("x0")
    sc.named.append(sc.you)
    c.builder.functions.append(f"def {name}(s, x0):\n    v = s.v; z = s.z\n    return {number(tree, sc).py}")


# ---------------------------------------------------------------- driver and triggers


def moment_run(b: Builder, key: str) -> list[Any]:
    if key not in b.heard:
        return []
    return [Run([f"{on(key)}(s, v[{ACTIVE}])"], {key}), Settle({key})]


def lasting(b: Builder, name: str) -> list[Any]:
    """The line that ends what lasts until a boundary, where anything does."""
    ends = {f"end:{boundary}" for _, _, boundary in b.cell_resets} | set(b.durations)
    if b.history:
        ends.add("end:turn")
    edge, _, step = name.partition(":")
    names = [name, *(f"{edge}:{kind}" for kind in kinds_of_step(b.model, step))]
    return [
        Run([f"end_of(s, {one!r})"]) for one in names if one in ends or one == "start:turn" and "start:turn:own" in ends
    ]


def kinds_of_step(model: Model, step: str) -> list[str]:
    """The kinds that a step is of, where it is also a record."""
    record = next((r for r in model.records.values() if r.name == step), None)
    kind = record.kind if record is not None else ""
    out = []
    while kind in model.kinds:
        out.append(kind)
        kind = model.kinds[kind].parent
    return out


def bind_driver(c: Compiled, steps: dict[int, Routine]) -> Routine:
    """Set-up, then turns or rounds for ever: the frame at the bottom of the stack."""
    b = c.builder
    model = c.model
    driver = b.routine("driver", "driver")
    driver.framed = True
    body: list[Any] = []
    for step in model.setup:
        if id(step) in steps:
            body += [Call(steps[id(step)], [f"v[{FIRST}]"]), Settle(set(b.heard))]
    body.append(Run([f"v[{ACTIVE}] = v[{FIRST}]", "s.mods = ()"]))
    body.append(Mark("set-up done"))
    body += moment_run(b, "start:game")

    def one(step: Step) -> list[Any]:
        out: list[Any] = [Mark(f"step:{step.name}"), *moment_run(b, f"start:{step.name}")]
        if id(step) in steps:
            out += [Call(steps[id(step)], [f"v[{ACTIVE}]"]), Settle(set(b.heard))]
        out += [Mark(step.name), *moment_run(b, f"end:{step.name}"), *lasting(b, f"end:{step.name}")]
        return out

    def turns(inside: list[Step]) -> list[Any]:
        out: list[Any] = [*lasting(b, "start:turn"), *moment_run(b, "start:turn")]
        for step in inside:
            out += one(step)
        out += [
            Mark("turn"),
            *moment_run(b, "end:turn"),
            *lasting(b, "end:turn"),
            Run([f"v[{TURN}] += 1", f"v[{ACTIVE}] = (v[{ACTIVE}] + 1) % v[{PLAYERS}]"]),
        ]
        return out

    if model.round:
        loop: list[Any] = [Run([f"v[{ROUND}] += 1", f"v[{ACTIVE}] = v[{FIRST}]"]), *moment_run(b, "start:round")]
        for phase in model.round:
            if phase.each:
                count = f"x{len(driver.vars)}"
                driver.vars.append(Var(count, NUMBER))
                loop += [
                    Mark(f"step:{phase.name}"),
                    *moment_run(b, f"start:{phase.name}"),
                    Assign(count, f"v[{PLAYERS}]"),
                    Run([f"v[{ACTIVE}] = v[{FIRST}]"]),
                    Loop(f"{count} > 0", [Assign(count, f"{count} - 1"), *turns(phase.steps)]),
                    Mark(phase.name),
                    *moment_run(b, f"end:{phase.name}"),
                    *lasting(b, f"end:{phase.name}"),
                ]
            else:
                loop += one(phase)
        loop += [Mark("round"), *moment_run(b, "end:round"), *lasting(b, "end:round")]
        body.append(Loop("True", loop))
    elif model.turn:
        body.append(Loop("True", turns(model.turn)))
    body += [Mark("game"), *moment_run(b, "end:game"), bd.Finish()]
    driver.body = body
    return driver


def resolver(c: Compiled) -> Routine:
    """Triggers that wait, in turn order from the active player; one player's own in the order that player chooses."""
    b = c.builder
    r = b.routine("resolve", "resolve")
    r.framed = True
    names = ["batch", "seat", "answer", "entry", "old"]
    r.vars = [
        Var(f"x{i}", Type("number", "", True) if n in ("batch", "entry", "old") else NUMBER)
        for i, n in enumerate(names)
    ]
    applied = c.model.tables["applied"]
    ask = Ask("x2", "x1", ["o = order_options(s, x0, x1, ORDERS)"], "Choose which comes first", "order", ("", "", 0))
    r.body = [
        Assign("x0", "take_pending(s)"),
        Assign("x4", f"z[{applied}]"),
        Run([f"z[{applied}] = ()"]),
        Loop(
            "x0",
            [
                Assign("x1", "first_seat(s, x0)"),
                ask,
                Assign("x3", "pick_trigger(s, x0, x1, x2, ORDERS)"),
                Assign("x0", "without(x0, x3)"),
                Dyn(["*x3[1:]"], "LISTENERS[x3[0]]"),
            ],
        ),
        Run([f"z[{applied}] = x4"]),
    ]
    return r


# ---------------------------------------------------------------- emission


def emit(c: Compiled, driver: Routine, resolve: Routine) -> None:
    b = c.builder
    e = c.emitter
    listeners = [m for group in (*b.listeners.values(), *b.replacements.values(), b.edges) for m in group]
    replaced = b.counts.get("replaced")
    if replaced is None:
        replaced = b.counts["replaced"] = b.cell(1)
    for routine in b.routines:
        routine.body = desugar(routine.body, routine, replaced, c.model.tables["applied"], "ORDERS")
    suspension(b)
    emit_blocks(driver, e)
    e.resolve = resolve
    for routine in b.routines:
        if routine is driver:
            continue
        emit_routine(routine, e)
    b.tables["ORDERS"] = tuple(b.text_action(m.label or m.key) for m in listeners)
    events(c, listeners)
    modifiers(c)
    boundaries(c)
    finishing(c, driver, resolve, listeners)


def emit_routine(routine: Routine, e: Emitter) -> None:
    if routine.suspends or routine.framed:
        emit_blocks(routine, e)
    else:
        emit_function(routine, e)


def suspension(b: Builder) -> None:
    """Which routines wait: a least fixpoint; whatever lies in a cycle of calls goes through frames."""
    calls: dict[int, set[int]] = {r.index: called(r.body) for r in b.routines}
    changed = True
    while changed:
        changed = False
        for r in b.routines:
            if not (r.suspends or r.framed) and any(stm_waits(stm) for stm in r.body):
                r.suspends = changed = True
    for r in b.routines:
        seen: set[int] = set()
        queue = list(calls[r.index])
        while queue:
            at = queue.pop()
            if at not in seen:
                seen.add(at)
                queue += calls[at]
        if r.index in seen and not r.framed:
            r.framed = True
    for r in b.routines:
        if not (r.suspends or r.framed) and any(stm_waits(stm) for stm in r.body):
            suspension(b)
            return


def called(stms: list[Any]) -> set[int]:
    out: set[int] = set()
    for stm in stms:
        if isinstance(stm, Call):
            out.add(stm.routine.index)
        elif isinstance(stm, bd.Branch):
            out |= called(stm.then) | called(stm.other)
        elif isinstance(stm, (bd.Each, Loop)):
            out |= called(stm.body)
    return out


def events(c: Compiled, listeners: list[bd.Listener]) -> None:
    """on_KEY(s, a0, …) queues triggers; instead_KEY(s, a0, …) lists applicable replacements; edges(s) looks at conditions."""
    from interpreter.rules import arguments_of

    b = c.builder
    at = {id(m): i for i, m in enumerate(listeners)}
    for m in b.armed:
        b.tables[f"ARMED{m.armed}"] = at[id(m)]
    for key in sorted(b.heard):
        group = b.listeners.get(key, [])
        args = [f"a{i}" for i in range(argument_count(key, b))]
        lines = ["v = s.v; z = s.z"]
        looks = ["v = s.v; z = s.z", "seen = ()"]
        for m in group:
            test, number_ = m.match, at[id(m)]
            if m.early:
                looks += looking(replace(m, live=""), m.early, number_, b)
                test = both([f"noted(seen, {number_}, x1)", test])
            if m.live and key.startswith("do:"):
                looks += looking(m, "True", ~number_, b)
                before = f"noted(seen, {~number_}, x1)"
                m = replace(m, live=f"({m.live}) or {before}", owner=m.owner and f"first_seat_of({m.owner}, {before} - 1)")
            lines += source_loop(
                m, [f"s.pend = s.pend + (({number_}, x0, x1, {''.join(a + ', ' for a in args)}),)"], test, b
            )
        phrase = key.startswith("do:")
        takes = ["s", *args, *(["seen"] if phrase else [])]
        b.functions.append(f"def {on(key)}({', '.join(takes)}):\n" + "\n".join("    " + line for line in lines))
        if phrase:
            looks = [*looks, "return seen"] if len(looks) > 2 else ["return ()"]
            head = f"def {on(key, 'seen')}({', '.join(['s', *args])}):\n"
            b.functions.append(head + "\n".join("    " + line for line in looks))
    applied = c.model.tables["applied"]
    for key in sorted(b.replaced):
        args = [f"a{i}" for i in range(proposed_count(key, b, argument_count(key, b)))]
        lines = ["v = s.v; z = s.z", "found = ()"]
        for m in b.replacements.get(key, []):
            mark = [
                f"if not applied_already(z[{applied}], {at[id(m)]}, x1):",
                f"    found = found + ({at[id(m)]}, x0, x1)",
            ]
            lines += source_loop(m, mark, m.match, b)
        lines.append("return found")
        name = "instead_" + "".join(ch if ch.isalnum() else "_" for ch in key)
        b.functions.append(f"def {name}({', '.join(['s', *args])}):\n" + "\n".join("    " + line for line in lines))
        if key in b.cannot:
            lines = ["v = s.v; z = s.z"]
            for m in b.replacements.get(key, []):
                lines += source_loop(m, ["return True"], m.match, b) if m.bars else []
            lines.append("return False")
            b.functions.append(f"def {on(key, 'barred')}({', '.join(['s', *args])}):\n" + "\n".join("    " + line for line in lines))
    if b.edges:
        lines = ["v = s.v; z = s.z"]
        for m in b.edges:
            inner = [
                f"i = {m.cell}{' + x1' if m.things else ''}",
                f"n = 1 if ({m.match}) else 0",
                f"if n and not v[i]: s.pend = s.pend + (({at[id(m)]}, x0, x1),)",
                *(["v[i] = n"] if not m.first else ["if n: v[i] = 1"]),
            ]
            lines += source_loop(m, inner, "True", b)
        b.functions.append("def edges(s):\n" + "\n".join("    " + line for line in lines))
    _ = arguments_of


def looking(m: bd.Listener, test: str, number_: int, b: Builder) -> list[str]:
    """Lines that note for which of a listener's sources a test holds when the holes of a phrase are bound, and for whom."""
    looker = bd.Listener(m.key, "", m.routine, test, m.things, m.live, m.owner)
    return source_loop(looker, [f"seen = seen + ({number_}, x1, x0)"], test, b)


def argument_count(key: str, b: Builder) -> int:
    from interpreter.rules import arguments_of

    return len(arguments_of(key, b, None))


def source_loop(m: bd.Listener, inner: list[str], match: str, b: Builder) -> list[str]:
    """Lines that go over a listener's live sources and run `inner` where it matches, with x0 = you and x1 = this."""
    pad = ""
    lines: list[str] = []
    if m.armed:
        rows = b.model.tables["armed"]
        test = [] if match == "True" else [f"    if not ({match}): continue"]
        return [f"for row in rows(z[{rows}], ARMED{m.armed}):", "    x0 = row[3]; x1 = row[0]", *test, *["    " + i for i in inner]]
    if m.things:
        many = tuple(m.things)
        run = many == tuple(range(many[0], many[-1] + 1))
        itself = re.match(r"(a\d+|y) == x1(?: and |$)", match) if run else None
        if itself:               # the event is about the bearer itself: no search
            lines += [f"x1 = {itself.group(1)}", f"if {many[0]} <= x1 <= {many[-1]}:"]
            match = match[itself.end():] or "True"
        else:
            over = f"range({many[0]}, {many[-1] + 1})" if run else repr(many)
            lines.append(f"for x1 in {over}:" if len(many) > 1 else f"for x1 in ({many[0]},):")
        pad = "    "
        if not re.search(r"\bx0\b", match):
            tests = [x for x in (f"({m.live})" if m.live else "", f"({match})" if match != "True" else "") if x]
            if tests:
                lines.append(f"{pad}if {' and '.join(tests)}:")
                pad += "    "
            match = "True"
        elif m.live:
            lines.append(f"{pad}if {m.live}:")
            pad += "    "
        lines.append(f"{pad}x0 = {m.owner or f'v[{ACTIVE}]'}")
        if m.owner:
            lines.append(f"{pad}if x0 >= 0:")
            pad += "    "
    else:
        lines += ["x1 = -1", f"x0 = {m.owner or f'v[{ACTIVE}]'}"]
    tests = [t_ for t_ in (match,) if t_ != "True"]
    if m.cell >= 0 and m.first and m.key != "edge":
        tests.append(f"not v[{m.cell}{' + x1' if m.things else ''}]")
        inner = [f"v[{m.cell}{' + x1' if m.things else ''}] = 1", *inner]
    if tests:
        lines.append(f"{pad}if {' and '.join(f'({x})' for x in tests)}:")
        lines += [f"{pad}    {line}" for line in inner]
    else:
        lines += [pad + line for line in inner]
    return lines


def modifiers(c: Compiled) -> None:
    """changed_NAME(s, y, n): printed, then set to, times, plus and minus, bounds."""
    b = c.builder
    order = ("set", "times", "plus", "minus", "at least", "at most")
    for name in sorted(b.modified):
        lines = ["v = s.v; z = s.z"]
        group = b.modifiers.get(name, [])
        for change in order:
            act = {
                "set": "n = {}",
                "times": "n = n * {}",
                "plus": "n = n + {}",
                "minus": "n = n - {}",
                "at least": "n = max(n, {})",
                "at most": "n = min(n, {})",
            }[change]
            for m in group:
                if m.change != change or m.cond == "dynamic":
                    continue
                listener = bd.Listener("", "", None, m.cond, m.things, m.live, m.owner)  # type: ignore[arg-type]
                lines += source_loop(listener, [act.format(m.amount)], m.cond, b)
            for m in {m.ident: m for m in group if m.cond == "dynamic" and m.change == change}.values():
                lines += ["for m in s.mods:", f"    if m[0] == {m.ident} and m[1] == y{f' and {m.live}' if m.live else ''}: " + act.format("m[2]")]
        lines.append("return n if n > 0 else 0")
        b.functions.append(f"def changed_{ident_of(name)}(s, y, n, w):\n" + "\n".join("    " + line for line in lines))


def boundaries(c: Compiled) -> None:
    """end_of(s, name): clears what lasts until a boundary."""
    b = c.builder
    lines = ["v = s.v; z = s.z"]
    by_name: dict[str, list[str]] = {}
    for cell, count, boundary in b.cell_resets:
        by_name.setdefault(f"end:{boundary}", []).append(f"v[{cell}:{cell + count}] = [0] * {count}")
    if b.history:
        by_name.setdefault("end:turn", []).append(f"z[{c.model.tables['history']}] = ()")
    for i, name in enumerate(b.durations if b.armed else ()):
        rows = c.model.tables["armed"]
        by_name.setdefault(name, []).append(f"z[{rows}] = ended(z[{rows}], {i})")
    for name, acts in by_name.items():
        lines.append(f"if name == {name!r}:")
        lines += [f"    {a}" for a in acts]
    if b.durations:
        b.tables["DURATIONS"] = {name: i for i, name in enumerate(b.durations)}
        lines += [
            "if s.mods and name in DURATIONS:",
            "    k = DURATIONS[name]",
            "    s.mods = tuple([m for m in s.mods if m[3] != k])",
        ]
        for late in [d for d in b.durations if d.endswith(":next")]:
            first, then = b.durations.index(late), b.durations.index(late.removesuffix(":next"))
            lines += [
                f"if name == {late.removesuffix(':next')!r}:",
                f"    s.mods = tuple([(*m[:3], {then}, *m[4:]) if m[3] == {first} else m for m in s.mods])",
                f"    z[{c.model.tables['armed']}] = later(z[{c.model.tables['armed']}], {first}, {then})",
            ]
        if "start:turn:own" in b.durations:
            lines += [
                "if s.mods and name == 'start:turn':",
                "    k = DURATIONS['start:turn:own']",
                f"    s.mods = tuple([m for m in s.mods if m[3] != k or m[4] != v[{ACTIVE}]])",
            ]
    b.functions.append("def end_of(s, name):\n" + "\n".join("    " + line for line in lines))


def finishing(c: Compiled, driver: Routine, resolve: Routine, listeners: list[bd.Listener]) -> None:
    """Everything together → source, executed once; then the Program."""
    b = c.builder
    e = c.emitter
    model = c.model
    number_base = b.next_action
    b.ranges.append(scope_range(number_base, b.most_number))
    b.next_action += b.most_number + 1
    constants = {"NB": number_base, "DRIVER": e.shapes[driver.entry][0]}
    for routine in b.routines:
        if routine.can:
            b.tables[f"R{routine.index}"] = eval(routine.can)
    for label, block in e.labels.items():
        constants[f"L_{label_name(label)}"] = block
    b.tables["R_RESOLVE"] = b.tables[f"R{resolve.index}"]
    b.tables["LISTENERS"] = tuple(b.tables[f"R{m.routine.index}"] for m in listeners)
    effect_tables(c)
    c.source = "\n\n".join(
        [*b.functions, *e.functions, *e.blocks, *[e.questions[k] for k in sorted(e.questions) if k >= 0]]
    )
    namespace = execute(c, c.source, {**constants, **b.tables})
    namespace["can_effect"] = can_effect_of(c, namespace)
    program = Program(model, [namespace[f"b{i}"] for i in range(len(e.blocks))])
    program.questions = {k: namespace[f"q{k}"] for k in e.questions if k >= 0}
    program.sites = dict(e.sites)
    program.shapes = list(e.shapes)
    program.origins = list(e.origins)
    size = e.shapes[driver.entry][0]
    program.start = (*([0] * (size - 1)), driver.entry)
    program.ranges = ranges_of(b)
    program.num_actions = b.next_action
    program.globals = namespace
    program.listeners = listeners
    program.lists[model.tables["armed"]] = LETTERS
    for step in all_steps(model):
        for i, record in enumerate(e.origins):
            if step.source is not None and record == step.source.record:
                program.phases[i] = step.name
    if model.scores:
        names = [namespace[f"score_{i}"] for i in range(len(model.scores))]
        ties = [namespace[f"tie_{i}"] for i in range(len(model.ties))]
        program.scores = lambda s, seat: sum(f(s, seat) for f in names)
        program.ranking = lambda s, seat: (sum(f(s, seat) for f in names), *[f(s, seat) for f in ties])
    if model.returns is not None:
        program.returns = namespace["returns"]
    model.start = [*model.start[: model.cells], *b.extra_cells]
    c.program = program


def scope_range(lo: int, most: int) -> Any:
    from interpreter.scope import ActionRange

    return ActionRange(lo, lo + most + 1, "number")


def ranges_of(b: Builder) -> list[Range]:
    out = []
    for r in b.ranges:
        data: Any = r.label if r.kind == "text" else OptionText(r.first, r.label, "{place." in r.label) if r.kind == "option" else None
        out.append(Range(r.lo, r.hi, r.kind, data))
    return out


def effect_tables(c: Compiled) -> None:
    """EFFECT_<field>: thing → rest of the frame of its effect, or None; `*` means the main text of any kind."""
    b = c.builder
    model = c.model
    for name in sorted({*c.emitter.effect_tables, *(name for _, name in b.effects), "*"}):
        table: list[Any] = [None] * model.things
        for (ident, field_name), routine in b.effects.items():
            record = model.records[ident]
            wanted = main_text(model.kinds[record.kind]) if name == "*" else name
            if field_name == wanted:
                for x in record.ids:
                    table[x] = b.tables[f"R{routine.index}"]
        b.tables["EFFECT_" + "".join(ch if ch.isalnum() else "_" for ch in name)] = tuple(table)


def can_effect_of(c: Compiled, namespace: dict[str, Any]) -> Callable[[Any, int, int], bool]:
    """can_effect(s, you, x): whether the main text of a thing can be performed."""
    table: list[Any] = [None] * c.model.things
    for (ident, name), routine in c.builder.effects.items():
        record = c.model.records[ident]
        if name == main_text(c.model.kinds[record.kind]):
            for x in record.ids:
                table[x] = namespace.get(f"can_{routine.index}")

    def can_effect(s: Any, you: int, x: int) -> bool:
        f = table[x] if x >= 0 else None
        return f is not None and bool(f(s, you, x))

    return can_effect


def execute(c: Compiled, source: str, tables: dict[str, Any]) -> dict[str, Any]:
    """Compile and run emitted source in a namespace of its own; registered with linecache for tracebacks."""
    from interpreter import alike, log, mutations

    namespace: dict[str, Any] = {"__builtins__": SAFE, **RUNTIME}
    for module in (mutations, alike, log):
        for name in (
            "rnd",
            "mv",
            "tops",
            "bottoms",
            "settle",
            "settle_bottom",
            "shuffle",
            "shuffle_in",
            "own",
            "sees",
            "know",
            "finish",
            "alike",
            "veil",
            "behind",
            "chose",
            "did",
        ):
            if hasattr(module, name):
                namespace[name] = getattr(module, name)
    namespace.update(tables)
    name = f"<cardscript {c.model.name or 'game'} {hashlib.sha256(source.encode()).hexdigest()[:8]}>"
    constants = {k: v for k, v in tables.items() if isinstance(v, (int, tuple))}
    code = code_of(source, constants, lambda: compile(fold(source, tables), name, "exec"))
    exec(code, namespace)  # our own emitted source
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    return namespace


SAFE = {
    n: __builtins__[n] if isinstance(__builtins__, dict) else getattr(__builtins__, n)
    for n in (
        "len",
        "range",
        "sum",
        "any",
        "all",
        "max",
        "min",
        "sorted",
        "tuple",
        "list",
        "list",
        "abs",
        "int",
        "bool",
        "enumerate",
        "zip",
    )
}
_ = (span, possible, match_scope)
