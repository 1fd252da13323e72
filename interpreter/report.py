"""report: in, findings and the texts they lie in; out, one text in a format: full, concise, json, github or sarif.

Whatever comes from content is escaped, so that no name or line can steer a terminal or a log.
"""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import TextIO

from .diagnostics import CODES, Diagnostic, in_order

WIDEST = 160  # columns of a source line that the full format shows
TAB = "    "

BOLD, RED, YELLOW, BLUE, RESET = "\033[1m", "\033[1;31m", "\033[1;33m", "\033[1;34m", "\033[0m"


def report(
    diagnostics: Iterable[Diagnostic], sources: Mapping[str, str], format: str = "full", colour: bool = False
) -> str:
    """The findings, sorted and each once, in one of FORMATS. sources: the LF text of each file named in them. Ends
    with a line end, or is empty; json is always one array."""
    return FORMATS[format](in_order(diagnostics), sources, colour)


def wants_colour(stream: TextIO) -> bool:
    """True on a terminal, unless NO_COLOR is set or the terminal is dumb."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def escape(text: str) -> str:
    """The text with every control, format, direction and line-end character written as an escape."""
    return "".join(_shown(c) for c in text)


def _shown(char: str) -> str:
    if " " <= char <= "~" or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"):
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _width(char: str) -> int:
    """How many columns of a terminal a character that is shown as it stands takes."""
    if char < "\x7f":
        return 1
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def _columns(line: str) -> list[tuple[str, int]]:
    """Each character of a source line as it is shown, and the columns it takes."""
    shown = [TAB if c == "\t" else _shown(c) for c in line]
    return [(s, sum(map(_width, s))) for s in shown]


# ---------------------------------------------------------------- full


def _full(diagnostics: list[Diagnostic], sources: Mapping[str, str], colour: bool) -> str:
    lines_of: dict[str, list[str]] = {}
    parts: list[str] = []
    for d in diagnostics:
        if d.file not in lines_of:
            lines_of[d.file] = sources[d.file].split("\n") if d.file in sources else []
        parts.extend(_one(d, lines_of[d.file], colour))
    return "".join(part + "\n" for part in parts)


def _one(d: Diagnostic, lines: list[str], colour: bool) -> list[str]:
    paint: Callable[[str, str], str] = (lambda c, s: f"{c}{s}{RESET}") if colour else (lambda c, s: s)
    tone = RED if d.severity == "error" else YELLOW
    where = paint(BOLD, f"{escape(d.file)}:{d.line}:{d.column}:")
    out = [f"{where} {paint(tone, f'{d.severity}[{d.code}]')}: {escape(d.message)}"]
    hint = f'did you mean "{escape(d.suggestion)}"?' if d.suggestion else ""
    bar = paint(BLUE, "|")
    if 1 <= d.line <= len(lines):
        source, before, length = _window(d, lines[d.line - 1])
        out.append(f"{paint(BLUE, f'{d.line:>5}')} {bar} {source}".rstrip())
        caret = paint(tone, "^" * length)
        out.append(f"      {bar} {' ' * before}{caret}{' ' + hint if hint else ''}")
    elif hint:
        out.append(f"      {paint(BLUE, '=')} {hint}")
    for note in d.notes:
        first, *more = note.split("\n")
        out.append(f"      {paint(BLUE, '=')} {escape(first)}")
        out.extend(f"      {bar} {escape(line)}".rstrip() for line in more)
    return out


def _window(d: Diagnostic, line: str) -> tuple[str, int, int]:
    """What to show of the line, the columns before the caret, and how many carets. A long line is shown around the
    place, with an ellipsis where it goes on."""
    cells = _columns(line)
    start = min(max(d.column - 1, 0), len(cells))
    end = min(d.end_column - 1, len(cells)) if d.end_line == d.line else len(cells)
    length = max(1, sum(w for _, w in cells[start:end]))
    before = sum(w for _, w in cells[:start])
    if sum(w for _, w in cells) <= WIDEST:
        return "".join(s for s, _ in cells), before, length
    first, room = start, WIDEST // 3
    while first > 0 and room > 0:
        first -= 1
        room -= cells[first][1]
    last, room = start, WIDEST - sum(w for _, w in cells[first:start])
    while last < len(cells) and room > 0:
        room -= cells[last][1]
        last += 1
    lead = "…" if first > 0 else ""
    text = lead + "".join(s for s, _ in cells[first:last]) + ("…" if last < len(cells) else "")
    inside = sum(w for _, w in cells[start : min(end, last)])
    return text, len(lead) + sum(w for _, w in cells[first:start]), max(1, inside)


# ---------------------------------------------------------------- for tools


def _concise(diagnostics: list[Diagnostic], sources: Mapping[str, str], colour: bool) -> str:
    return "".join(
        f"{escape(d.file)}:{d.line}:{d.column}: {d.severity}[{d.code}]: {escape(d.message)}\n" for d in diagnostics
    )


def _json(diagnostics: list[Diagnostic], sources: Mapping[str, str], colour: bool) -> str:
    keys = ("file", "line", "column", "end_line", "end_column", "severity", "code", "message", "suggestion")
    rows = [json.dumps({key: getattr(d, key) for key in keys}).replace("\x7f", "\\u007f") for d in diagnostics]
    return "[\n" + ",\n".join(rows) + "\n]\n" if rows else "[]\n"


def _github(diagnostics: list[Diagnostic], sources: Mapping[str, str], colour: bool) -> str:
    def data(text: str) -> str:
        return escape(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")

    def value(text: str) -> str:
        return data(text).replace(":", "%3A").replace(",", "%2C")

    out = []
    for d in diagnostics:
        hint = f' (did you mean "{d.suggestion}"?)' if d.suggestion else ""
        place = f"line={d.line},endLine={d.end_line},col={d.column},endColumn={d.end_column}"
        out.append(f"::{d.severity} file={value(d.file)},{place},title={value(d.code)}::{data(d.message + hint)}\n")
    return "".join(out)


def _sarif(diagnostics: list[Diagnostic], sources: Mapping[str, str], colour: bool) -> str:
    """SARIF 2.1.0: regions in code points, paths below %SRCROOT% (the folder that the command ran in), a rule for each
    code that was found, a fix where something is suggested."""
    codes = sorted({d.code for d in diagnostics})
    driver = {"name": "cardscript", "rules": [_sarif_rule(code) for code in codes]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(d, codes.index(d.code)) for d in diagnostics],
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    whole = json.dumps({"$schema": schema, "version": "2.1.0", "runs": [run]}, indent=1)
    return whole.replace("\x7f", "\\u007f") + "\n"


def _sarif_rule(code: str) -> dict[str, object]:
    if code not in CODES:
        return {"id": code}
    severity, meaning, wrong, right = CODES[code]
    marked = f"{meaning}\n\nWrong:\n\n```yaml\n{wrong}\n```\n\nRight:\n\n```yaml\n{right}\n```\n"
    return {
        "id": code,
        "name": "".join(part.capitalize() for part in code.split("-")),
        "shortDescription": {"text": meaning},
        "fullDescription": {"text": meaning},
        "help": {"text": f"{meaning}\n\nWrong:\n{wrong}\n\nRight:\n{right}\n", "markdown": marked},
        "defaultConfiguration": {"level": severity},
    }


def _sarif_result(d: Diagnostic, rule: int) -> dict[str, object]:
    hint = f' (did you mean "{d.suggestion}"?)' if d.suggestion else ""
    notes = "".join("\n" + escape(line) for note in d.notes for line in note.split("\n"))
    region = {"startLine": d.line, "startColumn": d.column, "endLine": d.end_line, "endColumn": d.end_column}
    at = {"uri": _uri(d.file)} if d.file.startswith("/") else {"uri": _uri(d.file), "uriBaseId": "%SRCROOT%"}
    out: dict[str, object] = {
        "ruleId": d.code,
        "ruleIndex": rule,
        "level": d.severity,
        "message": {"text": escape(d.message + hint) + notes},
        "locations": [{"physicalLocation": {"artifactLocation": at, "region": region}}],
    }
    if d.suggestion:
        change = {"deletedRegion": region, "insertedContent": {"text": escape(d.suggestion)}}
        text = {"text": f'write "{escape(d.suggestion)}"'}
        out["fixes"] = [{"description": text, "artifactChanges": [{"artifactLocation": at, "replacements": [change]}]}]
    return out


def _uri(file: str) -> str:
    from urllib.parse import quote

    return ("file://" if file.startswith("/") else "") + quote(file, errors="replace")


FORMATS: dict[str, Callable[[list[Diagnostic], Mapping[str, str], bool], str]] = {
    "full": _full,
    "concise": _concise,
    "json": _json,
    "github": _github,
    "sarif": _sarif,
}
