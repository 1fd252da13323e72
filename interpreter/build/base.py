"""base: in, nothing; out, the table of rules that this folder fills, and what building one text gathers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from interpreter.tree import Span
from interpreter.words import Lexicon, Word

OPS = {
    "at least": ">=",
    "at most": "<=",
    "more than": ">",
    "less than": "<",
    "fewer than": "<",
    "exactly": "=",
    "other than": "!=",
    "=": "=",
}
BEFORE_NOUN = ("your", "its", "their", "'s")  # possessors that stand before the noun
_AN = re.compile(r"(?i)[aeio]|u(?!ni|se|su|ti)|h(?:our|ono|eir)")
_A_ONE = re.compile(r"(?i)one\b|eu")


@dataclass(slots=True)
class Trouble:
    """A fault found while building: agreement, or what the grammar allows and the language does not."""

    at: Span
    code: str
    message: str
    suggestion: str | None = None


@dataclass(slots=True)
class Builder:
    """What building one text needs and gathers. states: state words met, with the verbs that they may come from. naked:
    singular nouns of the language without a word such as `a` or `each` before them, by where they begin, with the words
    before them. doubtful: bound names with which a sentence can be read in two ways. nouns: every noun, by where it
    ends."""

    lexicon: Lexicon
    troubles: list[Trouble] = field(default_factory=list)
    states: dict[str, Word] = field(default_factory=dict)
    naked: dict[int, tuple[Span, tuple[str, ...], Word]] = field(default_factory=dict)
    doubtful: list[Word] = field(default_factory=list)
    nouns: dict[int, Word] = field(default_factory=dict)

    def fault(self, at: Span, code: str, message: str, suggestion: str | None = None) -> None:
        self.troubles.append(Trouble(at, code, message, suggestion))

    def other_number(self, word: Word) -> str | None:
        """The singular of a plural noun, the plural of a singular one."""
        if word.type == "NAME":
            plural = "plural" not in word.forms
            names = self.lexicon.known.items()
            return next((s for s, n in names if n.canonical == word.base and n.plural == plural), None)
        words = [
            w
            for w, e in self.lexicon.single.items()
            if e.base == word.base and e.type == word.type and e.forms != word.forms
        ]
        return words[0] if words else None

    def finished(self) -> None:
        """Called when the tree is whole."""
        for at, adjs, word in self.naked.values():
            written, other = " ".join((*adjs, word.text)), self.other_number(word)
            message = f'"{written}" needs a word such as `a`, `each` or `the` before it'
            self.fault(at, "agreement", message, " ".join((*adjs, other)) if other else None)

    def want(self, word: Word, number: str, why: str) -> None:
        """A noun has to be singular or plural here."""
        if word.forms and number not in word.forms:
            self.fault(word.at, "agreement", f'"{word.text}" has to be {number} {why}', self.other_number(word))


Rule = Callable[[Builder, list[Any], Span], Any]
RULES: dict[str, Rule] = {}


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Mark the function that builds these rules of the grammar."""

    def keep(function: Rule) -> Rule:
        RULES.update(dict.fromkeys(names, function))
        return function

    return keep


def article(word: str) -> str:
    """`a` or `an` before a word."""
    return "an" if _AN.match(word) and not _A_ONE.match(word) else "a"


def small(word: Word) -> str:
    return " ".join(word.text.split()).lower()
