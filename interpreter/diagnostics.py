"""diagnostics: in, what a stage found and where; out, `Diagnostic`, the table of codes, and `ContentError`.

Positions are 1-based, in code points of the LF text; the end is exclusive. Codes are stable: tools and tests name them.
The examples here use an invented game with the counter Ember, the kinds Lantern and Meadow, and a card Thistle.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]
Span = tuple[int, int, int, int]  # line, column, end line, end column


@dataclass(frozen=True, slots=True, order=False)
class Diagnostic:
    """One finding. `suggestion` is what to type instead, never a sentence; `notes` are sentences, and may hold line
    ends where they show a mend."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    severity: Severity
    code: str
    message: str
    suggestion: str | None = None
    notes: tuple[str, ...] = ()


class ContentError(Exception):
    """Content that cannot be played. `diagnostics` holds every finding, sorted."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(in_order(diagnostics))
        super().__init__("\n".join(f"{d.file}:{d.line}:{d.column}: {d.code}: {d.message}" for d in self.diagnostics))


def finding(
    code: str, file: str, span: Span, message: str, suggestion: str | None = None, notes: Iterable[str] = ()
) -> Diagnostic:
    """A Diagnostic whose severity is the one that CODES gives to its code."""
    line, column, end_line, end_column = span
    severity = CODES[code][0]
    return Diagnostic(file, line, column, end_line, end_column, severity, code, message, suggestion, tuple(notes))


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sorted by place, then code and message; each once, whatever its notes."""
    first: dict[tuple[object, ...], Diagnostic] = {}
    for d in diagnostics:
        first.setdefault((d.file, d.line, d.column, d.end_line, d.end_column, d.code, d.message), d)
    return sorted(first.values(), key=lambda d: (d.file, d.line, d.column, d.end_line, d.end_column, d.code, d.message))


def has_errors(diagnostics: Iterable[Diagnostic], strict: bool = False) -> bool:
    """True if content with these findings may not be played; with strict, warnings count as errors."""
    return any(strict or d.severity == "error" for d in diagnostics)


# code: (severity, what it means, a wrong example, the same put right)
CODES: dict[str, tuple[Severity, str, str, str]] = {
    # ---------------------------------------------------------------- files and packs
    "not-found": (
        "error",
        "A file or folder that was named is not there, or cannot be read.",
        "cardscript check content/medows",
        "cardscript check content/meadows",
    ),
    "outside-pack": (
        "error",
        "A pack holds plain files only: a symbolic link, or a name with `..`, could lead out of it.",
        "cards.yaml -> ../../elsewhere/cards.yaml",
        "cards.yaml, a copy of that file",
    ),
    "wrong-suffix": (
        "warning",
        "Only files ending in .yaml are read; this one is left out.",
        "cards.yml",
        "cards.yaml",
    ),
    "bad-encoding": (
        "error",
        "A content file is UTF-8 text.",
        "a file saved as Latin-1",
        "the same file saved as UTF-8",
    ),
    "byte-order-mark": (
        "warning",
        "The file begins with a byte order mark, which UTF-8 does not need.",
        'saved as "UTF-8 with BOM"',
        'saved as "UTF-8"',
    ),
    "bad-character": (
        "error",
        "A control character, or one that changes the direction of writing, which nobody can see.",
        "note: Thi\\u202estle",
        "note: Thistle",
    ),
    "too-large": (
        "error",
        "A file may have 1 MiB, all files of a pack together 16 MiB.",
        "cards.yaml with 2 MiB",
        "cards-a.yaml and cards-b.yaml",
    ),
    "too-many": (
        "error",
        "A pack may have 2,000 files and 20,000 records.",
        "a pack of 2,001 files",
        "the same records in fewer files",
    ),
    "too-deep": (
        "error",
        "Lists and mappings may be nested 32 deep, and folders as deep; the parts of a sentence 12 deep.",
        "cost: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
        "cost: 1",
    ),
    "too-long": (
        "error",
        "A text may have 4,000 characters, a name 80.",
        "text: |\n  a rule of ten pages",
        "text: |\n  Follow the long rule.   # a phrase of its own",
    ),
    # ---------------------------------------------------------------- YAML
    "yaml": ("error", "The file is not YAML from here on.", "note: [Ember, Lantern", "note: Ember, Lantern"),
    "yaml-colon": (
        "error",
        "A text on one line may not hold a colon and a space: YAML would take it for a key. Use a `|` block.",
        "text: Choose one: gain 1 Ember; or draw a Lantern.",
        "text: |\n  Choose one: gain 1 Ember; or draw a Lantern.",
    ),
    "comment-after-text": (
        "error",
        "In a text on one line, ` #` begins a comment and ends the text. Use a `|` block, or put the comment above.",
        "text: Gain 2 Ember. # per Lantern",
        "# per Lantern\ntext: Gain 2 Ember.",
    ),
    "tab-indent": ("error", "YAML is indented with spaces, never with tabs.", "\\tcost: 2", "    cost: 2"),
    "duplicate-key": (
        "error",
        "One mapping has the same key twice; only one of them could count.",
        "cost: 2\ncost: 3",
        "cost: 2",
    ),
    "bad-key": ("error", "A key is a word or words on one line.", "? [cost, price]\n: 1", "cost: 1"),
    "anchor": ("error", "Anchors are not used here: write what is meant in each place.", "cost: &c 2", "cost: 2"),
    "alias": ("error", "Aliases are not used here: write what is meant in each place.", "cost: *c", "cost: 2"),
    "tag": ("error", "Tags and directives are not used here.", "cost: !!int 2", "cost: 2"),
    "merge-key": ("error", "Merge keys are not used here.", "<<: {cost: 2}", "cost: 2"),
    "folded-text": (
        "error",
        "A folded block (`>`) joins lines, so nothing in it has one place. Use a `|` block.",
        "text: >\n  Gain\n  2 Ember.",
        "text: |\n  Gain 2 Ember.",
    ),
    "quoted-text": (
        "error",
        "A rule's text stands without quotation marks: on one plain line, or in a `|` block.",
        'text: "Gain 2 Ember."',
        "text: Gain 2 Ember.",
    ),
    "multi-line-text": (
        "error",
        "A plain or quoted value stands on one line; more lines need a `|` block.",
        "text: Gain 2 Ember.\n  Draw a Lantern.",
        "text: |\n  Gain 2 Ember.\n  Draw a Lantern.",
    ),
    "bad-number": (
        "error",
        "A whole number in a file may have 18 digits, in a text 9.",
        "cost: 12345678901234567890",
        "cost: 1234567890",
    ),
    # ---------------------------------------------------------------- fields
    "unknown-field": ("error", "This record has no such field.", "csot: 2", "cost: 2"),
    "missing-field": (
        "error",
        "A field that this record must have is not there.",
        "- cost: 2",
        "- name: Thistle\n  cost: 2",
    ),
    "bad-value": ("error", "The field is there, but may not hold this.", "cost: two", "cost: 2"),
    "bad-name": (
        "error",
        "A name is made of letters, digits, spaces and ' - ! ? , only, with no space at either end.",
        "name: Thistle (small)",
        "name: Small Thistle",
    ),
    "duplicate-id": (
        "error",
        "Two records have one id.",
        "- id: thistle\n- id: thistle",
        "- id: thistle\n- id: nettle",
    ),
    "duplicate-name": (
        "error",
        "Two things have one name, so a text could not say which it means.",
        "- name: Thistle\n- name: Thistle",
        "- name: Thistle\n- name: Nettle",
    ),
    "replaced-twice": (
        "error",
        "Two mods replace or remove one record; the order of mods never matters, so neither can win.",
        "replaces: thistle   # in two mods",
        "replaces: thistle   # in one",
    ),
    "unknown-game": ("error", "No game or pack of this name is installed.", "extends: medows", "extends: meadows"),
    "circular-needs": ("error", "Packs need each other in a circle.", "a needs b, b needs a", "a needs b"),
    # ---------------------------------------------------------------- texts
    "unknown-name": (
        "error",
        "A capitalised word is a name of the game, and nothing in this game has this one.",
        "Gain 2 Embr.",
        "Gain 2 Ember.",
    ),
    "unknown-word": (
        "error",
        "A lower-case word is one of the language, of a phrase, or a local name; this is none.",
        "Gian 2 Ember.",
        "Gain 2 Ember.",
    ),
    "syntax": ("error", "The words are known, but no sentence goes on like this.", "Gain Ember 2.", "Gain 2 Ember."),
    "agreement": (
        "error",
        "Singular and plural, or a subject and its verb, do not agree.",
        "Draw 2 Lantern.",
        "Draw 2 Lanterns.",
    ),
    "type": (
        "error",
        "A thing of one kind stands where another is needed.",
        "Move Ember forward 1 space along the Ring.",
        "Move your Walker forward 1 space along the Ring.",
    ),
    "phrase-clash": (
        "error",
        "One sentence could be read as two phrases, or as a phrase and a sentence of the language.",
        "phrase: gain {number amount} Ember",
        "phrase: kindle {number amount} Ember",
    ),
    "phrase-hole": (
        "error",
        "A phrase begins with a word of its own, two holes never touch, and a hole has a kind and a lower-case name.",
        "phrase: kindle {number amount} {Lantern where}",
        "phrase: kindle {number amount} on {Lantern where}",
    ),
    "no-antecedent": (
        "error",
        "`it`, `them`, `chosen` and the like need something before them that they stand for.",
        "Discard them.",
        "Choose 2 Lanterns in your Hand. Discard them.",
    ),
    "circular-modifier": (
        "error",
        "A lasting effect reads, through some chain, the very thing that it changes.",
        "The Glow of Lanterns is increased by the highest Glow of Lanterns.",
        "The Glow of Lanterns is increased by the number of Lanterns on the Heap.",
    ),
    "circular-value": (
        "error",
        "A value, a state, a relation or a field is defined through itself, by whatever chain.",
        "- value: the warmth of {player one}\n  is: the warmth of one plus 1",
        "- value: the warmth of {player one}\n  is: the Ember of one plus 1",
    ),
    "unbounded-choice": (
        "error",
        "A player may choose a number that has no greatest value.",
        "Choose n from 0 to your Moss. Gain Ember = n.",
        "Choose n from 0 to your Moss, at most 10. Gain Ember = n.",
    ),
    "no-effect": ("warning", "This sentence can never do anything.", "Gain 0 Ember.", "Gain 1 Ember."),
    "idle-text": (
        "warning",
        "With --strict: a text, or the part of one behind `Stop.`, that does nothing.",
        "Let n be 2.",
        "Gain 2 Ember.",
    ),
    "unused-phrase": (
        "warning",
        "With --strict: a phrase or value that no text uses which can come into play.",
        "phrase: kindle {number amount} Ember",
        "phrase: kindle {number amount} Ember\ntext: Kindle 1 Ember.",
    ),
    "unused-name": (
        "warning",
        "With --strict: a counter, state, title, relation or local name that no text speaks of.",
        "Let n be 2. Gain 1 Ember.",
        "Let n be 2. Gain n Ember.",
    ),
    "unreachable-record": (
        "warning",
        "With --strict: a record that no text names, nor its kind: no deck or step can reach it.",
        "copies: 0",
        "copies: 1",
    ),
    "twin-records": (
        "warning",
        "With --strict: two records that differ in their names only.",
        "- name: Nettle\n  text: Gain 1 Ember.",
        "- name: Nettle\n  text: Gain 2 Ember.",
    ),
    "draft": (
        "warning",
        "A record marked `status: draft` is kept out of play.",
        "status: draft",
        "cost: 2",
    ),
    # ---------------------------------------------------------------- scenarios and rules
    "unknown-label": (
        "error",
        "No option of the game can have this label, so a step with it proves nothing.",
        "refused: Becon",
        "refused: Beacon",
    ),
    "ambiguous-label": (
        "error",
        "Several options have this label; add words until one is left.",
        "choose: Meadow",
        "choose: North Meadow",
    ),
    "unknown-rule": ("error", "rules.yaml has no rule of this id.", "covers: [ME-010]", "covers: [ME-001]"),
}
