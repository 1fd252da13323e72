"""productions: in, texts of games as they are read; out, the productions of the grammar that each of them uses.

A production is (rule, alternative's name, its symbols), written as in a table of Lark's. Those that stand for phrases
and values of content are left out: content makes them itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from interpreter.grammar import STARTS, Table, inject
from interpreter.load import Loaded, load_compiled
from interpreter.parse import Language
from interpreter.read import read_file
from interpreter.scenario import Scenario, read_scenarios
from interpreter.shapes import read_source, shapes_of
from interpreter.vocabulary import Vocabulary
from interpreter.words import END, Reader, Word, lay_out

Production = tuple[str, str, tuple[str, ...]]
OF_CONTENT = re.compile(r"^(PHRASE|VALUE|TRUTH|phrase|value|truth|head)(_\d+)+$")


@dataclass(frozen=True)
class Text:
    """A text that was read: in which language, beginning with which symbol, with which names bound."""

    text: str
    start: str
    bound: tuple[str, ...]
    language: Language = field(compare=False, hash=False, repr=False)


@contextmanager
def reading() -> Iterator[list[Text]]:
    """Every text that is read in the meantime."""
    read: list[Text] = []
    parse = Language.parse

    def noted(self: Language, text: str, start: str = "text", locals: Any = ()) -> Any:
        read.append(Text(text, start, tuple(locals), self))
        return parse(self, text, start, read[-1].bound)

    Language.parse = noted  # type: ignore[method-assign]
    try:
        yield read
    finally:
        Language.parse = parse  # type: ignore[method-assign]


@cache
def texts_of(folder: Path) -> tuple[Loaded, list[Text]]:
    """A game, and every text of it."""
    with reading() as read:
        loaded = load_compiled(folder)
    return loaded, list(dict.fromkeys(read))


def texts_of_scenarios(path: Path, language: Language) -> list[Text]:
    """The statements and conditions of a file of scenarios."""
    out = []
    for scenario in scenarios_of(path):
        steps = [*scenario.setup, *scenario.when]
        done = [*scenario.given, *(w for step in steps for w in (step.do, step.refused_do) if w is not None)]
        for start, words in (("text", done), ("condition", scenario.then)):
            for word in words:
                text = Text(str(word.value), start, (), language)
                if not language.parse(text.text, start)[1]:
                    out.append(text)
    return out


def scenarios_of(path: Path) -> list[Scenario]:
    return read_scenarios(read_file(path)[0])[0]


# ---------------------------------------------------------------- productions


def is_of_core(production: Production) -> bool:
    return not any(OF_CONTENT.match(symbol) for symbol in (*production[:2], *production[2]))


def plain(symbol: str) -> str:
    """Lark numbers the rules that it makes of `x+`: the number says nothing."""
    return re.sub(r"_\d+$", "", symbol) if symbol.startswith("__") else symbol


@cache
def all_productions() -> frozenset[Production]:
    """Every production of the grammar without content."""
    from lark import Lark
    from lark.lexer import Lexer

    class Outside(Lexer):
        def __init__(self, conf: Any) -> None: ...

        def lex(self, *_: Any) -> Any:
            raise NotImplementedError

    source = read_source()
    text = inject(source, shapes_of(Vocabulary(), source))
    lark = Lark(text, parser="lalr", lexer=Outside, strict=True, maybe_placeholders=False, start=list(STARTS))
    found = set()
    for rule in lark.rules:
        origin = plain(str(rule.origin.name))
        symbols = tuple(plain(str(symbol.name)) for symbol in rule.expansion)
        found.add((origin, str(rule.alias or origin), symbols))
    return frozenset(p for p in found if is_of_core(p))


def words_of(text: Text) -> list[Word]:
    """The words of a text, as Language.parse lays them out."""
    table, sentence = text.language.table, text.start in ("text", "statement")
    words = Reader(text.language.lexicon, text.text, text.bound).read()
    if not sentence and words and words[-1].text == ".":
        words.pop()
    return lay_out(words, text.text, table.literals, sentence) if words else []


def productions_of(text: Text) -> set[Production]:
    """The productions that a text is read with; none if it is no sentence."""
    table = text.language.table
    return {p for p in reductions(table, words_of(text), text.start) if is_of_core(p)}


def reductions(table: Table, words: list[Word], start: str) -> Iterator[Production]:
    first, last = table.starts[start]
    stack: list[int] = [first]
    symbols: list[str] = []
    ahead = iter((*(word.type for word in words), END))
    word = next(ahead)
    while True:
        code = table.rows[stack[-1]].get(word)
        if code is None:
            return
        if code >= 0:
            stack.append(code)
            symbols.append(word)
            word = next(ahead)
            continue
        origin, name, size, _, _ = table.rules[~code]
        yield plain(origin), plain(name), tuple(plain(symbol) for symbol in symbols[-size:])
        del stack[-size:], symbols[-size:]
        stack.append(table.rows[stack[-1]][origin])
        symbols.append(origin)
        if word == END and stack[-1] == last:
            return
