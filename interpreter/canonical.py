"""canonical: in, a file of content and how its texts are read; out, the same file with every text in canonical wording.

All else stays as it is, byte for byte: the YAML around the texts, its comments, the style of each text, line ends. In a
text the line breaks between sentences stay, and a sentence whose words are canonical stays as it is laid out. A text that
cannot be read is left alone, and so is one that would not read back as the very same, or has no room in its YAML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from . import tree as t
from .document import read_document
from .nodes import Mapping, Node, Scalar, Sequence
from .parse import Language
from .unparse.texts import Writer

ENDS = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Reading:
    """A text, as what it is read (a start symbol), and the names that are bound in it. sure: False where it may also be
    what the language does not have."""

    scalar: Scalar
    start: str
    bound: tuple[str, ...] = ()
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Formatted:
    """data: the file's bytes now. changed: how many of its texts. left: how many could not be read."""

    data: bytes
    changed: int
    left: int


def formatted(raw: bytes, readings: Iterable[Reading], language: Language) -> Formatted:
    """A file with its texts in canonical wording."""
    mark, raw = (raw[:3], raw[3:]) if raw.startswith(b"\xef\xbb\xbf") else (b"", raw)
    text = raw.decode("utf-8")
    ends = [*ENDS.findall(text), ""]
    lines = ENDS.split(text)
    changes: list[tuple[Scalar, str]] = []
    left = 0
    for reading in readings:
        if reading.scalar.faulty or reading.scalar.style not in ("plain", "block"):
            left += reading.sure
            continue
        new = wording(reading, language)
        if new is None:
            left += reading.sure
        elif new != reading.scalar.text.rstrip("\n"):
            changes.append((reading.scalar, new))
    made = 0
    for scalar, new in sorted(changes, key=lambda change: (-change[0].line, -change[0].column)):
        trial = edited(lines, ends, scalar, new)
        if trial is not None:
            lines, ends = trial
            made += 1
    return Formatted(mark + "".join(map("".join, zip(lines, ends))).encode("utf-8"), made, left)


# ---------------------------------------------------------------- one text


class Kept(Writer):
    """A writer that keeps options on lines of their own where the text has them so."""

    source = ""

    def in_lines(self, node: Any) -> bool:
        start, end = node.at
        first = min((option.at[0] for option in node.options), default=end)
        return "\n" in self.source[start:first] or super().in_lines(node)


def wording(reading: Reading, language: Language) -> str | None:
    """The canonical wording of a text; None if it cannot be read, or would not read back."""
    text = reading.scalar.text.rstrip("\n")
    tree, faults = language.parse(text, reading.start, reading.bound)
    if tree is None or faults:
        return None
    writer = Kept(language.vocabulary)
    writer.source = text
    new = sentences(tree, text, writer) if isinstance(tree, t.Text) else piece(text, writer.whole(tree))
    again, faults = language.parse(new, reading.start, reading.bound)
    return new if again == tree and not faults else None


def sentences(tree: t.Text, text: str, writer: Kept) -> str:
    """A text sentence by sentence, with the line breaks that it has between them."""
    starts = [max(0, s.at[0]) for s in tree.sentences]
    starts[0] = 0
    out = ""
    for i, sentence in enumerate(tree.sentences):
        old = text[starts[i] : starts[i + 1] if i + 1 < len(starts) else len(text)]
        new = piece(old, writer.sentence(sentence, ""))
        gap = old[len(old.rstrip()) :].count("\n")
        broken = "\n" in new or (i + 1 < len(starts) and "\n" in writer.sentence(tree.sentences[i + 1], ""))
        out += new + ("" if i + 1 == len(starts) else "\n" * max(gap, broken) or " ")
    return out


def piece(old: str, new: str) -> str:
    """The old layout where the words are the same, else the new words."""
    if old.split() == new.split():
        return "\n".join(line.rstrip() for line in old.strip().split("\n"))
    return new


# ---------------------------------------------------------------- one place


def edited(lines: list[str], ends: list[str], scalar: Scalar, new: str) -> tuple[list[str], list[str]] | None:
    """The lines with one text in the place of another; None if YAML would then read anything else differently."""
    row = scalar.line - 1
    if scalar.style == "block":
        first, last = row + 1, row + 2 + scalar.text.rstrip("\n").count("\n")
        inside = [" " * scalar.indent + line if line else "" for line in new.split("\n")]
    else:
        first, last = row, row + 1
        inside = [lines[row][: scalar.column - 1] + new + lines[row][scalar.end_column - 1 :]]
    trial = [*lines[:first], *inside, *lines[last:]]
    before, _ = read_document("\n".join(lines), "")
    after, _ = read_document("\n".join(trial), "")
    if before is None or after is None or not alike(before, after, scalar, new):
        return None
    return trial, [*ends[:first], *[ends[first] or "\n"] * (len(inside) - 1), ends[last - 1], *ends[last:]]


def alike(one: Node, other: Node, scalar: Scalar, new: str) -> bool:
    """Whether two trees are the same, but for the new text in the place of the old."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return list(one.items) == list(other.items) and all(
            alike(one.items[key][1], other.items[key][1], scalar, new) for key in one.items
        )
    if isinstance(one, Sequence) and isinstance(other, Sequence):
        return len(one.items) == len(other.items) and all(
            alike(a, b, scalar, new) for a, b in zip(one.items, other.items)
        )
    if isinstance(one, Scalar) and isinstance(other, Scalar):
        if (one.line, one.column) == (scalar.line, scalar.column):
            return other.text.rstrip("\n") == new and other.style in ("plain", "block") and not other.comment
        return one.text == other.text and one.style == other.style
    return False
