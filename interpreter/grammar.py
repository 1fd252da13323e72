"""grammar: in, a vocabulary; out, the parse table of the language with this game's phrases, and their faults.

The one grammar is grammar/cardscript.lark. Lark reads it and proves that it is LALR(1) (`strict`); the table is then
plain data that interpreter/parse runs and that is kept as JSON in the user's cache, so that a warm start needs no Lark.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path

from interpreter.beside import put
from interpreter.data import cache_folder
from interpreter.shapes import Pattern, Problem, Shapes, classes_of, read_source, shapes_of, spell
from interpreter.stale import clear, used
from interpreter.verbs import VERBS
from interpreter.vocabulary import Vocabulary
from interpreter.words import Lexicon

STARTS = ("text", "statement", "amount", "condition", "selection", "event")
VERSION = 2  # of the cached form

_tables: dict[str, Table] = {}


@dataclass(slots=True)
class Table:
    """rows: for each state, symbol → next state, or ~rule for a reduction.

    rules: (origin, function, symbols, kept, how), where kept are the places of the symbols that the tree keeps, and how
    is node, one (a single child stands for itself) or splice. literals: word of the language → its terminal. starts:
    start symbol → (first state, last state).
    """

    rows: list[dict[str, int]]
    rules: list[tuple[str, str, int, tuple[int, ...], str]]
    literals: dict[str, str]
    starts: dict[str, tuple[int, int]]


@dataclass(slots=True)
class Grammar:
    """What a vocabulary makes of the language."""

    table: Table
    lexicon: Lexicon
    problems: list[Problem]


def load_grammar(vocabulary: Vocabulary) -> Grammar:
    """The language of one vocabulary. Phrases with a Problem are left out of it."""
    source = read_source()
    shapes = shapes_of(vocabulary, source)
    problems = list(shapes.problems)
    out: list[str] = []
    while True:
        try:
            table = load_table(inject(source, shapes))
            break
        except ValueError as error:
            culprit = find_culprit(source, vocabulary, out)
            if culprit is None:
                raise
            out.append(culprit.ident)
            problems.append(Problem(culprit, "phrase-clash", two_ways(culprit, str(error))))
            shapes = shapes_of(vocabulary, source, out)
    return Grammar(table, Lexicon(table.literals, vocabulary, shapes.heads, classes_of(source)), problems)


def two_ways(pattern: Pattern, conflict: str) -> str:
    """What a conflict that Lark found means for a phrase."""
    found = re.search(r"erminal(?: |\(')(\w+)", conflict)
    classes = classes_of(read_source())
    words = [word for word, type_ in classes.items() if found and found[1] in (type_, word.upper().replace(" ", "_"))]
    where = f' at a word such as "{words[0]}"' if words else ""
    return f"`{spell(pattern)}` can be read in two ways{where}; put another small word behind its hole"


def inject(source: str, shapes: Shapes) -> str:
    """The grammar with content's phrases put in at their marks."""
    lines = {
        **shapes.lines,
        "declared": [*(f"%declare {v.terminal}" for v in VERBS.values()), *shapes.lines.get("declared", [])],
    }
    return re.sub(
        r"^( *)//@ (\w+)$", lambda m: "\n".join(m[1] + line for line in lines.get(m[2], [])), source, flags=re.MULTILINE
    )


def find_culprit(source: str, vocabulary: Vocabulary, out: list[str]) -> Pattern | None:
    """The first phrase or value whose coming makes the grammar ambiguous."""
    every: list[Pattern] = [*vocabulary.phrases, *vocabulary.values]
    patterns = [p for p in every if p.ident not in out]
    low, high = 0, len(patterns)
    while low < high:
        middle = (low + high) // 2
        kept = {p.ident for p in patterns[: middle + 1]}
        left = [p.ident for p in patterns if p.ident not in kept]
        try:
            build(inject(source, shapes_of(vocabulary, source, left + out)))
            low = middle + 1
        except ValueError:
            high = middle
    return patterns[low] if low < len(patterns) else None


# ---------------------------------------------------------------- the table and its cache


def load_table(grammar: str) -> Table:
    """The table of a grammar: from this process, from the cache, or built."""
    key = hashlib.sha256(f"{VERSION}\n{grammar}".encode()).hexdigest()
    if key not in _tables:
        folder = cache_folder()
        path = folder / f"grammar-{key[:32]}.json" if folder else None
        table = read_cached(path) if path else None
        if table is None:
            table = build(grammar)
            if path:
                write_cached(path, table)
        _tables[key] = table
    return _tables[key]


def build(grammar: str) -> Table:
    """Let Lark make the table; ValueError if the grammar is not LALR(1)."""
    from interpreter.lalr import analysed

    made, terminals, rows, starts = analysed(grammar, list(STARTS))
    rules: list[tuple[str, str, int, tuple[int, ...], str]] = []
    for rule in made:
        kept = tuple(i for i, s in enumerate(rule.expansion) if not getattr(s, "filter_out", False))
        origin = str(rule.origin.name)
        how = "splice" if origin.startswith("_") else "one" if rule.options.expand1 and not rule.alias else "node"
        rules.append((origin, str(rule.alias or origin), len(rule.expansion), kept, how))
    literals = {t.pattern.value: str(t.name) for t in terminals if t.pattern is not None and t.pattern.type == "str"}
    literals |= {word: name for word, name in classes_of(grammar).items() if name}
    return Table(rows, rules, literals, starts)


def read_cached(path: Path) -> Table | None:
    """A table kept before; None if there is none or it is not whole."""
    try:
        digest, _, body = path.read_text(encoding="utf-8").partition("\n")
        if hashlib.sha256(body.encode()).hexdigest() != digest:
            return None
        data = json.loads(body)
        table = Table(
            data["rows"],
            [(origin, name, size, tuple(kept), how) for origin, name, size, kept, how in data["rules"]],
            data["literals"],
            {start: (first, last) for start, (first, last) in data["starts"].items()},
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
    used(path)
    return table


def write_cached(path: Path, table: Table) -> None:
    """Keep a table; a disk that cannot be written to is no fault."""
    body = json.dumps({"rows": table.rows, "rules": table.rules, "literals": table.literals, "starts": table.starts})
    try:
        put(path, f"{hashlib.sha256(body.encode()).hexdigest()}\n{body}".encode(), lasting=False)
    except OSError:
        return
    clear(path.parent)
