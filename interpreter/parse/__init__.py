"""parse: in, a text and a vocabulary; out, its tree, or every fault of it with its exact place.

`Language(vocabulary).parse(text)` gives (tree, faults). The parser runs the table that interpreter/grammar gives; after
a fault it goes on at the next sentence.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from interpreter.build import Builder, build, whole
from interpreter.grammar import STARTS, Table, load_grammar
from interpreter.shapes import Problem
from interpreter.tree import Node, Span
from interpreter.vocabulary import Vocabulary
from interpreter.words import END, Lexicon, Reader, Word, capitals_around, lay_out, nearest


@dataclass(frozen=True, slots=True)
class Fault:
    """span: code points of the text. suggestion: what to write instead, never a sentence."""

    span: Span
    code: str
    message: str
    suggestion: str | None = None
    notes: tuple[str, ...] = ()


class Unexpected(Exception):
    """A word where no sentence goes on like this."""

    def __init__(self, word: Word, stack: list[int]) -> None:
        super().__init__(word.text)
        self.word = word
        self.stack = stack


class Language:
    """The language as one vocabulary speaks it. problems: phrases that had to be left out, and why."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        grammar = load_grammar(vocabulary)
        self.table: Table = grammar.table
        self.lexicon: Lexicon = grammar.lexicon
        self.problems: list[Problem] = grammar.problems
        self._shown = {type_: word for word, type_ in reversed(self.table.literals.items())}

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
        faults = [self.reserved(word) for word in reader.reserved]
        builder = Builder(self.lexicon)
        node: Any = None
        try:
            node = whole(builder, run(self.table, builder, words, start))
        except Unexpected as found:
            faults += self.every_fault(text, words, start) or [self.unexpected(found)]
        faults += [Fault(x.at, x.code, x.message, x.suggestion) for x in builder.troubles]
        faults = sorted(dict.fromkeys(faults), key=lambda f: f.span)
        return (node if all(f.code == "agreement" for f in faults) else None), faults

    # ------------------------------------------------------------ faults

    def every_fault(self, text: str, words: list[Word], start: str) -> list[Fault]:
        """The faults of each sentence alone."""
        faults: list[Fault] = []
        for piece in pieces(words, self.table.literals) if start == "text" else [words]:
            strange = [w for w in piece if w.type == "UNKNOWN"]
            builder = Builder(self.lexicon)
            try:
                whole(builder, run(self.table, builder, piece, start))
                answers = piece[0].base == "otherwise"  # its `if` stands in another piece
                faults += [
                    Fault(x.at, x.code, x.message, x.suggestion)
                    for x in builder.troubles
                    if not (answers and x.at == piece[0].at)
                ]
            except Unexpected as found:
                if not strange or (found.word.type != "UNKNOWN" and found.word.at < strange[0].at):
                    faults.append(self.unexpected(found))
                accepted = self.accepts(found.stack) if found.word.type == "UNKNOWN" else None
                seen: set[Span] = set()
                for word in strange:
                    fault = self.unknown(text, word, accepted if word is found.word else None)
                    if fault.span not in seen:
                        faults.append(fault)
                    seen.add(fault.span)
        return faults

    def unknown(self, text: str, word: Word, accepted: set[str] | None) -> Fault:
        """A word that nothing stands for; what is meant is sought among what may stand there."""
        names, written = self.lexicon.known, word.text
        if not written[0].isalnum():
            return Fault(word.at, "syntax", f'"{written}" is no sign of the language')
        language = self.lexicon.words_of(accepted)
        capital = written[0].isupper()
        if capital:
            span = capitals_around(text, word.at)
            run_ = text[span[0] : span[1]]
            for at, tried in ((span, run_), (word.at, written)):
                near = nearest(tried, names, 0.75 if " " in tried else 0.6)
                if near is not None:
                    return Fault(at, "unknown-name", f'nothing in this game is called "{tried}"', near)
            near = nearest(written.lower(), language, 0.7)
            if near is not None and self.heads_sentence(text, word.at[0]):
                return Fault(word.at, "unknown-word", f'"{written}" is no word of the language', near.capitalize())
            return Fault(word.at, "unknown-name", f'nothing in this game is called "{written}"', near)
        near = nearest(written, [*language, *(n for n in names if accepted is None or "NAME" in accepted)], 0.6)
        near = near or nearest(written, [*self.lexicon.words_of(), *names], 0.7)
        return Fault(
            word.at, "unknown-word", f'"{written}" is no word of the language, and nothing has bound it as a name', near
        )

    @staticmethod
    def heads_sentence(text: str, at: int) -> bool:
        return not text[:at].rstrip() or text[:at].rstrip()[-1] in ".:;"

    def unexpected(self, found: Unexpected) -> Fault:
        """Known words, but no sentence goes on like this."""
        word = found.word
        accepted = self.accepts(found.stack)
        ways = self.ways(accepted)
        saw = (
            "the sentence ends"
            if word.type == END or (word.text == "." and not word.at[1] > word.at[0])
            else f'"{word.text or "a new line"}" cannot stand'
        )
        message = f"{saw} here; {ways} may" if ways else f"{saw} here"
        written = " ".join(word.text.split())
        near = (
            nearest(written, [w for w in self.lexicon.words_of(accepted) if w != written and len(w) > 2], 0.7)
            if len(written) > 2
            else None
        )
        if near is None and "NAME" in accepted and written:
            near = nearest(written, self.lexicon.known, 0.75)
        if near is None and len(accepted) == 1:
            near = self._shown.get(next(iter(accepted)))
        return Fault(word.at, "syntax", message, near)

    def ways(self, accepted: set[str]) -> str:
        """What may stand at a place, in words."""
        classes = {
            "NAME": "a name",
            "NUMBER": "a number",
            "LOCAL": "a bound name",
            "_INDENT": "a block",
            END: "the end",
        }
        hidden = {"UNKNOWN", "_DEDENT", "WITH_EQ", "RESULT", "DONE", "RELATION", "_OR_A", "_AND_A", "CHOOSE_ONE"}
        known = [f'"{self._shown[a]}"' for a in sorted(accepted - hidden) if a in self._shown]
        known = [*(c for a, c in classes.items() if a in accepted), *known]
        if not known or len(known) > 7:
            return ""
        return known[0] if len(known) == 1 else ", ".join(known[:-1]) + " or " + known[-1]

    def reserved(self, word: Word) -> Fault:
        return Fault(word.at, "syntax", f'"{word.text}" is a word of the language and cannot be a bound name')

    def accepts(self, stack: list[int]) -> set[str]:
        """The classes of words that may follow."""
        return {
            symbol
            for symbol in self.table.rows[stack[-1]]
            if symbol.isupper() or symbol == END
            if goes_on(self.table, stack, symbol)
        }


# ---------------------------------------------------------------- the parser


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
    for word in (*words, Word(END, "", (end, end))):
        while True:
            code = rows[stack[-1]].get(word.type)
            if code is None:
                raise Unexpected(word, stack)
            if code >= 0:
                if word.type == END:
                    return values[-1]
                stack.append(code)
                values.append(word)
                spans.append(word.at)
                break
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


def goes_on(table: Table, stack: list[int], symbol: str) -> bool:
    """True if a word of this class may follow."""
    states = list(stack)
    while True:
        code = table.rows[states[-1]].get(symbol)
        if code is None:
            return False
        if code >= 0:
            return True
        origin, _, size, _, _ = table.rules[~code]
        del states[-size:]
        states.append(table.rows[states[-1]][origin])


def pieces(words: list[Word], literals: dict[str, str]) -> list[list[Word]]:
    """The sentences of a text, each as a text of its own: what opens a block gets an empty one, an option a `choose one`."""
    out: list[list[Word]] = []
    current: list[Word] = []
    blocks = [""]
    depth = 0

    def word(text: str, at: Span, type_: str = "") -> Word:
        return Word(type_ or literals[text], text, at, text)

    def cut(last: Word) -> None:
        if current:
            at = (last.at[1], last.at[1])
            stop = [] if last.text == "." else [word(".", at)]
            if blocks[-1] == "options":
                head = (current[0].at[0],) * 2
                opened = [word("", head, "CHOOSE_ONE"), word(":", head), word("", head, "_INDENT")]
                option = [w for w in current if w.type != "_OR"]
                rest = [word("stop", at, "STOP")]
                out.append([*opened, *option, word(";", at), *rest, word(".", at), word("", at, "_DEDENT")])
            else:
                out.append([*current, *stop] if last.text != "." else list(current))
        current.clear()

    for one in words:
        depth += (one.text == "(") - (one.text == ")")
        if one.type == "_INDENT":
            at = (one.at[0], one.at[0])
            out.append([*current, one, word("stop", at, "STOP"), word(".", at), word("", at, "_DEDENT")])
            options = len(current) > 1 and (
                current[-2].type == "CHOOSE_ONE" or current[0].base == "players may respond"
            )
            current.clear()
            blocks.append("options" if options else "sentences")
        elif one.type == "_DEDENT":
            if current:
                out.append(list(current))
                current.clear()
            if len(blocks) > 1:
                blocks.pop()
        elif blocks[-1] == "options" and one.type in (literals[";"], literals["; or"]):
            cut(one)
        elif one.text == "." and depth <= 0:
            if blocks[-1] != "options":
                current.append(one)
            cut(one)
        else:
            current.append(one)
    if current:
        out.append(list(current))
    return out
