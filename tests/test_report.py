"""report: findings become text in every format, the caret under the very word, and nothing that steers a terminal."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from interpreter.diagnostics import CODES, ContentError, Diagnostic, finding, has_errors, in_order
from interpreter.report import escape, report, wants_colour


def at(line: int, column: int, end: int, code: str = "unknown-name", **more: Any) -> Diagnostic:
    message = more.pop("message", 'nothing in this game is called "Embr"')
    return finding(code, more.pop("file", "cards.yaml"), (line, column, line, end), message, **more)


def full(d: Diagnostic, source: str) -> list[str]:
    return report([d], {d.file: source}).split("\n")


def test_full_is_the_shape_of_the_contract() -> None:
    source = "\n" * 40 + "      Gain 2 Embr.\n"
    d = at(41, 14, 18, suggestion="Ember", file="content/meadows/cards.yaml")
    assert report([d], {"content/meadows/cards.yaml": source}) == (
        'content/meadows/cards.yaml:41:14: error[unknown-name]: nothing in this game is called "Embr"\n'
        "   41 |       Gain 2 Embr.\n"
        '      |              ^^^^ did you mean "Ember"?\n'
    )


@pytest.mark.parametrize(
    ("source", "column", "end", "shown", "caret"),
    [
        ("\tGain Embr.", 7, 11, "    Gain Embr.", "         ^^^^"),
        ("漢字 Embr.", 4, 8, "漢字 Embr.", "     ^^^^"),
        ("x 漢字.", 3, 5, "x 漢字.", "  ^^^^"),
        ("e\u0301é Embr.", 5, 9, "e\u0301é Embr.", "   ^^^^"),
        ("a\x1b[31mb Embr", 9, 13, "a\\x1b[31mb Embr", "           ^^^^"),
        ("Embr", 5, 6, "Embr", "    ^"),
        ("Embr", 9, 12, "Embr", "    ^"),
    ],
)
def test_the_caret_stands_under_the_word(source: str, column: int, end: int, shown: str, caret: str) -> None:
    assert full(at(1, column, end), source)[1:3] == [f"    1 | {shown}", f"      | {caret}"]


def test_a_span_over_lines_is_marked_to_the_end_of_the_first() -> None:
    d = Diagnostic("f", 1, 3, 2, 4, "error", "syntax", "m")
    assert report([d], {"f": "a bcd\nefgh"}).split("\n")[2] == "      |   ^^^"


def test_a_long_line_is_shown_around_the_place() -> None:
    source = "a " * 1000 + "Embr" + " b" * 1000
    lines = full(at(1, 2001, 2005), source)
    start = lines[2].index("^")
    assert lines[1][start : start + 4] == "Embr" and lines[2].count("^") == 4
    assert lines[1][8] == lines[1][-1] == "…" and len(lines[1]) < 180


def test_without_the_source_the_finding_is_told_all_the_same() -> None:
    d = at(3, 1, 2, suggestion="Ember", notes=("one\ntwo",))
    assert report([d], {}).split("\n")[1:] == ['      = did you mean "Ember"?', "      = one", "      | two", ""]
    assert len(report([d], {"cards.yaml": "one line"}).split("\n")) == 5


def test_sorted_and_each_once() -> None:
    b, a = at(2, 1, 2), at(1, 5, 6)
    assert in_order([b, a, b]) == [a, b]
    assert report([b, a, b], {}, "concise").count("\n") == 2
    assert ContentError([b, a, b]).diagnostics == (a, b)


def test_warnings_count_when_strict() -> None:
    draft = at(1, 1, 2, "draft")
    assert draft.severity == "warning"
    assert not has_errors([draft]) and has_errors([draft], strict=True) and not has_errors([], strict=True)


def test_concise() -> None:
    d = at(41, 14, 18, suggestion="Ember")
    assert report([d], {}, "concise") == (
        'cards.yaml:41:14: error[unknown-name]: nothing in this game is called "Embr"\n'
    )


def test_json_is_one_array_of_the_fields_of_the_contract() -> None:
    assert json.loads(report([], {}, "json")) == []
    text = report([at(41, 14, 18, suggestion="Ember"), at(42, 1, 2, message="\x1b\x7fé")], {}, "json")
    assert json.loads(text)[0] == {
        "file": "cards.yaml",
        "line": 41,
        "column": 14,
        "end_line": 41,
        "end_column": 18,
        "severity": "error",
        "code": "unknown-name",
        "message": 'nothing in this game is called "Embr"',
        "suggestion": "Ember",
    }
    assert json.loads(text)[1]["suggestion"] is None
    assert all(c == "\n" or " " <= c <= "~" for c in text)


def test_github_escapes_what_would_end_a_field() -> None:
    d = at(1, 2, 3, file="a,b:c%.yaml", message="100% ::error\nx", suggestion=None)
    assert report([d], {}, "github") == (
        "::error file=a%2Cb%3Ac%25.yaml,line=1,endLine=1,col=2,endColumn=3,title=unknown-name::100%25 ::error\\x0ax\n"
    )


SCHEMA = json.loads((Path(__file__).parent / "diagnostics" / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8"))


def sarif(*diagnostics: Diagnostic) -> dict[str, Any]:
    """One run of a report that the schema of SARIF accepts."""
    log = json.loads(report(diagnostics, {}, "sarif"))
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    assert len(log["runs"]) == 1
    run: dict[str, Any] = log["runs"][0]
    return run


def test_sarif_holds_rule_place_and_level() -> None:
    run = sarif(at(4, 2, 6), at(9, 1, 2, "draft"), at(5, 1, 3, suggestion="Ember"))
    rules = run["tool"]["driver"]["rules"]
    assert [r["ruleId"] for r in run["results"]] == ["unknown-name", "unknown-name", "draft"]
    assert [rules[r["ruleIndex"]]["id"] for r in run["results"]] == [r["ruleId"] for r in run["results"]]
    assert [r["level"] for r in run["results"]] == ["error", "error", "warning"]
    assert run["columnKind"] == "unicodeCodePoints"
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["region"] == {"startLine": 4, "startColumn": 2, "endLine": 4, "endColumn": 6}
    assert place["artifactLocation"] == {"uri": "cards.yaml", "uriBaseId": "%SRCROOT%"}
    change = run["results"][1]["fixes"][0]["artifactChanges"][0]["replacements"][0]
    assert change["insertedContent"] == {"text": "Ember"} and change["deletedRegion"]["startLine"] == 5


def test_sarif_tells_of_every_code_and_of_none() -> None:
    run = sarif(*(at(n + 1, 1, 2, code) for n, code in enumerate(CODES)))
    for rule in run["tool"]["driver"]["rules"]:
        severity, meaning, wrong, right = CODES[rule["id"]]
        assert rule["defaultConfiguration"] == {"level": severity} and rule["shortDescription"] == {"text": meaning}
        assert wrong in rule["help"]["text"] and right in rule["help"]["markdown"]
    assert sarif()["results"] == []


def test_sarif_writes_paths_as_uris() -> None:
    run = sarif(at(1, 1, 2, file="my cards/ä%.yaml"), at(1, 1, 2, file="/tmp/c.yaml"))
    found = [r["locations"][0]["physicalLocation"]["artifactLocation"] for r in run["results"]]
    assert found == [{"uri": "file:///tmp/c.yaml"}, {"uri": "my%20cards/%C3%A4%25.yaml", "uriBaseId": "%SRCROOT%"}]


def test_the_schema_of_sarif_refuses() -> None:
    log = json.loads(report([at(4, 2, 6)], {}, "sarif"))
    log["runs"][0]["results"][0]["level"] = "bad"
    assert not jsonschema.Draft4Validator(SCHEMA).is_valid(log)


@pytest.mark.parametrize("format", ["full", "concise", "github", "sarif", "json"])
def test_nothing_of_content_reaches_a_terminal_raw(format: str) -> None:
    nasty = "\x1b]0;x\x07\u202e\u2028\r\x9b\udc80"
    d = at(1, 1, 3, file=f"a{nasty}.yaml", message=nasty, suggestion=nasty, notes=(nasty,))
    text = report([d], {d.file: nasty + "\n"}, format)
    assert not {c for c in nasty if not " " <= c <= "~"} & set(text)
    text.encode("utf-8")


def test_escape() -> None:
    assert escape("a\tb\n漢\U000e0001\xad") == "a\\x09b\\x0a漢\\U000e0001\\xad"


def test_colour_only_on_a_terminal_without_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert wants_colour(Terminal()) and not wants_colour(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_colour(Terminal())
    d = at(1, 1, 5)
    assert "\x1b[" in report([d], {"cards.yaml": "Embr"}, colour=True)
    assert "\x1b[" not in report([d], {"cards.yaml": "Embr"})


def test_every_code_is_explained() -> None:
    for code, (severity, meaning, wrong, right) in CODES.items():
        assert severity in ("error", "warning") and meaning.endswith(".") and wrong and right and wrong != right, code
        assert code == code.lower() and " " not in code
