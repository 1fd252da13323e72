"""parse: in, a text and a vocabulary; out, its tree, or every fault of it with its exact place.

`Language(vocabulary).parse(text)` gives (tree, faults). The parser runs the table that interpreter/grammar gives; after
a fault it goes on at the next sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from interpreter.build import Builder, whole
from interpreter.grammar import STARTS, load_grammar
from interpreter.parse.bounds import too_deep, too_much
from interpreter.parse.faults import Explainer, Fault
from interpreter.parse.machine import Unexpected, run
from interpreter.shapes import spell
from interpreter.tree import Node
from interpreter.vocabulary import Vocabulary
from interpreter.words import Reader, Word, lay_out

__all__ = ["Fault", "Language"]


class Language:
    """The language as one vocabulary speaks it. problems: phrases that had to be left out, and why. by_pack: the
    vocabularies of packs whose texts are read each with its own; then problems are those of the packs."""

    def __init__(self, vocabulary: Vocabulary, by_pack: Mapping[str, Vocabulary] | None = None) -> None:
        self.vocabulary = vocabulary
        grammar = load_grammar(vocabulary)
        self.table, self.lexicon, self.problems = grammar.table, grammar.lexicon, grammar.problems
        packs = {pack: v for pack, v in (by_pack or {}).items() if pack}
        made = {id(vocabulary): self}
        for v in packs.values():
            made.setdefault(id(v), Language(v) if id(v) not in made else self)
        self.packs = {pack: made[id(v)] for pack, v in packs.items()}
        if packs:
            each = {id(one): one for one in self.packs.values()}.values()
            self.problems = list(dict.fromkeys(p for one in each for p in one.problems))

    def of(self, pack: str) -> Language:
        """The language of the texts of one pack; "": of what is written at the table."""
        return self.packs.get(pack, self)

    def parse(self, text: str, start: str = "text", locals: Iterable[str] = ()) -> tuple[Node | None, list[Fault]]:
        """The tree of a text, or None, and its faults by place. Only `agreement` leaves the tree."""
        if start not in STARTS:
            raise ValueError(start)
        sentence = start in ("text", "statement")
        reader = Reader(self.lexicon, text, locals)
        words = reader.read()
        if not sentence and words and words[-1].text == ".":
            words.pop()
        if not words:
            return None, [Fault((0, len(text)), "syntax", "nothing stands here")]
        words = lay_out(words, text, self.table.literals, sentence)
        faults = [
            Fault(word.at, "syntax", f'"{word.text}" is a word of the language and cannot be a bound name')
            for word in reader.reserved
        ]
        faults += too_much(words)
        if any(fault.code == "too-deep" for fault in faults):
            return None, faults
        builder = Builder(self.lexicon)
        node: Any = None
        try:
            node = whole(builder, run(self.table, builder, words, start))
        except Unexpected as found:
            faults += Explainer(self.table, self.lexicon, text, reader.locals).every_fault(words, start, found)
        else:
            faults += [Fault(x.at, x.code, x.message, x.suggestion) for x in builder.troubles]
            faults += [two_ways(word, reader) for word in builder.doubtful]
            faults += too_deep(node)
        faults = sorted(dict.fromkeys(faults), key=lambda f: f.span)
        return (node if all(f.code == "agreement" for f in faults) else None), faults


def two_ways(word: Word, reader: Reader) -> Fault:
    """A bound name with which a sentence can be read in two ways: told where the text binds it, else where it stands."""
    assert word.other is not None
    phrases = [spell(form.pattern) for form in word.other.phrases]
    what = f"in `{phrases[0]}`" if phrases else "a word of this game"
    message = f'"{word.base}" is also {what}, and a sentence here can be read in two ways; give it another name'
    return Fault(reader.given.get(word.base, word.at), "phrase-clash", message)
