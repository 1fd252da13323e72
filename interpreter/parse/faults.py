"""faults: in, the words of a text that is not a sentence; out, each fault of it at its very word, and what is meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from interpreter.build import Builder, whole
from interpreter.grammar import Table
from interpreter.parse.machine import Unexpected, accepts, run
from interpreter.parse.repair import mend, mends, sound
from interpreter.tree import Span
from interpreter.verbs import VERBS
from interpreter.words import END, Lexicon, Reader, Word, capitals_around, lay_out, nearest

NOUNS = {"NAME", "NOUN", "PLAYER", "ADJ", "DONE"}
THINGS = NOUNS | {"A", "THE", "EACH", "NO", "QUANT", "THIS", "THAT", "OWNER", "PRONOUN", "LOCAL", "NUMBER", "LPAR"}
NUMBERS = {"TWICE", "HALF", "TOTAL", "EITHER", "LPAR", "NUMBER"}
HIDDEN = {"UNKNOWN", "_DEDENT", "WITH_EQ", "RESULT", "DONE", "RELATION", "_OR_A", "_AND_A", "CHOOSE_ONE"}
# Words that belong together and are one class of words by what follows them.
TOGETHER = ("choose one", "chooses one", "rounded down", "rounded up")
VERB_TERMINALS = {verb.terminal for verb in VERBS.values()}


@dataclass(frozen=True, slots=True)
class Fault:
    """span: code points of the text. suggestion: what to write instead, never a sentence."""

    span: Span
    code: str
    message: str
    suggestion: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class Explainer:
    """Finds and words the faults of one text. bound: the local names that it knows."""

    table: Table
    lexicon: Lexicon
    text: str
    bound: Iterable[str]
    meant_as_names: set[str] = field(default_factory=set)

    def every_fault(self, words: list[Word], start: str, found: Unexpected) -> list[Fault]:
        """The faults of each sentence alone, or that of the whole where each is sound in itself."""
        faults: list[Fault] = []
        for piece in pieces(words, self.table.literals) if start == "text" else [words]:
            faults += self.of_piece(piece, start)
        return faults or [self.unexpected(found)]

    def of_piece(self, piece: list[Word], start: str) -> list[Fault]:
        builder = Builder(self.lexicon)
        try:
            whole(builder, run(self.table, builder, piece, start))
        except Unexpected as found:
            strange = [w for w in piece if w.type == "UNKNOWN" and w.text not in self.meant_as_names]
            first = found.word.type != "UNKNOWN" and (not strange or found.word.at < strange[0].at)
            faults = [self.misplaced(piece, start, found)] if first else []
            accepted = accepts(self.table, found.stack) if found.word.type == "UNKNOWN" else None
            for word in strange:
                fault = self.binder(piece, start, word)
                fault = fault or self.unknown(word, piece, start, accepted if word.at == found.word.at else None)
                if all(fault.span != f.span for f in faults):
                    faults.append(fault)
            return faults
        answers = piece[0].base == "otherwise"  # its `if` stands in another piece
        return [
            Fault(x.at, x.code, x.message, x.suggestion)
            for x in builder.troubles
            if not (answers and x.at[0] == piece[0].at[0])
        ]

    # ------------------------------------------------------------ a word that nothing stands for

    def binder(self, piece: list[Word], start: str, word: Word) -> Fault | None:
        """A strange word may be a name that `let`, `for each … among` or `choose … from` was to bind, were that not
        spelt with another word: then it is a name, and the fault is that word's."""
        at = next(i for i, one in enumerate(piece) if one is word)
        if not re.fullmatch(r"[^\W\d_A-Z][\w-]*", word.text):
            return None
        named = [replace(w, type="LOCAL", other=None) if w is word else w for w in piece]
        before, after = (piece[i] if 0 <= i < len(piece) else None for i in (at - 1, at + 1))
        for wrong, right, binding in ((before, after, "let"), (after, before, "among")):
            beside = {"let": "be", "among": "for each"}[binding]
            if wrong is None or right is None or not wrong.text or beside not in (right.base, right.text.lower()):
                continue
            type_ = self.table.literals[binding]
            mended = [replace(w, type=type_, other=None) if w is wrong else w for w in named]
            if type_ != wrong.type and sound(self.table, mended, start):
                self.meant_as_names.add(word.text)
                message = f'"{wrong.text}" cannot stand here; "{binding}" can'
                return Fault(wrong.at, "syntax", message, self.cased(wrong.at, binding))
        return None

    def unknown(self, word: Word, piece: list[Word], start: str, accepted: set[str] | None) -> Fault:
        """What is meant is sought among names written otherwise, words of several parts, and what may stand there."""
        written, names = word.text, self.lexicon.known
        if not written[0].isalnum():
            return Fault(word.at, "syntax", f'"{written}" is no sign of the language')
        for at, meant in self.windows(word, [n for n in names if " " in n], 1.0):
            return Fault(at, "unknown-name", f'nothing in this game is called "{self.text[slice(*at)]}"', meant)
        several = [w for w in self.lexicon.words_of() if written.lower() in w.split() and " " in w]
        if not written[0].isupper() or self.heads_sentence(word.at[0]):
            for at, meant in self.windows(word, several, 0.75):
                message = f'"{self.text[slice(*at)]}" is no word of the language'
                return Fault(at, "unknown-word", message, self.cased(at, meant))
        one_off = self.one_off(piece, start, word)
        if one_off is not None:
            return one_off
        language = self.lexicon.words_of(accepted)
        if written[0].isupper():
            span = capitals_around(self.text, word.at)
            for at in (span, word.at):
                tried = self.text[slice(*at)]
                near = nearest(tried, names, 0.75 if " " in tried else 0.6)
                if near is not None:
                    return Fault(at, "unknown-name", f'nothing in this game is called "{tried}"', near)
            near = nearest(written, [*language, *self.bound], 0.7)
            if near is not None and self.heads_sentence(word.at[0]):
                return Fault(
                    word.at, "unknown-word", f'"{written}" is no word of the language', self.cased(word.at, near)
                )
            return Fault(word.at, "unknown-name", f'nothing in this game is called "{written}"', near)
        fitting = [*language, *self.bound, *(n for n in names if accepted is None or "NAME" in accepted)]
        near = nearest(written, fitting, 0.6) or nearest(written, [*self.lexicon.words_of(), *names], 0.7)
        message = f'"{written}" is no word of the language, and nothing has bound it as a name'
        return Fault(word.at, "unknown-word", message, near)

    def windows(self, word: Word, candidates: Iterable[str], cutoff: float) -> list[tuple[Span, str]]:
        """Runs of words around a word that are, but for case or letters, one of the candidates; the likest first."""
        words = [m.span() for m in re.finditer(r"[^\W\d_][\w'-]*|\d+", self.text)]
        place = next((i for i, span in enumerate(words) if span[0] <= word.at[0] < span[1]), None)
        if place is None:
            return []
        found: list[tuple[float, int, Span, str]] = []
        for candidate in candidates:
            size = len(candidate.split())
            for first in range(max(0, place - size + 1), min(place, len(words) - size) + 1):
                at = (words[first][0], words[first + size - 1][1])
                run_ = " ".join(self.text[slice(*at)].lower().split())
                like = 1.0 if run_ == candidate.lower() else 0.0
                if not like and cutoff < 1:
                    like = difflib.SequenceMatcher(None, run_, candidate).ratio()
                if like >= cutoff:
                    found.append((-like, -size, at, candidate))
        return [(at, candidate) for _, _, at, candidate in sorted(found)]

    def cased(self, at: Span, meant: str) -> str:
        return meant[:1].upper() + meant[1:] if self.text[at[0]].isupper() else meant

    def heads_sentence(self, at: int) -> bool:
        before = self.text[:at].rstrip()
        return not before or before[-1] in ".:;"

    # ------------------------------------------------------------ a known word in a wrong place

    def unexpected(self, found: Unexpected) -> Fault:
        """Known words, but no sentence goes on like this."""
        word, written = found.word, " ".join(found.word.text.split())
        accepted = accepts(self.table, found.stack)
        if word.type == END or (word.text == "." and word.at[0] == word.at[1]):
            saw = "the sentence ends"
        else:
            saw = (
                f'"{written}" cannot stand'
                if written
                else "a block cannot begin"
                if word.type == "_INDENT"
                else "a block cannot end"
            )
        ways = self.ways(accepted, written)
        message = f"{saw} here; {ways} can" if ways else f"{saw} here"
        return Fault(word.at, "syntax", message, self.near(written, accepted))

    def near(self, written: str, accepted: set[str]) -> str | None:
        """What of these classes is written almost like this, or is the only word of them."""
        near = None
        if len(written) > 2:
            near = nearest(written, [w for w in self.lexicon.words_of(accepted) if w != written and len(w) > 2], 0.7)
            if near is None and "NAME" in accepted:
                near = nearest(written, self.lexicon.known, 0.75)
        if near is None and len(accepted) == 1:
            near = self.word_for(next(iter(accepted)))
        return near

    def misplaced(self, piece: list[Word], start: str, found: Unexpected) -> Fault:
        """The word at fault where the parser stopped: it, or one before it that another word would mend."""
        stopped = next(
            (i for i, word in enumerate(piece) if word.at == found.word.at and word.text == found.word.text), len(piece)
        )
        before = piece[stopped - 1] if stopped else None
        one_word = mends(self.table, piece, start, stopped)
        if before is not None:
            pronoun = self.mistaken(before, found, one_word.get(stopped - 1, set()) if one_word else None)
            swapped = self.turned_round(piece, start, stopped)
            if pronoun is not None or swapped is not None:
                return pronoun or swapped or self.unexpected(found)
        several = self.one_off(piece, start, found.word, (before or found.word) if one_word else None)
        if several is not None or not one_word:
            return several or self.unexpected(found)
        best = mend(self.table, piece, start, stopped)
        if best is None or best.at == stopped or not piece[best.at].text:
            return self.unexpected(found)
        word = piece[best.at]
        written, follows = (" ".join(w.text.split()) for w in (word, found.word))
        ways = self.ways(best.classes, written)
        saw = f'"{written}" cannot stand before "{follows}"' if follows else f'"{written}" cannot stand here'
        return Fault(word.at, "syntax", f"{saw}; {ways} can" if ways else saw, self.near(written, best.classes))

    def turned_round(self, piece: list[Word], start: str, stopped: int) -> Fault | None:
        """Two words that would be right in the other order: `Coins 2`."""
        if stopped >= len(piece) or not (piece[stopped].text and piece[stopped - 1].text):
            return None
        one, two = piece[stopped - 1], piece[stopped]
        if not (one.text[0].isalnum() and two.text[0].isalnum()):
            return None
        if not sound(self.table, [*piece[: stopped - 1], two, one, *piece[stopped + 1 :]], start):
            return None
        first, second = (" ".join(w.text.split()) for w in (one, two))
        message = f'"{first}" and "{second}" stand the wrong way round'
        return Fault((one.at[0], two.at[1]), "syntax", message, f"{second} {first}")

    def one_off(self, piece: list[Word], start: str, at: Word, since: Word | None = None) -> Fault | None:
        """Around a word stand, but for one word, several that belong together: `at the begin of`, `for any Guard`.
        With the right word the sentence has to be read to its end. Of names only one with a strange word counts.
        since: a fault only from this word on."""
        words = [m.span() for m in re.finditer(r"[^\W\d_][\w'-]*|\d+|[^\w\s]", self.text)]
        here = next((i for i, span in enumerate(words) if span[1] > at.at[0]), len(words))
        candidates = [w for w in (*self.lexicon.words_of(), *TOGETHER) if " " in w]
        if at.type == "UNKNOWN":
            candidates += [n for n in self.lexicon.known if at.text in n.split() and " " in n]
        for candidate in sorted(candidates, key=lambda w: (-w.count(" "), w)):
            parts = re.findall(r"[\w'-]+|[^\w\s]", candidate)
            size = len(parts)
            for first in range(max(0, here - size), min(here + 1, len(words) - size) + 1):
                window = words[first : first + size]
                wrong = [i for i, span in enumerate(window) if not self.same(span, parts[i])]
                if len(wrong) != 1:
                    continue
                span, meant = window[wrong[0]], parts[wrong[0]]
                if span[0] < (since or piece[0]).at[0]:
                    continue
                if self.heads_sentence(span[0]):
                    meant = self.cased(span, meant)
                if not self.text[span[0]].isalnum() or not self.reads_with(
                    piece, start, span, meant, max(window[-1][1], at.at[1])
                ):
                    continue
                written = self.text[slice(*span)]
                if candidate in self.lexicon.known:
                    name = (window[0][0], window[-1][1])
                    message = f'nothing in this game is called "{self.text[slice(*name)]}"'
                    return Fault(name, "unknown-name", message, candidate)
                return Fault(span, "syntax", f'"{written}" cannot stand here; "{candidate}" can', meant)
        return None

    def same(self, span: Span, word: str) -> bool:
        written = self.text[slice(*span)]
        return written == word or (word[0].islower() and written[1:] == word[1:] and written[0].lower() == word[0])

    def reads_with(self, piece: list[Word], start: str, span: Span, meant: str, end: int) -> bool:
        """True if the sentence is read with another word at a place, and all words up to `end` are known then."""
        text = self.text[: span[0]] + meant + self.text[span[1] :]
        words = lay_out(Reader(self.lexicon, text, self.bound).read(), text, self.table.literals, start == "text")
        every = pieces(words, self.table.literals) if start == "text" else [words]
        mended = next((p for p in every if p[0].at[0] == piece[0].at[0]), None)
        end += len(text) - len(self.text)
        if mended is None or any(w.type == "UNKNOWN" and w.at[0] < end for w in mended):
            return False
        return sound(self.table, mended, start)

    def mistaken(self, before: Word, found: Unexpected, fitting: set[str] | None) -> Fault | None:
        """A pronoun where its possessive is meant, or the other way round: the fault is the pronoun's. fitting: the
        classes that would make a sentence in its place; None where that is not known."""
        meant = ""
        if before.type == "OWNER" and "A" not in accepts(self.table, found.stack):
            meant = {"its": "it", "your": "yours", "their": "them"}[before.base]
            message = f'a noun has to follow "{before.text}"'
        elif found.word.type in NOUNS:
            meant = {"it": "its", "you": "your", "they": "their", "yours": "your"}.get(before.base, "")
            message = f'"{before.text}" cannot stand before "{found.word.text}"'
        if not meant or (fitting is not None and self.table.literals[meant] not in fitting):
            return None
        return Fault(before.at, "syntax", message, self.cased(before.at, meant))

    def word_for(self, terminal: str) -> str | None:
        return next((word for word, type_ in self.table.literals.items() if type_ == terminal), None)

    def ways(self, accepted: set[str], saw: str) -> str:
        """What may stand at a place, in words; '' where that would be a long list."""
        left, known = set(accepted) - HIDDEN, []
        if {"A", "NAME"} <= accepted:
            known.append("a number or a thing" if "TWICE" in accepted else "a thing")
            several = {
                self.table.literals[w]
                for w in (
                    "one of",
                    "up to",
                    "any number of",
                    "the number of",
                    "the number of different",
                    "the amount you could not pay",
                    "the space after",
                    "the space before",
                    "the run of",
                    "half of",
                    "either",
                )
                if w in self.table.literals
            }
            left -= THINGS | NUMBERS | several | {s for s in left if s.startswith("VALUE_")}
        elif "NAME" in accepted:
            known.append("a noun")
            left -= NOUNS
        if len(left & VERB_TERMINALS) > 4:
            known.append("a verb")
            left -= VERB_TERMINALS | {s for s in left if s.startswith("PHRASE_")}
        for terminal, words in (
            ("NUMBER", "a number"),
            ("LOCAL", "a bound name"),
            (END, "the end"),
            ("_INDENT", "a block"),
        ):
            if terminal in left:
                known.append(words)
                left.discard(terminal)
        shown = sorted(filter(None, (self.word_for(terminal) for terminal in left)))
        known += [f'"{word}"' for word in shown if word != saw]
        if not known or len(known) > 8:
            return ""
        return known[0] if len(known) == 1 else ", ".join(known[:-1]) + " or " + known[-1]


def pieces(words: list[Word], literals: dict[str, str]) -> list[list[Word]]:
    """The sentences of a text, each as a text of its own. What opens a block gets an empty one, an option a choice."""
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
