"""shapes: in, a vocabulary; out, its phrases as grammar lines by shape, their words for the lexer, and their faults.

`invest {number amount} on {Tower target}` has the shape (number, on, thing). All verbs with one set of shapes are one
class of words, so the parse table grows with the number of shapes, never with the number of phrases or names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from interpreter.data import grammar_folder
from interpreter.verbs import VERBS
from interpreter.vocabulary import Hole, Phrase, ValuePhrase, Vocabulary
from interpreter.words import Entry, core_entries

Pattern = Phrase | ValuePhrase
_CLASS = re.compile(r"^([A-Z_]+): (.*(?:\n +\|.*)*)", re.MULTILINE)
_STRING = re.compile(r'"([^"\n]+)"')
FILTER_WORDS = {"PREP", '"with"', '"without"', '"of"', "THAT", "WHO"}  # they would go on with the noun before them
_MEANT = """and or until instead each then may cannot can would secretly if when whenever unless otherwise let while did
    who that those this"""
COUNTED = {"NAME", "NOUN", "PLAYER"}  # a number before one of these is how many of them
FORBIDDEN = {*_MEANT.split(), "for each"}  # words that would make another sentence of a phrase


@dataclass(frozen=True, slots=True)
class Problem:
    """What keeps a phrase out of the language; other is the phrase that it clashes with, if it is one."""

    pattern: Pattern
    code: str
    message: str
    other: Pattern | None = None

    @property
    def file(self) -> str:
        return self.pattern.file

    @property
    def line(self) -> int:
        return self.pattern.at[0]


@dataclass(slots=True)
class Form:
    """A phrase as the grammar takes it.

    symbols: what follows the head; plan: for each symbol that the tree keeps, ("hole", its name) or ("word", as
    written); core: the rule that its head is in the grammar, if it is a verb of the core; rule: the name of its own
    alternative.
    """

    pattern: Pattern
    article: bool
    head: str
    symbols: tuple[str, ...]
    plan: tuple[tuple[str, str], ...]
    forms: tuple[str, ...]
    core: str = ""
    rule: str = ""

    @property
    def shape(self) -> tuple[str, ...]:
        return ('"the"',) * self.article + (self.core or "*", *self.symbols)

    @property
    def family(self) -> str:
        if isinstance(self.pattern, Phrase):
            return "PHRASE"
        return "TRUTH" if self.pattern.result == "condition" else "VALUE"


@dataclass(slots=True)
class Shapes:
    """lines: what to put into the grammar at each mark; heads: written form → Entry for the lexer."""

    lines: dict[str, list[str]] = field(default_factory=dict)
    heads: dict[str, Entry] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def core_heads(source: str) -> dict[str, str]:
    """Each verb of the core → how the grammar calls it at the head of a clause: its terminal, or its group's rule."""
    heads = {verb.base: verb.terminal for verb in VERBS.values()}
    for group, members in re.findall(r"^\?(\w+): ([A-Z_]+(?: \| [A-Z_]+)+)$", source, re.MULTILINE):
        heads.update({base: group for base, verb in VERBS.items() if verb.terminal in members.split(" | ")})
    return heads


@cache
def read_source() -> str:
    return (grammar_folder() / "cardscript.lark").read_text(encoding="utf-8")


def classes_of(source: str) -> dict[str, str]:
    """Every word that the grammar names → its class, '' where it stands alone."""
    bare = re.sub(r"(^|\s)//[^@].*", "", source)
    found = dict.fromkeys(_STRING.findall(bare), "")
    for name, alternatives in _CLASS.findall(bare):
        words = _STRING.findall(alternatives)
        found.update(dict.fromkeys(words, name if len(words) > 1 else ""))
    return found


def spell(pattern: Pattern) -> str:
    """The phrase as content writes it."""
    return " ".join(f"{{{p.kind} {p.name}}}" if isinstance(p, Hole) else p for p in pattern.parts)


def counted_words() -> set[str]:
    """The nouns of the language."""
    return {word for word, type_ in classes_of(read_source()).items() if type_ in COUNTED}


def shapes_of(vocabulary: Vocabulary, source: str, leave_out: Iterable[str] = ()) -> Shapes:
    """The shapes of all phrases and values that are sound, and a Problem for each that is not."""
    out = Shapes()
    literals, core = classes_of(source), core_heads(source)
    single = dict(core_entries(literals))
    gone = set(leave_out)
    sound: list[Form] = []
    patterns: list[Pattern] = [*vocabulary.phrases, *vocabulary.values]
    for pattern in patterns:
        if pattern.ident in gone:
            continue
        form = read_pattern(pattern, literals, vocabulary, single, out.problems)
        if form is not None and form.head in core:
            form.core = core[form.head]
        if form is not None and not clashes(form, sound, out.problems):
            sound.append(form)
    number(sound, out)
    return out


def read_pattern(
    pattern: Pattern,
    literals: Mapping[str, str],
    vocabulary: Vocabulary,
    single: Mapping[str, Entry],
    problems: list[Problem],
) -> Form | None:
    """A pattern as a Form; None, with a Problem, if it is not sound in itself."""

    def wrong(code: str, message: str) -> Form | None:
        problems.append(Problem(pattern, code, message))
        return None

    kind = "phrase" if isinstance(pattern, Phrase) else "value"
    parts = list(pattern.parts)
    article = kind == "value" and bool(parts) and parts[0] == "the"
    parts = parts[article:]
    if not parts or isinstance(parts[0], Hole) or not parts[0][:1].islower():
        return wrong(
            "phrase-hole", f"a {kind} begins with a small word of its own{', after `the`' if kind == 'value' else ''}"
        )
    head = parts[0]
    written = tuple(pattern.forms) if isinstance(pattern, Phrase) else (head,)
    if kind == "phrase" and head in VERBS:
        if len(parts) < 2 or isinstance(parts[1], Hole) or (parts[1] in literals and literals[parts[1]] == "PREP"):
            return wrong(
                "phrase-clash",
                f'"{head}" is a verb of the language; a phrase may begin with it only if a word of its own follows',
            )
        written = (VERBS[head].base, VERBS[head].third)
    for form in written if head not in VERBS else ():
        entry = single.get(form)
        if entry is not None and not (entry.type in ("DONE", "ADJ") and form != head):
            return wrong("phrase-clash", f'"{form}" is a word of the language; a {kind} begins with a word of its own')
    for hole in (p for p in parts if isinstance(p, Hole)):
        if hole.name in single:
            return wrong("phrase-hole", f'a hole may not be called "{hole.name}", which is a word of the language')
    symbols: list[str] = []
    plan: list[tuple[str, str]] = []
    pieces = list(split_words(parts[1:], literals, vocabulary))
    for index, piece in enumerate(pieces):
        after = pieces[index + 1] if index + 1 < len(pieces) else None
        if isinstance(piece, Hole):
            if isinstance(after, Hole):
                return wrong(
                    "phrase-hole",
                    f"a word has to stand between {{{piece.kind} {piece.name}}} and {{{after.kind} {after.name}}}",
                )
            if after is not None and after[0] in COUNTED and piece.kind != "number":
                return wrong(
                    "phrase-hole", f'a small word has to stand between {{{piece.kind} {piece.name}}} and "{after[1]}"'
                )
            symbols.append(hole_symbol(piece, after[0] if after else None, kind))
            plan.append(("hole", piece.name))
        else:
            symbol, text = piece
            if text in FORBIDDEN or symbol in {v.terminal for v in VERBS.values()}:
                return wrong(
                    "phrase-hole", f'"{text}" has a meaning of its own in a sentence and cannot stand in a {kind}'
                )
            symbols.append(symbol)
            if not symbol.startswith('"'):
                plan.append(("word", text))
    return Form(pattern, article, head, tuple(symbols), tuple(plan), written)


def split_words(
    parts: Iterable[str | Hole], literals: Mapping[str, str], vocabulary: Vocabulary
) -> Iterable[tuple[str, str] | Hole]:
    """Holes as they are; runs of words as (grammar symbol, written), the longest known name or word first."""
    run: list[str] = []
    for part in (*parts, None):
        if isinstance(part, str):
            run.append(part)
            continue
        while run:
            size = next(
                (
                    n
                    for n in range(len(run), 0, -1)
                    if " ".join(run[:n]) in vocabulary.names or " ".join(run[:n]) in literals
                ),
                1,
            )
            text = " ".join(run[:size])
            del run[:size]
            type_ = literals.get(text, "")
            if text in vocabulary.names:
                yield "NAME", text
            elif text in vocabulary.states:
                yield "ADJ", text
            else:
                yield type_ or f'"{text}"', text
        if part is not None:
            yield part


def hole_symbol(hole: Hole, after: str | None, kind: str) -> str:
    """The rule of the grammar that a hole takes."""
    if hole.kind == "number":
        if kind == "value":
            return "prim"
        return "expr" if after is None else "quantity" if after in COUNTED else "prim"
    if hole.kind == "condition":
        return "cond"
    if kind == "value":
        return "core"
    if after is None:
        return "sel"
    return "core" if after in FILTER_WORDS else "np"


def clashes(form: Form, others: list[Form], problems: list[Problem]) -> bool:
    """True, with a Problem naming both, if a sentence could match two patterns."""

    def wrong(other: Form, message: str) -> bool:
        where = f", {other.pattern.file}:{other.pattern.at[0]}" if other.pattern.file else ""
        problems.append(
            Problem(
                form.pattern,
                "phrase-clash",
                f"`{spell(form.pattern)}` {message} `{spell(other.pattern)}`{where}",
                other.pattern,
            )
        )
        return True

    for other in others:
        shared = set(form.forms) & set(other.forms)
        if form.head != other.head:
            if shared:
                return wrong(other, f'has the form "{min(shared)}" in common with')
            if form.head in {s.strip('"') for s in other.symbols} or other.head in {s.strip('"') for s in form.symbols}:
                return wrong(other, "begins with a word that stands inside, or holds the first word of,")
            continue
        if form.family != other.family or form.article != other.article:
            return wrong(other, "begins with the same word as")
        words, known = [w for k, w in form.plan if k == "word"], [w for k, w in other.plan if k == "word"]
        if same(form.symbols, other.symbols):
            if words == known:
                return wrong(other, "cannot be told from")
            continue
        short, long = sorted((form.symbols, other.symbols), key=len)
        common = 0
        while common < len(short) and same(short[common : common + 1], long[common : common + 1]):
            common += 1
        if common == len(short) and long[common] in FILTER_WORDS:
            return wrong(other, f"goes on with {long[common].lower()}, which would belong to the last noun of,")
        if 0 < common < len(short) and short[common - 1] != long[common - 1]:
            return wrong(other, "parts too late from")
    return False


def same(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    nouns = {"sel", "np", "core"}
    numbers = {"expr", "prim", "quantity"}
    return len(left) == len(right) and all(
        a == b or (a in nouns and b in nouns) or (a in numbers and b in numbers) for a, b in zip(left, right)
    )


def number(forms: list[Form], out: Shapes) -> None:
    """Give every shape a rule and every head its class, and write the grammar's lines."""
    for family, mark in (("PHRASE", "phrases"), ("VALUE", "values"), ("TRUTH", "conditions")):
        mine = [f for f in forms if f.family == family]
        shapes = sorted({f.shape for f in mine})
        heads: dict[str, list[Form]] = {}
        for form in mine:
            form.rule = f"{family.lower()}_{shapes.index(form.shape) + 1}"
            heads.setdefault(form.head, []).append(form)
        classes = sorted({tuple(sorted({f.shape for f in group})) for h, group in heads.items() if h not in VERBS})
        core = sorted({f.shape for f in mine if f.head in VERBS})
        lines = out.lines.setdefault(mark, [])
        for index, shapes_ in enumerate(classes, 1):
            for shape in shapes_:
                rule = f"{family.lower()}_{shapes.index(shape) + 1}"
                lines.append(f"| {' '.join(f'{family}_{index}' if s == '*' else s for s in shape)} -> {rule}")
        lines += [f"| {' '.join(shape)} -> {family.lower()}_{shapes.index(shape) + 1}" for shape in core]
        out.lines.setdefault("declared", []).extend(f"%declare {family}_{i + 1}" for i in range(len(classes)))
        if family == "PHRASE":
            out.lines.setdefault("heads", []).extend(f"| PHRASE_{i + 1}" for i in range(len(classes)))
        for head, group in heads.items():
            type_ = (
                VERBS[head].terminal
                if head in VERBS
                else f"{family}_{classes.index(tuple(sorted({f.shape for f in group}))) + 1}"
            )
            for written in dict.fromkeys(f for form in group for f in form.forms):
                kinds = ("base", "third", "past", "participle")
                forms_ = tuple(k for k, f in zip(kinds, group[0].forms) if f == written) if family == "PHRASE" else ()
                out.heads[written] = Entry(type_, head, forms_, tuple(group))
