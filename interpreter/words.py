"""words: in, a text, a vocabulary and the names that are bound; out, its words with their classes and exact places.

A word of the text is the game's name (longest match), a word of the language (inflections folded into one class, the
written form kept), a verb of content, a bound local name, a number, or else UNKNOWN. Deeper lines after a colon become
blocks. Nothing here knows what a sentence is.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from interpreter.tree import Span
from interpreter.verbs import VERBS
from interpreter.vocabulary import Name, Vocabulary
from interpreter.wordings import either_name, worded

CORE_NAMES = {"Roll": "roll", "Rolls": "roll"}  # nouns whose small letter would be a verb
END = "$END"

# A first capital at the head of a sentence hides a name only behind words that begin clauses, not behind nouns.
NOUN_CLASSES = {"NOUN", "PLAYER", "ADJ", "RELATION"}

_GAP = re.compile(r"\s+")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_NUMBER = re.compile(r"\d+(?![\w])")
_FIRST = re.compile(r"\w+|.")
_RUN = re.compile(r"\w+|[^\w\s]")
_CAPITALS = re.compile(r"[^\W\d_a-zß-öø-ÿ][\w-]*(?:'s\b)?(?:\s+[^\W\d_a-zß-öø-ÿ][\w-]*)*")
_BOUND = {
    "LET": re.compile(r"\s+([^\W\d_A-Z][\w-]*)"),
    "CHOOSE": re.compile(r"\s+([^\W\d_A-Z][\w-]*)\s+from\b"),
    "FOR_EACH": re.compile(r"\s+([^\W\d_A-Z][\w-]*)\s+among\b"),
}
# Words whose class rests on what follows them.
_WHAT = re.compile(r"\s+(?:an?\b|\d|all\b|(?:twice\s+)?that\s+m|[A-Z])")
_UNTIL = re.compile(r"until\b", re.IGNORECASE)
_EQUAL = re.compile(r"equal\s+to\b")
_SPAN = re.compile(r"\s+this\s+(?:turn|round|action|game)\b")
_WAY = re.compile(r"\s+this\s+way\b")
_QUANTITY = r"(?:an?|\d+|half|(?:twice\s+)?that\s+(?:many|much))\s"
_FOLLOWED = (
    ("_OR_A", re.compile(rf"or(?=\s+{_QUANTITY})", re.IGNORECASE)),
    ("_AND_A", re.compile(rf"and(?=\s+{_QUANTITY})", re.IGNORECASE)),
    ("AND", re.compile(rf",\s+and(?=\s)(?!\s+{_QUANTITY})", re.IGNORECASE)),
    ("HAS", re.compile(r"gets?(?=\s+\+)", re.IGNORECASE)),
    (
        "OTHER_THAN",
        re.compile(
            r"(?:other\s+than|except(?:\s+for)?)(?=\s+(?:the|an?|your|its|their|this|that|it|you)\b)", re.IGNORECASE
        ),
    ),
    ("CHOOSE_ONE", re.compile(r"chooses?\s+one(?=\s*:)", re.IGNORECASE)),
    ("ROUNDED", re.compile(r",?\s*rounded\s+(?:down|up)(?!\w)(?:,(?=\s+(?:from|to|on|in|at|by|into|for|under)\b))?")),
    (
        "RESULT",
        re.compile(
            r"(?:you|they|it|that\s+player)\s+(?:do|does|did|can|cannot|could)(?:\s+not)?(?=\s*[,.:;)]|\s*$|\s+(?:and|or)\b)",
            re.IGNORECASE,
        ),
    ),
)


@dataclass(slots=True)
class Word:
    """One word as the grammar takes it. base: the verb's base form, the name's canonical form, the word in small
    letters. forms: what the written form can be (base, third, past, participle; singular, plural). phrases: the
    phrases of content that begin with this word. other: what a bound name is instead, where content has the word too."""

    type: str
    text: str
    at: Span
    base: str = ""
    forms: tuple[str, ...] = ()
    phrases: tuple[Any, ...] = ()
    other: Word | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """What a written word stands for."""

    type: str
    base: str
    forms: tuple[str, ...] = ()
    phrases: tuple[Any, ...] = ()


@dataclass(slots=True)
class Lexicon:
    """Everything that words can be: literals are those of the grammar (word → class), heads those of content's phrases
    and values (written form → Entry), core the words that the language itself has."""

    literals: Mapping[str, str]
    vocabulary: Vocabulary
    heads: Mapping[str, Entry] = field(default_factory=dict)
    core: Collection[str] = ()
    single: dict[str, Entry] = field(init=False)
    several: re.Pattern[str] = field(init=False)
    names: dict[str, list[str]] = field(init=False)
    patterns: dict[str, re.Pattern[str]] = field(default_factory=dict)
    known: dict[str, Name] = field(init=False)
    mass: set[str] = field(init=False)
    marks: dict[str, str] = field(init=False)
    own: set[str] = field(init=False)

    def __post_init__(self) -> None:
        self.single = dict(core_entries(self.literals))
        self.own = {w for w, e in self.single.items() if w in self.core or w not in self.literals}
        for state in self.vocabulary.states:
            old = self.single.get(state)
            if old is None or old.type == "DONE":
                self.single[state] = Entry("ADJ", state, old.forms if old else (), ())
        for word in self.vocabulary.relations:
            self.single.setdefault(word, Entry("RELATION", word))
        for form, entry in self.heads.items():
            old = self.single.get(form)
            if old is None or old.type in ("RELATION", entry.type):
                self.single[form] = entry
            elif old.type == "ADJ" and form in self.vocabulary.states:
                self.single[form] = Entry("ADJ", old.base, entry.forms, entry.phrases)
        verbs = (w for v in VERBS.values() if " " in v.base for w in (v.base, v.third, v.participle))
        parts = sorted((*verbs, *(w for w in self.literals if " " in w)), key=len, reverse=True)
        self.several = re.compile("|".join(_spaced(w) + (r"(?![\w-])" if w[-1].isalpha() else "") for w in parts), re.I)
        self.marks = {w: t for w, t in self.literals.items() if not w[0].isalpha() and " " not in w}
        self.known = {**{s: Name(n, s != "Roll") for s, n in CORE_NAMES.items()}, **self.vocabulary.names}
        self.names = _by_first_word(self.known)
        counted = {name.canonical for name in self.known.values() if name.plural}
        self.mass = {name.canonical for name in self.known.values()} - counted

    def pattern(self, first: str) -> re.Pattern[str] | None:
        """What finds the longest name that begins with this word. Made when a text first has the word."""
        group = self.names.get(first)
        if group is None:
            return None
        found = self.patterns.get(first)
        if found is None:
            ends = (
                (_spaced(n), r"(?![\w]|-\w)" if n[-1].isalnum() else "") for n in sorted(group, key=len, reverse=True)
            )
            found = self.patterns[first] = re.compile("|".join(f"(?:{name}){end}" for name, end in ends))
        return found

    def words_of(self, types: Collection[str] | None = None) -> list[str]:
        """All written words of the language and of content's verbs, of these classes."""
        found = [w for w, e in self.single.items() if types is None or e.type in types]
        return found + [w for w, t in self.literals.items() if " " in w and (types is None or t in types)]

    def is_language(self, word: str) -> bool:
        """True if a local may not be called so: the language itself has the word."""
        return word in self.own


def core_entries(literals: Mapping[str, str]) -> Iterable[tuple[str, Entry]]:
    """The language's own words and its verbs in every form that can be said."""
    nouns = {w for w, t in literals.items() if t == "NOUN"} | {"player", "players"}
    for word, type_ in literals.items():
        if " " in word or not word[0].isalpha():
            continue
        base, forms = word, tuple[str, ...]()
        if type_ in ("NOUN", "PLAYER"):
            singular = "die" if word == "dice" else word[:-1] if word[:-1] in nouns else word
            base, forms = singular, ("plural",) if singular != word else ("singular",)
        elif type_ in ("IS", "HAS", "THAT", "THIS"):
            plural = {"are": "plural", "have": "plural", "be": "base", "those": "plural"}
            forms = (plural.get(word, "singular"),)
        yield word, Entry(type_, base, forms)
    for verb in VERBS.values():
        if " " in verb.base:
            continue
        if verb.passive:
            yield verb.participle, Entry("DONE", verb.base, ("participle",))
        yield verb.base, Entry(verb.terminal, verb.base, ("base",))
        yield verb.third, Entry(verb.terminal, verb.base, ("third",))


def _spaced(words: str) -> str:
    return r"\s+".join(re.escape(part) for part in words.split())


def _by_first_word(names: Iterable[str]) -> dict[str, list[str]]:
    """The names that begin with each word."""
    by_first: dict[str, list[str]] = {}
    for name in names:
        first = re.match(r"\w+|.", name)
        if first:
            by_first.setdefault(first.group(), []).append(name)
    return by_first


class Reader:
    """Reads one text into words. `strange` holds what no word stands for: (span, what a capital makes of it)."""

    def __init__(self, lexicon: Lexicon, text: str, locals_: Iterable[str] = (), first: bool = True) -> None:
        self.lexicon = lexicon
        self.text = text
        self.locals = set(locals_) | {"object"}
        self.given: dict[str, Span] = {}  # where the text itself binds a name
        self.words: list[Word] = []
        self.reserved: list[Word] = []
        self.start = first

    def read(self) -> list[Word]:
        text, at = self.text, 0
        while True:
            gap = _GAP.match(text, at)
            at = gap.end() if gap else at
            if at >= len(text):
                break
            other = worded(self, at)
            if other is not None:
                made, end = other
                self.words += [Word(type_, said, (at, end), base, forms) for type_, said, base, forms in made]
                at, self.start = end, False
                continue
            if either_name(self, at):
                self.words.append(Word("_OR_N", "or", (at, at + 2), "or"))
                at += 2
                continue
            word = self.word(at)
            if self.whose_own(word):
                self.words.append(Word("THAT", "that", (at, at), "that", ("singular",)))
            self.words.append(word)
            self.bind(word)
            at = word.at[1]
            self.start = word.text == "." or (word.text == ":" and self.line_ends(at))
        return self.words

    def line_ends(self, at: int) -> bool:
        end = self.text.find("\n", at)
        return end >= 0 and not self.text[at:end].strip()

    def word(self, at: int) -> Word:
        """The word that begins here."""
        lexicon, text = self.lexicon, self.text
        start = self.start or self.first_of_line(at)
        capital = text[at].isupper()
        name = self.name(at)
        if name is not None and (not (start and capital) or " " in name.base or not self.begins(at)):
            return name
        if not capital or start:
            for type_, pattern in _FOLLOWED:
                found = pattern.match(text, at)
                if found and (start or found.group() == found.group().lower()):
                    return Word(
                        type_, found.group(), found.span(), _plain(found.group()), _choose_form(type_, found.group())
                    )
            found = lexicon.several.match(text, at)
            if (
                found
                and (start or found.group() == found.group().lower())
                and found.group()[1:] == found.group()[1:].lower()
            ):
                plain = _plain(found.group())
                return self.multiple(plain, found)
        until = _UNTIL.match(text, at) if start and not lexicon.several.match(text, at) else None
        if until:
            return Word("UNTIL_FIRST", until.group(), until.span(), "until")
        equal = _EQUAL.match(text, at)
        if equal:
            return replace(self.mark("=", at), text=equal.group(), at=equal.span())
        mark = (lexicon.marks.get(text[at : at + 2]) and text[at : at + 2]) or text[at]
        if mark in lexicon.marks:
            return self.mark(mark, at)
        found = _NUMBER.match(text, at)
        if found:
            return Word("NUMBER", found.group(), found.span(), found.group())
        found = _WORD.match(text, at)
        if found:
            written = found.group()
            plain = written[:1].lower() + written[1:] if start else written
            entry = lexicon.single.get(plain)
            known = Word(entry.type, written, found.span(), entry.base, entry.forms, entry.phrases) if entry else None
            if plain in self.locals and not lexicon.is_language(plain):
                other = known if known is not None and known.type != "RELATION" else None
                return Word("LOCAL", written, found.span(), plain, other=other)
            if known is not None:
                return self.told(known)
            if name is not None:
                return name
        found = found or _RUN.match(text, at)
        assert found
        return Word("UNKNOWN", found.group(), found.span(), found.group())

    def whose_own(self, word: Word) -> bool:
        """Whether `that` is left out before a pronoun: `each Tower you hold`."""
        if not self.words or self.words[-1].type not in ("NAME", "NOUN") or word.base not in ("you", "they"):
            return False
        found = _WORD.match(self.text, self.text.find(" ", word.at[1]) + 1)
        entry = self.lexicon.single.get(found.group()) if found and found.start() == word.at[1] + 1 else None
        return entry is not None and (entry.type == "RELATION" or "past" in entry.forms)

    def told(self, word: Word) -> Word:
        """A participle behind a noun and before `this turn`: it says which of them are meant. A pronoun to whom something
        is given that stands behind it."""
        before = self.words[-1] if self.words else None
        if before is not None and before.type in ("GIVE", "PAY") and word.type == "PRONOUN":
            return replace(word, type="WHOM") if _WHAT.match(self.text, word.at[1]) else word
        way = bool(word.phrases) and _WAY.match(self.text, word.at[1])
        if before is None or not (way or _SPAN.match(self.text, word.at[1])):
            return word
        noun = before.type in ("NAME", "NOUN", "PLAYER") and all(f.symbols for f in word.phrases)
        verb = (before.type == "HAS" or before.text == "not") and word.type == "DONE"
        done = "participle" in word.forms and (noun or verb)
        return replace(word, type="TOLD") if done else word

    def multiple(self, plain: str, found: re.Match[str]) -> Word:
        """A word of the language that is written as several."""
        verb = next((v for v in VERBS.values() if plain in (v.base, v.third, v.participle)), None)
        if verb is not None:
            forms = ("base",) if plain == verb.base else ("third",) if plain == verb.third else ("participle",)
            return Word(
                verb.terminal if "participle" not in forms else "DONE", found.group(), found.span(), verb.base, forms
            )
        plain = plain.replace("the Space", "the space")
        return Word(self.lexicon.literals[plain], found.group(), found.span(), plain)

    def mark(self, mark: str, at: int) -> Word:
        type_ = self.lexicon.marks[mark]
        if mark == "=" and len(self.words) > 1 and self.words[-1].type == "NAME":
            if self.words[-2].base in ("with", "and with", "total"):
                type_ = "WITH_EQ"
        return Word(type_, mark, (at, at + len(mark)), mark)

    def name(self, at: int) -> Word | None:
        """The longest name that begins here. At the head of a sentence a small name may have a capital."""
        return self.name_as(at, self.text) or (
            self.name_as(at, self.text[:at] + self.text[at].lower() + self.text[at + 1 :])
            if self.text[at].isupper() and (self.start or self.first_of_line(at)) and self.small_name(at)
            else None
        )

    def small_name(self, at: int) -> bool:
        first = _FIRST.match(self.text, at)
        return first is not None and first.group()[0].lower() + first.group()[1:] in self.lexicon.names

    def name_as(self, at: int, text: str) -> Word | None:
        first = _FIRST.match(text, at)
        pattern = self.lexicon.pattern(first.group()) if first else None
        found = pattern.match(text, at) if pattern else None
        if not found:
            return None
        spelling = " ".join(found.group().split())
        name = self.lexicon.known[spelling]
        forms = () if name.canonical in self.lexicon.mass else ("plural",) if name.plural else ("singular",)
        return Word("NAME", self.text[slice(*found.span())], found.span(), name.canonical, forms)

    def begins(self, at: int) -> bool:
        """True if the capitalised word here is one that begins a clause, so that it hides a name of one word."""
        if self.lexicon.several.match(self.text, at):
            return True
        found = _WORD.match(self.text, at)
        if found is None or self.text[found.end() : found.end() + 1].isdigit():
            return False  # a name such as A1
        entry = self.lexicon.single.get(found.group()[:1].lower() + found.group()[1:])
        return entry is not None and entry.type not in NOUN_CLASSES

    def first_of_line(self, at: int) -> bool:
        """True at the head of a line inside a block, after a full stop or a semicolon."""
        return (
            bool(self.words) and self.words[-1].text in (".", ";", ":") and "\n" in self.text[self.words[-1].at[1] : at]
        )

    def bind(self, word: Word) -> None:
        """`let n be`, `for each guard among`, `choose n from` bind a name for the rest of the text."""
        kind = "FOR_EACH" if word.base == "for each" else word.type
        pattern = _BOUND.get(kind)
        found = pattern.match(self.text, word.at[1]) if pattern else None
        if found:
            name = found.group(1)
            if self.lexicon.is_language(name):
                self.reserved.append(Word("UNKNOWN", name, found.span(1), name))
            self.locals.add(name)
            self.given.setdefault(name, found.span(1))


def _plain(text: str) -> str:
    words = " ".join(text.split())
    return words[:1].lower() + words[1:]


def _choose_form(type_: str, text: str) -> tuple[str, ...]:
    if type_ != "CHOOSE_ONE":
        return ()
    return ("third",) if text.split()[0].lower() == "chooses" else ("base",)


def lay_out(words: list[Word], text: str, literals: Mapping[str, str], sentence: bool) -> list[Word]:
    """Blocks: _INDENT after a colon at the end of a line with a deeper line behind it, _DEDENT on the way back. With
    `sentence`, a full stop that the last sentence lacks is put in."""
    out: list[Word] = []
    stack = [_column(words[0].at[0], text)] if words else [0]
    before: Word | None = None
    for word in words:
        if before is not None and "\n" in text[before.at[1] : word.at[0]]:
            column = _column(word.at[0], text)
            if before.text == ":" and column > stack[-1]:
                stack.append(column)
                out.append(Word("_INDENT", "", (word.at[0], word.at[0])))
            else:
                while column < stack[-1] and len(stack) > 1:
                    stack.pop()
                    out.append(Word("_DEDENT", "", (before.at[1], before.at[1])))
        out.append(word)
        before = word
    end = (before.at[1], before.at[1]) if before else (0, 0)
    if sentence and before is not None and before.text != ".":
        out.append(Word(literals["."], "", end, "."))
    out += [Word("_DEDENT", "", end) for _ in stack[1:]]
    return out


def _column(at: int, text: str) -> int:
    return at - text.rfind("\n", 0, at) - 1


def nearest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The known word most like this one, small and capital letters alike."""
    by_lower: dict[str, str] = {}
    for one in known:
        by_lower.setdefault(one.lower(), one)
    if word.lower() in by_lower:
        return by_lower[word.lower()]
    found = difflib.get_close_matches(word.lower(), list(by_lower), 1, cutoff)
    return by_lower[found[0]] if found else None


def capitals_around(text: str, at: Span) -> Span:
    """The run of capitalised words that a place lies in: what was perhaps meant as one name."""
    for found in _CAPITALS.finditer(text):
        if found.start() <= at[0] < found.end():
            return found.span()
    return at
