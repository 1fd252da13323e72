"""read: files of packs become trees whose every character has its true place, and every fault is a finding."""

from __future__ import annotations

import os
from pathlib import Path
from unittest.mock import patch

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.diagnostics import CODES, Diagnostic
from interpreter.document import read_document
from interpreter.read import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    digest,
    name_fault,
    plain,
    read_file,
    read_pack,
    text_findings,
)


def read(text: str) -> tuple[Node, list[Diagnostic]]:
    node, findings = read_document(text, "f.yaml")
    assert node is not None, findings
    return node, findings


def clean(text: str) -> Mapping:
    node, findings = read(text)
    assert findings == []
    assert isinstance(node, Mapping)
    return node


def scalar(node: Node, *path: str | int) -> Scalar:
    for step in path:
        node = node.items[step][1] if isinstance(node, Mapping) else node.items[step]  # type: ignore
    assert isinstance(node, Scalar)
    return node


def faults(text: str) -> list[tuple[str, int, int, int, int]]:
    """Code and span of each finding of a file."""
    return [(d.code, d.line, d.column, d.end_line, d.end_column) for d in read_document(text, "f.yaml")[1]]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("on", "on"),
        ("yes", "yes"),
        ("off", "off"),
        ("no", "no"),
        ("012", 12),
        ("0o17", 15),
        ("0x1F", 31),
        ("1_000", "1_000"),
        ("1:30", "1:30"),
        ("2024-01-02", "2024-01-02"),
        ("-3", -3),
        ("+3", 3),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ("1.2.3", "1.2.3"),
        (".inf", ".inf"),
        ("9e999", "9e999"),
        ("true", True),
        ("True", True),
        ("tRue", "tRue"),
        ("null", None),
        ("~", None),
        ("", None),
        ("'12'", "12"),
        ('"true"', "true"),
        ("=", "="),
        ("999999999999999999", 999999999999999999),
    ],
)
def test_scalars_are_what_they_look_like(written: str, value: object) -> None:
    found = scalar(clean(f"a: {written}\n"), "a").value
    assert found == value and type(found) is type(value)


def test_keys_are_words_whatever_they_look_like() -> None:
    assert plain(clean("on: 1\nyes: 2\n012: 3\nnull: 4\non use: 5\n")) == {
        "on": 1,
        "yes": 2,
        "012": 3,
        "null": 4,
        "on use": 5,
    }


def test_the_text_as_written_stays_beside_the_value() -> None:
    node = clean("a: 012\nb: 1.0\nc: ~\n")
    assert [scalar(node, key).text for key in "abc"] == ["012", "1.0", "~"]


def test_places_of_keys_and_values() -> None:
    node = clean("cards:\n  - name: Äpfel und Öl\n    cost: 12\n")
    cards = node.items["cards"][1]
    assert isinstance(cards, Sequence)
    card = cards.items[0]
    assert isinstance(card, Mapping)
    assert card.items["name"][0].span() == (2, 5, 2, 9)
    assert card.items["name"][1].span() == (2, 11, 2, 23)
    assert card.items["cost"][1].span() == (3, 11, 3, 13)
    assert (card.line, card.column, card.end_line, card.end_column) == (2, 5, 3, 13)


def test_place_in_a_block() -> None:
    node = clean("- text: |\n    Gain 2 Ember.\n\n      Wide 漢 here.\n    Ende.\n".replace("- ", "a:\n- ", 1))
    text = scalar(node, "a", 0, "text")
    assert text.text == "Gain 2 Ember.\n\n  Wide 漢 here.\nEnde.\n"
    assert text.place(0) == (3, 5)
    assert text.place(text.text.index("Ember")) == (3, 12)
    assert text.place(text.text.index("here")) == (5, 14)
    assert text.place(text.text.index("Ende")) == (6, 5)
    assert text.span(7, 12) == (3, 12, 3, 17)
    assert text.place(len(text.text)) == (6, 10)
    assert (text.end_line, text.end_column) == (6, 10)


@pytest.mark.parametrize("head", ["|", "|-", "|+", "| # a comment", "|2"])
def test_place_in_blocks_with_every_header(head: str) -> None:
    text = scalar(
        clean(f"a: {head}\n    two\n   deep\nb: 1\n" if head == "|2" else f"a: {head}\n\n  one\n  two\nb: 1\n"), "a"
    )
    word = "deep" if head == "|2" else "two"
    assert text.place(text.text.index(word)) == ((3, 4) if head == "|2" else (4, 3))


def test_place_in_quotes() -> None:
    node = clean("a: 'it''s here'\nb: \"a\\u00e4\\tz\"\n")
    assert scalar(node, "a").place(5) == (1, 11)
    assert scalar(node, "a").span() == (1, 5, 1, 15)
    assert scalar(node, "b").text == "aä\tz"
    assert scalar(node, "b").place(3) == (2, 14)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("abc é漢 .\t", min_size=0, max_size=9), min_size=1, max_size=5), st.integers(1, 4))
def test_every_character_of_a_block_is_found_again(rows: list[str], indent: int) -> None:
    rows = ["x" + row for row in rows]
    source = "k:\n- text: |\n" + "".join(" " * (2 + indent) + row + "\n" for row in rows) + "- 1\n"
    text = scalar(clean(source), "k", 0, "text")
    lines = source.split("\n")
    for offset, char in enumerate(text.text.rstrip("\n")):
        line, column = text.place(offset)
        if char != "\n":
            assert lines[line - 1][column - 1] == char


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\nb: 2\na: 3\n", [("duplicate-key", 3, 1, 3, 2)]),
        ("a: &x 1\n", [("anchor", 1, 4, 1, 6)]),
        ("a: *x\n", [("alias", 1, 4, 1, 6)]),
        ("a: !!int 1\n", [("tag", 1, 4, 1, 9)]),
        ("a: ! 1\n", [("tag", 1, 4, 1, 5)]),
        ("<<: {b: 1}\n", [("merge-key", 1, 1, 1, 3)]),
        ("a: >\n  x\n  y\n", [("folded-text", 1, 4, 1, 5)]),
        ("a: one\n  two\n", [("multi-line-text", 1, 4, 1, 7)]),
        ("a: 'one\n  two'\n", [("multi-line-text", 1, 4, 1, 8)]),
        ("? [a]\n: 1\n", [("bad-key", 1, 3, 1, 4)]),
        ("? |\n  a\n: 1\n", [("bad-key", 1, 3, 1, 4)]),
        ("a: 1\n---\nb: 2\n", [("yaml", 2, 1, 2, 2)]),
        ("%YAML 1.1\n---\na: 1\n", [("tag", 1, 1, 1, 2)]),
        ("a: 1234567890123456789\n", [("bad-number", 1, 4, 1, 23)]),
        ("a: x\x07y\n", [("bad-character", 1, 5, 1, 6)]),
        ("a: 1\nb: x\u202ey\n", [("bad-character", 2, 5, 2, 6)]),
    ],
)
def test_what_yaml_allows_and_content_does_not(text: str, expected: list[object]) -> None:
    assert faults(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a:\n\tb: 1\n", ("tab-indent", 2, 1, 2, 2)),
        ("a: [1, 2\nb: 1\n", ("yaml", 1, 4, 1, 5)),
        ("a: {b: 1\n", ("yaml", 1, 4, 1, 5)),
        ("a: [\n", ("yaml", 1, 4, 1, 5)),
        ("a: [", ("yaml", 1, 4, 1, 5)),
        ("a: [[1], {\n", ("yaml", 1, 10, 1, 11)),
        ("- [\n- x\n", ("yaml", 1, 3, 1, 4)),
        ("a: [1,, 2]\n", ("yaml", 1, 7, 1, 8)),
        ("a: ]\n", ("yaml", 1, 4, 1, 5)),
        ('a: "x\n', ("yaml", 1, 4, 1, 5)),
        ("a: @b\n", ("yaml", 1, 4, 1, 5)),
        ("a:\n  b: 1\n c: 2\n", ("yaml", 3, 2, 3, 6)),
        ("- a\nb: 1\n", ("yaml", 2, 1, 2, 5)),
        ("- name: x\n    cost: 2\n", ("yaml", 2, 5, 2, 12)),
    ],
)
def test_what_is_not_yaml(text: str, expected: object) -> None:
    assert faults(text) == [expected]
    assert "  " not in read_document(text, "f.yaml")[1][0].message  # whatever stands there is named


def test_a_colon_in_a_text_is_shown_with_its_mend_and_reading_goes_on() -> None:
    node, findings = read("a:\n- text: Choose one: gain Ember.\n  cost: 2\n- text: End:\n- text: A: b: c\n")
    assert [(d.code, d.line, d.column) for d in findings] == [
        ("yaml-colon", 2, 19),
        ("yaml-colon", 4, 12),
        ("yaml-colon", 5, 10),
    ]
    assert findings[0].notes == ("put the text in a block:\ntext: |\n  Choose one: gain Ember.",)
    assert plain(node) == {"a": [{"text": "Choose one: gain Ember.", "cost": 2}, {"text": "End:"}, {"text": "A: b: c"}]}


def test_a_colon_in_a_listed_text_is_found_where_a_text_is_expected() -> None:
    node = clean("given:\n- Choose one: gain Ember.\n- Gain Ember.\n")
    items = node.items["given"][1]
    assert isinstance(items, Sequence)
    found = text_findings(items.items[0], "f")
    assert [(d.code, d.line, d.column) for d in found] == [("yaml-colon", 2, 13)]
    assert found[0].notes[0].endswith("- |\n  Choose one: gain Ember.")
    assert text_findings(items.items[1], "f") == []


@pytest.mark.parametrize(
    ("written", "code", "column"),
    [
        ("Gain 2 Ember. # per Lantern", "comment-after-text", 18),
        ('"Gain 2 Ember."', "quoted-text", 4),
        ("'Gain'", "quoted-text", 4),
        ("[a]", "bad-value", 4),
        ("{a: 1}", "bad-value", 5),
        ("", "bad-value", 3),
        ("|\n  " + "x" * 4001, "too-long", 3),
    ],
)
def test_what_a_text_may_not_be(written: str, code: str, column: int) -> None:
    node = clean(f"a: {written}\n").items["a"][1]
    assert [(d.code, d.column) for d in text_findings(node, "f")] == [(code, column)]


def test_a_text_may_be_a_block_or_a_plain_line_with_a_hash_inside() -> None:
    node = clean("a: |  # a comment\n  Gain: # yes.\nb: Gain#2:no\nc: 12\nd: Gain.   # why\n")
    assert [text_findings(value, "f") for _, value in list(node.items.values())[:3]] == [[], [], []]
    assert text_findings(node.items["d"][1], "f", comments=False) == []


def test_nesting_ends_at_32() -> None:
    assert faults("a: " + "[" * 31 + "]" * 31 + "\n") == []
    assert faults("a: " + "[" * 32 + "]" * 32 + "\n") == [("too-deep", 1, 35, 1, 36)]
    assert faults("[" * 500_000)[0][0] == "too-deep"


def test_empty_files_are_empty_mappings() -> None:
    assert plain(clean("")) == plain(clean("# only this\n")) == {}


@pytest.mark.parametrize("loader", [yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)])
@settings(max_examples=150, deadline=None)
@given(text=st.text("ab:#-|>[]{}&*!'\"%@?, \n\t~<.0é", max_size=40))
def test_no_text_makes_the_reader_raise_or_point_outside(loader: type, text: str) -> None:
    with patch("interpreter.document.LOADER", loader):
        _, findings = read_document(text, "f.yaml")
    lines = text.split("\n")
    for d in findings:
        assert d.code in CODES
        assert 1 <= d.line <= len(lines)
        assert 1 <= d.column <= len(lines[d.line - 1]) + 1
        assert (d.end_line, d.end_column) > (d.line, d.column)


# ---------------------------------------------------------------- packs


def make(folder: Path, files: dict[str, bytes | str]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def test_files_are_sorted_by_path_and_named_as_the_argument_led_to_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path / "g", {"b.yaml": "", "a/z.yaml": "", "a.yaml": "", "game.yaml": "", "x.txt": "", ".h/y.yaml": ""})
    monkeypatch.chdir(tmp_path)
    pack = read_pack("g")
    assert [file.name for file in pack.files] == ["a.yaml", "a/z.yaml", "b.yaml", "game.yaml"]
    assert [file.path for file in pack.files][1] == "g/a/z.yaml"
    assert pack.name == "g" and pack.findings == []
    monkeypatch.chdir("g")
    assert read_pack(".").files[1].path == "a/z.yaml"


def test_line_ends_and_a_byte_order_mark_do_not_move_anything(tmp_path: Path) -> None:
    text = "a: 1\nb: |\n  x\n  y\n"
    make(tmp_path / "lf", {"f.yaml": text})
    make(tmp_path / "crlf", {"f.yaml": b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()})
    make(tmp_path / "cr", {"f.yaml": text.replace("\n", "\r")})
    lf, crlf, cr = (read_pack(tmp_path / name) for name in ("lf", "crlf", "cr"))
    assert lf.files[0].text == crlf.files[0].text == cr.files[0].text == text
    assert digest(lf) == digest(crlf) == digest(cr)
    assert [d.code for d in crlf.findings] == ["byte-order-mark"]
    assert scalar(crlf.files[0].root, "b").place(2) == (4, 3)  # type: ignore[arg-type]


def test_digest_is_of_paths_and_texts(tmp_path: Path) -> None:
    one = make(tmp_path / "1", {"a.yaml": "a: 1\n", "b.yaml": ""})
    two = make(tmp_path / "2", {"a.yaml": "", "b.yaml": "a: 1\n"})
    assert digest(read_pack(one)) != digest(read_pack(two))
    assert digest(read_pack(one), lambda name: name == "a.yaml") != digest(read_pack(one))
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert digest(read_pack(one), lambda name: False) == empty


def test_bad_utf8_is_found_at_its_byte(tmp_path: Path) -> None:
    make(tmp_path, {"a.yaml": "é: 1\nb: é".encode() + b"\xff\n"})
    pack = read_pack(tmp_path)
    assert [(d.code, d.line, d.column) for d in pack.findings] == [("bad-encoding", 2, 5)]
    assert pack.files[0].root is None


def test_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path / "a", {"a.yaml": "# " + "x" * (1 << 20), "b.yaml": "# " + "x" * ((1 << 20) - 2)})
    pack = read_pack(tmp_path / "a")
    assert [(d.code, Path(d.file).name) for d in pack.findings] == [("too-large", "a.yaml")]
    assert [file.name for file in pack.files] == ["b.yaml"]

    monkeypatch.setattr("interpreter.read.MOST_FILES", 3)
    make(tmp_path / "b", {f"{i}.yaml": "a: [{}, {}]\n" for i in range(4)})
    pack = read_pack(tmp_path / "b")
    assert [d.code for d in pack.findings] == ["too-many"] and len(pack.files) == 3

    monkeypatch.setattr("interpreter.read.MOST_RECORDS", 5)
    make(tmp_path / "c", {f"{i}.yaml": "a: [{}, {}]\n" for i in range(3)})
    assert [(d.code, Path(d.file).name) for d in read_pack(tmp_path / "c").findings] == [("too-many", "2.yaml")]

    monkeypatch.setattr("interpreter.read.LARGEST_PACK", 20)
    pack = read_pack(tmp_path / "c")
    assert [(d.code, Path(d.file).name) for d in pack.findings] == [("too-large", "1.yaml")] and len(pack.files) == 1


@pytest.mark.skipif(os.name == "nt", reason="links and pipes of POSIX")
def test_nothing_leads_out_of_a_pack(tmp_path: Path) -> None:
    make(tmp_path, {"out/secret.yaml": "a: 1\n", "p/game.yaml": "", "p/mods/mod.yaml": "", "p/mods/deep/x.yaml": ""})
    (tmp_path / "p" / "link.yaml").symlink_to("../out/secret.yaml")
    (tmp_path / "p" / "folder").symlink_to("../out")
    os.mkfifo(tmp_path / "p" / "pipe.yaml")
    pack = read_pack(tmp_path / "p")
    assert [file.name for file in pack.files] == ["game.yaml"]
    assert sorted((d.code, Path(d.file).name) for d in pack.findings) == [
        ("not-found", "pipe.yaml"),
        ("outside-pack", "folder"),
        ("outside-pack", "link.yaml"),
    ]


def test_what_is_not_there_is_a_finding(tmp_path: Path) -> None:
    assert [d.code for d in read_pack(tmp_path / "none").findings] == ["not-found"]
    file, findings = read_file(tmp_path / "none.yaml")
    assert file.root is None and [d.code for d in findings] == ["not-found"]


def test_other_suffixes_are_pointed_out(tmp_path: Path) -> None:
    make(tmp_path, {"a.yml": "", "b.YAML": "", "c.md": ""})
    assert [(d.code, d.severity) for d in read_pack(tmp_path).findings] == [("wrong-suffix", "warning")] * 2


def test_texts_are_looked_at_where_the_caller_says(tmp_path: Path) -> None:
    make(tmp_path, {"a.yaml": 'cards:\n- name: "A"\n  text: "Gain."\n'})
    pack = read_pack(tmp_path, lambda file, path: path[-1:] == ("text",))
    assert [(d.code, d.line) for d in pack.findings] == [("quoted-text", 3)]
    assert pack.findings[0].suggestion == "Gain."


def test_a_file_holds_keys(tmp_path: Path) -> None:
    make(tmp_path, {"a.yaml": "- name: A\n"})
    assert [(d.code, d.line, d.column) for d in read_pack(tmp_path).findings] == [("bad-value", 1, 1)]


@pytest.mark.parametrize("name", ["Thistle", "Ruby Toad", "D'Artagnan's Well-Being", "Who?, Me!", "Éa", "漢字", "7th"])
def test_good_names(name: str) -> None:
    assert name_fault(name) is None


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("", "empty"),
        (" a", "begin or end"),
        ("a  b", "single spaces"),
        ("a\nb", "U+000A"),
        ("a\u202eb", "U+202E"),
        ("A (b)", '"("'),
        ("It’s", "type ' instead"),
        ("e\u0301", "NFC"),
        ("x" * 81, "81"),
        ("a{b}", '"{"'),
    ],
)
def test_bad_names(name: str, part: str) -> None:
    assert part in (name_fault(name) or "")
