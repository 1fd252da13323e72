"""breaking: alters, one at a time and in memory only, each sentence that rules.yaml names, and asks whether a scenario
that covers its rule notices.

In: a pack as loaded, its files of scenarios. Out: Mutant after Mutant, noticed or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .bench import Bench
from .cache import reading
from .compile import compile_program
from .declare import declare
from .diagnostics import has_errors
from .load import Loaded
from .nodes import Mapping, Node, Scalar, Sequence, plain
from .number import number
from .read import File, read_file
from .scenario import Scenario, read_scenarios, ready
from .story import play
from .suite import rule_entries
from .tree import Node as Tree
from .tree import Text

if TYPE_CHECKING:
    from .model import Source

# The keys by which a record can be called.
NAMES = ("id", "name", "phrase", "value", "step", "phase", "score", "counter", "zone", "kind", "state", "path")
TEXTS = ("text", "is")
NUMBER = re.compile(r"(?<![\w-])(?<!player )(?<!Player )\d+(?!\w)")
FLIPS = {
    "at least": "less than",
    "at most": "more than",
    "more than": "at most",
    "less than": "at least",
    "fewer than": "at least",
    "exactly": "other than",
    "other than": "exactly",
    "is not": "is",
    "are not": "are",
    "there is no": "there is a",
    "the most": "the least",
    "the least": "the most",
    "the highest": "the lowest",
    "the lowest": "the highest",
    "only if": "unless",
    "unless": "only if",
}
NOTHING = "…"  # what a text without sentences is written as
COMPARISON = re.compile(r"\b(" + "|".join(map(re.escape, FLIPS)) + r")\b", re.IGNORECASE)


@dataclass(slots=True)
class Mutant:
    """One change of one text. value: what the scalar holds instead. rules: the ids whose sentence it is."""

    node: Scalar
    file: File
    offset: int
    value: Any
    change: str
    rules: list[str] = field(default_factory=list)

    @property
    def line(self) -> int:
        return self.node.place(self.offset)[0]


class Remembering:
    """A Language that reads each text once, and nothing as a text without sentences."""

    def __init__(self, language: Any) -> None:
        self.language = language
        self.read: dict[tuple[str, str, tuple[str, ...]], Any] = {}
        self.packs: dict[str, Remembering] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.language, name)

    def of(self, pack: str) -> Remembering:
        if pack not in self.packs:
            self.packs[pack] = self if self.language.of(pack) is self.language else Remembering(self.language.of(pack))
        return self.packs[pack]

    def parse(self, text: str, start: str, names: tuple[str, ...]) -> Any:
        key = (text, start, tuple(names))
        if text == NOTHING and start == "text":
            return Text(()), []
        if key not in self.read:
            self.read[key] = self.language.parse(text, start, names)
        return self.read[key]


# ---------------------------------------------------------------- which sentences


def mutants(loaded: Loaded, pack: Path) -> tuple[list[Mutant], list[str]]:
    """Every change of the sentences that a pack's rules.yaml names; a line for each place that is not there."""
    assert loaded.compiled is not None
    sources = {id(source.scalar): source for source, _, _ in loaded.compiled.read}
    files = {file.name: file for p in loaded.packs if p.folder.resolve() == pack.resolve() for file in p.files}
    found: dict[tuple[int, Any], Mutant] = {}
    lost: list[str] = []
    for entry in rule_entries(pack):
        ident = str(plain(entry.get("id")))
        places = entry.get("where")
        for spot in places.items if isinstance(places, Sequence) else []:
            where = plain(spot)
            file = files.get(str(where.get("file")))
            nodes = fields_of(file.root, where.get("record"), where.get("field"), sources) if file else []
            sentence = where.get("sentence")
            here = [m for node in nodes if file for m in changes(node, file, sentence, sources, loaded)]
            if not any(spans_of(node, sentence, sources, loaded) for node in nodes):
                words = ", ".join(f"{key} {value}" for key, value in where.items())
                lost.append(f"{ident}: no such sentence: {words}")
            for mutant in here:
                kept = found.setdefault((id(mutant.node), mutant.value), mutant)
                if ident not in kept.rules:
                    kept.rules.append(ident)
    return list(found.values()), lost


def fields_of(root: Node | None, record: Any, name: Any, sources: dict[int, Source]) -> list[Scalar]:
    """The scalars of a field of a record; of its text, if no field is named; of the whole file, if no record is."""
    holders = [n for n in mappings(root) if record is None or called(n, str(record))]
    if record is None:
        holders = holders[:1]
    out: list[Scalar] = []
    for holder in holders:
        names = [str(name)] if name is not None else [t for t in TEXTS if t in holder.items]
        nodes: list[Node] = [value for key, (_, value) in holder.items.items() if key.lower() in map(str.lower, names)]
        if name is None and not nodes:
            nodes = [holder]
        for node in nodes:
            out += [s for s in scalars(node) if id(s) in sources or (name is not None and type(s.value) is int)]
    return out


def called(node: Mapping, record: str) -> bool:
    return any(str(plain(node.get(key))).casefold() == record.casefold() for key in NAMES if node.get(key) is not None)


def mappings(node: Node | None) -> Iterator[Mapping]:
    if isinstance(node, Mapping):
        yield node
        for _, value in node.items.values():
            yield from mappings(value)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from mappings(item)


def scalars(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Mapping):
        for _, value in node.items.values():
            yield from scalars(value)
    else:
        for item in node.items:
            yield from scalars(item)


def changes(node: Scalar, file: File, sentence: Any, sources: dict[int, Source], loaded: Loaded) -> Iterator[Mutant]:
    """The mutants of one field: of one sentence (its number from 1, or its words), or of all."""
    if type(node.value) is int:
        yield Mutant(node, file, 0, node.value + 1, f"{node.value} becomes {node.value + 1}")
        return
    text = node.text
    for start, end in spans_of(node, sentence, sources, loaded):
        words = " ".join(text[start:end].split())
        whole = (start, end) == (0, len(text.rstrip()))
        if not whole or sources[id(node)].field not in ("is", "live"):
            left = (text[:start] + text[end:]).strip()
            value = left + "\n" if left else NOTHING
            yield Mutant(node, file, start, value, f'"{shortened(words)}" is deleted')
        for found in NUMBER.finditer(text, start, end):
            more = str(int(found.group()) + 1)
            rest = text[found.end() :]
            value = text[: found.start()] + more + (many(rest, loaded) if more == "2" else rest)
            yield Mutant(node, file, found.start(), value, f'{found.group()} becomes {more} in "{shortened(words)}"')
        for found in COMPARISON.finditer(text, start, end):
            other = FLIPS[found.group().lower()]
            other = other[:1].upper() + other[1:] if found.group()[0].isupper() else other
            value = text[: found.start()] + other + text[found.end() :]
            change = f'"{found.group()}" becomes "{other}" in "{shortened(words)}"'
            yield Mutant(node, file, found.start(), value, change)


def spans_of(node: Scalar, sentence: Any, sources: dict[int, Source], loaded: Loaded) -> list[tuple[int, int]]:
    """The spans of the sentences that are meant: all of a text, the one of a number from 1, or those with some words;
    of sentences inside one another, the innermost."""
    if id(node) not in sources:
        return [(0, len(node.text))]
    top, inner = sentences(node, sources, loaded)
    if sentence is None:
        return top
    if isinstance(sentence, int):
        return top[sentence - 1 : sentence]
    words = " ".join(str(sentence).split()).rstrip(".")
    found = [span for span in [*top, *inner] if words in " ".join(node.text[slice(*span)].split())]
    return [a for a in found if not any(a != b and a[0] <= b[0] and b[1] <= a[1] for b in found)]


def sentences(
    node: Scalar, sources: dict[int, Source], loaded: Loaded
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The spans of the sentences of a text, each with its period, and of those in blocks under them; a text without
    sentences is one."""
    text = node.text
    assert loaded.compiled is not None
    tree = loaded.compiled.trees.get(id(sources[id(node)]))
    if not isinstance(tree, Text) or not tree.sentences:
        return [(0, len(text.rstrip()))], []
    inner = [span for block in blocks_in(tree) for span in spans(block, block.at[1], text)]
    return spans(tree, len(text), text), inner


def spans(tree: Text, end: int, text: str) -> list[tuple[int, int]]:
    starts = [s.at[0] for s in tree.sentences]
    return [(a, a + len(text[a:b].rstrip())) for a, b in zip(starts, [*starts[1:], end])]


def blocks_in(node: Any) -> Iterator[Text]:
    """The indented blocks below a node."""
    for item in fields(node):
        value = getattr(node, item.name)
        for below in value if isinstance(value, tuple) else (value,):
            if isinstance(below, Tree):
                if isinstance(below, Text) and below.block:
                    yield below
                yield from blocks_in(below)


def many(rest: str, loaded: Loaded) -> str:
    """What follows a number that has become 2: the noun behind it in the plural."""
    names = loaded.model.vocabularies[loaded.packs[0].name].names
    plurals = {name.canonical: spelling for spelling, name in names.items() if name.plural}
    plurals.update({noun: noun + "s" for noun in ("card", "piece", "thing", "turn", "round", "player", "space")})
    plurals.update(die="dice")
    for one in sorted(plurals, key=len, reverse=True):
        if re.match(rf" {re.escape(one)}(?!\w)", rest):
            return f" {plurals[one]}{rest[len(one) + 1 :]}"
    return rest


def shortened(words: str) -> str:
    return words if len(words) <= 60 else words[:59] + "…"


# ---------------------------------------------------------------- who notices


def try_all(loaded: Loaded, found: list[Mutant], files: list[Path]) -> Iterator[tuple[Mutant, dict[str, bool] | None]]:
    """Each mutant with, by rule, whether a scenario that covers it fails; None for one that no longer checks."""
    assert loaded.compiled is not None
    language = Remembering(loaded.compiled.language)
    read = [file for file in (read_file(path)[0] for path in files) if file.root is not None]
    healthy = passing(loaded, [s for file in read for s in read_scenarios(file)[0]], language)
    for mutant in found:
        kept = mutant.node.value, mutant.node.text
        mutant.node.value, mutant.node.text = mutant.value, str(mutant.value)
        only_reading = reading.set(True)
        try:
            altered = recompiled(loaded, language)
            result = None if altered is None else noticed(altered, mutant, healthy)
        finally:
            reading.reset(only_reading)
            mutant.node.value, mutant.node.text = kept
        yield mutant, result


def recompiled(loaded: Loaded, language: Remembering) -> Loaded | None:
    """The packs as they are now, compiled; None where they do not check."""
    model, findings = declare(loaded.packs)
    model.name, model.folder, model.digest = loaded.model.name, loaded.model.folder, loaded.model.digest
    if not has_errors(findings):
        findings += number(model)
    if has_errors(findings):
        return None
    compiled = compile_program(model, language)  # type: ignore[arg-type]
    if compiled.program is None or has_errors(compiled.findings):
        return None
    return Loaded(loaded.packs, model, findings, compiled)


def passing(loaded: Loaded, scenarios: list[Scenario], language: Remembering) -> list[Scenario]:
    """The scenarios that hold on the unaltered text; those with mods of their own take no part."""
    fresh = recompiled(loaded, language)
    if fresh is None:
        return []
    bench = Bench(fresh)
    return [s for s in scenarios if not s.mods and holds(s, bench)]


def holds(scenario: Scenario, bench: Bench) -> bool:
    """Whether a copy of a scenario, made ready on this bench, passes."""
    again = replace(scenario, statements={}, questions={}, findings=list(scenario.findings))
    ready(again, bench)
    return play(again, bench).passed


def noticed(altered: Loaded, mutant: Mutant, healthy: list[Scenario]) -> dict[str, bool]:
    bench = Bench(altered)
    out = dict.fromkeys(mutant.rules, False)
    for scenario in healthy:
        covered = [str(c.value) for c in scenario.covers if not out.get(str(c.value), True)]
        if covered and not holds(scenario, bench):
            out.update(dict.fromkeys(covered, True))
    return out
