"""lint: in, a game as loaded and one of its packs; out, warnings about what stands in that pack and comes to nothing.

What can come into play is found from the set-up, the turn, the rules and the scores: whatever their texts name, and what
that names in turn. A phrase, a counter or a record that is never come to is told; so is a text that does nothing, and a
record that differs from another in its name only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from . import tree as t
from .compile import all_steps, walk
from .declare import waiting
from .diagnostics import Diagnostic, finding
from .load import Loaded
from .model import Kind, Model, Record, Source
from .nodes import Mapping, Scalar, Sequence
from .read import Pack

EVERYTHING = {"thing", "things", "piece", "pieces"}
CARDS = {"card", "cards"}
IDLE = {"stop", "pass"}  # verbs that by themselves change nothing
# The lists of a file whose entries define names, and the key that does.
DEFINED = {"counters": "counter", "states": "state", "titles": "title", "relations": "relation"}


def lint(loaded: Loaded, pack: Pack) -> list[Diagnostic]:
    """The warnings about one pack of a game that has no errors."""
    if loaded.compiled is None or loaded.compiled.program is None:
        return []
    reach = Reach(loaded)
    return [
        *unused_phrases(loaded, pack, reach),
        *unused_names(loaded, pack, reach),
        *unused_lets(loaded, pack),
        *unreachable(loaded, pack, reach),
        *idle_texts(loaded, pack),
        *twins(loaded, pack, reach),
    ]


# ---------------------------------------------------------------- what is come to


def strings(node: Any) -> Iterator[str]:
    """Every word that a tree holds."""
    if isinstance(node, str):
        yield node
    elif is_dataclass(node) and not isinstance(node, type):
        for f in fields(node):
            yield from strings(getattr(node, f.name))
    elif isinstance(node, tuple):
        for item in node:
            yield from strings(item)


class Reach:
    """words: all that texts which can come into play name. records: the ids of those records."""

    def __init__(self, loaded: Loaded) -> None:
        assert loaded.compiled is not None
        self.model: Model = loaded.model
        self.trees = loaded.compiled.trees
        self.words: set[str] = set()
        self.records: set[str] = set()
        self.named: set[str] = set()  # names that texts and fields of other records hold
        self.done: set[int] = set()
        self.roots()
        size = -1
        while size != (size := len(self.words) + len(self.records)):
            self.pass_on()

    def hear(self, source: Source | None) -> None:
        if source is None or id(source) in self.done:
            return
        self.done.add(id(source))
        found = set(strings(self.trees.get(id(source))))
        self.words |= found
        for word in found:
            self.words.update(part for part in word.split() if "_" not in word)

    def roots(self) -> None:
        m = self.model
        for step in all_steps(m):
            self.words.add(step.name)
            self.hear(step.source)
        for rule in m.rules:
            self.hear(rule.source)
        for source in [*(source for _, source in m.scores), *m.ties, m.returns]:
            self.hear(source)
        self.words |= set(m.tables.get("option counters", {}).values())
        for source, _, _ in m.tables.get("relation rules", {}).values():
            self.hear(source)

    def pass_on(self) -> None:
        m = self.model
        for ident, body in [*m.phrases.items(), *m.values.items()]:
            if ident in self.words:
                self.hear(body.source)
                for source in body.event.values():
                    self.hear(source)
        for word, states in m.states.items():
            if word in self.words:
                for state in states:
                    self.hear(state.source)
        for kind in m.kinds.values():
            self.hear(kind.live)
            for f in kind.fields.values():
                if f.name in self.words:
                    self.hear(f.formula)
        for path in m.paths:
            if path.record in self.words or self.spoken(m.kinds.get(self.kind_of(path.record))):
                self.words.update(path.spaces)
        for ident, record in m.records.items():
            if ident not in self.records and self.comes(record):
                self.records.add(ident)
                for source in record.texts.values():
                    self.hear(source)
                for word in held(list(record.values.values())):
                    self.words.add(word)
                    self.named.add(word)

    def kind_of(self, name: str) -> str:
        return next((r.kind for r in self.model.records.values() if r.name == name), "")

    def spoken(self, kind: Kind | None) -> bool:
        """Whether a text names a kind, one that it is a sort of, or all things."""
        if self.words & EVERYTHING:
            return True
        while kind is not None:
            if kind.name in self.words or (kind.card and self.words & CARDS):
                return True
            kind = self.model.kinds.get(kind.parent)
        return False

    def comes(self, record: Record) -> bool:
        if record.copies == 0:
            return False
        kind = self.model.kinds[record.kind]
        gridded = any(record.node is grid.node for grid in self.model.grids)
        ways = {grid.ways for grid in self.model.grids}
        return (
            gridded
            or record.name in self.words
            or record.ident in self.words
            or kind.name == self.model.faction_kind
            or kind.name in ways
            or self.spoken(kind)
            or self.in_zone(kind)
        )

    def in_zone(self, kind: Kind) -> bool:
        """Whether a text names a zone that holds the kind."""
        above = {kind.name}
        while kind.parent in self.model.kinds:
            kind = self.model.kinds[kind.parent]
            above.add(kind.name)
        return any(zone.name in self.words and above & set(zone.holds) for zone in self.model.zones.values())


def held(value: Any) -> Iterator[str]:
    """The words in a value of a record."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from held(list(value))
    elif isinstance(value, list):
        for item in value:
            yield from held(item)


# ---------------------------------------------------------------- warnings


def unused_phrases(loaded: Loaded, pack: Pack, reach: Reach) -> Iterator[Diagnostic]:
    tables = loaded.model.tables
    for sort, heads in (("phrase", tables.get("phrase heads", [])), ("value", tables.get("value heads", []))):
        for owner, head in heads:
            if owner == pack.name and head.ident not in reach.words:
                message = f"no text that can come into play uses this {sort}"
                yield finding("unused-phrase", head.file, head.at, message)


def unused_names(loaded: Loaded, pack: Pack, reach: Reach) -> Iterator[Diagnostic]:
    for file in pack.files:
        root = file.root
        for key, word in DEFINED.items():
            node = root.get(key) if isinstance(root, Mapping) and not file.name.startswith("scenarios/") else None
            for entry in node.items if isinstance(node, Sequence) else ():
                name = entry.get(word) if isinstance(entry, Mapping) else None
                if isinstance(name, Scalar) and not any(w in reach.words for w in spellings(name.text, word, loaded)):
                    message = f'no text that can come into play speaks of the {word} "{name.text}"'
                    yield finding("unused-name", file.path, name.span(), message)


def spellings(name: str, word: str, loaded: Loaded) -> set[str]:
    """The words by which trees may call what is declared."""
    out = {name}
    if word == "counter":
        out.add(waiting(name))
    elif word == "state" and name == "face-down":
        out.add("flip")
    elif word == "relation":
        for base, forms in loaded.model.tables.get("relations", []):
            out |= set(forms) if base == name else set()
    return out


def own_texts(loaded: Loaded, pack: Pack) -> Iterator[tuple[Source, Any]]:
    assert loaded.compiled is not None
    mine = {file.path for file in pack.files}
    for source, _, _ in loaded.compiled.read:
        tree = loaded.compiled.trees.get(id(source))
        if tree is not None and source.file in mine:
            yield source, tree


def unused_lets(loaded: Loaded, pack: Pack) -> Iterator[Diagnostic]:
    """Names that a text gives and no text of its record uses."""
    together: dict[str, list[tuple[Source, Any]]] = {}
    for source, tree in own_texts(loaded, pack):
        together.setdefault(source.record if source.record in loaded.model.records else str(id(source)), []).append(
            (source, tree)
        )
    for texts in together.values():
        used = {n.name for _, tree in texts for n in walk(tree) if isinstance(n, t.Local)}
        for source, tree in texts:
            for n in walk(tree):
                if isinstance(n, (t.Let, t.LetEither)) and n.name not in used:
                    start = n.at[0]
                    found = re.compile(rf"\b{re.escape(n.name)}\b").search(source.text, start)
                    at = found.span() if found else n.at
                    message = f'nothing in this text uses the name "{n.name}"'
                    yield finding("unused-name", source.file, source.scalar.span(*at), message)


def unreachable(loaded: Loaded, pack: Pack, reach: Reach) -> Iterator[Diagnostic]:
    for ident, record in loaded.model.records.items():
        if record.pack == pack.name and ident not in reach.records and isinstance(record.node, Mapping):
            key = "copies" if record.copies == 0 else "name"
            node = record.node.get(key)
            why = (
                "there are no copies of it"
                if record.copies == 0
                else f"no text that is ever read names it or a {record.kind}"
            )
            if isinstance(node, Scalar):
                message = f'no deck or step can reach "{record.name}": {why}'
                yield finding("unreachable-record", record.file, node.span(), message)


def idle_texts(loaded: Loaded, pack: Pack) -> Iterator[Diagnostic]:
    """Texts of records, steps and phrases that change nothing, and sentences behind one that ends their text."""
    model = loaded.model
    actions = {id(s) for r in model.records.values() for s in r.texts.values()}
    actions |= {id(step.source) for step in all_steps(model)}
    for source, tree in own_texts(loaded, pack):
        if not isinstance(tree, t.Text):
            continue
        if id(source) in actions and idle(tree) and source.scalar is not None:
            end = len(source.text.rstrip("\n").split("\n")[0])
            yield finding("idle-text", source.file, source.scalar.span(0, end), "this text does nothing")
            continue
        for part in walk(tree):
            if isinstance(part, t.Text):
                stops = [
                    i for i, s in enumerate(part.sentences) if isinstance(s, t.Act) and s.verb == "stop" and not s.modal
                ]
                if stops and stops[0] + 1 < len(part.sentences):
                    behind = part.sentences[stops[0] + 1]
                    message = "nothing behind `Stop.` is ever done"
                    yield finding("idle-text", source.file, source.scalar.span(*behind.at), message)


def idle(node: Any) -> bool:
    """Whether a statement changes nothing and asks nothing, whatever the state is."""
    match node:
        case t.Text(sentences=parts) | t.Seq(parts=parts):
            return all(idle(part) for part in parts)
        case t.Act(verb=verb, is_phrase=False):
            return verb in IDLE
        case t.Let():
            return True
        case t.If(then=then, otherwise=otherwise):
            return idle(then) and (otherwise is None or idle(otherwise))
        case t.ForEach(body=body) | t.Repeat(body=body):
            return idle(body)
    return False


def twins(loaded: Loaded, pack: Pack, reach: Reach) -> Iterator[Diagnostic]:
    """Records that say the same. Those whose own names are spoken of are told apart by that."""
    model = loaded.model
    spoken = {w for source, tree in all_texts(loaded) for w in strings(tree)} | reach.named
    spoken |= {name for path in model.paths for name in path.spaces}
    first: dict[str, Record] = {}
    for record in model.records.values():
        kind = model.kinds[record.kind]
        if not (record.texts or record.values) or record.name in spoken or kind.name == model.faction_kind:
            continue
        if any(record.node is grid.node for grid in model.grids) or kind.spread:
            continue
        texts = {name: source.text.split() for name, source in record.texts.items()}
        key = json.dumps([record.kind, record.values, texts, record.faction], sort_keys=True)
        other = first.setdefault(key, record)
        if other is not record and record.pack == pack.name and isinstance(record.node, Mapping):
            node = record.node.get("name")
            if isinstance(node, Scalar):
                message = (
                    f'"{record.name}" differs from "{other.name}" in its name only; if that is meant, give one copies'
                )
                yield finding("twin-records", record.file, node.span(), message)


def all_texts(loaded: Loaded) -> Iterable[tuple[Source, Any]]:
    assert loaded.compiled is not None
    for source, _, _ in loaded.compiled.read:
        yield source, loaded.compiled.trees.get(id(source))
