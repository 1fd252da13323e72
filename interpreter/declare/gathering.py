"""gathering: what is gathered while packs are read, and the small readers of nodes.

In: read nodes. Out: plain values; findings.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from typing import Any

from interpreter.diagnostics import Diagnostic, finding
from interpreter.model import (
    Model,
    Source,
)
from interpreter.read import Mapping, Scalar, Sequence, name_fault, text_findings

PROSE = {"name", "title", "description", "note", "why", "flavour"}


# What a state or a relation is called, and each word of a phrase.
SMALL = re.compile(r"[^\W\d_A-Z][^\W\d_A-Z]*(?:-[^\W\d_A-Z]+)*")


RECORD_KEYS = PROSE | {"id", "from", "copies", "replaces", "plural", "status"}


INHERITED = ("each", "holds", "spread", "card", "deck", "hand", "discard", "taken", "played", "supply", "owned", "live")


FIELD_TYPES = ("number", "text", "amount", "condition", "selection", "statement", "flag", "player", "prose", "numbers")


LARGEST = 999_999_999  # in what is declared, as in a text
MOST_FAULTS = 500  # in the declarations of a game: then the rest waits until these are mended


class EnoughError(Exception):
    """So many faults are found that no more are looked for."""


class Declaring:
    """What is gathered while packs are read: the model, the findings, the file at hand and the vocabulary of its pack."""

    def __init__(self) -> None:
        self.model = Model()
        self.findings: list[Diagnostic] = []
        self.file = ""
        self.pack = ""
        self.sees: dict[str, set[str]] = {}  # pack → the packs that its texts may speak of
        self.faction = ""

    def fault(self, node: Any, code: str, message: str, suggestion: str | None = None) -> None:
        if isinstance(node, Scalar) and node.faulty:
            return  # what is wrong with it has been told
        span = (node.line, node.column, node.end_line, node.end_column)
        self.findings.append(finding(code, self.file, span, message, suggestion))
        if len(self.findings) >= MOST_FAULTS:
            message = f"there are {MOST_FAULTS} faults up to here; what follows is read when they are mended"
            self.findings.append(finding("too-many", self.file, span, message))
            raise EnoughError

    def text(self, node: Any, record: str, name: str) -> Source | None:
        self.findings += text_findings(node, self.file)
        if not isinstance(node, Scalar) or node.value is None:
            return None
        return Source(node.text, self.file, record, name, node, pack=self.pack)

    def flag(self, node: Any) -> bool:
        if isinstance(node, Scalar) and isinstance(node.value, bool):
            return node.value
        self.fault(node, "bad-value", "true or false is wanted here")
        return False

    def whole(self, node: Any) -> int:
        if isinstance(node, Scalar) and isinstance(node.value, int) and not isinstance(node.value, bool):
            if abs(node.value) > LARGEST:
                self.fault(node, "bad-number", f"a number from -{LARGEST:,} to {LARGEST:,} is wanted here")
                return 0
            return node.value
        self.fault(node, "bad-value", "a number is wanted here")
        return 0

    def refer(self, node: Any, sort: str, name: str | None = None) -> None:
        """Remember that a declaration names a kind, zone or thing here; numbering looks whether there is one."""
        if isinstance(node, Scalar) and node.value is not None:
            self.model.tables.setdefault("references", []).append((self.file, node, name or node.text, sort))
        elif isinstance(node, Sequence):
            for item in node.items:
                self.refer(item, sort)
        elif isinstance(node, Mapping):
            for key_node, value in node.items.values():
                self.refer(key_node, sort)
                self.refer(value, sort)

    def choice(self, node: Any, words: tuple[str, ...], what: str) -> None:
        """One of a few words has to stand here, if anything does."""
        if isinstance(node, Scalar) and node.value is not None and node.text not in words:
            wanted = words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]
            self.fault(node, "bad-value", f"{what} wants {wanted}", near_of(node.text, words))

    def named(self, node: Any) -> str:
        """A name that is defined here: letters, digits and a few signs."""
        name = self.word(node)
        wrong = name_fault(name) if isinstance(node, Scalar) and node.value is not None else None
        if wrong is not None:
            self.fault(node, "bad-name", wrong)
        return name

    def small(self, node: Any, what: str) -> str:
        """A word in small letters that is defined here, such as a state."""
        word = self.word(node)
        if isinstance(node, Scalar) and node.value is not None and not SMALL.fullmatch(word):
            self.fault(node, "bad-name", f"{what} is one word in small letters, perhaps with - in it")
        return word

    def names(self, node: Any) -> list[str]:
        """A list of names of other things, or one by itself; a finding for each that is no word."""
        if isinstance(node, Sequence):
            return [word for item in node.items if (word := self.word(item))]
        word = self.word(node)
        return [word] if word else []

    def once(self, node: Any, name: str, others: Any, what: str) -> bool:
        """Whether nothing of this sort has the name yet; a finding names where the other stands."""
        other = others.get(name)
        if other is None:
            return True
        where = f"; the other is in {other.file}:{other.line}" if getattr(other, "file", "") else ""
        self.fault(node, "duplicate-name", f'the {what} "{name}" is declared twice{where}')
        return False

    def new_name(self, item: Any, spec: dict[str, Any], key: str, others: Any) -> str:
        """The name that an entry has under a key, "" where it has none or another has it: that is told."""
        if key not in spec:
            self.fault(item, "missing-field", f"a {key} wants its name: {key}")
            return ""
        name = self.named(spec[key])
        return name if self.once(spec[key], name, others, key) else ""

    def word(self, node: Any, default: str = "") -> str:
        if isinstance(node, Scalar) and node.value is not None:
            return node.text
        if node is not None:
            self.fault(node, "bad-value", "a word or name is wanted here")
        return default


def run_table(d: Declaring, root: Mapping, table: dict[str, Callable[[Declaring, Any], None]], where: str) -> None:
    for key, (key_node, node) in root.items.items():
        action = table.get(key)
        if action is None:
            near = difflib.get_close_matches(key, table, 1)
            d.fault(key_node, "unknown-field", f'{where} has no key "{key}"', near[0] if near else None)
        else:
            action(d, node)


def children(d: Declaring, node: Any, what: str) -> list[Any]:
    if isinstance(node, Sequence):
        return list(node.items)
    d.fault(node, "bad-value", f"{what} wants a list")
    return []


def entries(d: Declaring, node: Any, allowed: tuple[str, ...], what: str) -> dict[str, Any]:
    """A mapping with only the allowed keys → key → node."""
    if not isinstance(node, Mapping):
        d.fault(node, "bad-value", f"{what} wants keys: {', '.join(allowed)}")
        return {}
    out = {}
    for key, (key_node, value) in node.items.items():
        if key not in allowed:
            near = difflib.get_close_matches(key, allowed, 1)
            d.fault(key_node, "unknown-field", f'{what} has no key "{key}"', near[0] if near else None)
        else:
            out[key] = value
    return out


def plain(node: Any) -> Any:
    """A read node → plain Python values, without positions."""
    if isinstance(node, Mapping):
        return {key: plain(value) for key, (_, value) in node.items.items()}
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return node.value


def slug(name: str) -> str:
    kept = "".join(c if c.isalnum() else "-" for c in name.lower().replace("'", ""))
    return "-".join(part for part in kept.split("-") if part)


def near_of(word: str, known: Any) -> str | None:
    found = difflib.get_close_matches(word, list(known), 1)
    return found[0] if found else None
