"""lines: in, rows, texts and numbers; out, lines of text for a screen: in columns, broken at a width, runs told as runs."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable

Lines = list[str]
COLUMN = re.compile(r" *\S+(?: \S+)*  +(?=\S)")  # the first of two columns of a line


def so_many(n: int, word: str) -> str:
    """`1 game`, `2 games`."""
    return f"{n} {word}{'' if n == 1 else 's'}"


def spans(numbers: Iterable[int], least: int = 2) -> str:
    """Numbers in order, as runs: `0 to 4, 7`. least: how many in a row make a run."""
    runs: list[list[int]] = []
    for n in sorted(numbers):
        if runs and runs[-1][-1] == n - 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) >= least else ", ".join(map(str, run)) for run in runs)


def columns(rows: list[list[str]], width: int = 0, right: int = 1_000, indent: str = "  ") -> Lines:
    """Rows with their columns in line; columns from `right` on are numbers. The last column wraps, if a width is
    given."""
    if not rows:
        return []
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    out: Lines = []
    for row in rows:
        cells = [c.rjust(w) if i >= right else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths))]
        if width:
            out += hanging(indent + "  ".join(cells[:-1]) + "  ", row[-1], width)
        else:
            out.append((indent + "  ".join(cells)).rstrip())
    return out


def fitted(line: str, width: int) -> Lines:
    """A line, broken where it is too wide; what follows stands below its second column, if it has one, else a little to
    the right."""
    if len(line) <= width:
        return [line]
    column = COLUMN.match(line)
    start = len(line) - len(line.lstrip())
    head = column[0] if column and len(column[0]) <= width // 2 else line[:start]
    rest = hanging(head, line[len(head) :], width)
    return rest if column or start else [rest[0], *("  " + more for more in hanging("", " ".join(rest[1:]), width - 2))]


def hanging(head: str, text: str, width: int) -> Lines:
    """head, then text, whose further lines stand below its first."""
    indent = " " * (len(head) if len(head) <= width - 24 else min(len(head), width // 2))
    lines = textwrap.wrap(
        head + text,
        width,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=True,
        replace_whitespace=False,
    )
    return [line.rstrip() for line in lines] or [head.rstrip()]


def side_by_side(cells: list[str], width: int) -> Lines:
    """Short texts in as many columns as fit, to be read line by line."""
    if not cells:
        return []
    each = max(map(len, cells))
    count = max(1, (width - 2 + 2) // (each + 2))
    return [
        "  " + "  ".join(cell.ljust(each) for cell in cells[k : k + count]).rstrip()
        for k in range(0, len(cells), count)
    ]


def said_once(lines: list[str]) -> list[str]:
    """Lines, with those that are said again and again told once: `… (3 times)`."""
    out: list[str] = []
    times = 0
    for line, after in zip(lines, [*lines[1:], None]):
        times += 1
        if line != after:
            out.append(line if times == 1 else f"{line} ({times} times)")
            times = 0
    return out
