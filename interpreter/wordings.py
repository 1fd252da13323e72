"""wordings: in, a text and a place in it; out, the words that the language has for what stands there, where a writer put
it otherwise.

`return it to your Hand` is `move it to your Hand`, `two Coins` are `2 Coins`, `of your choice` says nothing where you
choose anyway. What a word means that could be two (`to` before a verb, `or` between two of them) is told here too.
"""

from __future__ import annotations

import re
from typing import Any

from interpreter.verbs import VERBS

# (class, written, base, forms) of a word; several of them, or none, stand for what is written.
Worded = tuple[list[tuple[str, str, str, tuple[str, ...]]], int]

NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
SAME = {"return": ("move", "base"), "returns": ("move", "third"), "put": ("place", "base"), "puts": ("place", "third")}
TERMINALS = {verb.terminal for verb in VERBS.values()}

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_JOIN = re.compile(r"(to|,?\s*or|either)\s+(?=(\w+))", re.IGNORECASE)
_TURN = re.compile(r"turns?(?=\s[^.,:;]*\bface\s+(?:up|down)\b)", re.IGNORECASE)
_CHOICE = re.compile(r"of\s+your\s+choice\b")
_WAY = re.compile(r"this\s+way\b")
_LEFT = re.compile(r"left(?=\s*[.,:;)])")
_NOT = re.compile(r"if\s+(?:(?:you|they|it|that\s+player)\s+(?:is|are|has|have)\s+)?not(?=,)", re.IGNORECASE)
_WHOEVER = re.compile(r"whoever\b", re.IGNORECASE)
_THAT = re.compile(r"that\b")
_FROM = re.compile(r"from\b")
_OR_NAME = re.compile(r"or(?=\s+[A-Z])")
PAUSES = (".", ":", ";", "; or", ",", ", then")


def is_verb(word: Any) -> bool:
    """Whether a word, or what a written word stands for, is a verb of the language or of content that acts."""
    acts = word.type in TERMINALS or word.type.startswith("PHRASE")
    return acts and bool({"base", "third"} & set(word.forms))


def worded(reader: Any, at: int) -> Worded | None:
    """The words for what stands at a place, and where they end; None where it is written as the language has it."""
    text, lexicon, start = reader.text, reader.lexicon, reader.start or reader.first_of_line(at)
    if text[at].isupper() and not start:
        return None
    return (
        joined(reader, at)
        or counted(reader, at)
        or (spelt(lexicon, text, at, start) if not reader.name(at) else None)
        or dropped(reader, at)
        or placed(reader, at)
        or answering(reader, at, start)
    )


def joined(reader: Any, at: int) -> Worded | None:
    """`to` and `or` before a verb: what is paid for, and what is done instead of another."""
    found = _JOIN.match(reader.text, at)
    entry = reader.lexicon.single.get(found.group(2)) if found else None
    if found is None or entry is None or not is_verb(entry) or found.group(2) in reader.locals:
        return None
    word = found.group(1).lower().replace(",", "").strip()
    if word == "to" and (not reader.words or reader.words[-1].type in ("_OR_A", "OR_MORE")):
        return None
    return [({"to": "_TO_DO", "or": "_OR_DO", "either": "_EITHER_DO"}[word], word, word, ())], found.end(1)


def counted(reader: Any, at: int) -> Worded | None:
    """Small numbers in letters."""
    found = _WORD.match(reader.text, at)
    plain = found.group().lower() if found else ""
    known = plain in reader.lexicon.single or plain in reader.locals or reader.lexicon.several.match(reader.text, at)
    behind = reader.text[found.end() : found.end() + 1] if found else ""
    if found is None or plain not in NUMBERS or known or reader.name(at) or behind in (":", "."):
        return None
    return [("NUMBER", str(NUMBERS[plain]), str(NUMBERS[plain]), ())], found.end()


def spelt(lexicon: Any, text: str, at: int, start: bool) -> Worded | None:
    """Verbs that say what one of the language's says."""
    turn = _TURN.match(text, at)
    before = text[:at].rstrip()[-5:].lower().split()
    if turn and not (before and before[-1] in ("this", "each", "your", "next", "last", "per", "a", "the")):
        form = "third" if turn.group().lower().endswith("s") else "base"
        return [("FLIP", turn.group(), "flip", (form,))], turn.end()
    found = _WORD.match(text, at)
    plain = found.group().lower() if found else ""
    if found is None or plain not in SAME or plain in lexicon.single:
        return None
    base, form = SAME[plain]
    return [(VERBS[base].terminal, found.group(), base, (form,))], found.end()


def dropped(reader: Any, at: int) -> Worded | None:
    """What says no more than the words around it."""
    text, words = reader.text, reader.words
    found = _CHOICE.match(text, at)
    if found and you_choose(words):
        return [], found.end()
    found = _WAY.match(text, at)
    if found and words and words[-1].type == "DONE":
        return [], found.end()
    if found and words and words[-1].type == "TOLD":
        this = reader.lexicon.literals["this"]
        return [(this, "this", "this", ("singular",)), ("NOUN", "action", "action", ("singular",))], found.end()
    found = _LEFT.match(text, at)
    if found and any(word.text.lower() == "there" for word in clause(words)):
        return [], found.end()
    return None


def clause(words: list[Any]) -> list[Any]:
    """The words since the last pause."""
    last = next((i for i in range(len(words) - 1, -1, -1) if words[i].text in PAUSES or words[i].type == "THEN"), -1)
    return words[last + 1 :]


def you_choose(words: list[Any]) -> bool:
    """Whether what stands here is chosen by you in any case: you do it, or it is itself who does it."""
    said = [word for word in clause(words) if word.type not in ("AND", "_OR_DO", "_EITHER_DO", "_TO_DO")]
    first = next((i for i, word in enumerate(said) if is_verb(word)), None)
    return first is None or first == 0 or said[0].text.lower() == "you"


def placed(reader: Any, at: int) -> Worded | None:
    """`trash a Charm from your Hand`: for a phrase that has no `from` of its own, that is where the Charm lies."""
    found = _FROM.match(reader.text, at)
    if not found:
        return None
    verb = next((word for word in reversed(reader.words) if is_verb(word) or "participle" in word.forms), None)
    if verb is None or not verb.type.startswith("PHRASE") or reader.words[-1].type not in ("NAME", "NOUN"):
        return None
    if any("from" in form.pattern.parts for form in verb.phrases):
        return None
    return [("PREP", "in", "in", ())], found.end()


def answering(reader: Any, at: int, start: bool) -> Worded | None:
    """`If not,` is `Otherwise,`; `whoever` is each player who; `that` after `the first time each turn` begins a clause."""
    lexicon, text, words = reader.lexicon, reader.text, reader.words
    if _THAT.match(text, at) and len(words) > 1 and words[-2].base == "the first time each":
        return [("_THAT", "that", "that", ())], at + 4
    found = _NOT.match(text, at) if start else None
    if found:
        return [(lexicon.literals["otherwise"], "otherwise", "otherwise", ())], found.end()
    found = _WHOEVER.match(text, at)
    if found:
        words = [("EACH", "each", "each", ()), ("PLAYER", "player", "player", ("singular",)), ("WHO", "who", "who", ())]
        return words, found.end()
    return None


def either_name(reader: Any, at: int) -> bool:
    """`a Tower or Guard`: an `or` before a name that has no article of its own."""
    words = reader.words
    if not _OR_NAME.match(reader.text, at) or len(words) < 2 or words[-1].type != "NAME":
        return False
    before = words[-2] if words[-2].type not in ("ADJ", "DONE") or len(words) < 3 else words[-3]
    return str(before.type) in ("A", "_OR_N")
