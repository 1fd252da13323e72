"""scenario: scenario files → Scenarios, made ready on a compiled game: every text compiled, every label known.

In: a read file, and a Bench. Out: Scenario (what `story` plays), findings at the exact word. Nothing here plays.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .attach import Question, Statement
from .bench import Bench, faction_names, faction_thing, seat_number, step_and_player, step_label, zone_of
from .diagnostics import Diagnostic, finding, has_errors
from .nodes import Mapping, Node, Scalar, Sequence, plain
from .schema import load_schema, validate
from .scope import steps_below
from .verdict import Verdict, verdict

if TYPE_CHECKING:
    from .read import File

DERIVED = re.compile(r"^[A-Z]+-(EX|DX)-")


@dataclass(slots=True)
class Step:
    """One entry of `when` or `setup`. Labels are scalars, so that a failure has a place."""

    node: Mapping
    by: Scalar | None = None
    choose: list[Scalar] = field(default_factory=list)
    do: Scalar | None = None
    as_: Scalar | None = None
    offered: list[Scalar] | None = None
    not_offered: list[Scalar] = field(default_factory=list)
    refused: list[Scalar] = field(default_factory=list)
    refused_do: Scalar | None = None


@dataclass(slots=True)
class Scenario:
    """One scenario as written. file: as findings show it. statements and questions are filled by `ready`."""

    name: str
    file: str
    node: Mapping
    covers: list[Scalar] = field(default_factory=list)
    players: int | list[str] | None = None
    mods: list[str] = field(default_factory=list)
    seed: int = 0
    deck: list[tuple[Scalar, list[Scalar]]] = field(default_factory=list)
    rolls: list[Scalar] | None = None
    options: dict[str, Any] = field(default_factory=dict)
    setup: list[Step] = field(default_factory=list)
    at: Scalar | None = None
    given: list[Scalar] = field(default_factory=list)
    when: list[Step] = field(default_factory=list)
    then: list[Scalar] = field(default_factory=list)
    statements: dict[int, Statement] = field(default_factory=dict)  # by id of the scalar
    questions: dict[int, Question | Verdict] = field(default_factory=dict)
    findings: list[Diagnostic] = field(default_factory=list)

    @property
    def line(self) -> int:
        return self.node.span()[0]


# ---------------------------------------------------------------- reading


def read_scenarios(file: File) -> tuple[list[Scenario], list[Diagnostic]]:
    """The scenarios of a file, each with the findings that lie in it; findings that lie in none."""
    root = file.root
    schema = load_schema("scenario")
    findings = validate(root, schema, file.path) if schema and root is not None else []
    if not isinstance(root, Mapping) or not isinstance(root.get("scenarios"), Sequence):
        if root is not None and not findings:
            where = root.span() if isinstance(root, (Mapping, Sequence)) else (1, 1, 1, 2)
            findings.append(finding("missing-field", file.path, where, 'the field "scenarios" is missing here'))
        return [], findings
    nodes = [n for n in items(root.get("scenarios")) if isinstance(n, Mapping)]
    starts = [n.line for n in nodes] + [10**9]
    found: list[Scenario] = []
    for node, end in zip(nodes, starts[1:]):
        mine = [d for d in findings if node.line <= d.line < end]
        findings = [d for d in findings if d not in mine]
        name = node.get("name")
        scenario = Scenario(str(name.value) if isinstance(name, Scalar) else "without a name", file.path, node)
        scenario.findings = mine
        if not has_errors(mine):
            fill(scenario, node)
        found.append(scenario)
    return found, findings


def items(node: Node | None) -> list[Node]:
    return list(node.items) if isinstance(node, Sequence) else []


def words_of(node: Node | None) -> list[Scalar]:
    """The scalars of a list, or of a value by itself."""
    return [node] if isinstance(node, Scalar) else [n for n in items(node) if isinstance(n, Scalar)]


def word(node: Node | None) -> Scalar | None:
    return node if isinstance(node, Scalar) else None


def fill(s: Scenario, node: Mapping) -> None:
    """What the schema has found in order."""
    s.covers = words_of(node.get("covers"))
    players = node.get("players")
    if players is not None:
        s.players = plain(players)
    s.mods = [str(w.value) for w in words_of(node.get("mods"))]
    seed = node.get("seed")
    s.seed = int(plain(seed)) if seed is not None else 0
    deck = node.get("deck")
    if isinstance(deck, Mapping):
        s.deck = [(key, words_of(cards)) for key, cards in deck.items.values()]
    s.rolls = words_of(node.get("rolls")) if node.get("rolls") is not None else None
    s.options = plain(node.get("options")) or {}
    s.setup = [step(n) for n in items(node.get("setup")) if isinstance(n, Mapping)]
    s.at = word(node.get("at"))
    s.given = words_of(node.get("given"))
    s.when = [step(n) for n in items(node.get("when")) if isinstance(n, Mapping)]
    s.then = words_of(node.get("then"))


def step(node: Mapping) -> Step:
    out = Step(node, by=word(node.get("by")), do=word(node.get("do")), as_=word(node.get("as")))
    out.choose = words_of(node.get("choose"))
    if node.get("offered") is not None:
        out.offered = words_of(node.get("offered"))
    out.not_offered = words_of(node.get("not offered"))
    refused = node.get("refused")
    if isinstance(refused, Mapping):
        out.refused_do, out.as_ = word(refused.get("do")), word(refused.get("as"))
    else:
        out.refused = words_of(refused)
    return out


def text_of(label: Scalar) -> str:
    """A label as it was written: a number or word keeps its form."""
    return (label.text if label.style == "plain" else str(label.value)).strip()


# ---------------------------------------------------------------- making ready


def ready(s: Scenario, bench: Bench, rules: set[str] | None = None) -> list[Diagnostic]:
    """Compile every text of a scenario and look up every label and name; rules: the ids that `covers` may name. The
    findings are also kept in the scenario."""
    if has_errors(s.findings):
        return s.findings
    found: list[Diagnostic] = []
    for text in s.given:
        put(s, bench, text, True, found)
    for step_ in s.when:
        for do in (step_.do, step_.refused_do):
            if do is not None:
                put(s, bench, do, False, found)
    for text in s.then:
        question: Question | Verdict | None
        question, faults = verdict(text, bench, s.file)
        if question is None and not faults:
            question, faults = bench.question(text, s.file)
        found += faults
        if question is not None:
            s.questions[id(text)] = question
    for label in labels_in(s):
        wrong, near = bench.unknown(text_of(label))
        if wrong:
            message = f'no option of this game can be called "{text_of(label)}"'
            found.append(finding("unknown-label", s.file, label.span(), message, near))
    found += names(s, bench)
    for rule in s.covers:
        ident = str(rule.value)
        if rules is not None and ident not in rules and not DERIVED.match(ident):
            meant = difflib.get_close_matches(ident, rules, 1)
            message = f"rules.yaml has no rule {ident}"
            found.append(finding("unknown-rule", s.file, rule.span(), message, meant[0] if meant else None))
    s.findings += found
    return s.findings


def put(s: Scenario, bench: Bench, text: Scalar, silent: bool, found: list[Diagnostic]) -> None:
    statement, faults = bench.statement(text, s.file, silent)
    found += faults
    if statement is not None:
        s.statements[id(text)] = statement


def labels_in(s: Scenario) -> Iterator[Scalar]:
    for step_ in [*s.setup, *s.when]:
        yield from step_.choose
        yield from step_.offered or []
        yield from step_.not_offered
        yield from step_.refused


def names(s: Scenario, bench: Bench) -> list[Diagnostic]:
    """Zones, cards, steps and players that a scenario names and the game does not have."""
    found: list[Diagnostic] = []
    model = bench.program.model

    def missing(at: Scalar, what: str, known: list[str], part: str = "") -> None:
        name = part or text_of(at)
        near = difflib.get_close_matches(name, known, 1)
        start = max(0, at.text.find(name))
        where = at.span(start, start + len(name))
        found.append(finding("unknown-name", s.file, where, f'{what} "{name}"', near[0] if near else None))

    for deck, cards in s.deck:
        if zone_of(bench, text_of(deck)) is None:
            missing(deck, "this game has no deck or place called", list(model.zones))
        for card in cards:
            if text_of(card) not in model.names_of:
                missing(card, "nothing in this game is called", list(dict.fromkeys(model.names_of)))
    if s.at is not None:
        name, who = step_and_player(text_of(s.at))
        if step_label(bench, name) is None:
            missing(s.at, "this game has no step or phase called", steps_below(model), name)
        if who and seat_number(bench, who) is None and faction_thing(bench, who) is None:
            missing(s.at, "this game has no player or faction called", faction_names(bench), who)
    for step_ in [*s.setup, *s.when]:
        for who_ in (step_.by, step_.as_):
            if who_ is not None and seat_number(bench, text_of(who_)) is None:
                if faction_thing(bench, text_of(who_)) is None:
                    missing(who_, "this game has no player or faction called", faction_names(bench))
    return found
