"""document: in, the LF text of one YAML file; out, its tree with the place of every character, and what is wrong in it.

PyYAML finds the structure; everything it would decide on its own (what `on` or `012` is, which of two equal keys
counts, anchors, tags) is decided here, by the YAML 1.2 core schema or by an error. Nothing is raised.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from .diagnostics import Diagnostic, Span, finding
from .nodes import Mapping, Node, Scalar, Sequence, Value

DEEPEST = 32
LONGEST_TEXT = 4000
MENDS = 50  # lines with a colon in their text that one reading gets over
SHOWN_CHARACTERS = 5  # bad characters reported in one file

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
STYLES = {"|": "block", ">": "folded", "'": "single", '"': "double"}
MASK = "\ue000"  # stands for a colon that YAML would stumble over, while it reads

BAD_CHARACTER = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ue000\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]"
)
INT = re.compile(r"[-+]?[0-9]+")
FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]{1,3})?")
WORDS: dict[str, bool | None] = {"": None, "~": None, "null": None, "Null": None, "NULL": None}
WORDS |= {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


def read_document(text: str, file: str) -> tuple[Node | None, list[Diagnostic]]:
    """The tree of a file, an empty Mapping for an empty one, None if YAML could not be read to its end."""
    text, findings = _characters(text, file)
    lines = text.split("\n")
    masked = list(lines)
    mended: set[int] = set()
    while True:
        builder = _Builder(lines, masked, mended, file)
        try:
            node = builder.document()
        except _TooDeepError:
            return None, findings + builder.findings
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark
            if mark and "mapping values are not allowed" in str(error.problem) and len(mended) < MENDS:
                findings.append(_colon(lines, mark.line, mark.column, file))
                rest = re.sub(r":(?=[ \t]|$)", MASK, masked[mark.line][mark.column :])
                if mark.line not in mended and MASK in rest:
                    masked[mark.line] = masked[mark.line][: mark.column] + rest
                    mended.add(mark.line)
                    continue
            else:
                findings.append(_yaml_error(error, lines, file))
            # What was taken for one value of many lines behind the fault was none.
            first = findings[-1].line
            kept = [d for d in builder.findings if d.code != "multi-line-text" or d.line < first]
            return None, findings + kept
        except yaml.YAMLError as error:
            findings.append(finding("yaml", file, (1, 1, 1, 2), f"this is not YAML: {error}"))
            return None, findings
        return node, findings + builder.findings


def text_findings(node: Node, file: str, comments: bool = True) -> list[Diagnostic]:
    """What keeps a node from being a rule's text: it is a `|` block or one plain line, so that every position in it is
    exact. comments=False lets a comment stand behind it."""
    if isinstance(node, Mapping) and node.items and not node.flow:
        key, value = next(iter(node.items.values()))
        words = f"{key.text}: {value.text}" if isinstance(value, Scalar) and value.style == "plain" else f"{key.text}:"
        span = (key.end_line, key.end_column, key.end_line, key.end_column + 1)
        return [finding("yaml-colon", file, span, COLON, notes=[BLOCK + f"\n- |\n  {words}"])]
    if not isinstance(node, Scalar):
        seen = "a list" if isinstance(node, Sequence) else "a mapping"
        return [finding("bad-value", file, node.span(), f"a text is expected here, not {seen}")]
    if node.faulty or node.style == "folded":
        return []
    found = []
    if not node.text.strip():
        found.append(finding("bad-value", file, node.span(), "a text is expected here, and there is none"))
    if node.style in ("single", "double"):
        span = (node.line, node.column, node.end_line, node.end_column)
        bare = not re.search(r": |:$| #|^[-?:,\[\]{}#&*!|>'\"%@`]|\n", node.text)
        note = [] if bare else [BLOCK + f"\ntext: |\n  {node.text}"]
        message = "a rule's text stands without quotation marks"
        found.append(finding("quoted-text", file, span, message, node.text if bare else None, note))
    if comments and node.comment and node.style == "plain":
        span = (node.end_line, node.comment, node.end_line, node.comment + 1)
        message = "the text ends before this #, which begins a comment"
        note = ["put the comment on a line of its own above, or, if # belongs to the text, use a block:"]
        note[0] += f"\ntext: |\n  {node.text} #…"
        found.append(finding("comment-after-text", file, span, message, notes=note))
    if len(node.text) > LONGEST_TEXT:
        message = f"this text has {len(node.text):,} characters; {LONGEST_TEXT:,} are allowed: make part of it a phrase"
        found.append(finding("too-long", file, node.span(0, 1), message))
    return found


COLON = "a text on one line may not hold a colon and a space: YAML takes it for a key"
BLOCK = "put the text in a block:"


class _TooDeepError(Exception):
    pass


class _Builder:
    """One reading of one file: PyYAML's events to nodes."""

    def __init__(self, lines: list[str], masked: list[str], mended: set[int], file: str) -> None:
        self.lines, self.mended, self.file = lines, mended, file
        self.findings: list[Diagnostic] = []
        self.events: Iterator[Any] = iter(yaml.parse("\n".join(masked), Loader=LOADER))

    def report(self, code: str, span: Span, message: str, **more: Any) -> None:
        self.findings.append(finding(code, self.file, span, message, **more))

    def document(self) -> Node:
        node: Node | None = None
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                if node is not None:
                    self.report("yaml", _at(event), "a file holds one document: no second `---`")
                    return node
                if event.version or event.tags:
                    self.report("tag", _at(event), "directives (%YAML, %TAG) are not used here")
                node = self.node(next(self.events), 1)
        return Mapping(1, 1, 1, 1) if node is None else node

    def node(self, event: Any, depth: int) -> Node:
        if isinstance(event, yaml.AliasEvent):
            self.report("alias", _at(event), f'aliases are not used here: write out what "*{event.anchor}" stands for')
            return Scalar(None, *_at(event), faulty=True)
        faulty = False
        if event.anchor is not None:
            faulty = True
            self.report("anchor", self.word(event), f'anchors are not used here: leave out "&{event.anchor}"')
        if event.tag is not None:
            faulty = True
            self.report("tag", self.word(event), f'tags are not used here: leave out "{event.tag}"')
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event, faulty)
        if depth > DEEPEST:
            self.report("too-deep", _at(event), f"lists and mappings are nested more than {DEEPEST} deep here")
            raise _TooDeepError
        node: Mapping | Sequence
        if isinstance(event, yaml.MappingStartEvent):
            node = Mapping(*_at(event), flow=bool(event.flow_style))
            self.mapping(node, depth)
        else:
            node = Sequence(*_at(event), flow=bool(event.flow_style))
            while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
                node.items.append(self.node(event, depth + 1))
                node.end_line, node.end_column = node.items[-1].end_line, node.items[-1].end_column
        if node.flow:
            node.end_line, node.end_column = event.end_mark.line + 1, event.end_mark.column + 1
        return node

    def mapping(self, node: Mapping, depth: int) -> None:
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self.node(event, depth + 1)
            value = self.node(next(self.events), depth + 1)
            node.end_line, node.end_column = value.end_line, value.end_column
            if not isinstance(key, Scalar) or key.style in ("block", "folded") or not key.text:
                span = key.span() if not isinstance(key, Scalar) else (key.line, key.column, key.line, key.column + 1)
                self.report("bad-key", span, "a key is a word or words on one line, before a colon")
            elif key.text == "<<" and key.style == "plain":
                self.report("merge-key", key.span(), "merge keys are not used here: write out the fields")
            elif key.text in node.items:
                first = node.items[key.text][0]
                note = f"it stands first in line {first.line}, column {first.column}"
                self.report("duplicate-key", key.span(), f'"{key.text}" stands here twice', notes=[note])
            else:
                node.items[key.text] = (key, value)

    def scalar(self, event: Any, faulty: bool) -> Scalar:
        style = STYLES.get(event.style or "", "plain")
        line, column, end_line, end_column = _at(event)
        node = Scalar(event.value, line, column, end_line, end_column, style, event.value, faulty=faulty)
        if style in ("block", "folded"):
            self.block(node)
            if style == "folded":
                message = "a folded block (>) joins lines, so nothing in it has one place; use |"
                self.report("folded-text", (line, column, line, column + 1), message, suggestion="|")
            return node
        source = self.lines[end_line - 1] if end_line <= len(self.lines) else ""
        behind = re.match(r"[ \t,\]}]*[ \t](?=#)", source[end_column - 1 :])
        node.comment = end_column + behind.end() if behind else 0
        if faulty:
            return node
        if line != end_line:
            if not any(line <= row + 1 <= end_line for row in self.mended):
                span = (line, column, line, len(self.lines[line - 1].rstrip()) + 1)
                message = "a value of more than one line must be a | block"
                shown = "\n".join("  " + row.strip() for row in self.lines[line - 1 : end_line])
                shown = "  " + self.lines[line - 1][column - 1 :].strip() + "\n" + shown.partition("\n")[2]
                self.report("multi-line-text", span, message, notes=["use a block:\ntext: |\n" + shown])
            node.faulty = True
        elif style == "plain":
            node.text = source[column - 1 : end_column - 1]
            node.value = self.typed(node)
        else:
            node.raw = source[column : end_column - 2]
        return node

    def block(self, node: Scalar) -> None:
        """Finds how far a block is indented, and its true end."""
        for row, shown in enumerate(node.text.split("\n")):
            if shown and node.line + row < len(self.lines):
                node.indent = max(0, len(self.lines[node.line + row]) - len(shown))
                break
        node.end_line, node.end_column = node.place(len(node.text))

    def typed(self, node: Scalar) -> Value:
        """What a plain value is by the core schema of YAML 1.2."""
        text = node.text
        if text in WORDS:
            return WORDS[text]
        if INT.fullmatch(text):
            if len(text.lstrip("+-0")) > 18:
                message = f"a number of {len(text.lstrip('+-0'))} digits; 18 are allowed"
                self.report("bad-number", node.span(), message)
                node.faulty = True
                return 0
            return int(text)
        if re.fullmatch("0o[0-7]{1,18}|0x[0-9a-fA-F]{1,15}", text):
            return int(text, 0)
        if FLOAT.fullmatch(text):
            number = float(text)
            return number if abs(number) < float("inf") else text
        return text

    def word(self, event: Any) -> Span:
        """The anchor or tag with which an event begins."""
        line, column, _, _ = _at(event)
        found = re.match(r"\S+", self.lines[line - 1][column - 1 :])
        return line, column, line, column + (found.end() if found else 1)


def _at(event: Any) -> Span:
    start, end = event.start_mark, event.end_mark
    if isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent | yaml.DocumentStartEvent):
        return start.line + 1, start.column + 1, start.line + 1, start.column + 2
    return start.line + 1, start.column + 1, end.line + 1, end.column + 1


def _characters(text: str, file: str) -> tuple[str, list[Diagnostic]]:
    """Reports characters nobody can see, and puts a visible one in their place."""
    findings: list[Diagnostic] = []
    for count, found in enumerate(BAD_CHARACTER.finditer(text)):
        line = text.count("\n", 0, found.start()) + 1
        column = found.start() - text.rfind("\n", 0, found.start())
        more = ["there are more in this file"] if count == SHOWN_CHARACTERS - 1 else []
        message = f"a character that cannot be seen: U+{ord(found.group()):04X}; delete it"
        findings.append(finding("bad-character", file, (line, column, line, column + 1), message, notes=more))
        if more:
            break
    return (BAD_CHARACTER.sub("\ufffd", text) if findings else text), findings


def _colon(lines: list[str], row: int, column: int, file: str) -> Diagnostic:
    """What to say where YAML met a second key in one line, or a key inside a value of several lines."""
    line = lines[row]
    span = (row + 1, column + 1, row + 1, column + 2)
    parts = re.match(r"( *(?:- +)*)([^:]*(?::\S[^:]*)*):[ \t]+(.*)", line[:column])
    if not parts:
        start = len(line) - len(line.lstrip())
        span = (row + 1, start + 1, row + 1, len(line.rstrip()) + 1)
        message = "this line is indented deeper than the value above it goes on, so YAML takes both for one text"
        return finding("yaml", file, span, message, notes=["indent it like the keys above, or use a | block"])
    begin, key, _ = parts.groups()
    words = line[parts.start(3) :].strip()
    mend = f"{key}: |\n  {words}"
    if "-" in begin and key[:1].isupper():
        mend = f"- |\n  {key}: {words}"
    return finding("yaml-colon", file, span, COLON, notes=[f"{BLOCK}\n{mend}"])


def _yaml_error(error: yaml.MarkedYAMLError, lines: list[str], file: str) -> Diagnostic:
    """PyYAML's and libyaml's words for one fault differ; these depend on the text alone."""
    mark = error.problem_mark or error.context_mark
    row, column = (mark.line, mark.column) if mark else (0, 0)
    if row >= len(lines) or (row == len(lines) - 1 and not lines[row].strip()):
        row = max((i for i, line in enumerate(lines) if line.strip()), default=0)
        column = len(lines[row].rstrip())
    line = lines[row]
    char = line[column : column + 1]
    start = error.context_mark if error.context_mark and error.context_mark.line < len(lines) else None
    kind = str(error.context or "")
    if "maximum nesting" in str(error.problem):
        message = f"lists and mappings are nested more than {DEEPEST} deep"
        return finding("too-deep", file, (row + 1, column + 1, row + 1, column + 2), message)
    if "\t" in line[: len(line) - len(line.lstrip())]:
        column = line.index("\t")
        span = (row + 1, column + 1, row + 1, column + 2)
        return finding("tab-indent", file, span, "this line is indented with a tab; use spaces")
    if kind.endswith("flow node"):  # its mark is where a value was looked for, not where the list begins
        if char == ",":
            span = (row + 1, column + 1, row + 1, column + 2)
            return finding("yaml", file, span, "a value should stand before this comma")
        start = _open_bracket("\n".join(lines))
    if start and ("flow" in kind or ("scalar" in kind and "end of stream" in str(error.problem))):
        opening = lines[start.line][start.column : start.column + 1]
        closing = {"[": "]", "{": "}"}.get(opening, opening)
        span = (start.line + 1, start.column + 1, start.line + 1, start.column + 2)
        note = f"it cannot go on as it does in line {row + 1}, column {column + 1}"
        message = f"what begins here is not closed with {closing} as it should be"
        return finding("yaml", file, span, message, notes=[note])
    if char and char in "@`%*&!":
        span = (row + 1, column + 1, row + 1, column + 2)
        return finding("yaml", file, span, f"a value cannot begin with {char}; {BLOCK[:-1]}")
    if char and char in "]}":
        span = (row + 1, column + 1, row + 1, column + 2)
        return finding("yaml", file, span, f"nothing is open here that {char} could close")
    if "block" in kind:
        column = len(line) - len(line.lstrip())
        span = (row + 1, column + 1, row + 1, max(len(line.rstrip()), column + 1) + 1)
        return finding("yaml", file, span, "this line does not fit the ones above it: look at its indentation")
    return finding("yaml", file, (row + 1, column + 1, row + 1, column + 2), "this is not YAML from here on")


def _open_bracket(text: str) -> yaml.Mark | None:
    """Where the innermost list or mapping in brackets begins that is open where YAML can be read no further."""
    opened: list[yaml.Mark] = []
    try:
        for token in yaml.scan(text):
            if isinstance(token, (yaml.FlowSequenceStartToken, yaml.FlowMappingStartToken)):
                opened.append(token.start_mark)
            elif isinstance(token, (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken)) and opened:
                opened.pop()
    except yaml.MarkedYAMLError:
        pass
    return opened[-1] if opened else None
