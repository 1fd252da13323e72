"""nodes: what a YAML file is read into. In, nothing; out, the types Scalar, Mapping, Sequence, with places.

Lines and columns are 1-based, in code points; ends are exclusive.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Union

from .diagnostics import Span

ESCAPED = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)|.", re.DOTALL)

Value = Union[str, int, float, bool, None]


@dataclass(slots=True)
class Scalar:
    """One value. `text` is what stands in the file, `value` what YAML 1.2 makes of it: `text` itself, unless it is
    plain and looks like a number, true, false or null. style: plain, block, folded, single or double."""

    value: Value
    line: int
    column: int
    end_line: int
    end_column: int
    style: str = "plain"
    text: str = ""
    indent: int = 0  # block: the columns left of its text
    raw: str = ""  # quoted: what stands between the quotation marks
    comment: int = 0  # the column of a `#` behind it on its line, else 0
    faulty: bool = False  # it is already reported; do not report more about it

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column of the code point at an offset in `text`."""
        if self.style in ("block", "folded"):
            offset = min(max(offset, 0), len(self.text.rstrip("\n")))
            start = self.text.rfind("\n", 0, offset) + 1
            return self.line + 1 + self.text.count("\n", 0, start), self.indent + 1 + offset - start
        if self.style == "plain":
            column = self.column + max(offset, 0)
        else:
            column = self.column + 1 + sum(len(part) for part in self._parts()[: max(offset, 0)])
        return self.line, min(column, self.end_column) if self.line == self.end_line else column

    def span(self, start: int = 0, end: int | None = None) -> Span:
        """From the code point at `start` to before the one at `end`; at least one column, never into the next line's
        margin."""
        end = len(self.text) if end is None else end
        line, column = self.place(start)
        if end <= start:
            return line, column, line, column + 1
        end_line, end_column = self.place(end - 1)
        if self.style in ("single", "double"):
            return line, column, *self.place(end)
        return line, column, end_line, end_column + 1

    def _parts(self) -> list[str]:
        if self.style == "single":
            return re.findall("''|.", self.raw, re.DOTALL)
        return ESCAPED.findall(self.raw)


@dataclass(slots=True)
class Mapping:
    """Keys in order; each leads to the key itself, with its place, and to its value."""

    line: int
    column: int
    end_line: int
    end_column: int
    items: dict[str, tuple[Scalar, Node]] = field(default_factory=dict)
    flow: bool = False  # written in braces

    def get(self, key: str) -> Node | None:
        return self.items[key][1] if key in self.items else None

    def key(self, key: str) -> Scalar | None:
        return self.items[key][0] if key in self.items else None

    def span(self) -> Span:
        """Its first key, for a finding about the whole of it."""
        for key, _ in self.items.values():
            return key.line, key.column, key.end_line, key.end_column
        return self.line, self.column, self.line, self.column + 1


@dataclass(slots=True)
class Sequence:
    line: int
    column: int
    end_line: int
    end_column: int
    items: list[Node] = field(default_factory=list)
    flow: bool = False  # written in brackets

    def span(self) -> Span:
        return self.line, self.column, self.line, self.column + 1


Node = Union[Scalar, Mapping, Sequence]


def plain(node: Node | None) -> Any:
    """The tree as dicts, lists and values, without places."""
    if isinstance(node, Mapping):
        return {key: plain(value) for key, (_, value) in node.items.items()}
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return node.value if node else None
