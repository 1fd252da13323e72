"""reading: every text of a model → its tree, and what the whole program listens to, replaces and modifies.

In: a Compiled. Out: its trees, findings, and the builder's sets of heard, replaced and modified.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from interpreter import tree as t
from interpreter.blocks import Emitter
from interpreter.bound import Routine
from interpreter.diagnostics import Diagnostic
from interpreter.filters import told_by
from interpreter.model import Model, Source, Step
from interpreter.parse import Language
from interpreter.program import Image, Program
from interpreter.remembered import remember, split_trail
from interpreter.rewrite import rewritten
from interpreter.rules import (
    event_key,
    modified_names,
    moment_keys,
)
from interpreter.scope import Builder, is_a, place
from interpreter.statements import grant_of, grants_more

EFFECT_TYPES = {
    "text": "text",
    "statement": "text",
    "amount": "amount",
    "condition": "condition",
    "selection": "selection",
}


MOST_FAULTS = 500  # in the texts of a game


@dataclass(slots=True)
class Compiled:
    """What a compiled game keeps beside its Program, so that statements can be compiled onto it (scenarios, explain)."""

    model: Model
    builder: Builder
    emitter: Emitter
    language: Language
    trees: dict[int, Any] = field(default_factory=dict)
    program: Program | None = None
    image: Image | None = None
    code: CodeType | None = None
    source: str = ""
    set_up: list[Routine] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)
    rules: dict[int, list[Any]] = field(default_factory=dict)
    read: list[tuple[Source, str, tuple[str, ...]]] = field(default_factory=list)  # each text, as what it was read
    waiting: list[str] = field(default_factory=list)  # source of statements put onto the program, not compiled yet


def parse_source(c: Compiled, source: Source, start: str, locals_: tuple[str, ...]) -> Any:
    """One text → tree, kept by the identity of its Source."""
    if len(c.builder.findings) >= MOST_FAULTS:
        return None
    c.read.append((source, start, locals_))
    node, faults = c.language.of(source.pack).parse(source.text, start, locals_)
    for f in faults:
        c.builder.findings.append(place(source, f.span, f.code, f.message, f.suggestion))
    if len(c.builder.findings) >= MOST_FAULTS:
        message = f"there are {MOST_FAULTS} faults up to here; the texts that follow are read when they are mended"
        c.builder.findings.append(place(source, (0, 1), "too-many", message))
    if node is not None and not faults:
        node = c.trees[id(source)] = rewritten(node, c.model)
    return node


def parse_all(c: Compiled) -> None:
    """All texts of a model → trees; what is wrong with their words is told."""
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


def walk(node: Any) -> list[Any]:
    """Every node of a tree, the outer first."""
    out: list[Any] = []
    todo = [node]
    while todo:
        here = todo.pop()
        if here.__class__ is tuple:
            todo += reversed(here)
            continue
        names = t.parts(here.__class__)
        if names is not None:
            out.append(here)
            todo += [getattr(here, name) for name in reversed(names)]
    return out


def permits(node: Any) -> bool:
    """`you may salvage it until the end of the game`: it is not offered now, but may be done while it lasts."""
    return isinstance(node, t.Act) and node.modal == "may" and node.is_phrase and node.during is not None


def prescan(c: Compiled) -> None:
    """What the whole program listens to, replaces and modifies is known before anything is bound."""
    b = c.builder
    nodes = [(source, n) for source, tree in c.trees.items() for n in walk(tree)]
    for _, node in nodes:
        remember(node, b)
        if isinstance(node, t.Duration) and isinstance(node.what, t.Sel) and node.what.head == "action":
            b.actions_end = True
        if isinstance(node, t.When) and node.event is not None:
            b.heard.add(event_key(node.event, b, node.word))
        elif isinstance(node, t.Moment):
            b.heard.update(key for key, _ in moment_keys(node, b))
        elif isinstance(node, t.When):
            c.emitter.edges = b.edges_heard = True
        elif isinstance(node, t.Replace):
            b.replaced.add(event_key(node.event, b, "instead"))
        elif grants_more(node):
            grant_of(b, node)
        elif permits(node):
            b.permits.add(node.verb)
        elif isinstance(node, t.Act) and node.modal == "cannot":
            key = event_key(t.Event(node.verb, node.subject, node.roles, False, node.is_phrase), b, "instead")
            b.replaced.add(key)
            b.cannot.add(key)
        elif isinstance(node, t.Static):
            b.modified |= modified_names(node, b)
        elif isinstance(node, t.Did) and node.event is not None and node.event.is_phrase:
            b.history.add(node.event.verb)
        elif isinstance(node, t.Sel) and " this " in node.trail:
            b.history |= {head.ident for head in told_by(b, split_trail(node.trail)[0])}
        elif isinstance(node, t.Rel):
            b.history |= {head.ident for head in told_by(b, node.relation)}
    counting(c, nodes)
    b.table_names[("PLACE", "PLACE")] = "PLACE"
    b.tables["PLACE"] = (*(-2 - o if o <= -2 else -1 for o in b.model.zone_owner), -1)


def counting(c: Compiled, nodes: list[tuple[int, Any]]) -> None:
    """What `counts as` lets things be: kind → (the kind that has all of them, the kinds that are counted for it)."""
    model = c.model
    bearers = {id(s): record.kind for record in model.records.values() for s in record.texts.values()}
    found: dict[str, set[str]] = {}
    for source, node in nodes:
        if not isinstance(node, t.Static) or node.change != "counts as" or not isinstance(node.amount, t.Sel):
            continue
        head, what = node.amount.head, node.what
        if head not in model.kinds:
            continue
        said = what.head if isinstance(what, t.Sel) and what.head in model.kinds else ""
        if not said and isinstance(what, t.Ref) and what.word == "this":
            said = bearers.get(source, "")
        found.setdefault(head, set()).add(said or eldest(model, head))
        if node.amount.count is not None:
            model.tables.setdefault("weighed", set()).add(head)
    table: dict[str, tuple[str, list[str]]] = {}
    for head, kinds in found.items():
        above = head
        while above in model.kinds and not all(is_a(model, k, above) for k in kinds):
            above = model.kinds[above].parent or "thing"
        kind = head
        while kind in model.kinds and not is_a(model, above, kind):
            table[kind] = (above, [*table.get(kind, ("", []))[1], head])
            kind = model.kinds[kind].parent
    model.tables["counted as"] = table


def eldest(model: Model, kind: str) -> str:
    """The kind that a kind is a sort of, if need be of another that it is a sort of."""
    while model.kinds[kind].parent in model.kinds:
        kind = model.kinds[kind].parent
    return kind


def tree_of(c: Compiled, source: Source) -> Any:
    return c.trees.get(id(source))
