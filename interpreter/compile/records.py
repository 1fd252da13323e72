"""records: the texts, amounts, conditions and rules of records; steps and scores → routines, functions, listeners.

In: a Compiled with its trees. Out: routines, functions, listeners and modifiers in its builder.
"""

from __future__ import annotations

from typing import Any

from interpreter import tree as t
from interpreter.amounts import bind, number
from interpreter.bound import Code, Routine, Run, Var, ident_of, thing
from interpreter.compile.phrases import can_function
from interpreter.compile.reading import Compiled, all_steps, tree_of, walk
from interpreter.conditions import condition
from interpreter.model import Kind, Record, Source
from interpreter.possible import of_text
from interpreter.rules import (
    Owner,
    bind_rule,
    is_rule,
    split,
)
from interpreter.scope import Scope, player_code, zone_capable
from interpreter.select import everything
from interpreter.statements import bind_text


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


def text_of_type(kind: Kind, record: Record, wanted: str) -> Source | None:
    """A record's text in the first field of a type (its cost, what it is played on); None where it has none."""
    return next(
        (record.texts[f.name] for f in kind.fields.values() if f.type == wanted and f.name in record.texts), None
    )


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
        first = text_of_type(kind, record, "statement") if main else None
        chosen = text_of_type(kind, record, "selection") if main else None
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
            b.defined[function] = source
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
            code = (
                number(tree, sc)
                if f.type == "amount"
                else condition(tree, sc)
                if f.type == "condition"
                else bind(tree, sc)
            )
            function = f"formula_{len(done)}"
            b.defined[function] = f.formula
            b.functions.append(f"def {function}(s, x0, x1):\n    v = s.v; z = s.z\n    return {code.py}")
            for x in range(kind.lo, kind.hi):
                names[f.name].setdefault(x, function)
    for name, table in names.items():
        empty = {"amount": "0", "thing": "-1"}.get(kinds[name], "True")
        used = list(dict.fromkeys(table.values()))
        if len(used) == 1 and len(table) == max(table) - min(table) + 1:  # one text, for all of a run of things
            b.functions.append(
                f"def field_{ident_of(name)}(s, x0, x1):\n    v = s.v; z = s.z\n"
                f"    return {used[0]}(s, x0, x1) if {min(table)} <= x1 < {max(table) + 1} else {empty}"
            )
            continue
        items = ", ".join(f"{x}: {function}" for x, function in table.items())
        b.functions.append(f"FIELD_{ident_of(name)} = {{{items}}}")
        b.functions.append(
            f"def field_{ident_of(name)}(s, x0, x1):\n"
            f"    return FIELD_{ident_of(name)}[x1](s, x0, x1) if x1 in FIELD_{ident_of(name)} else {empty}"
        )


def bind_rules(c: Compiled) -> None:
    """What holds while a record is live, and the rules of the game → triggers, replacements and changes."""
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
    """The texts of the set-up, the turn and the round → routines."""
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
