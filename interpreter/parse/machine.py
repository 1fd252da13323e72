"""machine: in, words and a parse table; out, what `build` makes of them, or the word at which no sentence goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from interpreter.build import Builder, build
from interpreter.grammar import Table
from interpreter.tree import Span
from interpreter.words import END, Word


class Unexpected(Exception):
    """A word where no sentence goes on like this. stack: the states of the parser before it."""

    def __init__(self, word: Word, stack: list[int]) -> None:
        super().__init__(word.text)
        self.word = word
        self.stack = stack


class Parts(list[Any]):
    """What a rule whose parts belong to the rule above has gathered."""


def run(table: Table, builder: Builder, words: list[Word], start: str) -> Any:
    """The LALR(1) parser: shift, or reduce and build."""
    rows, rules = table.rows, table.rules
    first, last = table.starts[start]
    stack: list[int] = [first]
    values: list[Any] = []
    spans: list[Span] = []
    end = words[-1].at[1] if words else 0
    every = (*words, Word(END, "", (end, end)))
    at_word = 0
    word = meant(table, stack, every, 0, builder)
    while True:
        code = rows[stack[-1]].get(word.type)
        if code is None:
            raise Unexpected(word, stack)
        if code >= 0:
            stack.append(code)
            values.append(word)
            spans.append(word.at)
            at_word += 1
            word = meant(table, stack, every, at_word, builder)
            continue
        origin, name, size, kept, how = rules[~code]
        kids: list[Any] = []
        for i in kept:
            value = values[i - size]
            if type(value) is Parts:
                kids += value
            else:
                kids.append(value)
        at = (spans[-size][0], spans[-1][1])
        if how == "splice":
            made: Any = Parts(kids)
        elif how == "one" and len(kids) == 1:
            made = kids[0]
        else:
            made = build(builder, name, kids, at)
        del stack[-size:], values[-size:], spans[-size:]
        stack.append(rows[stack[-1]][origin])
        values.append(made)
        spans.append(at)
        if word.type == END and stack[-1] == last:
            return made


def meant(table: Table, stack: list[int], words: tuple[Word, ...], at: int, builder: Builder) -> Word:
    """What a bound name that is also a word of content stands for: the name, unless only the word lets the sentence end."""
    word = words[at]
    if word.other is None:
        return word
    name, other = replace(word, other=None), word.other
    sound = [w for w in (name, other) if reads(table, stack, (w, *words[at + 1 :]))]
    if len(sound) > 1:
        builder.doubtful.append(word)
    return sound[0] if sound else name if goes_on(table, stack, name.type) else other


def reads(table: Table, stack: list[int], words: tuple[Word, ...]) -> bool:
    """True if the sentence goes on to its end from here, whatever its doubtful words stand for."""
    for i, word in enumerate(words):
        if word.other is not None:
            ways = (replace(word, other=None), word.other)
            return any(reads(table, stack, (w, *words[i + 1 :])) for w in ways)
        if not goes_on(table, stack, word.type):
            return False
        if word.type == END or word.text == ".":
            return True
        stack = after(table, stack, word.type)
    return True


def after(table: Table, stack: list[int], symbol: str) -> list[int]:
    """The states behind a word that may follow."""
    states = list(stack)
    while (code := table.rows[states[-1]][symbol]) < 0:
        origin, _, size, _, _ = table.rules[~code]
        del states[-size:]
        states.append(table.rows[states[-1]][origin])
    return [*states, code]


def goes_on(table: Table, stack: list[int], symbol: str) -> bool:
    """True if a word of this class may follow."""
    code = table.rows[stack[-1]].get(symbol)
    states = list(stack) if code is not None and code < 0 else stack  # which is changed only where something is reduced
    while True:
        code = table.rows[states[-1]].get(symbol)
        if code is None:
            return False
        if code >= 0:
            return True
        origin, _, size, _, _ = table.rules[~code]
        del states[-size:]
        states.append(table.rows[states[-1]][origin])
        if symbol == END and any(states[-1] == last for _, last in table.starts.values()):
            return True


def accepts(table: Table, stack: list[int]) -> set[str]:
    """The classes of words that may follow."""
    symbols = (s for s in table.rows[stack[-1]] if s.isupper() or s == END)
    return {symbol for symbol in symbols if goes_on(table, stack, symbol)}


Classes = str | tuple[str, ...]  # what a word is, or what it may be


def feed(table: Table, stack: list[int], words: Sequence[Classes], last: int) -> bool:
    """Run words of these classes over the stack, in place; True if all of them may follow. last: the state in which a
    text of this start is whole."""
    rows, rules = table.rows, table.rules
    for i, word in enumerate(words):
        if not isinstance(word, str):
            for one in word:
                tried = list(stack)
                if feed(table, tried, [one, *words[i + 1 :]], last):
                    stack[:] = tried
                    return True
            return False
        while True:
            code = rows[stack[-1]].get(word)
            if code is None:
                return False
            if code >= 0:
                stack.append(code)
                break
            origin, _, size, _, _ = rules[~code]
            del stack[-size:]
            stack.append(rows[stack[-1]][origin])
            if word == END and stack[-1] == last:
                break
    return True


def classes_of(word: Word) -> Classes:
    return word.type if word.other is None else (word.type, word.other.type)
